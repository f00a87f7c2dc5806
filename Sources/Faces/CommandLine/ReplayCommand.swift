#if Command
public import ArgumentParser
public import FencepostSession
import FencepostAnalysis
import FencepostFiles
import FencepostFixes
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
public import FencepostReporting

/// The command `replay`: follows recorded walks under one rule and reports each event.
///
/// Walks are followed one after the other, in the order given, each from the beginning. A walk that
/// fails is reported, and the others go on. Afterwards the exit status is that of the worst
/// failure: 65 for bad input, 66 for a missing file, 74 if reading or writing fails.
struct ReplayCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded walks and report the alerts a phone would have shown.",
    discussion: """
      TRACK is a GPX, NMEA 0183, FIT, TCX, KML, KMZ, IGC, PLT, GeoJSON, MF-JSON, CSV, JSON \
      lines or Google Timeline file, a file of the OwnTracks Recorder, or waypoints in \
      lines. It may be compressed with gzip or in a zip archive. Fencepost recognizes the \
      format by its content.

      CSV has time, lat and lon, separated by commas, semicolons, tabs or |. JSON lines are \
      those of gpsd or OwnTracks, or objects with time, lat and lon. Each walk is followed \
      on its own: when it begins, nothing is watched and no story has alerted.

      --format xcode and simctl write only the path, for simulators of phones to play: as \
      GPX with times for Xcode and Android's emulator, or as waypoints for "xcrun simctl \
      location DEVICE start -".

      Examples:
        fencepost replay walk.gpx --store stories.sqlite
        cat log.nmea | fencepost replay - --store stories.sqlite --limit none
      """)

  @Argument(
    help: .value("track", "Walks to replay. Use \"-\" for standard input."), completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Stories") var places: PlaceArguments
  @OptionGroup(title: "What the phone does") var phone: ProfileArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Reminders") var reminders: ReminderArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Output") var output: EventReportArguments

  var shownUnits: ShownUnits { output.units.units }

  @Option("speed", "Replay this many times faster than the walk, such as 1x or 10x, or \"max\".")
  var speed = ReplaySpeed.maximum

  @Flag(name: .shortAndLong, help: "Print the line and the reason of every rejected fix.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Do not print a summary to standard error.")
  var quiet = false

  func validate() throws {
    try require(
      !format.isPlayed || tracks.count == 1,
      "--format \(format.rawValue) can only write one walk, not \(tracks.count)")
  }

  private var format: EventFormat { output.form }

  /// Follows the walks one after the other into one report.
  ///
  /// The report goes to the output, the summary and the remarks to standard error. If no walk has a
  /// fix and something failed, an existing output file keeps its contents.
  func run() async throws {
    try FileUse(writing: [("--output", output.output.path)])
      .check(reading: tracks + places.source.files + [reminders.reminders])
    rules.sayWarnings()
    let phone = try phone.rules()
    let opened = try places.source.open(dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock)
    let store = try phone?.noticed(opened) ?? opened
    let source = StoreSource(reader: try store.makeReader())
    var options = ReplayOptions()
    options.session = rules.session(of: phone)
    options.fixes = rules.reading
    options.pace = speed.times
    options.reminders = try reminders.load(rules.alerts.clock)
    let sink = ReportSink(
      try output.report(
        isLive: options.pace != nil, hasCrossed: options.session.showsCrossed,
        zone: rules.alerts.timeZone))
    let replay = Replay(options: options)
    var failures = FailureLog()
    let notes = TrackNotes()
    for track in tracks where !sink.shouldStop {
      do {
        try TrackFiles.refuseStories(track)
        try follow(
          track, replay: replay, source: source, sink: sink, failures: &failures, notes: notes)
      } catch {
        failures.note(error)
      }
    }
    // A story that cannot be read has no events, and a lookup that fails keeps the old circles.
    if let failure = source.lastFailure { failures.note(CommandFailure(.inputOutput, failure)) }
    // Without a result, keep the file's previous contents.
    if sink.account.fixes == 0, failures.status != .done, output.output.isFile {
      try failures.conclude()
    }
    try sink.finish()
    if !quiet, format.isPlayed, let summary = sink.lastSummary {
      for sentence in summary.hints(for: format) { StandardError.print(sentence) }
    }
    // On a terminal the report already shows the summary.
    let isSaid =
      sink.account.tracks == 1 && format == .text && sink.selection.contains(.summary)
      && !output.leavesRoomForProgress
    if !quiet && !isSaid && sink.account.tracks > 0 { StandardError.print(sink.account.text) }
    if !quiet, let sentence = sink.account.misses.sentence(under: options.session.monitoring) {
      StandardError.print(sentence)
    }
    try notes.conclude(store)
    try failures.conclude()
  }

  /// Follows one walk, reports its events, and says what a user should know about it.
  ///
  /// Notes what fails instead of throwing, except what stops all walks. A walk with no fix counts
  /// as bad input only if more of it was rejected than kept.
  private func follow(
    _ track: String, replay: Replay, source: StoreSource, sink: ReportSink,
    failures: inout FailureLog, notes: TrackNotes
  ) throws {
    var observer = Replay.Observer { sink.take($0) }
    let name = track == "-" ? "stdin" : track.shownFileName
    var extent = TrackExtent()
    let isPlayed = format.isPlayed
    observer.onPath = { fixes in
      extent.take(fixes)
      if isPlayed { sink.take(path: fixes) }
    }
    observer.selection = sink.selection
    // Nobody would be told what was missed.
    observer.countsMisses = !quiet || sink.selection.contains(.summary)
    observer.shouldStop = { sink.shouldStop }
    if verbose { observer.onRejection = { StandardError.say($0.sentence(in: track)) } }
    let notices = TrackNotices()
    observer.onNotice = { notices.all.append($0) }
    let progress = ProgressBar(
      title: track.shownFileName, unit: .things("fixes"), total: nil,
      isWanted: output.leavesRoomForProgress)
    observer.onProgress = { progress.advance(to: $0) }
    let outcome = try replay.run(path: track, source: source, observer: observer)
    progress.end()
    var isBare = false
    if case .finished = outcome, let summary = sink.lastSummary {
      isBare = summary.fixes == 0 && summary.rejected.isEmpty
    }
    if !isBare {
      for notice in notices.all { StandardError.say("\(track): \(notice)") }
    }
    switch outcome {
    case .failed(let error): failures.note(error)
    case .finished:
      guard let summary = sink.lastSummary, summary.fixes == 0 else { break }
      let reasons = summary.rejected.byName
      let why = isBare && !notices.all.isEmpty ? ": " + notices.all.joined(separator: "; ") : ""
      let sentence = "\(track): no fix" + (reasons.isEmpty ? why : "; rejected: \(reasons)")
      // A receiver's report of no fix is valid input.
      failures.note(CommandFailure(summary.loss == nil ? .done : .inputBad, sentence))
    case .stopped: break
    }
    guard let summary = sink.lastSummary, summary.fixes > 0 else { return }
    failures.note(summary.loss)
    TrackNotes.say(summary.remarks.breaks, of: name, under: rules.session().monitoring)
    TrackNotes.say(summary.remarks, of: name, fixes: summary.fixes)
    notes.take(extent, of: name, hasEntry: summary.enters > 0, rules: summary.rulesWithoutTime)
  }
}

