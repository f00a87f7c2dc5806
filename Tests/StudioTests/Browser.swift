import FencepostAnalysis
import Foundation
import Newsroom
import FencepostPlaces
import FencepostReporting
import TestSupport
import FencepostStudio

/// A browser that Debian's package `chromium` provides, and pages for it.
enum Browser {
  static let path = "/usr/bin/chromium"
  static let library = "/usr/share/javascript/leaflet"
  static let absence = """
    skipped: /usr/bin/chromium or libjs-leaflet is not there; install Debian's chromium and libjs-leaflet
    """

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: path)
      && FileManager.default.fileExists(atPath: "\(library)/leaflet.min.js")
  }

  /// A page as a browser rendered it.
  struct Visit {
    /// The page's tree as text, after its scripts have run.
    var tree: String
    /// The console's messages.
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
  ///   - screenshot: Where a picture of it is kept.
  /// - Returns: The rendered page.
  /// - Throws: The system's error if the browser cannot be run.
  static func open(
    _ text: String, probe: String = "", screenshot: URL? = nil
  ) throws -> Visit {
    let scratch = try ScratchFolder()
    let page = scratch.url.appendingPathComponent("report.html")
    let tell = """
      const tell = (name, text) => { const made = document.createElement('pre');
      made.id = 'probe-' + name; made.textContent = text; document.body.append(made); };
      """
    try text.replacingOccurrences(
      of: "</body>\n</html>\n", with: "<script>\(tell){\(probe)}</script></body>\n</html>\n"
    ).write(to: page, atomically: true, encoding: .utf8)
    let common = [
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
      "--window-size=1280,1700", "--virtual-time-budget=8000", "--enable-logging=stderr",
    ]
    if let screenshot {
      _ = try run(common + ["--screenshot=\(screenshot.path)", page.absoluteString])
    }
    let (tree, log) = try run(common + ["--dump-dom", page.absoluteString])
    return Visit(
      tree: tree,
      console: log.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
  }

  private static func run(_ arguments: [String]) throws -> (output: String, log: String) {
    let scratch = try ScratchFolder()
    let output = scratch.url.appendingPathComponent("output")
    let log = scratch.url.appendingPathComponent("log")
    for file in [output, log] {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--user-data-dir=\(scratch.url.path)/profile"] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    return (
      String(decoding: try Data(contentsOf: output), as: UTF8.self),
      String(decoding: try Data(contentsOf: log), as: UTF8.self)
    )
  }

  // MARK: Pages

  /// The map library of Debian's package.
  static func mapLibrary() throws -> PageWriter.MapLibrary {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(library)/\(name)", encoding: .utf8)
    }
    return PageWriter.MapLibrary(
      script: try text("leaflet.min.js"), style: try text("leaflet.css"))
  }

  /// Analyses tracks and writes the page about them.
  static func page(
    of paths: [String], places: String, sweep: [SweepRow] = [], chance: ChanceOptions? = nil
  ) async throws -> (page: String, ndjson: String, totals: AnalysisTotals) {
    var options = TrackAnalysisSession.Options()
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
    try await session.run(TrackGroup.alone(paths)) { outcome in
      guard case .success(let analysis) = outcome else { return }
      totals.add(analysis)
      data.note(analysis)
      ndjson.write(analysis, to: &lines)
    }
    ndjson.end(totals, to: &lines)
    var rows = OutputBuffer()
    SweepWriter(sweep).writeNDJSON(to: &rows)
    let writer = PageWriter(
      library: try mapLibrary(), sweepLines: rows.text.split(separator: "\n").map(String.init))
    var output = OutputBuffer()
    writer.write(data, settings, totals, to: &output)
    return (output.text, lines.text, totals)
  }
}
