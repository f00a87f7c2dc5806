import FencepostAnalysis
import FencepostReporting
import FencepostStudio

/// The HTML page of advice.
struct AdviceReport {
  /// Where the page goes.
  let path: String
  /// The map library, which becomes part of the page.
  let library: PageWriter.MapLibrary

  /// Writes the page.
  ///
  /// - Throws: `OutputFailure`.
  func write(_ advice: Advice, _ persons: [PersonTracks]) throws(OutputFailure) {
    var output = try OutputFile(path: path)
    AdvicePage(advice, tracks: persons.flatMap(\.tracks)).write(library, to: &output.buffer)
    try output.finish()
  }
}
