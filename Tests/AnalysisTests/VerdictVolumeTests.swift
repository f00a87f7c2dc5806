import FencepostAnalysis
import FencepostGeodesy
import FencepostReporting
import Testing

@Suite("How much verdicts --verdicts all writes")
struct VerdictVolumeTests {
  private func stories(_ count: Int) -> [Place] {
    Array(
      repeating: Place(
        id: "story-0001", title: "A story", category: "history",
        coordinate: Coordinate(latitudeDegrees: 39.9, longitudeDegrees: -75), radiusMeters: 80),
      count: count)
  }

  private func warning(_ stories: Int, _ tracks: Int?) -> String? {
    let names = tracks.map { Array(repeating: "walks/monday.csv", count: $0) }
    return VerdictVolume(stories: self.stories(stories), tracks: names).warning
  }

  @Test("Above ten million lines a warning names lines, bytes and the way out")
  func large() {
    #expect(
      warning(100_000, 3_000)
        == "--verdicts all writes about 300 million lines (30 GB), one for each of \(ReportNumber.count(100_000)) stories "
        + "and \(ReportNumber.count(3000)) walks. To write only stories that a walk entered: --verdicts crossed"
    )
  }

  @Test("Ten million lines and fewer need no warning")
  func ordinary() {
    #expect(warning(10_000, 1_000) == nil)
    #expect(warning(10_000, 1_001) != nil)
  }

  @Test("A stream, whose tracks are not known yet, is warned of by the lines of each walk")
  func stream() {
    #expect(warning(10_000, nil) == nil)
    #expect(
      warning(1_000_000, nil)
        == "--verdicts all writes about 1 million lines (85 MB) for each walk, one for each of "
        + "\(ReportNumber.count(1_000_000)) stories. To write only stories that a walk entered: --verdicts crossed"
    )
  }
}
