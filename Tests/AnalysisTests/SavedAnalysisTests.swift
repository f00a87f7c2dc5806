import FencepostAnalysis
import FencepostReporting
import Foundation
import SampleStories
import Testing

@Suite("An analysis in a file")
struct SavedAnalysisTests {
  @Test("An analysis is read however its JSON is spaced and ordered")
  func spacing() async throws {
    let text = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]).text
    func side(_ rewrite: (String) throws -> String) throws -> AnalysisComparison.Side {
      var analysis = ComparedAnalysis(name: "a")
      for line in text.split(separator: "\n") { try analysis.take(rewrite(String(line))) }
      try analysis.finish()
      return analysis.side
    }
    let plain = try side { $0 }
    #expect(!plain.alerts.isEmpty && plain.tracks.count == 1)
    // As Python's json.dumps writes it.
    let spaced = try side { line in
      var isText = false
      return line.map { letter in
        if letter == "\"" { isText.toggle() }
        return !isText && ":,".contains(letter) ? "\(letter) " : "\(letter)"
      }.joined()
    }
    let ordered = try side { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let bytes = try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .prettyPrinted])
      return String(decoding: bytes, as: UTF8.self).replacing("\n", with: " ")
    }
    for other in [spaced, ordered] {
      #expect(AnalysisComparison(plain, other).isIdentical)
      #expect(other.rule == plain.rule && other.alerts == plain.alerts)
    }
  }

  @Test(
    "What is no analysis is named, in whatever form", arguments: ["{\"a\": 1}", "x", "[]", "{}"])
  func others(line: String) {
    var analysis = ComparedAnalysis(name: "a.json")
    let error = #expect(throws: SavedAnalysis.Failure.self) { try analysis.take(line) }
    #expect(error?.description.hasPrefix("a.json is not an analysis.") == true)
  }
}
