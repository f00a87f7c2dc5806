import FencepostSession
import FencepostFormats
import Foundation
import FencepostGeodesy
import FencepostHTTP
import FencepostLive
import FencepostMonitoring
import FencepostStudio
import TestSupport
import Testing

extension RawClient {
  /// One server-sent event.
  struct Message {
    var id: String
    var kind: String
    var data: JSONValue
  }

  /// The last bytes received, as text.
  var tail: String { String(decoding: received.suffix(2000), as: UTF8.self) }

  /// The events received so far.
  var messages: [Message] {
    body.components(separatedBy: "\n\n").dropLast().compactMap { block in
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") {
        let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
        if pair.count == 2 { fields[pair[0]] = String(pair[1].dropFirst()) }
      }
      guard let text = fields["data"], let data = try? JSONValue(parsing: text) else { return nil }
      return Message(id: fields["id"] ?? "", kind: fields["event"] ?? "", data: data)
    }
  }

  /// Opens the stream of events and waits for its first.
  func listen(lastID: String? = nil) throws -> Message {
    try get("/events", ["Host: localhost"] + (lastID.map { ["Last-Event-ID: \($0)"] } ?? []))
    try wait("no first event") { !$0.messages.isEmpty }
    return try #require(messages.first)
  }
}

extension JSONValue {
  /// The titles of the events of a message.
  fileprivate var titles: [String] {
    (self["events"]?.array ?? []).compactMap { $0["event"]?["title"]?.string }
  }
}

@Suite("The stream of events")
struct FeedTests {
  @Test("While nobody is on the map it opens where most places are, across the antimeridian too")
  func home() throws {
    var places = "id,lat,lon\n"
    for number in 0..<40 {
      let longitude = 179.99 + Double(number) / 2000
      let turned = longitude > 180 ? longitude - 360 : longitude
      places += "p\(number),\(-17 + Double(number) / 4000),\(turned)\n"
    }
    places += "far,60,10\nfarther,-33,151\n"
    let scene = try MapScene(places: places)
    let first = try RawClient(port: scene.port).listen()
    let home = try #require(first.data["home"])
    let edges = ["south", "west", "north", "east"].compactMap { home[$0]?.double }
    try #require(edges.count == 4)
    #expect(edges[0] >= -17.001 && edges[2] <= -16.98 && edges[0] < edges[2])
    #expect(edges[3] - edges[1] > 0.005 && edges[3] - edges[1] < 0.03)
    let nowhere = try MapScene(places: "id,lat,lon\n")
    #expect(try RawClient(port: nowhere.port).listen().data["home"] == nil)
  }

