#if Command
import ArgumentParser
import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio
import FoundationEssentials

/// The command `analyze`: follows many walks and gives each story a verdict on each walk.
///
/// It works in one of three ways: on files, several at a time; on frames from another program, one
/// at a time (`--tracks-from`); or on the ndjson of earlier analyses, which it joins (`--merge`).
///
/// A walk that cannot be read is reported and counted as skipped, and the exit status is 65, 66 or
/// 74. `--strict` ends the work at the first of them, but what came before is still written.
struct AnalyzeCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Show for every story and walk whether it alerted, and why not.",
    discussion: """
      Follows every walk as a phone would, and again with every circle watched. Recall: of the \
      alerts with every circle watched, the share that also came on the phone. By default the \
      phone watches 20 circles and looks up the nearest stories every 500 m.

      A story has one verdict on each walk, the first of these that fits:
        alerted          It alerted.
        suppressed       Entered while watched, but held back. The reason is that of
                         the first entry.
        late             Entered while not watched. A later lookup found the phone
                         inside.
        missed           Entered while not watched, and no lookup noticed.
        inside-at-start  Inside when the walk began, and never entered from outside.
        never-crossed    Never inside. "nearest" is the distance of the path from the
                         center.

      A folder means all walks in it and in its subfolders. With --merge, TRACK is the \
      ndjson output of an analysis. The analyses must cover different walks. The result is \
      what one analysis of all walks would write.

      With --profile, every walk is also simulated many times on a phone: how many alerts it \
      shows of each story, on which share of phones, how late and how far beyond the edge, \
      and why others are lost. An alert counts whether or not it is due, that is, would come \
      with every circle watched. The alert rules apply to each simulation. To compare phones, \
      name several.

      With --reminders, every walk is also followed with the reminders, among the stories and \
      without any: how many reminders the stories cost.

      Examples:
        fencepost analyze walks/ --store stories.sqlite
        fencepost analyze walks/ --store stories.sqlite --report report.html
      """)

  @Argument(help: .value("track", "Walks: files, folders or patterns."), completion: .file())
  var tracks: [String] = []

  @OptionGroup(title: "Streams") var stream: StreamArguments
  @OptionGroup(title: "Stories") var places: OptionalPlaceArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Simulated phones") var chance: ChanceArguments
  @OptionGroup(title: "Reminders") var reminders: ReminderArguments
  @OptionGroup(title: "Readers") var persons: PersonArguments
  @OptionGroup(title: "Part of the walks") var selection: SelectionArguments
  @OptionGroup(title: "Output") var work: ManyTracksArguments

  var shownUnits: ShownUnits { work.units.units }

  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup var studio: StudioLinkArguments

  @Option(
    "which", "all, crossed or none: which verdicts ndjson and csv contain.",
    """
    There is one line per story and walk: 500 walks and 10,000 stories make 5 million \
    lines. "crossed" leaves out stories whose circle no walk entered, also from the lines \
    per story.
    """)
  var verdicts = AnalysisNDJSONWriter.Verdicts.all

  @Option(
    "file", "Also show the plots of a sweep on the report page. FILE is its ndjson output.",
    completion: .file())
  var sweep: String?

  @Flag(help: "Join the ndjson outputs of analyses of different walks.")
  var merge = false

  @Flag(name: .shortAndLong, help: "Do not print a summary to standard error.")
  var quiet = false

  /// Refuses options that have no effect together.
  ///
  /// A merge takes stories, rules and periods from the analyses, so it accepts none of its own.
  func validate() throws {
    try stream.check(besides: tracks, isMerging: merge, jobs: work.jobs)
    try selection.check(rules.monitoring.path)
    try studio.check(work.report)
    if merge {
      try require(
        places.store == nil && places.places == nil,
        "--store and --places cannot be used with --merge, because the analyses name their stories")
      let unused = [
        (chance.isWanted, "--profile"), (reminders.reminders != nil, "--reminders"),
      ]
      for (isGiven, option) in unused where isGiven {
        throw ValidationError(
          "\(option) cannot be used with --merge; use it when you analyze the parts")
      }
      try require(
        !selection.isWanted,
        "--from, --to and --bbox cannot be used with --merge; use them when you analyze the parts")
      try require(
        work.report == nil && (work.format ?? .ndjson) == .ndjson,
        "--merge can only write ndjson, without --report")
    } else if (places.store == nil) == (places.places == nil) {
      throw ValidationError("use either --store or --places to say which stories to read")
    }
    try require(
      !stream.sums || work.chosenFormat == .ndjson || merge, "--sums needs --format ndjson")
    if sweep != nil, work.report == nil { throw ValidationError("--sweep needs --report") }
  }

  /// Follows all walks, or joins the parts.
  ///
  /// Files are checked and the library is loaded before the first walk. Copies are reported first,
  /// then each walk as it is done, and the totals last. A summary for people goes to standard error
  /// unless the output is text.
  func run() async throws {
    let use = try FileUse(writing: work.outputs)
    if merge { return try mergeParts(use) }
    try use.check(
      reading: places.files + chance.files + [sweep, stream.tracksFrom, reminders.reminders])
    let paths = try TrackFiles.find(tracks, use)
    let profiles = try chance.read()
    rules.sayWarnings()
    chance.sayWarnings(profiles, rules.monitoring)
    var options = options(simulating: profiles)
    let reminderFile = try reminders.file(rules.alerts.clock)
    options.reminders = try reminderFile.map(reminders.options)
    // Fail before the work if the page's library is missing.
    var page = try work.report.map {
      try AnalysisPage(
        path: $0, sweep: sweep, studio: studio.link, places: places.files.compactMap { $0 }.first)
    }
    let frames = try stream.open()
    let plan = try await persons.plan(paths, fixes: rules.reading, work: work)
    CopyArguments.say(plan.copies)
    let store = try places.open(dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock)
    let session = try TrackAnalysisSession(store: store, options: options)
    let stories = session.stories
    page?.priorities = session.priorities
    page?.profile = chance.profile?.values.first
    page?.lifetimes = session.lifetimes
    var settings = AnalysisSettings(
      session: options.session, zoneIdentifier: rules.alerts.timeZone.identifier,
      storyCount: stories.count, chance: options.chance)
    settings.reminders = reminderFile.map(reminders.text)
    settings.personRule = persons.personBy?.text
    settings.fatigueLimit = persons.fatigue
    settings.selection = options.selection
    settings.namesOnlyCrossed = namesOnlyCrossed
    if options.measuresAllStories {
      let tracks = frames == nil ? plan.groups.flatMap(\.tracks) : nil
      if let warning = VerdictVolume(stories: stories, tracks: tracks).warning {
        StandardError.say("warning: \(warning)")
      }
    }
    let notes = TrackNotes()
    var sink = AnalysisSink(
      report: AnalysisReport(
        format: work.chosenFormat, verdicts: verdicts, writesSums: stream.sums,
        settings: settings, stories: stories, output: try OutputFile(path: work.output.path),
        layout: work.output.layout),
      page: page, settings: settings, stories: stories,
      nearest: work.chosenFormat == .text || work.report != nil
        || (work.chosenFormat == .ndjson && !namesOnlyCrossed)
        ? session.makeNearestTracks() : nil,
      saysRejections: !quiet && work.chosenFormat != .text, notes: notes)
    try sink.take(plan.copies)
    let progress = work.progress(of: paths.count - plan.copies.count)
    do {
      if let frames {
        try session.run(frames, person: { persons.personBy?.person(of: $0) }) { try sink.take($0) }
      } else {
        try await session.run(plan.groups) { outcome in
          try sink.take(outcome)
          progress.advance(to: sink.count)
        }
      }
    } catch is TrackFailure {
      // --strict; already reported. Earlier tracks are still written.
    } catch let failure as TrackFrameError {
      // Earlier tracks are still written.
      sink.failures.note(failure)
    }
    progress.advance(to: sink.count)
    if sink.totals.tracks == 0, sink.outsideCount > 0 {
      throw CommandFailure(
        .inputBad, "no walk has a fix in the period and box (--from, --to, --bbox)")
    }
    let failures = sink.failures
    let count = sink.totals.tracks
    let summary = try sink.finish(outputPath: work.output.path)
    if !quiet, work.chosenFormat != .text, count > 0 {
      StandardError.print(summary.lines.joined(separator: "\n"))
    }
    try notes.conclude(store)
    try failures.conclude()
  }

  /// Merges several analyses into one of all tracks, or into its totals alone.
  private func mergeParts(_ use: FileUse) throws {
    try use.check(reading: tracks)
    var output = try OutputFile(path: work.output.path)
    var merger = AnalysisMerger()
    for part in tracks {
      try merger.begin(part: part)
      try InputFile.forEachLine(of: part) { line in
        let isKept = try merger.take(line) == .kept
        guard isKept, !stream.sums || line.hasPrefix(#"{"type":"settings""#) else { return }
        output.buffer.append(verbatim: line + "\n")
        try output.flushIfFull()
      }
    }
    try merger.finish()
    AnalysisNDJSONWriter(
      stories: merger.stories, writesSums: stream.sums, namesOnlyCrossed: merger.namesOnlyCrossed
    ).end(merger.totals, to: &output.buffer)
    try output.finish()
    var failures = FailureLog()
    for loss in merger.losses { failures.note(loss) }
    try failures.conclude()
  }

  /// Whether ndjson lists only stories that were entered or alerted.
  private var namesOnlyCrossed: Bool { verdicts == .crossed && work.chosenFormat == .ndjson }

  /// The rules of the analysis, and which results it must keep.
  ///
  /// Distances from every story and simplified paths cost time and memory, so they are kept only if
  /// an output shows them.
  private func options(simulating profiles: [PhoneProfile]) -> TrackAnalysisOptions {
    var options = TrackAnalysisOptions()
    options.session = rules.session(following: profiles.first)
    options.chance = chance.options(profiles, rules.monitoring, rules.alerts)
    options.fixes = rules.reading
    options.zone = rules.alerts.timeZone
    options.selection = selection.selection(in: rules.alerts.timeZone)
    options.jobs = work.jobCount
    options.isStrict = work.strict
    options.measuresAllStories = verdicts == .all && [.ndjson, .csv].contains(work.chosenFormat)
    if work.report != nil || work.chosenFormat == .geojson { options.drawnVertices = 400 }
    return options
  }
}

