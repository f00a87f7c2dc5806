import FencepostFixes
import FencepostTime
import FencepostTracks
import Foundation
import TestSupport
import Testing

@Suite("Times that state no zone")
struct LocalTimesTests {
  /// The time of a file's first fix, by the clock of a zone.
  private func first(_ name: String, _ text: String, in zone: String? = nil) throws -> String? {
    let scratch = try ScratchFolder()
    var options = FixStreamOptions()
    options.clock = try zone.map { try #require(ClockZone(identifier: $0)) }
    var reader = try FixReader(path: try scratch.write(name, text), options: options)
    var outcome = Outcome()
    var batch = FixBatch()
    while try reader.read(into: &batch) { outcome.take(batch) }
    let time = try #require(outcome.fixes.first?.timeMilliseconds)
    return Date(timeIntervalSince1970: Double(time) / 1000).formatted(.iso8601)
  }

  @Test(
    "are those of the clock in every format that can leave the zone out, or else UTC",
    arguments: [
      ("walk.csv", "time,lat,lon\n2026-07-04 19:00:00,52.1,11.6\n"),
      ("walk.jsonl", "{\"time\":\"2026-07-04T19:00:00\",\"lat\":52.1,\"lon\":11.6}\n"),
      (
        "walk.gpx",
        "<gpx><trk><trkseg><trkpt lat=\"52.1\" lon=\"11.6\"><time>2026-07-04T19:00:00</time></trkpt>"
          + "</trkseg></trk></gpx>"
      ),
      (
        "walk.geojson",
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[11.6,52.1]},"
          + "\"properties\":{\"time\":\"2026-07-04T19:00:00\"}}"
      ),
      (
        "walk.kml",
        "<kml><Placemark><TimeStamp><when>2026-07-04T19:00:00</when></TimeStamp><Point><coordinates>"
          + "11.6,52.1</coordinates></Point></Placemark></kml>"
      ),
    ])
  func localTimes(name: String, text: String) throws {
    #expect(try first(name, text) == "2026-07-04T19:00:00Z")
    #expect(try first(name, text, in: "Europe/Berlin") == "2026-07-04T17:00:00Z")
  }

  @Test(
    "and come twice are the first, and skipped ones are an hour later",
    arguments: [
      ("2026-10-25 02:30:00", "2026-10-25T00:30:00Z"),
      ("2026-03-29 02:30:00", "2026-03-29T01:30:00Z"),
    ])
  func clockChanges(local: String, instant: String) throws {
    let text = "time,lat,lon\n\(local),52.1,11.6\n"
    #expect(try first("walk.csv", text, in: "Europe/Berlin") == instant)
  }
}
