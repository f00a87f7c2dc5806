import FencepostFixes
import FencepostGeodesy
import FencepostTime
import FencepostTracks
import Testing

@Suite("Lines of waypoints")
struct WaypointLinesTests {
  @Test("Each line is a fix without time, and what is none is rejected with its line")
  func lines() {
    let text = "39.95,-75.15\r\n\n# a turn\n 39.96 , -75.16 \nhere\n91,0\n1,2,3\n-0.00001,5e-3"
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { WaypointLinesDecoder() }
    #expect(outcome.error == nil)
    #expect(outcome.fixes.map(\.line) == [1, 4, 8])
    #expect(
      outcome.fixes.map(\.coordinate.latitudeDegrees) == [39.95, 39.96, -0.00001]
        && outcome.fixes.map(\.coordinate.longitudeDegrees) == [-75.15, -75.16, 0.005])
    #expect(outcome.times == ["-", "-", "-"])
    #expect(outcome.rejections.map(\.reason) == [.malformed, .coordinate, .malformed])
    #expect(outcome.rejections.map(\.line) == [5, 6, 7])
  }

  @Test(
    "are recognized by their first line",
    arguments: [
      ("39.95,-75.15\n", TrackFormat.waypointLines), ("# walk\n\n1,2\n", .waypointLines),
      ("lat,lon\n1,2\n", .csv),
    ])
  func recognized(text: String, format: TrackFormat) throws {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(text.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.format == format && batch.fixes.count == 1)
  }

  @Test(
    "Several on a line, as on simctl's command line, are a fix each, and only what is none is rejected"
  )
  func pairs() throws {
    let text =
      "39.95,-75.15 39.96,-75.16\t39.97,-75.17\n39.98,-75.18 here 91.5,0 40,-75\n39.99 , -75.19\n"
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { WaypointLinesDecoder() }
    #expect(
      outcome.fixes.map(\.coordinate.latitudeDegrees) == [39.95, 39.96, 39.97, 39.98, 40, 39.99])
    #expect(outcome.fixes.map(\.line) == [1, 1, 1, 2, 2, 3])
    #expect(outcome.rejections.map(\.reason) == [.malformed, .coordinate])
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(text.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.format == .waypointLines && batch.fixes.count == 6)
  }

  @Test(
    "Other tables without a header are refused as before",
    arguments: [
      "1,2,3\n", "95,1\n", "48,85 2,35\n", "39.95,-75.15 high\n", "39.95, -75.15 39.96, -75.16\n",
    ])
  func tables(text: String) {
    var stream = FixStream()
    var batch = FixBatch()
    #expect(throws: DecodeError.self) {
      try stream.feed(Array(text.utf8).span, into: &batch)
      try stream.finish(into: &batch)
    }
  }
}

@Suite("A speed of travel")
struct TravelSpeedTests {
  private static func times(_ text: String, speed: Double) throws -> [String] {
    var stream = FixStream(
      options: FixStreamOptions(
        keepsNullIsland: true, startDate: CivilDate(year: 2026, month: 3, day: 4),
        travelSpeedMetersPerSecond: speed))
    var outcome = Outcome()
    // Piece by piece, since the clock goes on from one batch to the next.
    for byte in text.utf8 {
      var batch = FixBatch()
      try stream.feed([byte].span, into: &batch)
      outcome.take(batch)
    }
    var batch = FixBatch()
    try stream.finish(into: &batch)
    outcome.take(batch)
    return outcome.times
  }

  @Test("so low that no time is that far from the start gives none")
  func tooSlow() throws {
    #expect(
      try Self.times("0,0\n0,0.001\n", speed: 1e-15) == ["2026-03-04T00:00:00Z", "-"])
    #expect(try Self.times("0,0\n0,0.001\n", speed: 0) == ["-", "-"])
  }

  @Test("gives times to a track without any, by the length of its path")
  func untimed() throws {
    // A thousandth of a degree along the equator is 111.319 m.
    let times = try Self.times("0,0\n0,0.001\n0,0.003\n", speed: 1.11319490793274)
    #expect(
      times == ["2026-03-04T00:00:00Z", "2026-03-04T00:01:40Z", "2026-03-04T00:05:00Z"])
  }

  @Test("leaves a track with times as it is")
  func timed() throws {
    let text = "time,lat,lon\n2026-03-04T17:00:00Z,0,0\n,0,0.001\n2026-03-04T17:00:02Z,0,0.002\n"
    #expect(
      try Self.times(text, speed: 1) == ["2026-03-04T17:00:00Z", "-", "2026-03-04T17:00:02Z"])
  }
}
