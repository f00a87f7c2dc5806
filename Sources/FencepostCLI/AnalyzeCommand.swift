import FencepostAnalysis
import ArgumentParser
import Fencepost
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting

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
    help: .value("track", "The tracks: files, folders, patterns."),
    completion: .file())
  var tracks: [String] = []

  @OptionGroup(title: "Streams and parts")
  var stream: StreamArguments

  @OptionGroup(title: "Places")
  var places: OptionalPlaceArguments

  @OptionGroup var rules: SessionArguments

  @OptionGroup(title: "Phones")
  var chance: ChanceArguments

  @OptionGroup(title: "Persons")
  var persons: PersonArguments

  @OptionGroup(title: "Selection")
  var selection: SelectionArguments

  @OptionGroup(title: "Work and report")
  var work: ManyTracksArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var studio: StudioLinkArguments

  @Option(
    help: ArgumentHelp(
      "Which verdicts ndjson and csv have: all, those of stories on the way (crossed), or none.",
      discussion: "A verdict is one line for each story and track: 500 tracks and 10,000 places "
        + "make 5 million. With crossed, other stories have no story line either."))
  var verdicts = AnalysisNDJSONWriter.Verdicts.all

  @Option(
    help: .value("file", "The ndjson output of a sweep, whose plots the page shows too."),
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
    if merge { return try mergeParts(use) }
    try use.check(reading: places.files + chance.files + [sweep, stream.tracksFrom])
    let paths = try TrackFiles.find(tracks, use)
    let profiles = try chance.read()
    rules.monitoring.sayWarnings()
    chance.sayWarnings(profiles, rules.monitoring)
    let options = options(simulating: profiles)
    // Fail before the work if the page's library is missing.
    let page = try work.report.map { try AnalysisPage(path: $0, sweep: sweep, studio: studio.link) }
    let frames = try stream.open()
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
    } catch is TrackFailure {
      // --strict; already reported. Earlier tracks are still written.
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

  private var wantsNearest: Bool {
    (work.chosenFormat == .ndjson && !namesOnlyCrossed) || work.report != nil
  }

  /// Whether ndjson lists only stories that were entered or alerted.
  private var namesOnlyCrossed: Bool { verdicts == .crossed && work.chosenFormat == .ndjson }

  private func options(simulating profiles: [PhoneProfile]) -> TrackAnalysisSession.Options {
    var options = TrackAnalysisSession.Options()
    options.session = rules.session()
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
