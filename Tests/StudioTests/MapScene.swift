import FencepostSession
import FencepostFixes
import Foundation
import FencepostGeodesy
import FencepostHTTP
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostStudio
import TestSupport
import Testing

/// A map of a few places for a test.
final class MapScene {
  static let places =
    "id,title,lat,lon,radius\na,Alpha,40,-75,100\nb,Beta,40.01,-75,100\n"

  let map: LiveMap
  private let folder: URL

  var port: UInt16 { map.port }

  /// Makes a map and starts it.
  init(
    places: String = places,
    browserSecret: String? = nil, _ change: (inout LiveMapOptions) throws -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("places.csv")
    try Data(places.utf8).write(to: file)
    var options = LiveMapOptions(
      SiteOptions(
        address: try #require(HTTPAddress("127.0.0.1:0")),
        library: PageWriter.MapLibrary(script: "/* script */", style: "/* style */")),
      store: try PlaceStore.inMemory(from: [file.path]).store, session: TrackSessionOptions())
    try change(&options)
    map = try LiveMap(options)
    map.start(browserSecret: browserSecret)
  }

  deinit {
    map.stop()
    // What cannot be removed is left to the system's own cleaning.
    try? FileManager.default.removeItem(at: folder)
  }

  /// A client that has asked for a path and waited for the whole answer.
  func get(_ path: String, _ fields: [String] = ["Host: localhost"]) throws -> RawClient {
    let client = try RawClient(port: port)
    try client.get(path, fields)
    try client.waitForClose()
    return client
  }

  // MARK: What a session reports

  static func position(
    _ latitude: Double, _ longitude: Double = -75, device: String? = nil, seconds: Int64 = 0
  ) -> LiveUpdate {
    .position(
      Fix(
        coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        timeMilliseconds: 1_772_649_000_000 + 1000 * seconds, accuracyMeters: 5),
      device: device)
  }

  static func encounter(_ title: String, device: String? = nil) -> Encounter {
    Encounter(
      track: "t", device: device, segment: 0, fix: 1, fraction: 1,
      timeMilliseconds: 1_772_649_000_000,
      coordinate: Coordinate(latitudeDegrees: 40, longitudeDegrees: -75), placeID: "a",
      title: title, distanceMeters: 100)
  }

  static func alert(_ title: String, device: String? = nil) -> LiveUpdate {
    .event(.alert(encounter(title, device: device), Alert(deliveryMilliseconds: nil)))
  }

  static func suppressed(_ title: String, _ reason: String) -> LiveUpdate {
    .event(.suppressed(encounter(title), reason: reason))
  }
}
