import FencepostAnalysis
import Testing

@Suite("The failure of a track")
struct TrackFailureTests {
  @Test("lists the refused fixes by reason, the most first, with grouped digits")
  func refusedFixes() {
    let failure = TrackFailure(
      path: "walk.gpx", kind: .empty(rejected: ["void": 12, "late": 143_599, "checksum": 12]))
    #expect(
      failure.description
        == "walk.gpx: no fixes; refused: late 143\u{202F}599, checksum 12, void 12")
  }

  @Test("names the file and the reason")
  func reasons() {
    #expect(
      TrackFailure(path: "walk.gpx", kind: .empty(rejected: [:])).description
        == "walk.gpx: no fixes")
    #expect(
      TrackFailure(path: "walk.gpx", kind: .empty(rejected: [:], notices: ["it has no points"]))
        .description == "walk.gpx: no fixes: it has no points")
    #expect(
      TrackFailure(path: "walk.gpx", kind: .store("disk I/O error")).description
        == "walk.gpx: disk I/O error")
  }
}