/// The warnings about a track, to be said together.
///
/// It is a class because a closure collects them while the replay runs.
private final class TrackNotices {
  var all: [String] = []
}

extension TrackSummary {
  /// How to play the path that was written, as sentences for standard error.
  ///
  /// Only `simctl` needs a command; the average speed is in meters per second.
  fileprivate func hints(for format: EventFormat) -> [String] {
    var hints: [String] = []
    if segments > 1 {
      hints.append(
        "the path has \(segments) pieces, and a simulator goes straight from one to the next")
    }
    guard format == .simctl else { return hints }
    let command = "xcrun simctl location booted start"
    guard let first = firstMilliseconds, let last = lastMilliseconds, last > first, lengthMeters > 0
    else { return hints + ["To play it: \(command) --speed=METERS_PER_SECOND -"] }
    let speed = lengthMeters * 1000 / Double(last - first)
    let shown = (speed * 100).rounded() / 100
    return hints + ["To play it at the walk's average speed: \(command) --speed=\(shown) -"]
  }
}

extension Rejection {
  /// The track, the position in it, the reason and any detail, separated by colons.
  fileprivate func sentence(in track: String) -> String {
    [track, line.map { "line \($0)" }, byteOffset.map { "byte \($0)" }, reason.rawValue, detail]
      .compactMap(\.self).joined(separator: ": ")
  }
}

extension EventFormat: ExpressibleByArgument, OutputForm {}

extension EventSelection: ExpressibleByArgument {
  /// Parses comma-separated names.
  public init?(argument: String) {
    do {
      try self.init(parsing: argument)
    } catch {
      return nil
    }
  }

  /// The comma-separated names.
  public var defaultValueDescription: String {
    Self.names.enumerated()
      .filter { rawValue & (1 << UInt8($0.offset)) != 0 }
      .map(\.element).joined(separator: ",")
  }
}

/// Where `replay` writes events, in which format, and which ones.
struct EventReportArguments: ParsableArguments {
  @Option(
    "format",
    "text, ndjson, csv, geojson, gpx, xcode or simctl. Default: text on a terminal, "
      + "ndjson elsewhere.",
    "Without --format, an output file that ends in .ndjson, .csv, .geojson or .gpx sets the "
      + "format.")
  var format: EventFormat?

  @OptionGroup var output: OutputArguments
  @OptionGroup var units: UnitArguments

  @Option(
    "list", "Report these events, separated by commas, or \"all\".",
    "alert, suppressed (an entry held back), enter, exit, dwell, refresh (a lookup of the "
      + "nearest stories), summary, reminder.")
  var events = EventSelection.standard

