import FencepostAnalysis
import ArgumentParser
import Fencepost
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting

/// Analyses many tracks.
struct AnalyzeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Say of every story on every track why it alerted, or why not.",
    discussion: """
      Every track is followed as a phone would, and in the same pass with every place monitored: \
      the oracle. Recall is the share of the oracle's alerts whose entry alerted on the phone too.

      The verdict on a story and a track is the first of these that holds for any entry:
        alerted          an entry alerted
        suppressed       entered while monitored, and held back; the reason is of the first entry
        late             entered while not monitored; a later refresh found the device inside
        missed           entered while not monitored, and nothing noticed
        inside-at-start  inside when the track began, never entered from outside
        never-crossed    never inside; ‘nearest’ is the path's distance from the centre

      A folder stands for all tracks in it and below. With --merge the arguments are the ndjson \
      outputs of analyses of different tracks, which are joined into what one analysis of all \
      would have written.

      With --profile every track is also run many times on a simulated phone: how likely each story's \
      alert is, how late and how far beyond the edge it comes, and what it is lost to. The \
      probability is per track: of the tracks on which a story would alert with every place \
      monitored, the share of trials with at least one alert. The alert policy is not simulated: a \
      story that it holds back has no probability. Several profiles are compared side by side.

      Examples:
        fencepost analyze tracks/ --store stories.sqlite
        fencepost analyze tracks/ --store stories.sqlite --report report.html -o all.ndjson
        fencepost analyze tracks/ --store stories.sqlite --profile iphone --trials 200
        fencepost analyze tracks/ --store stories.sqlite --profile iphone,android,tile38
        fencepost analyze --tracks-from - --store stories.sqlite < frames > all.ndjson
        fencepost analyze --merge monday.ndjson tuesday.ndjson
      """)

  @Argument(
    help: ArgumentHelp("The tracks: files, folders, patterns.", valueName: "track"),
    completion: .file())
  var tracks: [String] = []

  @OptionGroup(title: "Streams and parts")
  var stream: StreamArguments

  @OptionGroup(title: "Places")
  var places: OptionalPlaceArguments

  @OptionGroup
  var rules: SessionArguments

  @OptionGroup(title: "Phones")
  var chance: ChanceArguments

  @OptionGroup(title: "Persons")
  var persons: PersonArguments

  @OptionGroup(title: "Selection")
  var selection: SelectionArguments

  @OptionGroup(title: "Work and report")
  var work: ManyTracksArguments

  @OptionGroup
  var studio: StudioLinkArguments

  @Option(
    help: ArgumentHelp(
      "Which verdicts ndjson and csv have: all, those of stories on the way (crossed), or none.",
      discussion: "A verdict is one line for each story and track: 500 tracks and 10,000 places "
        + "make 5 million. With crossed, other stories have no story line either."))
  var verdicts = AnalysisNDJSONWriter.Verdicts.all

  @Option(
    help: ArgumentHelp(
      "The ndjson output of a sweep, whose plots the page shows too.", valueName: "file"),
    completion: .file())
  var sweep: String?

  @Flag(help: "Join the ndjson outputs of analyses of different tracks.")
  var merge = false

  @Flag(name: .shortAndLong, help: "No closing account on standard error.")
  var quiet = false

  func validate() throws {
    try stream.check(besides: tracks, isMerging: merge, jobs: work.jobs)
    try selection.check(rules.monitoring.path)
    try studio.check(work.report)
    if merge {
      if places.store != nil || places.places != nil {
        throw ValidationError("--merge needs no places; the parts have them")
      }
      if chance.isWanted { throw ValidationError("--merge simulates nothing; the parts have it") }
      if selection.isWanted {
        throw ValidationError("--merge reads no fixes; --from, --to and --bbox belong to the parts")
      }
      if work.report != nil || (work.format ?? .ndjson) != .ndjson {
        throw ValidationError("--merge writes ndjson")
      }
    } else if (places.store == nil) == (places.places == nil) {
      throw ValidationError("either --store or --places says where the places are")
    }
    if stream.sums, work.chosenFormat != .ndjson, !merge {
      throw ValidationError("--sums are lines of ndjson")
    }
    if sweep != nil, work.report == nil { throw ValidationError("--sweep needs --report") }
  }

  func run() async throws {
    let use = try FileUse(writing: work.outputs)
    if merge {
      try use.check(reading: tracks)
      return try AnalysisJoining(tracks, writesSums: stream.sums).write(to: work.output.path)
    }
    let paths = try TrackFiles.expandAndSay(tracks)
    try use.check(reading: places.files + chance.files + [sweep])
    try use.check(reading: paths + [stream.tracksFrom].compactMap(\.self))
    let profiles = try chance.read()
    rules.sayWarnings()
    for warning in chance.warnings(profiles, rules.monitoring) {
      StandardError.say("warning: \(warning)")
    }
    let options = options(simulating: profiles)
    // Fails before the work if the page's library is missing.
    let page = try work.report.map { try AnalysisPage(path: $0, sweep: sweep, studio: studio.link) }
    let frames = try stream.open()
    if paths.isEmpty, frames == nil {
      throw CommandFailure(.inputMissing, "no tracks in \(tracks.joined(separator: ", "))")
    }
    let plan = try await persons.plan(paths, fixes: rules.fixes.options, work: work)
    CopyArguments.say(plan.copies)
    let store = try places.open(dateOrder: rules.fixes.dateOrder)
    let session = try TrackAnalysisSession(store: store, options: options)
    let stories = session.stories
    var settings = AnalysisSettings(
      monitoring: options.session.monitoring, alerts: rules.alerts.options,
      zoneIdentifier: rules.alerts.timeZone.identifier, storyCount: stories.count,
      alertsOn: rules.alerts.alertOn.value, chance: options.chance)
    settings.personRule = persons.personBy?.text
    settings.fatigueLimit = persons.fatigue
    settings.selection = options.selection
    settings.namesOnlyCrossed = namesOnlyCrossed
    if options.measuresAllStories {
      let tracks = frames == nil ? plan.groups.flatMap(\.paths) : nil
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
      nearest: wantsNearest ? session.makeNearestTracks() : nil,
      saysRejections: !quiet && work.chosenFormat != .text, notes: notes)
    try sink.take(plan.copies)
    var progress = work.progress(of: paths.count - plan.copies.count)
    do {
      if let frames {
        try session.run(frames, person: { persons.personBy?.person(of: $0) }) { try sink.take($0) }
      } else {
        try await session.run(plan.groups) { outcome in
          try sink.take(outcome)
          progress.advance(to: sink.count)
        }
      }
    } catch let failure as TrackFailure {
      // --strict; already reported. Earlier tracks are still written.
      _ = failure
    } catch let failure as TrackFrameError {
      // Earlier tracks are still written.
      sink.note(CommandFailure(failure))
    }
    progress.advance(to: sink.count)
    try sink.checkSelection()
    let failures = sink.failures
    let count = sink.analyzedCount
    let summary = try sink.finish(outputPath: work.output.path)
    if !quiet, work.chosenFormat != .text, count > 0 {
      StandardError.print(summary.lines.joined(separator: "\n"))
    }
    try notes.conclude(store)
    try failures.conclude()
  }

  /// Whether how near tracks came to stories is written.
  private var wantsNearest: Bool {
    (work.chosenFormat == .ndjson && !namesOnlyCrossed) || work.report != nil
  }

  /// Whether ndjson names only stories that were entered or alerted.
  private var namesOnlyCrossed: Bool { verdicts == .crossed && work.chosenFormat == .ndjson }

  private func options(simulating profiles: [PhoneProfile]) -> TrackAnalysisSession.Options {
    var options = TrackAnalysisSession.Options()
    options.session = rules.session
    options.session.monitoring = rules.monitoring.options(following: profiles.first)
    options.chance = chance.options(profiles, rules.monitoring, rules.alerts)
    options.fixes = rules.fixes.options
    options.zone = rules.alerts.timeZone
    options.selection = selection.selection(in: rules.alerts.timeZone)
    options.jobs = work.jobCount
    options.isStrict = work.strict
    options.measuresAllStories = verdicts == .all && [.ndjson, .csv].contains(work.chosenFormat)
    if work.report != nil || work.chosenFormat == .geojson { options.drawnVertices = 400 }
    return options
  }
}

