import ArgumentParser
import Fencepost
import Places
import Reporting

/// Tells why a story fired, or why not.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tell why one story alerted on a track, or why not.",
    discussion: """
      Says when the story was monitored and at which rank, how near the path came, each crossing, \
      and each check of the policy with what it looked at and what came of it.

      Example:
        fencepost explain walk.gpx --store stories.sqlite --place independence-hall
      """)

  @Argument(help: ArgumentHelp("The track.", valueName: "track"), completion: .file())
  var track: String

  @OptionGroup(title: "Places")
  var places: PlaceArguments

  @Option(help: ArgumentHelp("The story: its place's id.", valueName: "id"))
  var place: String

  @OptionGroup
  var rules: SessionArguments

  @OptionGroup(title: "Report")
  var table: TableArguments

  func validate() throws {
    if table.chosenFormat == .csv || table.chosenFormat == .geojson {
      throw ValidationError("an explanation is text or ndjson")
    }
  }

  func run() async throws {
    let store = try places.source.open()
    let index = try StoryIndex(store)
    guard let story = index.index(ofID: place) else {
      throw CommandFailure(.inputMissing, "\(store.path): there is no place ‘\(place)’")
    }
    let explainer = StoryExplainer(
      index: index, source: StoreSource(reader: try store.makeReader()), session: rules.session,
      fixes: rules.fixes.options)
    let explanation: StoryExplanation?
    do {
      explanation = try explainer.explain(story, on: track)
    } catch {
      throw CommandFailure(track: error)
    }
    guard let explanation else { return }
    for notice in explanation.account.notices { StandardError.say("\(track): \(notice)") }
    var output = try OutputFile(path: table.output.path)
    let writer = ExplanationWriter(explanation)
    if table.chosenFormat == .text {
      writer.writeText(to: &output.buffer, layout: table.output.layout)
    } else {
      writer.writeNDJSON(to: &output.buffer)
    }
    try output.finish()
  }
}
