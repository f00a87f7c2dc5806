import ArgumentParser
import FencepostPlaces
import FencepostReporting

struct PlacesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Write the stories of a store.",
    discussion: """
      Output in csv or geojson can be imported again.

      Examples:
        fencepost places list --store stories.sqlite
        fencepost places list --store stories.sqlite --category history -o history.csv
      """)

  @OptionGroup var store: StoreArguments

  @Option("category", "Write only stories of exactly this category.")
  var category: String?

  @Option(
    parsing: .unconditional,
    "w,s,e,n", "Write only stories in this box: west, south, east, north, in decimal degrees.",
    "If west is greater than east, the box crosses the 180th meridian.")
  var box: BoxArgument?

  @OptionGroup var table: TableArguments

  func run() async throws {
    try FileUse(writing: [("--output", table.output.path)]).check(reading: [store.store])
    let reader = try PlaceStore(path: store.store).makeReader()
    var output = try OutputFile(path: table.output.path)
    var writer = table.writer
    writer.begin(&output.buffer)
    var failure: OutputFailure?
    try reader.list(in: box?.box, category: category) { place in
      do throws(OutputFailure) {
        writer.append(PlaceRecord(place: place), to: &output.buffer)
        try output.flushIfFull()
      } catch {
        failure = error
      }
      return failure == nil && !Task.isCancelled
    }
    if let failure { throw failure }
    try Task.checkCancellation()
    writer.end(&output.buffer)
    try output.finish()
  }
}
