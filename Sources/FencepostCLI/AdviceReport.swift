import FencepostAnalysis
import FencepostReporting
import FencepostStudio

/// The HTML page of advice.
struct AdviceReport {
  /// Where the page goes.
  let path: String
  /// The map library, which becomes part of the page.
  let library: PageWriter.MapLibrary
  /// Where its changes open in a studio.
  let studio: StudioLink?

  /// Writes the page.
  ///
  /// - Throws: `OutputFailure`.
  func write(_ advice: Advice, _ persons: [PersonTracks]) throws(OutputFailure) {
    var output = try OutputFile(path: path)
    var page = AdvicePage(advice, tracks: persons.flatMap(\.tracks))
    page.studio = studio
    page.write(library, to: &output.buffer)
    try output.finish()
  }
}
