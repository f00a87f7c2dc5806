import FencepostAnalysis
import ArgumentParser
import Fencepost
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Explains why a story fired or did not.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tell why one story alerted on a track, or why not.",
    discussion: """
      A folder stands for the tracks in it, as for analyze: each is explained, one after the other.

      Says when the story was monitored and at which rank, how near the path came, each crossing, \
      and each check of the policy with what it looked at and what came of it. The text tells times \
      by the clock of --time-zone.

      With --profile the track is also run many times on a simulated phone, and with larger radii: how \
      many phones would alert, when and where, what the others lose the alert to, and what would \
      help. That is an estimate; the text says what it rests on.

      Examples:
        fencepost explain walk.gpx --store stories.sqlite --place independence-hall
        fencepost explain walk.gpx --store stories.sqlite --place 'liberty bell'
        fencepost explain walk.gpx --store stories.sqlite --place bourse --profile iphone
      """)

  @Argument(
    help: .value("track", "The track, or a folder of tracks."),
    completion: .file())
  var track: String

  @OptionGroup(title: "Places")
  var places: PlaceArguments

  @Option(
    help: .value(
      "name", "The story: its place's id or title, or a part of one that no other place has."))
  var place: String

  @OptionGroup var rules: SessionArguments

  @OptionGroup(title: "Phones")
  var chance: ChanceArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup(title: "Report")
  var table: TableArguments

  func validate() throws {
    if table.chosenFormat == .csv || table.chosenFormat == .geojson {
      throw ValidationError("an explanation is text or ndjson")
    }
  }

  func run() async throws {
    let use = try FileUse(writing: [("--output", table.output.path)])
    try use.check(reading: places.source.files + chance.files)
    let tracks = try TrackFiles.find([track], use)
    let profiles = try chance.read()
    rules.monitoring.sayWarnings()
    chance.sayWarnings(profiles, rules.monitoring)
    var session = rules.session()
    session.monitoring = rules.monitoring.options(following: profiles.first)
    let store = try places.source.open(dateOrder: rules.fixes.dateOrder)
    let index = try StoryIndex(store)
    let story = try self.story(in: index, of: store)
    let explainer = StoryExplainer(
      index: index, source: StoreSource(reader: try store.makeReader()), session: session,
      fixes: rules.fixes.options,
      chance: chance.options(profiles, rules.monitoring, rules.alerts))
    var failures = FailureLog()
    var explanations: [StoryExplanation] = []
    for track in tracks {
      do throws(TrackFailure) {
        guard let explanation = try explainer.explain(story, on: track) else { return }
        failures.note(explanation.account)
        explanations.append(explanation)
      } catch {
        failures.note(error)
      }
    }
    try write(explanations)
    try failures.conclude()
  }

  /// Writes the explanations; without any, the output is left unchanged.
  private func write(_ explanations: [StoryExplanation]) throws {
    guard !explanations.isEmpty else { return }
    var output = try OutputFile(path: table.output.path)
    for (index, explanation) in explanations.enumerated() {
      let writer = ExplanationWriter(explanation, zone: rules.alerts.timeZone)
      if table.chosenFormat == .text {
        if index > 0 { output.buffer.append(UInt8(ascii: "\n")) }
        writer.writeText(to: &output.buffer, layout: table.output.layout)
      } else {
        writer.writeNDJSON(to: &output.buffer)
      }
    }
    try output.finish()
  }

  private func story(in index: StoryIndex, of store: PlaceStore) throws(CommandFailure) -> Int {
    do throws(StoryChoice.Failure) {
      return try StoryChoice(index.stories).index(of: place)
    } catch {
      throw CommandFailure(
        error.fittingCount > 0 ? .usage : .inputMissing, "\(store.path): \(error)")
    }
  }
}
