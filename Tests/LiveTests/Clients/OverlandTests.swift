import FencepostLive
import Testing

/// The messages have the form of Overland's README.md and GLManager.m, and of GPSLogger's Dawarich sender.
@Suite("Overland's batches")
struct OverlandTests {
  static func feature(
    _ properties: String, _ geometry: String = #"{"type":"Point","coordinates":[-75.1503,39.9496]}"#
  ) -> String {
    #"{"type":"Feature","geometry":\#(geometry),"properties":{\#(properties)}}"#
  }

  @Test("Each location is a fix of the device in its properties, with its zone's time")
  func locations() throws {
    let request = try PostedRequest(
      body: """
        {"locations":[\(Self.feature(#""timestamp":"2026-03-04T10:00:00-0700","altitude":0,"speed":4,"horizontal_accuracy":30,"vertical_accuracy":-1,"motion":["driving","stationary"],"pauses":false,"battery_level":0.89,"device_id":"ann","wifi":"""#)),
        \(Self.feature(#""timestamp":"2026-03-04T17:00:10Z","speed":-1,"course":-1,"horizontal_accuracy":5,"unique_id":"u1","device_id":"""#))]}
        """)
    #expect(request.client == .overland)
    #expect(
      request.records == [
        "ann 2026-03-04T17:00:00Z 39.9496,-75.1503 30.0 4.0 -",
        "u1 2026-03-04T17:00:10Z 39.9496,-75.1503 5.0 - -",
      ])
  }

  @Test("The present position, the trip, log entries, visits and trips are no fixes of the path")
  func others() throws {
    let current = Self.feature(#""timestamp":"2026-03-04T19:00:00Z","device_id":"ann""#)
    let request = try PostedRequest(
      body: """
        {"locations":[
        \(Self.feature(#""timestamp":"2026-03-04T17:00:00Z","action":"paused_location_updates","device_id":"ann""#)),
        \(Self.feature(#""timestamp":"2026-03-04T17:00:00Z","action":"visit","arrival_date":"2026-03-04T16:00:00Z""#)),
        \(Self.feature(#""timestamp":"2026-03-04T17:00:00Z","type":"trip","mode":"walk""#)),
        {"type":"Feature","properties":{"timestamp":"2026-03-04T17:00:00Z","device_id":"ann"}},
        \(Self.feature(#""timestamp":"2026-03-04T17:00:00Z""#, "null"))],
        "current":\(current),"trip":{"mode":"walk","current_location":\(current)}}
        """)
    #expect(request.client == .overland)
    #expect(request.records.isEmpty)
  }

  @Test("A batch that is newest first is read from its end, and one in any other order as it comes")
  func newestFirst() throws {
    func times(_ seconds: [Int]) throws -> [Substring] {
      let features = seconds.map {
        Self.feature(#""timestamp":"2026-03-04T17:00:0\#($0)Z","device_id":"ann""#)
      }
      let request = try PostedRequest(body: #"{"locations":[\#(features.joined(separator: ","))]}"#)
      return request.records.map { $0.split(separator: ":")[2].prefix(2) }
    }
    #expect(try times([9, 5, 5, 1]) == ["01", "05", "05", "09"])
    #expect(try times([9, 1, 5]) == ["09", "01", "05"])
  }

  @Test("A location whose position or time is wrong is a fault, and the others count")
  func faults() throws {
    let request = try PostedRequest(
      body: """
        {"locations":[\(Self.feature(#""timestamp":"2026-03-04T17:00:00Z""#, #"{"type":"Point","coordinates":[-75]}"#)),
        \(Self.feature(#""timestamp":"never","device_id":"ann""#)),
        \(Self.feature(#""timestamp":"2026-03-04T17:00:10Z","device_id":"ann""#))]}
        """)
    #expect(
      request.records == [
        "- coordinate", "ann time", "ann 2026-03-04T17:00:10Z 39.9496,-75.1503 - - -",
      ])
  }

  @Test("In its OwnTracks mode, early versions count the time from 2001")
  func ownTracksMode() throws {
    for time in ["1772643600", "794336400", "1772643600.25"] {
      let request = try PostedRequest(
        body:
          #"{"_type":"location","lat":39.9496,"lon":-75.1503,"tst":\#(time),"acc":5,"batt":89,"topic":"owntracks/ann"}"#
      )
      #expect(request.client == .overland)
      #expect(request.post?.topicDevice == "ann")
      #expect(request.records.first?.hasPrefix("- 2026-03-04T17:00:00") == true)
    }
  }
}
