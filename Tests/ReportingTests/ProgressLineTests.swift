import FencepostReporting
import Testing

@Suite("Progress lines")
struct ProgressLineTests {
  static let lineTable: [(ProgressLine, String)] = [
    (
      ProgressLine(
        title: "walk.gpx", unit: .bytes, done: 61_000_000, total: 122_000_000, elapsedSeconds: 5),
      "walk.gpx  [\(bar(19, of: 38))]  50 %  12.2 MB/s  0:05 left"
    ),
    (
      ProgressLine(title: "-", unit: .bytes, done: 4_200, total: nil, elapsedSeconds: 3661),
      "-  4.2 kB  1 B/s  1:01:01"
    ),
    (
      ProgressLine(
        title: "tracks", unit: .things("tracks"), done: 3, total: 1000, elapsedSeconds: 2),
      "tracks  [\(bar(0, of: 38))]  0 %  1.5 tracks/s  11:05 left"
    ),
    (
      ProgressLine(title: "x", unit: .bytes, done: 10, total: 10, elapsedSeconds: 1),
      "x  [\(bar(38, of: 38))]  100 %  10 B/s"
    ),
    (
      ProgressLine(title: "grows", unit: .bytes, done: 20, total: 10, elapsedSeconds: 0),
      "grows  [\(bar(38, of: 38))]  100 %"
    ),
    (
      ProgressLine(title: "empty", unit: .bytes, done: 0, total: 0, elapsedSeconds: 0),
      "empty  0 B"
    ),
  ]

  private static func bar(_ filled: Int, of columns: Int) -> String {
    String(repeating: "=", count: filled) + String(repeating: " ", count: columns - filled)
  }

  @Test("A progress line shows what is done, how fast, and what is left", arguments: lineTable)
  func lines(line: ProgressLine, text: String) {
    #expect(line.text(columns: 80) == text)
  }

  @Test(
    "A progress line fits any width with any title", arguments: Samples.hostileTexts,
    [10, 40, 80, 200])
  func fits(title: String, columns: Int) {
    let line = ProgressLine(
      title: title, unit: .things("tracks"), done: 1, total: 3, elapsedSeconds: 1)
    let text = line.text(columns: columns)
    #expect(text.displayWidth < max(21, columns))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }
}
