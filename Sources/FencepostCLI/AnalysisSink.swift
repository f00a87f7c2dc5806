import FencepostAnalysis
import FencepostNotifications
import FencepostMonitoring
import FencepostFixes
import FencepostFormats
import FencepostReporting
import FencepostStudio

/// Collects the results of tracks for the report, the totals and the page.
struct AnalysisSink: ~Copyable {
  private var report: AnalysisReport
  private var page: AnalysisPage?
  private let settings: AnalysisSettings
  private var totals: AnalysisTotals
  private var nearest: NearestTracks?
  private(set) var count = 0
  private(set) var failures = FailureLog()
  private let notes: TrackNotes
  private var rejections: RejectionNotes
  private var outsideCount = 0

  init(
    report: consuming AnalysisReport, page: AnalysisPage?, settings: AnalysisSettings,
    stories: [Story], nearest: NearestTracks?, saysRejections: Bool, notes: TrackNotes
  ) {
    self.notes = notes
    rejections = RejectionNotes(isWanted: saysRejections)
    self.report = report
    self.page = page
    self.settings = settings
    self.nearest = nearest
    totals = AnalysisTotals(storyCount: stories.count)
    totals.fatigueLimit = settings.fatigueLimit
    self.page?.begin(settings, stories)
  }

  var analyzedCount: Int { totals.tracks }

  /// Checks that some fix lies within the analysis's period and box.
  func checkSelection() throws(CommandFailure) {
    guard totals.tracks == 0, outsideCount > 0 else { return }
    throw CommandFailure(
      .inputBad, "no walk has a fix in the period and box (--from, --to, --bbox)")
  }

  mutating func take(_ copies: [RepeatedTracks.Copy]) throws {
    totals.copies = copies.count
    for copy in copies { try report.write(copy) }
  }

  /// Takes one streamed result and flushes its lines, because the sender may wait for them.
  mutating func take(_ result: TrackAnalysisSession.StreamedResult) throws {
    switch result {
    case .outcome(let outcome):
      try take(outcome)
      try report.flush()
    case .reached(let stories, let phoneDays):
      totals.add(stories)
      totals.add(phoneDays: phoneDays)
    }
  }

  /// Reports what ended the work early.
  mutating func note(_ failure: CommandFailure) { failures.note(failure) }

  mutating func take(_ outcome: TrackOutcome<TrackAnalysis>) throws {
    count += 1
    switch outcome {
    case .success(let analysis):
      totals.add(analysis)
      nearest?.take(analysis, into: &totals)
      rejections.note(analysis.account)
      notes.take(analysis.account)
      failures.note(analysis.account)
      page?.note(analysis)
      try report.write(analysis)
    case .failure(let failure):
      totals.skipped += 1
      if failure.isOutside { outsideCount += 1 } else { failures.note(failure) }
      page?.note(skipped: failure.description)
      try report.write(skipped: failure.path, error: failure.description)
    case .interrupted: break
    }
  }

  /// Writes the totals and the page.
  ///
  /// Without a result an existing file keeps its contents. A new file names the skipped tracks, so
  /// that parts of an analysis can be merged.
  consuming func finish(outputPath: String) throws -> AnalysisSummary {
    rejections.conclude()
    nearest?.flush(into: &totals)
    totals.drawPersons()
    if totals.tracks > 0 || !FileUse.isFile(outputPath) { try report.finish(totals) }
    if totals.tracks > 0 { try page?.write(totals) }
    return AnalysisSummary(settings, totals)
  }
}

/// Reports each track's rejections, up to a screenful.
private struct RejectionNotes {
  private static let mostTracks = 25

  private let isWanted: Bool
  private var count = 0

  init(isWanted: Bool) { self.isWanted = isWanted }

  mutating func note(_ account: TrackAccount) {
    guard isWanted, account.rejected > 0 else { return }
    count += 1
    // A loss is reported separately.
    guard count <= Self.mostTracks, account.loss == nil else { return }
    let fixes = ReportNumber.counted(account.rejected, "fix", "fixes")
    let reasons = ReportNumber.list(account.rejectedByReason)
    StandardError.say("\(account.track): \(fixes) refused: \(reasons)")
  }

  func conclude() {
    guard count > Self.mostTracks else { return }
    let more = ReportNumber.counted(count - Self.mostTracks, "more walk")
    StandardError.say("… and \(more) with refused fixes. To see all: --format ndjson")
  }
}

/// A command's HTML page, whose library is loaded before the work begins.
struct AnalysisPage {
  private let path: String
  private let library: PageWriter.MapLibrary
  private let sweepLines: [String]
  private let studio: StudioLink?
  private let places: String?
  /// The priorities of stories that have another one than 0.
  var priorities: [Int: Int] = [:]
  private var settings: AnalysisSettings?
  private var data = PageData(stories: [])

  /// Loads everything that the page needs, including the ndjson output of a sweep if given.
  init(path: String, sweep: String?, studio: StudioLink? = nil, places: String? = nil) throws {
    (self.path, self.studio, self.places) = (path, studio, places)
    library = try InputFile.mapLibrary()
    sweepLines =
      try sweep.map { try InputFile.lines(of: $0, types: ["setting"], command: "sweep") } ?? []
  }

  mutating func begin(_ settings: AnalysisSettings, _ stories: [Story]) {
    self.settings = settings
    data = PageData(stories: stories)
    if let places { data.places = places }
    data.priorities = priorities
  }

  mutating func note(_ analysis: TrackAnalysis) { data.note(analysis) }

  mutating func note(skipped sentence: String) { data.note(skipped: sentence) }

  func write(_ totals: AnalysisTotals) throws {
    guard let settings else { return }
    var writer = PageWriter(library: library, sweepLines: sweepLines)
    writer.studio = studio
    try OutputFile.write(to: path) { writer.write(data, settings, totals, to: &$0) }
  }

  func write(sweep rows: [SweepRow], profile: String?) throws {
    var buffer = OutputBuffer()
    SweepWriter(rows, profile: profile).writeNDJSON(to: &buffer)
    let lines = buffer.text.split(separator: "\n").map(String.init)
    try OutputFile.write(to: path) {
      PageWriter(library: library, sweepLines: lines).write(sweepTo: &$0)
    }
  }
}
