import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("PLT")
struct PLTTests {
  private func read(
    _ lines: String..., program: String = "OziExplorer Track Point File Version 2.1",
    datum: String = "WGS 84"
  ) -> Outcome {
    let header = [
      program, datum, "Altitude is in Feet", "Reserved 3", "0,2,255,A walk,0,0,2,8421376", "0",
    ]
    let text = (header + lines).joined(separator: "\r\n") + "\r\n"
    return DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  @Test(
    "a line is a fix at its days since 1899",
    arguments: ["OziExplorer Track Point File Version 2.1", "Geolife trajectory"])
  func fix(program: String) {
    let outcome = read(
      "39.906631,116.385564,0,492,40097.5864583333,2009-10-11,14:04:30",
      " -27.350436, 153.055540 ,0,-777,36169.25, 09-Jan-99, 3:08:14", program: program)
    #expect(outcome.times == ["2009-10-11T14:04:30Z", "1999-01-09T06:00:00Z"])
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [39.906631, -27.350436])
    #expect(outcome.fixes.map(\.coordinate.longitudeDegrees) == [116.385564, 153.055540])
    #expect(outcome.fixes.map(\.line) == [7, 8])
    #expect(outcome.error == nil && outcome.rejections.isEmpty)
  }

  @Test(
    "the whole second is meant where the decimals leave it open",
    arguments: [
      // Rounded, and cut.
      ("46085.7083565", "2026-03-04T17:00:02Z"), ("46085.7083564", "2026-03-04T17:00:02Z"),
      ("46085.708345", "2026-03-04T17:00:01Z"), ("46085.70834", "2026-03-04T17:00:01Z"),
      ("46085.708344907", "2026-03-04T17:00:01Z"), ("46085", "2026-03-04T00:00:00Z"),
      // A quarter of a second later is no rounding.
      ("46085.7083478", "2026-03-04T17:00:01.250Z"),
      ("46085.708347801", "2026-03-04T17:00:01.250Z"),
    ])
  func wholeSeconds(days: String, time: String) {
    #expect(read("39.9,-75.1,0,-777,\(days),,").times == [time])
  }

  @Test("a fix without a time has none, and trailing fields may be left out")
  func untimed() {
    let outcome = read(
      "39.9,-75.1", "39.9,-75.2,0", "39.9,-75.3,0,-777,,,", "39.9,-75.4,0,-777,0.0000000, ,")
    #expect(outcome.times == ["-", "-", "-", "-"])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test("a break begins a segment, also one at a wrong position; the first fix begins none")
  func breaks() {
    let outcome = read(
      "39.9,-75.1,1", "39.9,-75.2,0", "39.9,-75.3,1", "39.9,-75.4,-1", "91,-75.5,1", "39.9,-75.6,0")
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 1, 2])
    #expect(outcome.fixes.allSatisfy { $0.trackIndex == 0 })
  }

  @Test("what is wrong is said with its line, and reading goes on")
  func faults() {
    let outcome = read(
      "39.9,-75.1,0,-777,46085.7,,", "400.166666,-75.1,0,-777,46085.7,,", "", "nonsense", "39.9,",
      "39.9,-75.2,0,-777,noon,,", "39.9,-75.3,0,-777,1e9,,",
      String(repeating: "1", count: 5000), "39.9,-75.4,0,-777,46085.8,,")
    #expect(outcome.error == nil)
    #expect(
      outcome.rejections.map(\.reason) == [
        .coordinate, .malformed, .malformed, .time, .time, .tooLong,
      ])
    #expect(outcome.rejections.map(\.line) == [8, 10, 11, 12, 13, 14])
    #expect(outcome.fixes.map(\.line) == [7, 12, 13, 15])
    #expect(
      outcome.times == ["2026-03-04T16:48:00Z", "-", "-", "2026-03-04T19:12:00Z"])
  }

  @Test(
    "positions on another datum are refused with the way", arguments: ["Pulkovo 1942", "NAD27"])
  func datum(name: String) throws {
    let outcome = read("39.9,-75.1,0", datum: name)
    #expect(outcome.fixes.isEmpty)
    let error = try #require(outcome.error)
    #expect(error.line == 2)
    #expect(error.sentence.contains("“\(name)”"))
    #expect(error.sentence.contains("gpsbabel -t -i ozi -f FILE"))
  }

  @Test("WGS 84 is known in its spellings", arguments: ["WGS 84", "WGS84", "wgs-84", "WGS 1984"])
  func spellings(name: String) {
    #expect(read("39.9,-75.1,0", datum: name).fixes.count == 1)
  }

  @Test("without a datum WGS 84 is assumed, and said")
  func noDatum() throws {
    let header = "Geolife trajectory\n\nAltitude is in Feet\nReserved 3\n0\n0\n"
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array((header + "39.9,-75.1,0\n").utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(batch.fixes.count == 1)
    #expect(stream.notices.count == 1 && stream.notices.allSatisfy { $0.contains("WGS 84") })
  }

  @Test("another recording behind the first is a track of its own")
  func two() {
    let outcome = read(
      "39.9,-75.1,0,-777,46085.7,,", "Geolife trajectory", "WGS 84", "", "", "", "",
      "39.9,-75.1,0,-777,46084.7,,", "39.9,-75.2,0,-777,46084.8,,")
    #expect(outcome.fixes.map(\.trackIndex) == [0, 1, 1])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1, 1])
  }

  @Test("another recording may be on another datum")
  func twoDatums() {
    let outcome = read("39.9,-75.1,0", "Geolife trajectory", "NAD27", "", "", "", "", "39.9,-75.2")
    #expect(outcome.fixes.count == 1)
    #expect(outcome.error?.line == 9)
  }
}
