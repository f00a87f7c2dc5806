#if Command
public import ArgumentParser
public import FencepostPlaces
public import FencepostTime
import FoundationEssentials

struct PlaceArguments: ParsableArguments {
  @OptionGroup var source: OptionalPlaceArguments

  func validate() throws {
    try require(
      (source.store == nil) != (source.places == nil),
      "use either --store or --places to say which stories to read")
  }
}

struct OptionalPlaceArguments: ParsableArguments {
  @Option("file", "Read stories from this store.", completion: .file())
  var store: String?

  @Option(
    "file", "Read stories from a CSV, JSON, GeoJSON, KML, GPX or GeoRSS file instead.",
    completion: .file())
  var places: String?

  @OptionGroup var shapes: ShapeArguments

  func validate() throws {
    try require(places != nil || shapes.polygons == nil, "--polygons needs --places")
  }

  /// The file's absolute path, which is the same from every folder.
  var wholePath: String {
    guard let file = store ?? places, file != "-" else { return "-" }
    return URL(fileURLWithPath: file).standardizedFileURL.path
  }

  var files: [String?] { [store, places] }

  /// Opens the places and reports bad and lost rows of a file, whose dates follow a clock.
  func open(
    dateOrder: DateOrder?, clock: ClockArguments, lockWaitMilliseconds: Int = 5000
  ) throws -> PlaceStore {
    if let store { return try PlaceStore(path: store, lockWaitMilliseconds: lockWaitMilliseconds) }
    let imported = try PlaceStore.inMemory(
      from: [places ?? "-"],
      options: ImportOptions(
        shapes: shapes.shapes, dateOrder: dateOrder, zone: clock.zone))
    for refusal in imported.report.refusals { StandardError.say(refusal.description) }
    for warning in imported.report.warnings where warning.tellsOfLoss {
      StandardError.say("warning: \(warning.description)")
    }
    return imported.store
  }
}

struct ShapeArguments: ParsableArguments {
  @Option(
    "rule", "refuse: skip areas and lines in a file. centroid: use their centers. Default: refuse.")
  var polygons: ImportOptions.Shapes?

  var shapes: ImportOptions.Shapes { polygons ?? .refuse }
}

extension ImportOptions.Shapes: ExpressibleByArgument {}
extension DateOrder: ExpressibleByArgument {}

struct StoreArguments: ParsableArguments {
  @Option("file", "Use this store, such as stories.sqlite.", completion: .file())
  var store: String

  @OptionGroup var rulesFile: RulesFileArguments
}
#endif