/// Collects the results of tracks for the report, the totals and the page.
///
/// ``AnalyzeCommand`` gives it the copies first, then each track in the order of the report, and
/// finishes it once. Lines are written as tracks come; totals and the page are written at the end.
struct AnalysisSink: ~Copyable {
  private var report: AnalysisReport
  private var page: AnalysisPage?
  private let settings: AnalysisSettings
  private let stories: [Story]
  /// The sums over all tracks so far, from which the summary and the page are made.
  private(set) var totals: AnalysisTotals
  /// Finds the walk that came nearest to each story; nil if no output shows it.
  private var nearest: NearestTracks?
  /// The tracks taken so far, whether they could be read or not.
  private(set) var count = 0
  /// What went wrong so far, and the exit status that follows from it.
  var failures = FailureLog()
  private let notes: TrackNotes
  /// Whether to report each track's rejections, up to a screenful.
  private let saysRejections: Bool
  private var tracksWithRejections = 0
  /// The tracks without a fix in the period and box.
  private(set) var outsideCount = 0

  /// The most tracks whose rejections are printed one by one.
  private static let mostTracksWithRejections = 25

  init(
    report: consuming AnalysisReport, page: AnalysisPage?, settings: AnalysisSettings,
    stories: [Story], nearest: NearestTracks?, saysRejections: Bool, notes: TrackNotes
  ) {
    self.report = report
    (self.page, self.settings, self.stories) = (page, settings, stories)
    (self.nearest, self.saysRejections, self.notes) = (nearest, saysRejections, notes)
    totals = AnalysisTotals(storyCount: stories.count)
    totals.fatigueLimit = settings.fatigueLimit
    self.page?.begin(settings, stories)
  }

