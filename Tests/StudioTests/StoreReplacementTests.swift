import FencepostFormats
import Foundation
import FencepostGeodesy
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostStudio
import TestSupport
import Testing

/// A store in a private folder, to be replaced by others.
private final class StoreFolder {
  private let folder: URL
  var path: String { folder.appendingPathComponent("store").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // What cannot be removed is left to the system's own cleaning.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Adds rows of `id,title,lat,lon` to a store of a name.
  func add(_ rows: String, to name: String) throws {
    let file = folder.appendingPathComponent("rows.csv")
    try Data("id,title,lat,lon\n\(rows)".utf8).write(to: file)
    _ = try PlaceStore.importPlaces(
      from: [file.path], into: folder.appendingPathComponent(name).path)
  }

  /// Moves one file over another.
  func move(_ from: String, over to: String) throws {
    let paths = [from, to].map { folder.appendingPathComponent($0).path }
    try #require(unsafe rename(paths[0], paths[1]) == 0)
  }
}

@Suite("The places that a map shows")
struct StoreReplacementTests {
  private static let old = "a,Old,40,-75\nb,Other,40.001,-75\n"
  private static let new = "x,Elsewhere,50,5\ny,New,40,-75.001\n"

  private static func scene(_ folder: StoreFolder) throws -> MapScene {
    try folder.add(old, to: "store")
    return try MapScene { $0.store = try PlaceStore(path: folder.path) }
  }

  private static func near(_ message: RawClient.Message?) -> [String] {
    let devices = message?.data["devices"]?.array ?? []
    return devices.flatMap { $0["near"]?.array ?? [] }.compactMap { $0["title"]?.string }
  }

  private static func monitored(_ key: Int64, _ latitude: Double, _ longitude: Double) -> Region {
    let center = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    return Region(key: key, circle: Circle(center: Position(center), radiusMeters: 100))
  }

  @Test(
    "An open page shows the places of a replaced store at the next fix")
  func replaced() throws {
    let folder = try StoreFolder()
    let scene = try Self.scene(folder)
    let take = scene.map.observer
    take(MapScene.position(40, seconds: 0))
    let client = try RawClient(port: scene.port)
    #expect(Self.near(try client.listen()) == ["Old", "Other"])
    try folder.add(Self.new, to: "next")
    try folder.move("next", over: "store")
    // Not far enough for near places to be sent for that alone.
    take(MapScene.position(40.00001, seconds: 1))
    try client.wait("the new places are not shown") {
      Self.near($0.messages.last) == ["New", "Elsewhere"]
    }
    #expect(Self.near(try RawClient(port: scene.port).listen()) == ["New", "Elsewhere"])
  }

  @Test("Circles of the old store never get names of the new one")
  func names() throws {
    let folder = try StoreFolder()
    let scene = try Self.scene(folder)
    let take = scene.map.observer
    take(MapScene.position(40, seconds: 0))
    let first = Self.monitored(1, 40, -75)
    take(.monitored([(region: first, isInside: true)], device: nil))
    func titles(_ message: RawClient.Message) -> [String] {
      let devices = message.data["devices"]?.array ?? []
      return devices.flatMap { $0["monitored"]?.array ?? [] }.compactMap { $0["title"]?.string }
    }
    #expect(titles(try RawClient(port: scene.port).listen()) == ["Old"])
    try folder.add(Self.new, to: "next")
    try folder.move("next", over: "store")
    #expect(titles(try RawClient(port: scene.port).listen()) == [""])
    // The session has taken the file up as well.
    let second = Self.monitored(2, 40, -75.001)
    take(.monitored([(region: second, isInside: true)], device: nil))
    #expect(titles(try RawClient(port: scene.port).listen()) == ["New"])
  }

  @Test("An open page shows edited places at the next fix")
  func edited() throws {
    let folder = try StoreFolder()
    let scene = try Self.scene(folder)
    let take = scene.map.observer
    take(MapScene.position(40, seconds: 0))
    let client = try RawClient(port: scene.port)
    #expect(Self.near(try client.listen()) == ["Old", "Other"])
    try folder.add("c,Third,40.0001,-75\n", to: "store")
    take(MapScene.position(40.00001, seconds: 1))
    try client.wait("the third place is not shown") {
      Self.near($0.messages.last).contains("Third")
    }
  }

  @Test("Places stay while the store is missing, and change with the next one")
  func missing() throws {
    let folder = try StoreFolder()
    let scene = try Self.scene(folder)
    let take = scene.map.observer
    take(MapScene.position(40, seconds: 0))
    let client = try RawClient(port: scene.port)
    #expect(Self.near(try client.listen()) == ["Old", "Other"])
    try folder.move("store", over: "gone")
    take(MapScene.position(40.1, seconds: 60))
    try client.wait("no message") { $0.messages.count > 1 }
    // A page that receives no near places keeps the ones it has.
    #expect(Self.near(client.messages.last) == [])
    try folder.add(Self.new, to: "store")
    var count = 0
    try client.wait("the new places are not shown") { client in
      count += 1
      take(MapScene.position(40.1, seconds: Int64(60 + count)))
      return Self.near(client.messages.last) == ["New", "Elsewhere"]
    }
  }
}
