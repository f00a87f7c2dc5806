#if Command
public import ArgumentParser
public import FencepostPlaces
public import FencepostTime
import FoundationEssentials

/// The stories of a command that cannot work without any.
struct PlaceArguments: ParsableArguments {
  @OptionGroup var source: OptionalPlaceArguments

  func validate() throws {
    try require(
      (source.store == nil) != (source.places == nil),
      "use either --store or --places to say which stories to read")
  }
}

/// Where a command finds its stories: in a store, or in a file read into memory.
///
/// A store can be edited while a session runs. A file is read once, or again after SIGHUP.
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

  /// The files to read, for ``FileUse``; at most one is not nil.
  var files: [String?] { [store, places] }

  /// Opens the places and reports bad and lost rows of a file, whose dates follow a clock.
  ///
  /// Bad rows do not make it fail. Warnings are printed only if something of the user's is lost.
  ///
  /// `dateOrder` is the order of day and month in dates such as 3/4/2026; nil to find out. A store
  /// that another program writes is waited for, at most for `lockWaitMilliseconds`.
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

/// The option that decides what becomes of areas and lines in a file of stories.
struct ShapeArguments: ParsableArguments {
  @Option(
    "rule", "refuse: skip areas and lines in a file. centroid: use their centers. Default: refuse.")
  var polygons: ImportOptions.Shapes?

  var shapes: ImportOptions.Shapes { polygons ?? .refuse }
}

extension ImportOptions.Shapes: ExpressibleByArgument {}
extension DateOrder: ExpressibleByArgument {}

/// The store of the commands below `places`, which need one and take no file instead.
struct StoreArguments: ParsableArguments {
  @Option("file", "Use this store, such as stories.sqlite.", completion: .file())
  var store: String

  @OptionGroup var rulesFile: RulesFileArguments
}
#endif
