import FencepostAnalysis
import Foundation
import SampleStories
import FencepostPlaces
import FencepostReporting
import TestSupport
import FencepostStudio

/// Reports, and visits to them.
extension Browser {
  /// A page as a browser rendered it.
  struct Visit {
    /// The page's tree as text, after its scripts have run.
    var tree: String
    /// The console's errors and warnings.
    var console: [String]

    /// The text that a probe left in the page.
    func probed(_ name: String) -> String? {
      guard let start = tree.range(of: "<pre id=\"probe-\(name)\">"),
        let end = tree.range(of: "</pre>", range: start.upperBound..<tree.endIndex)
      else { return nil }
      return String(tree[start.upperBound..<end.lowerBound])
        .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&amp;", with: "&")
    }
  }

  /// Opens a page and runs its scripts.
  ///
  /// - Parameters:
  ///   - text: The page.
  ///   - probe: A script that is run at its end; what it gives to `tell(name, text)` can be read.
  ///   - picture: The name of a picture of it that is kept.
  /// - Returns: The rendered page.
  /// - Throws: If the browser cannot be run, or does not load the page.
  static func visit(_ text: String, probe: String = "", keeping picture: String? = nil) throws
    -> Visit
  {
    let scratch = try ScratchFolder()
    let tell = """
      const tell = (name, text) => { const made = document.createElement('pre');
      made.id = 'probe-' + name; made.textContent = text; document.body.append(made); };
      """
    let page = try scratch.write(
      "report.html",
      text.replacingOccurrences(
        of: "</body>\n</html>\n", with: "<script>\(tell){\(probe)}</script></body>\n</html>\n"))
    let browser = try Browser(width: 1280, height: 1700)
    try browser.open("file://\(page)")
    try browser.wait(
      "it is not loaded",
      until: "location.protocol === 'file:' && document.readyState === 'complete'")
    // What waits for a frame has run, too.
    _ = try browser.value(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    if let picture { try browser.keep(picture) }
    let tree = try browser.value("document.documentElement.outerHTML") as? String
    return Visit(tree: tree ?? "", console: browser.complaints)
  }

  /// The map library of Debian's package.
  static func mapLibrary() throws -> PageWriter.MapLibrary {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(BrowserKind.library)/\(name)", encoding: .utf8)
    }
    return PageWriter.MapLibrary(
      script: try text("leaflet.min.js"), style: try text("leaflet.css"))
  }

  /// Analyses tracks and writes the page about them.
  static func page(
    of paths: [String], places: String, sweep: [SweepRow] = [], chance: ChanceOptions? = nil,
    studio: StudioLink? = nil
  ) async throws -> (page: String, ndjson: String, totals: AnalysisTotals) {
    var options = TrackAnalysisOptions()
    options.drawnVertices = 400
    options.chance = chance
    let store = try PlaceStore.inMemory(from: [places]).store
    let session = try TrackAnalysisSession(store: store, options: options)
    let settings = SampleAnalysis.settings(options, session.stories.count)
    var data = PageData(stories: session.stories)
    var totals = AnalysisTotals(storyCount: session.stories.count)
    let ndjson = AnalysisNDJSONWriter(stories: session.stories, verdicts: .crossed)
    var lines = OutputBuffer()
    ndjson.begin(settings, to: &lines)
    try await session.run(paths) { outcome in
      guard case .success(let analysis) = outcome else { return }
      totals.add(analysis)
      data.note(analysis)
      ndjson.write(analysis, to: &lines)
    }
    ndjson.end(totals, to: &lines)
    var rows = OutputBuffer()
    SweepWriter(sweep).writeNDJSON(to: &rows)
    var writer = PageWriter(
      library: try mapLibrary(), sweepLines: rows.text.split(separator: "\n").map(String.init))
    writer.studio = studio
    var output = OutputBuffer()
    writer.write(data, settings, totals, to: &output)
    return (output.text, lines.text, totals)
  }
}
