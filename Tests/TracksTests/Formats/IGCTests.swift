import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("IGC")
struct IGCTests {
  private func read(_ lines: String...) -> Outcome {
    let text = (["AXXX001Test", "HFFXA035"] + lines).joined(separator: "\r\n") + "\r\n"
    return DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  @Test(
    "a B record is a fix on the day of the header, in all spellings of the date",
    arguments: [
      "HFDTE040326", "HFDTEDATE:040326", "HFDTEDATE:040326,01", "HPDTE040326", "HFDTE04032026",
      "HFDTEDATE:04032026,01", "HFDTE20260304", "HFDTEDATE:04-03-2026", "HFDTE04.03.26",
    ])
  func fix(date: String) {
    let outcome = read(date, "B1700005206343N00006198WA0058700558")
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
    #expect(outcome.fixes.first?.coordinate.latitudeDegrees == 52 + 6.343 / 60)
    #expect(outcome.fixes.first?.coordinate.longitudeDegrees == -6.198 / 60)
    #expect(outcome.fixes.first?.line == 4)
    #expect(outcome.error == nil && outcome.rejections.isEmpty)
  }

  @Test("after midnight it is the next day; a small step back is none")
  func midnight() {
    let outcome = read(
      "HFDTE311225", "B2359585206343N00006198WA0058700558", "B2359575206344N00006198WA0058700558",
      "B0000025206345N00006198WA0058700558")
    #expect(
      outcome.times == ["2025-12-31T23:59:58Z", "2025-12-31T23:59:57Z", "2026-01-01T00:00:02Z"])
  }

  @Test("a V fix counts unless it repeats the last position")
  func void() {
    let outcome = read(
      "HFDTE040326", "B1700005206343N00006198WA0058700558", "B1700015206343N00006198WV0058700558",
      "B1700025206344N00006198WV0058700558")
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:02Z"])
    #expect(outcome.rejections.map(\.reason) == [.void])
  }

  @Test("extensions give accuracy, fractions of seconds and more digits")
  func extensions() {
    let outcome = read(
      "HFDTE040326", "I043638FXA3939LAD4040LOD4142TDS", "B1700005206343N00006198WA00587005580075912"
    )
    #expect(outcome.times == ["2026-03-04T17:00:00.120Z"])
    #expect(outcome.fixes.first?.accuracyMeters == 7)
    #expect(outcome.fixes.first?.coordinate.latitudeDegrees == 52 + 6.3435 / 60)
    #expect(outcome.fixes.first?.coordinate.longitudeDegrees == -6.1989 / 60)
  }

  @Test("what is no record, or one without a position, is said with its line")
  func faults() {
    let outcome = read(
      "HFDTE040326", "B17000052063", "B1700005206343X00006198WA0058700558", "?",
      "B2500005206343N00006198WA0058700558", "LXXX comment", "GSIGNATURE")
    #expect(outcome.rejections.map(\.reason) == [.malformed, .coordinate, .malformed, .time])
    #expect(outcome.rejections.map(\.line) == [4, 5, 6, 7])
    #expect(outcome.times == ["-"])
  }

  @Test("another recording in the same file is a track of its own")
  func two() {
    let outcome = read(
      "HFDTE040326", "B1700005206343N00006198WA0058700558", "AXXX002", "HFDTE030326",
      "B1600005206343N00006198WA0058700558")
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-03T16:00:00Z"])
    #expect(outcome.fixes.map(\.trackIndex) == [0, 1])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1])
  }
}
