import FencepostSession
package import FencepostMonitoring

/// An editor's changes to the places of a store.
///
/// The studio collects them while the editor works, and what-ifs apply them to copies, so that a
/// store changes only when the edits are saved.
package struct PlaceChanges: Hashable, Sendable {
  /// The new version of each changed place, by id; nil for a removed place.
  package var byID: [String: Place?]

  /// Creates changes; by default none.
  package init(_ byID: [String: Place?] = [:]) {
    self.byID = byID
  }

  /// The places as they would be with the changes.
  ///
  /// - Complexity: O(n) for n places.
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

  /// Returns the ids of places that differ between two sets of changes to the same places.
  func ids(differingFrom other: PlaceChanges) -> Set<String> {
    Set(byID.keys).union(other.byID.keys).filter { byID[$0] != other.byID[$0] }
  }

  /// The new versions of the places that differ from earlier changes, as a phone notices them; nil
  /// unless `index`, which has the earlier changes, has each of them and keeps it.
  func replacements(
    after earlier: PlaceChanges, in index: PlaceIndex, _ phone: PhoneRules?
  ) -> [Place]? {
    var places: [Place] = []
    for id in ids(differingFrom: earlier).sorted() {
      guard let place = byID[id] ?? nil, index.key(forID: id) != nil else { return nil }
      places.append(place)
    }
    let noticed = phone?.noticed(places) ?? places
    return noticed.count == places.count ? noticed : nil
  }
}
