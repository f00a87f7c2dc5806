import FencepostAnalysis
import ArgumentParser
import Fencepost
import FencepostFiles
import FencepostFixes
import FencepostPlaces
import FencepostReporting

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

      --format kml shows the path, the circles and the events in Google Earth. --format \
      xcode and simctl write only the path, for simulators of phones to play: as GPX with \
      times for Xcode and Android's emulator, or as waypoints for "xcrun simctl location \
      DEVICE start -".

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

  func run() async throws {
    try FileUse(writing: [("--output", output.output.path)])
      .check(reading: tracks + places.source.files + [reminders.reminders])
    rules.sayWarnings()
    let phone = try phone.rules()
    let opened = try places.source.open(dateOrder: rules.fixes.dateOrder)
    let store = try phone?.noticed(opened) ?? opened
    let source = StoreSource(reader: try store.makeReader())
    var options = options(on: phone)
    options.reminders = try reminders.load()
    let places = format.showsPlaces ? try store.makeReader() : nil
    let sink = ReportSink(
      try output.report(
        isLive: options.pace != nil, hasCrossed: options.session.showsCrossed,
        zone: rules.alerts.timeZone),
      // The refresh has already reported a failing store; the report then lacks the circle.
      findPlace: { try? places?.place(withID: $0) })
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
    // Without a result, keep the file's previous contents.
    if sink.account.fixes == 0, failures.status != .done, output.output.isFile {
      try failures.conclude()
    }
    try sink.finish()
    if !quiet, format.isPlayed, let summary = sink.lastSummary {
      for sentence in summary.hints(for: format) { StandardError.print(sentence) }
    }
    // On a terminal the report already shows the summary.
    let isSaid = sink.includesAccount && !output.leavesRoomForProgress
    if !quiet && !isSaid && sink.account.tracks > 0 { StandardError.print(sink.account.text) }
    if !quiet, let sentence = sink.account.misses.sentence(under: options.session.monitoring) {
      StandardError.print(sentence)
    }
    try notes.conclude(store)
    try failures.conclude()
  }

  private func options(on phone: PhoneRules?) -> Replay.Options {
    var options = Replay.Options()
    options.session = rules.session(of: phone)
    options.fixes = rules.fixes.options
    options.pace = speed.times
    return options
  }

  private func follow(
    _ track: String, replay: Replay, source: StoreSource, sink: ReportSink,
    failures: inout FailureLog, notes: TrackNotes
  ) throws {
    var observer = Replay.Observer { sink.take($0) }
    let name = track == "-" ? "stdin" : track.shownFileName
    var extent = TrackExtent()
    let showsPath = format.showsPath
    observer.onPath = { fixes in
      extent.take(fixes)
      if showsPath { sink.take(path: fixes, of: name) }
    }
    defer { sink.endTrack() }
    observer.selection = sink.selection
    observer.shouldStop = { sink.shouldStop }
    if verbose { observer.onRejection = { StandardError.say($0.sentence(in: track)) } }
    observer.onNotice = { StandardError.say("\(track): \($0)") }
    let progress = TrackProgress(track: track, isWanted: output.leavesRoomForProgress)
    observer.onProgress = { progress.advance(to: $0) }
    let outcome = try replay.run(path: track, source: source, observer: observer)
    progress.end()
    switch outcome {
    case .failed(let error): failures.note(error)
    case .finished: noteEmptiness(of: track, sink.lastSummary, in: &failures)
    case .stopped: break
    }
    guard let summary = sink.lastSummary, summary.fixes > 0 else { return }
    failures.note(summary.loss)
    notes.take(extent, of: name, hasEntry: summary.enters > 0, rules: summary.rulesWithoutTime)
  }

  /// Reports a track without fixes, which is bad input if nothing could be read.
  private func noteEmptiness(
    of track: String, _ summary: TrackSummary?, in failures: inout FailureLog
  ) {
    guard let summary, summary.fixes == 0 else { return }
    let counts = summary.rejected.sorted { $0.key < $1.key }
    let reasons = counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let sentence = "\(track): no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons)")
    // A receiver's report of no fix is valid input.
    failures.note(CommandFailure(summary.loss == nil ? .done : .inputBad, sentence))
  }
}

extension TrackSummary {
  /// What to know before a simulator plays the track.
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
  fileprivate func sentence(in track: String) -> String {
    var sentence = track
    if let line { sentence += ": line \(line)" }
    if let byteOffset { sentence += ": byte \(byteOffset)" }
    sentence += ": \(reason.rawValue)"
    if let detail { sentence += ": \(detail)" }
    return sentence
  }
}
