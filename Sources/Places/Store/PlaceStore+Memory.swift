import FencepostFormats
import FencepostTime
package import FencepostMonitoring

extension PlaceStore {
  /// Creates a store in memory from places.
  ///
  /// Positions and radii must be valid. If ids repeat, the first place is kept. Keys are ignored
  /// and assigned anew. Messages call the store `path`.
  package static func inMemory(
    of places: [Place], path: String
  ) throws(PlaceStoreError) -> PlaceStore {
    let memory = try MemoryDatabase(path: path)
    var staged = try StagedPlaces(on: memory.anchor)
    var draft = PlaceDraft()
    try memory.anchor.run { _ in
      for place in places {
        draft.set(to: place)
        _ = try staged.add(draft, coordinate: place.coordinate, radiusMeters: place.radiusMeters)
      }
    }
    var report = ImportReport()
    try memory.load(staged, into: &report)
    return PlaceStore(memory: memory, path: path)
  }
}

extension PlaceDraft {
  /// Sets the texts of a place, but not its position and radius.
  fileprivate mutating func set(to place: Place) {
    clear()
    set(.id, place.id)
    set(.title, place.title)
    set(.blurb, place.blurb)
    set(.url, place.url)
    set(.category, place.category)
    if place.priority != 0 { set(.priority, String(place.priority)) }
    if let published = place.publishedMilliseconds { set(.published, milliseconds: published) }
    if let expires = place.expiresMilliseconds { set(.expires, milliseconds: expires) }
  }
}