/// Collects the outcomes of tracks in the report, the totals and the page.
struct AnalysisSink: ~Copyable {
  private var report: AnalysisReport
  private var page: AnalysisPage?
  private let settings: AnalysisSettings
  private var totals: AnalysisTotals
  private var nearest: NearestTracks?
  /// The number of tracks so far.
  private(set) var count = 0
  /// The failures so far.
  private(set) var failures = FailureLog()
  private let notes: TrackNotes
  private var rejections: RejectionNotes
  private var outsideCount = 0

  init(
    report: consuming AnalysisReport, page: AnalysisPage?, settings: AnalysisSettings,
    stories: [Place], nearest: NearestTracks?, saysRejections: Bool, notes: TrackNotes
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

  /// The number of tracks with a result.
  var analyzedCount: Int { totals.tracks }

  /// Checks that the period and box of the analysis hold a fix of some track.
  func checkSelection() throws(CommandFailure) {
    guard totals.tracks == 0, outsideCount > 0 else { return }
    throw CommandFailure(
      .inputBad, "no track has a fix in the period and box (--from, --to, --bbox)")
  }

  mutating func take(_ copies: [RepeatedTracks.Copy]) throws {
    totals.copies = copies.count
    for copy in copies { try report.write(copy) }
  }

  /// Takes one streamed result and flushes its lines, because the sender may be waiting for them.
  mutating func take(_ result: TrackAnalysisSession.StreamedResult) throws {
    switch result {
    case .outcome(let outcome):
      try take(outcome)
      try report.flush()
    case .reached(let stories): totals.add(stories)
    }
  }

  /// Reports what ended the work early.
  mutating func note(_ failure: CommandFailure) { failures.note(failure) }

  mutating func take(_ outcome: TrackOutcome<TrackAnalysis>) throws {
    count += 1
    switch outcome {
    case .success(let analysis):
      for notice in analysis.account.notices {
        StandardError.say("\(analysis.account.track): \(notice)")
      }
      totals.add(analysis)
      nearest?.take(analysis, into: &totals)
      rejections.note(analysis.account)
      notes.take(analysis.account)
      if let loss = analysis.account.loss { failures.note(loss) }
      page?.note(analysis)
      try report.write(analysis)
    case .failure(let failure):
      totals.skipped += 1
      if failure.isOutside {
        outsideCount += 1
      } else {
        failures.note(CommandFailure(track: failure))
      }
      page?.note(skipped: failure.description)
      try report.write(skipped: failure.path, error: failure.description)
    case .interrupted: break
    }
  }

  /// Writes the totals and the page.
  ///
  /// Without a result an existing file keeps its contents. A new file names the skipped tracks, so that
  /// parts of an analysis can be joined.
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

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

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
    let more = ReportNumber.counted(count - Self.mostTracks, "more track")
    StandardError.say("… and \(more) with refused fixes; --format ndjson has all")
  }
}

extension CommandFailure {
  /// The failure of a bad track.
  init(track failure: TrackFailure) {
    switch failure.kind {
    case .fixes(let error): self.init(error)
    case .store: self.init(.inputOutput, failure.description)
    case .empty, .outside, .unread: self.init(.inputBad, failure.description)
    }
  }
}
