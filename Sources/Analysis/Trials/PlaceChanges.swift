package import FencepostMonitoring

/// What differs from the places of a store, as an editor has changed them: by id, the place as it is now,
/// nil where it was removed.
package struct PlaceChanges: Hashable, Sendable {
  /// The changes, by id.
  package var byID: [String: Place?]

  /// Makes changes.
  package init(_ byID: [String: Place?] = [:]) {
    self.byID = byID
  }

  /// The places after the changes.
  package func applied(to places: [Place]) -> [Place] {
    guard !byID.isEmpty else { return places }
    var left = byID
    var changed: [Place] = []
    changed.reserveCapacity(places.count)
    for place in places {
      guard let change = left.removeValue(forKey: place.id) else {
        changed.append(place)
        continue
      }
      if let change { changed.append(change) }
    }
    changed += left.values.compactMap { $0 }
    return changed
  }

  /// The ids whose places differ under other changes of the same places.
  func ids(differingFrom other: PlaceChanges) -> Set<String> {
    Set(byID.keys).union(other.byID.keys).filter { byID[$0] != other.byID[$0] }
  }
}
