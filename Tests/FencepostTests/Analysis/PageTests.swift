import Fencepost
import Foundation
import Monitoring
import Places
import Reporting
import Testing

/// A browser that Debian's package `chromium` provides.
private enum Browser {
  static let path = "/usr/bin/chromium"
  static let library = "/usr/share/javascript/leaflet"

  static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: path)
      && FileManager.default.fileExists(atPath: "\(library)/leaflet.min.js")
  }

  /// Opens a page and returns its tree as text, and what the browser's console said.
  static func open(_ page: URL, screenshot: URL) throws -> (tree: String, console: [String]) {
    let common = [
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
      "--window-size=1280,1700", "--virtual-time-budget=8000", "--enable-logging=stderr",
    ]
    _ = try run(common + ["--screenshot=\(screenshot.path)", page.absoluteString])
    let (tree, log) = try run(common + ["--dump-dom", page.absoluteString])
    return (tree, log.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
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
}

@Suite("The page in a real browser")
struct PageTests {
  private static func page(sweep: [SweepRow] = []) async throws -> (String, AnalysisTotals) {
    let paths = TrackAnalysisSessionTests.tracks.map { Newsroom.track($0) }
    var options = TrackAnalysisSession.Options()
    options.drawnVertices = 400
    let session = try TrackAnalysisSession(
      store: try TrackAnalysisSessionTests.store(), options: options)
    var data = PageData(stories: session.stories)
    var totals = AnalysisTotals(storyCount: session.stories.count)
    try await session.run(paths) { outcome in
      guard case .analysis(let analysis) = outcome else { return }
      totals.add(analysis)
      data.note(analysis)
    }
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(Browser.library)/\(name)", encoding: .utf8)
    }
    let library = PageWriter.MapLibrary(
      script: try text("leaflet.min.js"), style: try text("leaflet.css"))
    var lines = ByteBuffer()
    SweepWriter(sweep).writeNDJSON(to: &lines)
    let writer = PageWriter(
      library: library, sweepLines: lines.text.split(separator: "\n").map(String.init))
    var output = ByteBuffer()
    writer.write(
      data, TrackAnalysisSessionTests.settings(options, session.stories.count), totals,
      to: &output)
    return (output.text, totals)
  }

  /// What the page shows under an id.
  private func value(_ id: String, in tree: String) -> String? {
    guard let start = tree.range(of: "id=\"n-\(id)\" data-value=\"") else { return nil }
    return String(tree[start.upperBound...].prefix { $0 != "\"" })
  }

  @Test(
    "The page opens without an error, and its numbers are those of the analysis",
    .enabled(
      if: Browser.isInstalled,
      "skipped: /usr/bin/chromium or libjs-leaflet is not there; install Debian's chromium and libjs-leaflet"
    ))
  func opens() async throws {
    var options = SweepSession.Options()
    options.limits = [10, 20]
    options.refreshes = [.fixed, .adaptive]
    options.significantChangesMeters = [250, 500]
    let sweep = try await SweepSession(
      store: try TrackAnalysisSessionTests.store(), options: options
    ).run(TrackAnalysisSessionTests.tracks.map { Newsroom.track($0) }) { _ in }
    let (text, totals) = try await Self.page(sweep: sweep)
    let scratch = try ScratchFolder()
    let page = scratch.url.appendingPathComponent("report.html")
    try text.write(to: page, atomically: true, encoding: .utf8)
    let kept = Newsroom.data.deletingLastPathComponent()
      .appendingPathComponent(".build/screenshots", isDirectory: true)
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    let shot = kept.appendingPathComponent("analysis.png")
    let (tree, console) = try Browser.open(page, screenshot: shot)

    #expect(console.isEmpty)
    #expect(tree.contains("data-ready=\"true\""), "the script ran to its end")
    #expect(value("alerts", in: tree) == "\(totals.counts.alerts)")
    #expect(value("missed", in: tree) == "\(totals.counts.missed)")
    #expect(value("late", in: tree) == "\(totals.counts.late)")
    #expect(value("suppressed", in: tree) == "\(totals.counts.suppressed.total)")
    #expect(value("silentStories", in: tree) == "\(totals.silentStories)")
    #expect(value("tracks", in: tree) == "\(totals.tracks)")
    let recall = try #require(value("recall", in: tree).flatMap { Double($0) })
    #expect(abs(recall - (totals.recall.ratio ?? 0)) < 1e-6)
    // The tables are made by the script: every track has its row, and all settings have theirs.
    #expect(tree.contains("1–\(totals.tracks) of \(totals.tracks)"))
    #expect(tree.contains("cheapest that loses nothing"))
    #expect(tree.contains("<canvas"))
    #expect(FileManager.default.fileExists(atPath: shot.path))
  }

  @Test("The page names no file beside it and no address but that of the street tiles")
  func selfContained() async throws {
    try #require(
      Browser.isInstalled, "needs the map library of Debian's package libjs-leaflet")
    let (text, _) = try await Self.page()
    #expect(!text.contains("url(images"))
    #expect(!text.contains("src=\"http"))
    #expect(!text.contains("<link rel=\"stylesheet\""))
    #expect(!text.contains("sourceMappingURL"))
  }
}
