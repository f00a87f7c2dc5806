public import ArgumentParser
public import FencepostPlaces
public import FencepostTime
import Foundation

/// The source of the places: a store or a file.
struct PlaceArguments: ParsableArguments {
  @OptionGroup
  var source: OptionalPlaceArguments

  func validate() throws {
    if (source.store == nil) == (source.places == nil) {
      throw ValidationError("either --store or --places says where the places are")
    }
  }
}

/// The source of the places, for commands that may need none.
struct OptionalPlaceArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The store of places.", valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A file of places instead of a store: CSV, JSON, GeoJSON, KML, GPX waypoints, GeoRSS.",
      valueName: "file"),
    completion: .file())
  var places: String?

  @OptionGroup var shapes: ShapeArguments

  func validate() throws {
    if places == nil, shapes.polygons != nil {
      throw ValidationError("--polygons needs a file of --places")
    }
  }

  /// The file's path from the root, so that it is the same from every folder.
  var wholePath: String {
    guard let file = store ?? places, file != "-" else { return "-" }
    return URL(fileURLWithPath: file).standardizedFileURL.path
  }

  /// The files to be read.
  var files: [String?] { [store, places] }

  /// Opens the places and reports bad rows of a file, and what of it was lost.
  ///
  /// - Parameters:
  ///   - dateOrder: Whether days or months come first in a file's dates; nil to decide by the file.
  ///   - lockWaitMilliseconds: How long to wait for a lock on the store.
  /// - Returns: The store.
  /// - Throws: The store's or the import's error.
  func open(dateOrder: DateOrder?, lockWaitMilliseconds: Int = 5000) throws -> PlaceStore {
    if let store {
      return try PlaceStore(path: store, lockWaitMilliseconds: lockWaitMilliseconds)
    }
    let imported = try PlaceStore.inMemory(
      from: [places ?? "-"],
      options: ImportOptions(shapes: shapes.shapes, dateOrder: dateOrder))
    for refusal in imported.report.refusals { StandardError.say(refusal.description) }
    for warning in imported.report.warnings where warning.tellsOfLoss {
      StandardError.say("warning: \(warning.description)")
    }
    return imported.store
  }
}

/// The option about areas and lines in files of places.
struct ShapeArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What becomes of areas and lines in a file of places; centroid makes a place of their centre.",
      discussion: "The default is refuse.", valueName: "refuse|centroid"))
  var polygons: ImportOptions.Shapes?

  /// The choice or its default.
  var shapes: ImportOptions.Shapes { polygons ?? .refuse }
}

extension ImportOptions.Shapes: ExpressibleByArgument {}
extension DateOrder: ExpressibleByArgument {}

/// The option of commands on a store.
struct StoreArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store of places.", valueName: "file"), completion: .file())
  var store: String
}