  /// Writes which tracks are left out because they repeat others; called before any track.
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

  /// Adds the result of one track, or why it has none, and writes its lines.
  ///
  /// A track without a fix in the period and box is skipped and does not count as a failure.
  mutating func take(_ outcome: TrackOutcome<TrackAnalysis>) throws {
    count += 1
    switch outcome {
    case .success(let analysis):
      totals.add(analysis)
      nearest?.take(analysis, into: &totals)
      sayRejections(analysis.account)
      notes.take(analysis.account)
      failures.note(analysis.account)
      page?.data.note(analysis)
      try report.write(analysis)
    case .failure(let failure):
      totals.skipped += 1
      if failure.isOutside { outsideCount += 1 } else { failures.note(failure) }
      page?.data.note(skipped: failure.description)
      try report.write(skipped: failure.path, error: failure.description)
    case .interrupted: break
    }
  }

  /// Writes the totals and the page.
  ///
  /// Without a result an existing file keeps its contents. A new file names the skipped tracks, so
  /// that parts of an analysis can be merged.
  consuming func finish(outputPath: String) throws -> AnalysisSummary {
    let more = tracksWithRejections - Self.mostTracksWithRejections
    if more > 0 {
      StandardError.say(
        "… and \(ReportNumber.counted(more, "more walk")) with refused fixes. "
          + "To see all: --format ndjson")
    }
    nearest?.flush(into: &totals)
    totals.drawPersons()
    if totals.tracks > 0 || !FileUse.isFile(outputPath) { try report.finish(totals) }
    if totals.tracks > 0 { try page?.write(totals) }
    return AnalysisSummary(settings, totals, stories)
  }