  @Test("The stream begins with the whole state")
  func state() throws {
    let scene = try MapScene()
    let take = scene.map.observer
    take(.source("gps: connected"))
    take(MapScene.position(40, seconds: 0))
    take(MapScene.position(40.001, seconds: 60))
    let alpha = Region(
      key: 1,
      circle: Circle(
        center: Position(Coordinate(latitudeDegrees: 40, longitudeDegrees: -75)), radiusMeters: 100)
    )
    take(.monitored([(region: alpha, isInside: true)], device: nil))
    take(MapScene.alert("Alpha"))
    take(MapScene.suppressed("Beta", "cooldown"))
    let message = try RawClient(port: scene.port).listen()
    let data = message.data
    #expect(message.kind == "state")
    #expect(data["source"]?.string == "gps: connected")
    #expect(
      data["rule"]?.string == "the 20 nearest circles are watched, looked up again every 500 m")
    let device = try #require(data["devices"]?.array?.first)
    #expect(device["lines"]?.array?.first?.array?.compactMap(\.double) == [40, -75, 40.001, -75])
    #expect(device["position"]?["lat"]?.double == 40.001)
    #expect(device["position"]?["time"]?.string == "2026-03-04T18:31:00Z")
    #expect(device["position"]?["speed"]?.double == nil)
    #expect(device["monitored"]?.array?.first?["title"]?.string == "Alpha")
    #expect(device["monitored"]?.array?.first?["inside"]?.boolean == true)
    #expect(device["near"]?.array?.compactMap { $0["title"]?.string } == ["Alpha", "Beta"])
    #expect(data.titles == ["Alpha", "Beta"])
    let why = data["events"]?.array?.last?["why"]?.string
    #expect(why == "It has alerted within the last 7 days.")
  }

  @Test("Changes follow, many positions in one message")
  func changes() throws {
    let scene = try MapScene()
    scene.map.observer(MapScene.position(40, seconds: 0))
    let client = try RawClient(port: scene.port)
    _ = try client.listen()
    for index in 1...300 {
      scene.map.observer(
        MapScene.position(40 + 0.00001 * Double(index), seconds: Int64(index)))
    }
    scene.map.observer(MapScene.alert("Alpha"))
    try client.wait("the alert did not come") {
      $0.messages.contains { $0.data.titles == ["Alpha"] }
    }
    let news = client.messages.dropFirst()
    let devices = news.flatMap { $0.data["devices"]?.array ?? [] }
    let lines: [JSONValue] = devices.flatMap { $0["lines"]?.array ?? [] }
    let vertices = lines.reduce(0) { (sum: Int, line: JSONValue) in
      sum + (line.array?.count ?? 0) / 2
    }
    #expect(vertices == 300)
    #expect(news.count < 100)
    #expect(news.allSatisfy { $0.kind == "change" })
    #expect(news.first?.data["devices"]?.array?.first?["joins"]?.boolean == true)
  }

  @Test("After a lost connection the stream continues from the page's last event")
  func reconnect() throws {
    let scene = try MapScene()
    scene.map.observer(MapScene.alert("before"))
    let first = try RawClient(port: scene.port).listen()
    scene.map.observer(MapScene.alert("meanwhile"))
    let again = try RawClient(port: scene.port).listen(lastID: first.id)
    #expect(again.kind == "change")
    #expect(again.data.titles == ["meanwhile"])
    // An event of another run of the program means nothing here.
    for strange in ["other-1", "1", "", "-1", first.id + "9", first.id + "x"] {
      let message = try RawClient(port: scene.port).listen(lastID: strange)
      #expect(message.kind == "state")
      #expect(message.data.titles == ["before", "meanwhile"])
    }
  }

  @Test("A page that has fallen behind gets the whole state again and delays nothing")
  func slow() throws {
    let scene = try MapScene()
    let take = scene.map.observer
    let slow = try RawClient(port: scene.port)
    _ = try slow.listen()
    let brisk = try RawClient(port: scene.port)
    _ = try brisk.listen()
    var index = 0
    // Until the slow page's connection is full and changes that it lacks have been dropped.
    for round in 0..<60 {
      for _ in 0..<2000 {
        index += 1
        take(MapScene.position(40 + 0.00001 * Double(index), seconds: Int64(index)))
      }
      take(MapScene.alert("alert \(round)"))
      try brisk.wait("the brisk page is delayed") { $0.tail.contains("\"alert \(round)\"") }
    }
    try slow.wait("the slow page was not brought up to date", seconds: 60) {
      $0.tail.contains("\"alert 59\"")
    }
    #expect(slow.messages.contains { $0.kind == "state" && $0.data.titles.count > 10 })
    #expect(slow.received.count < brisk.received.count)
  }

  @Test("Hostile titles are never markup or line ends")
  func hostile() throws {
    let title = "</script><img src=x onerror=alert(1)>\r\ndata: {}\n\nevent: state"
    let scene = try MapScene(
      places: "id,title,lat,lon\na,\"</script><img src=x onerror=alert(1)>\",40,-75\n")
    scene.map.observer(MapScene.position(40))
    scene.map.observer(MapScene.alert(title))
    let client = try RawClient(port: scene.port)
    let message = try client.listen()
    #expect(message.data.titles == [title])
    #expect(!client.body.contains("<img"))
    #expect(client.messages.count == 1)
    let near = message.data["devices"]?.array?.first?["near"]?.array
    #expect(near?.first?["title"]?.string == "</script><img src=x onerror=alert(1)>")
  }
}
