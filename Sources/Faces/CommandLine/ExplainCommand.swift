#if Command
import FencepostAnalysis
import ArgumentParser
import FencepostSession
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
import FencepostReporting

/// The command `explain`: tells why one story or one reminder alerted on a walk, or why not.
///
/// Of a folder, it explains every walk. A name that fits no story ends it with exit status 66, and
/// one that fits several with 64, so that it never explains the wrong story.
struct ExplainCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show why one story or reminder alerted on a walk, or why not.",
    discussion: """
      Shows when the story was watched and at which rank, how near the path came, every \
      entry and exit, and every check of the alert rules with its result. Times follow the \
      clock of --time-zone. If TRACK is a folder, each walk in it is explained.

      With --profile, the walk is also simulated many times on a phone, and with larger \
      radii: how many phones would alert, when and where, why the others lose the alert, and \
      what would help. This is an estimate. The text says what it is based on.

      With --reminders and --reminder, one reminder is explained instead: when it waited and \
      behind what, and whether it was shown.

      Examples:
        fencepost explain walk.gpx --store stories.sqlite --place "Liberty Bell"
        fencepost explain walk.gpx --places p.csv --reminders r.json --reminder bread
        fencepost explain walk.gpx --store stories.sqlite --place bourse \\
          --profile iphone
      """)

  @Argument(help: .value("track", "A walk, or a folder of walks."), completion: .file())
  var track: String

  @OptionGroup(title: "Stories") var places: PlaceArguments

  @Option("story", "The story: its id, its title, or a part that no other story has.")
  var place: String?

  @Option("id", "The reminder to explain, by its id in the file of --reminders.")
  var reminder: String?

  @OptionGroup(title: "Reminders") var reminders: ReminderArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Simulated phones") var chance: ChanceArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Output") var table: TableArguments
  @OptionGroup(title: "Output") var units: UnitArguments

  var shownUnits: ShownUnits { units.units }

  func validate() throws {
    try require([.text, .ndjson].contains(table.chosenFormat), "--format must be text or ndjson")
    try require(
      (place == nil) != (reminder == nil),
      "Name what to explain: --place, or --reminder with --reminders.")
    try require(
      (reminder == nil) == (reminders.reminders == nil), "--reminder and --reminders go together")
  }

  /// Explains the story, or the reminder, on each walk.
  ///
  /// A walk that cannot be read is reported, and the others are explained. Nothing is written if
  /// the command is interrupted.
  func run() async throws {
    let use = try FileUse(writing: [("--output", table.output.path)])
    try use.check(reading: places.source.files + chance.files + [reminders.reminders])
    let tracks = try TrackFiles.find([track], use)
    let profiles = try chance.read()
    rules.sayWarnings()
    chance.sayWarnings(profiles, rules.monitoring)
    let session = rules.session(following: profiles.first)
    let store = try places.source.open(dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock)
    if let reminder { return try explain(reminder, on: tracks, store: store, session: session) }
    let index = try StoryIndex(store)
    let story: Int
    do throws(StoryChoice.Failure) {
      story = try StoryChoice(index.stories.array).index(of: place ?? "")
    } catch {
      throw CommandFailure(
        error.fittingCount > 0 ? .usage : .inputMissing, "\(store.path): \(error)")
    }
    let explainer = StoryExplainer(
      index: index, source: StorySource(index), session: session,
      chance: chance.options(profiles, rules.monitoring, rules.alerts))
    var failures = FailureLog()
    var explanations: [StoryExplanation] = []
    for track in tracks {
      do throws(TrackFailure) {
        guard
          let explanation = try explainer.explain(story, on: track, options: rules.reading)
        else { return }
        let account = explanation.account
        failures.note(account)
        TrackNotes.say(account.remarks.breaks, of: account.track, under: session.monitoring)
        TrackNotes.say(account.remarks, of: account.track, fixes: account.fixes)
        explanations.append(explanation)
      } catch {
        failures.note(error)
      }
    }
    try write(explanations)
    try failures.conclude()
  }

  /// Replays the walks with the reminders, and writes what happened to one of them.
  private func explain(
    _ id: String, on tracks: [String], store: PlaceStore, session: TrackSessionOptions
  ) throws {
    let unknown = CommandFailure(.inputMissing, "\(reminders.reminders ?? ""): no reminder \(id)")
    guard var options = try reminders.load(rules.alerts.clock),
      let reminder = options.document.reminders.first(where: { $0.id == id })
    else { throw unknown }
    options.run.explainedID = id
    var replay = ReplayOptions()
    (replay.session, replay.fixes, replay.reminders) = (session, rules.reading, options)
    let source = StoreSource(reader: try store.makeReader())
    var output = try OutputFile(path: table.output.path)
    var failures = FailureLog()
    for track in tracks {
      var summary: TrackSummary?
      var observer = Replay.Observer { if case .summary(let found) = $0 { summary = found } }
      observer.selection = [.summary]
      do {
        let outcome = try Replay(options: replay).run(
          path: track, source: source, observer: observer)
        if case .failed(let error) = outcome { failures.note(error) }
      } catch {
        failures.note(error)
      }
      guard let moments = summary?.budget?.moments else { continue }
      let explanation = ReminderExplanation(track: track, reminder: reminder, moments: moments)
      if table.chosenFormat == .text {
        explanation.writeText(
          to: &output.buffer, zone: rules.alerts.timeZone, layout: table.output.layout)
      } else {
        explanation.writeNDJSON(to: &output.buffer)
      }
    }
    try output.finish()
    try failures.conclude()
  }

  /// Writes the explanations; without any, the output is left unchanged.
  private func write(_ explanations: [StoryExplanation]) throws {
    guard !explanations.isEmpty else { return }
    try OutputFile.write(to: table.output.path) { output in
      for (index, explanation) in explanations.enumerated() {
        let writer = ExplanationWriter(explanation, zone: rules.alerts.timeZone)
        if table.chosenFormat == .text {
          if index > 0 { output.append(UInt8(ascii: "\n")) }
          writer.writeText(to: &output, layout: table.output.layout)
        } else {
          ShownUnits.$current.withValue(.metric) { writer.writeNDJSON(to: &output) }
        }
      }
    }
  }
}
#endif
