import Foundation
import TestSupport
import Testing

@Suite("A log fed live")
struct LiveIdentityTests {
  @Test(
    "gives the lines of its replay, byte for byte",
    arguments: [
      "walk.nmea", "drive.nmea", "ride.gpsd.jsonl", "ride.owntracks.jsonl", "ride.csv",
      "ride.gpx", "ride.gpx.gz", "walk.gpx", "standstill.gpx",
    ])
  func identity(track: String) throws {
    let bytes = try LiveSample.track(track)
    let expected = try LiveSample.replayed(bytes, ["--events", "all"])
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--events", "all"])
    try live.write(bytes)
    try live.finish()
    #expect(live.lines == expected)
  }

  @Test("processes a complete epoch before the next begins")
  func completeEpoch() throws {
    // Two epochs show which sentences belong to one; the third is inside the circle, and silence
    // follows.
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let live = try LiveProcess(nil, ["live", "-", "--places", places])
    for (second, latitude) in [(0, "4000.2000"), (1, "4000.1000"), (2, "4000.0100")] {
      let time = "12000\(second).00"
      try live.write(
        Data(
          (Self.sentence("GPRMC,\(time),A,\(latitude),N,07500.0000,W,10,180,040326,,")
            + Self.sentence("GPGGA,\(time),\(latitude),N,07500.0000,W,1,08,1.0,10,M,,M,,")).utf8))
    }
    try live.wait("no alert in the silence") { $0.outputText.contains("\"type\":\"alert\"") }
    try live.finish()
    #expect(live.lines.filter { $0.contains("\"alert\"") }.count == 1)
  }

  @Test("takes the clock's date if the receiver reports none")
  func clockDate() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let live = try LiveProcess(nil, ["live", "-", "--places", places])
    let now = Calendar(identifier: .gregorian).dateComponents(
      in: try #require(TimeZone(identifier: "UTC")), from: Date())
    for (second, latitude) in [(0, "4000.2000"), (1, "4000.0100"), (2, "4000.0100")] {
      let time = String(
        format: "%02d%02d%02d.00", now.hour ?? 0, now.minute ?? 0,
        min(59, (now.second ?? 0) / 3 * 3 + second))
      try live.write(
        Data(
          Self.sentence("GPGGA,\(time),\(latitude),N,07500.0000,W,1,08,1.0,10,M,,M,,").utf8))
    }
    try live.wait("no alert") { $0.outputText.contains("\"type\":\"alert\"") }
    let day = ISO8601DateFormatter().string(from: Date()).prefix(10)
    #expect(live.lines.first?.contains("\"time\":\"\(day)T") == true)
    try live.wait("not said") { $0.errorText.contains("the source gives no date") }
  }

  static func sentence(_ text: String) -> String {
    let sum = text.utf8.reduce(UInt8(0), ^)
    return "$\(text)*\(String(format: "%02X", sum))\r\n"
  }
}