  /// The format: text on a terminal, and records for the next program in a pipe.
  var form: EventFormat { output.form(format, stream: .ndjson) }

  /// Opens the report, which the caller must finish.
  ///
  /// A live report writes each event at once and names its file at the start, so that readers can
  /// follow it. With `hasCrossed`, events say when the path met the edge. Tables use `zone`.
  func report(
    isLive: Bool = false, hasCrossed: Bool = false, zone: ClockZone = .utc
  ) throws(OutputFailure) -> EventReport {
    let file = try OutputFile(path: output.path, visibility: isLive ? .asWritten : .whenComplete)
    return EventReport(
      format: form, selection: events, output: file, layout: output.layout,
      zone: zone, flushesEachEvent: isLive, hasCrossed: hasCrossed)
  }

  /// Whether there is room for a progress bar, because the report does not go to the terminal.
  var leavesRoomForProgress: Bool { !output.isTerminal }
}

/// Writes the events of a command's tracks to the report and adds up the summary.
///
/// The closures of a replay cannot throw, so this keeps the first failure of writing.
/// ``shouldStop`` then ends the replay, and ``finish()`` throws it.
final class ReportSink {
  private var report: EventReport
  private var failure: OutputFailure?

  /// The sums over all tracks so far.
  private(set) var account = ReplayAccount()
  /// The summary of the track that ended last; nil before any has.
  private(set) var lastSummary: TrackSummary?

  init(_ report: consuming EventReport) { self.report = report }

  /// Whether to stop reading: after an interruption, or if the report cannot be written.
  var shouldStop: Bool { Task.isCancelled || failure != nil }

  var selection: EventSelection { report.selection }

  /// Writes an event; a summary is also added to the sums.
  func take(_ event: Event) {
    if case .summary(let summary) = event {
      account.add(summary)
      lastSummary = summary
    }
    guard failure == nil else { return }
    do throws(OutputFailure) { try report.write(event) } catch { failure = error }
  }

  /// Writes fixes of the path, for formats that have nothing else.
  func take(path fixes: [Fix]) {
    guard failure == nil else { return }
    do throws(OutputFailure) { try report.write(path: fixes) } catch { failure = error }
  }

  /// Completes the report, or throws what made writing fail before.
  func finish() throws(OutputFailure) {
    if let failure { throw failure }
    try report.finish()
  }
}

extension [String: Int] {
  /// The counts in the order of their names: `late 3, void 12`.
  fileprivate var byName: String {
    sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

/// The summary of a replay, for standard error.
///
/// It adds up the summaries of all tracks. Counts by reason, such as rejected fixes, have the names
/// of NDJSON.
struct ReplayAccount {
  private(set) var tracks = 0
  private(set) var fixes = 0
  private var refreshes = 0
  /// What can cause an alert: entries, exits or dwells, as ``cause`` says.
  private var causes = 0
  private var cause = "entry"
  private var alerts = 0
  private var rejected: [String: Int] = [:]
  private var suppressed: [String: Int] = [:]
  /// The least number of stories that a track never watched; nil if no track counted them.
  private var neverMonitored: Int?
  /// The tracks on which an unwatched circle may have been entered.
  private var uncertified = 0
  /// The entries missed because of the limit.
  private(set) var misses = MissCounts()

  /// Adds the summary of a track.
  mutating func add(_ summary: TrackSummary) {
    tracks += 1
    fixes += summary.fixes
    refreshes += summary.refreshes
    causes += summary.causes.count
    cause = summary.causes.noun
    alerts += summary.alerts
    rejected.merge(summary.rejected, uniquingKeysWith: +)
    suppressed.merge(summary.suppressed, uniquingKeysWith: +)
    if summary.certified == false { uncertified += 1 }
    if let misses = summary.misses { self.misses += misses }
    if let count = summary.neverMonitored { neverMonitored = min(neverMonitored ?? count, count) }
  }

  /// The summary in two to four lines, without a final line break.
  var text: String {
    var lines = [
      "\(count(tracks, "walk")), \(count(fixes, "fix"))"
        + Self.parts(rejected, called: "rejected"),
      "\(count(refreshes, "lookup")), \(count(causes, cause)), "
        + count(alerts, "alert") + Self.parts(suppressed, called: "held back"),
    ]
    if let neverMonitored {
      lines.append(
        tracks == 1
          ? "\(count(neverMonitored, "story")) never watched"
          : "at least \(count(neverMonitored, "story")) never watched on each walk")
    }
    if uncertified > 0 {
      lines.append("on \(count(uncertified, "walk")), an unwatched circle was within reach")
    }
    return lines.joined(separator: "\n")
  }

  private func count(_ number: Int, _ noun: String) -> String {
    ReportNumber.counted(number, noun, isGrouped: false)
  }

  /// A clause such as `, 3 rejected (late 1, void 2)`; empty if there is nothing to count.
  private static func parts(_ counts: [String: Int], called name: String) -> String {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return "" }
    return ", \(total) \(name) (\(counts.byName))"
  }
}
#endif
