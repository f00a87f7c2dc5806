import ArgumentParser
import Places

/// Where a command finds the places: a store, or a file of places that needs none.
struct PlaceArguments: ParsableArguments {
  @OptionGroup
  var source: OptionalPlaceArguments

  func validate() throws {
    if (source.store == nil) == (source.places == nil) {
      throw ValidationError("either --store or --places says where the places are")
    }
  }
}

/// Where a command finds the places, where it may need none.
struct OptionalPlaceArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The store of places.", valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A file of places instead of a store: CSV, GeoJSON, GPX waypoints, GeoRSS.",
      valueName: "file"),
    completion: .file())
  var places: String?

  /// The files that are read.
  var files: [String?] { [store, places] }

  /// Opens the places, and says which rows of a file are none.
  ///
  /// - Parameter lockWaitMilliseconds: How long to wait for a program that is writing the store.
  /// - Returns: The store.
  /// - Throws: The store's or the import's error.
  func open(lockWaitMilliseconds: Int = 5000) throws -> PlaceStore {
    if let store {
      return try PlaceStore(path: store, lockWaitMilliseconds: lockWaitMilliseconds)
    }
    let imported = try PlaceStore.inMemory(from: [places ?? "-"])
    for refusal in imported.report.refusals { StandardError.say(refusal.description) }
    return imported.store
  }
}
