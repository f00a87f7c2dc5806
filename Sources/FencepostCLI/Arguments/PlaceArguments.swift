import ArgumentParser
import Fencepost
import Places

/// Where a command finds the places: a store, or a file of places that needs none.
struct PlaceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store of places.", valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A file of places instead of a store: CSV, GeoJSON, GPX waypoints, GeoRSS.",
      valueName: "file"),
    completion: .file())
  var places: String?

  func validate() throws {
    if (store == nil) == (places == nil) {
      throw ValidationError("either --store or --places says where the places are")
    }
  }

  /// Opens the places.
  ///
  /// - Parameters:
  ///   - lockWaitMilliseconds: How long to wait for a program that is writing the store.
  ///   - onRefusal: Told each row of a file of places that is no place.
  /// - Returns: The store.
  /// - Throws: The store's or the import's error.
  func open(
    lockWaitMilliseconds: Int = 5000, onRefusal: (String) -> Void
  ) throws -> PlaceStore {
    if let store {
      return try PlaceStore(path: store, lockWaitMilliseconds: lockWaitMilliseconds)
    }
    let imported = try PlaceStore.inMemory(from: [places ?? "-"])
    for refusal in imported.report.refusals { onRefusal(refusal.description) }
    return imported.store
  }
}