  /// Prints how many fixes of a track were refused and why, for the first of such tracks.
  private mutating func sayRejections(_ account: TrackAccount) {
    guard saysRejections, account.rejected > 0 else { return }
    tracksWithRejections += 1
    // A loss is reported separately.
    guard tracksWithRejections <= Self.mostTracksWithRejections, account.loss == nil else { return }
    let fixes = ReportNumber.counted(account.rejected, "fix")
    let reasons = ReportNumber.list(account.rejectedByReason)
    StandardError.say("\(account.track): \(fixes) refused: \(reasons)")
  }
}

/// A command's HTML page, whose library is loaded before the work begins.
///
/// ``AnalyzeCommand`` and ``SweepCommand`` write one for `--report`. An analysis calls
/// ``begin(_:_:)`` before its first track and ``write(_:)`` after the last; a sweep writes it at
/// once.
struct AnalysisPage {
  private let path: String
  private let library: PageWriter.MapLibrary
  /// The rows of a sweep, one JSON object each; empty without `--sweep`.
  private let sweepLines: [String]
  /// The studio that the page links its walks and stories to, if any.
  private let studio: StudioLink?
  /// The name of the file or store of stories, for the page to show; nil for the usual one.
  private let places: String?
  /// The priorities of stories that have another one than 0.
  var priorities: [Int: Int] = [:]
  /// The dates of stories that have any.
  var lifetimes: [Int: StoryLifetime] = [:]
  /// The first simulated phone: a built-in profile, or a file.
  var profile: String?
  private var settings: AnalysisSettings?
  /// What the page draws, which each track extends.
  fileprivate var data = PageData(stories: [])

  /// Loads everything that the page needs, including the ndjson output of a sweep if given.
  init(path: String, sweep: String?, studio: StudioLink? = nil, places: String? = nil) throws {
    (self.path, self.studio, self.places) = (path, studio, places)
    library = try InputFile.mapLibrary()
    sweepLines =
      try sweep.map { try InputFile.lines(of: $0, types: ["setting"], command: "sweep") } ?? []
  }

  /// Prepares the page for the results of these stories.
  mutating func begin(_ settings: AnalysisSettings, _ stories: [Story]) {
    self.settings = settings
    data = PageData(stories: stories)
    if let places { data.places = places }
    (data.priorities, data.lifetimes, data.profile) = (priorities, lifetimes, profile)
  }

  /// Writes the page; does nothing before ``begin(_:_:)``.
  func write(_ totals: AnalysisTotals) throws {
    guard let settings else { return }
    var writer = PageWriter(library: library, sweepLines: sweepLines)
    writer.studio = studio
    try OutputFile.write(to: path) { writer.write(data, settings, totals, to: &$0) }
  }

  /// Writes a page that has nothing but the plots of a sweep.
  ///
  /// The page reads the same lines as the ndjson output.
  func write(sweep rows: [SweepRow], profile: String?) throws {
    var buffer = OutputBuffer()
    SweepWriter(rows, profile: profile).writeNDJSON(to: &buffer)
    let lines = buffer.text.split(separator: "\n").map(String.init)
    try OutputFile.write(to: path) {
      PageWriter(library: library, sweepLines: lines).write(sweepTo: &$0)
    }
  }
}
#endif
