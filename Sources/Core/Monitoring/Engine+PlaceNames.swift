import FencepostGeodesy

extension Engine {
  /// Returns the state, with places named by their ids; save it to continue after a restart.
  ///
  /// While a request is open, it is the state before the vertex. Give that vertex to the restored
  /// engine again, or the next one if it is lost.
  ///
  /// - Parameter source: Finds the places that the engine monitors.
  /// - Returns: The state.
  /// - Throws: The source's error if it cannot look up a place.
  public func snapshot(naming source: any PlaceSource) throws -> Snapshot {
    try snapshot.named(by: source)
  }

  /// Restores an engine that continues as the original would have.
  ///
  /// Places may have been added, removed or renumbered since. Deleted places are forgotten. New,
  /// moved or resized ones count from the next refresh on; ``refresh(into:)`` refreshes at once.
  ///
  /// - Parameters:
  ///   - options: The same rule as the original's.
  ///   - snapshot: The state to restore.
  ///   - source: Finds the places.
  /// - Throws: ``SnapshotError``, or the source's error.
  public init(
    options: MonitoringOptions, snapshot: Snapshot, source: any PlaceSource
  ) throws {
    guard let engine = Engine(options: options, snapshot: try snapshot.keyed(by: source)) else {
      try SnapshotError.damaged.raise()
    }
    self = engine
  }
}

/// The reason why a session cannot continue from a snapshot.
///
/// Restoring an engine or a session throws it. The remedy is to start a new one.
public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The snapshot contradicts itself.
  case damaged
  /// An earlier version saved it without the ids of places, and the places have changed since.
  case otherPlaces

  /// The error as a sentence without a period.
  public var description: String {
    switch self {
    case .damaged: "the snapshot is damaged; start a new session"
    case .otherPlaces:
      "the snapshot does not name its places, and the places have changed; start a new session"
    }
  }
}

extension PlaceSource {
  /// The current key of a place, or nil if it was deleted.
  ///
  /// A circle without an id keeps its key, unless a place has that key now.
  ///
  /// - Parameters:
  ///   - id: The id of the place; nil for a circle that is not a place.
  ///   - key: The key that it had when it was saved.
  /// - Returns: The key; nil for a deleted place.
  /// - Throws: The error of the source.
  package func key(of id: String?, formerly key: Int64) throws -> Int64? {
    guard let id else { return hasPlace(forKey: key) ? nil : key }
    if try place(forKey: key)?.id == id { return key }
    return try self.key(forID: id)
  }
}

extension Engine.Snapshot {
  /// The same state with the ids of its places, so that it survives a renumbering of the store.
  ///
  /// - Throws: The source's error if it cannot look up a place.
  package func named(by source: any PlaceSource) throws -> Engine.Snapshot {
    var snapshot = self
    try snapshot.forEachRegions { regions, _ in
      regions.ids = try regions.keys.map { try source.place(forKey: $0)?.id }
    }
    return snapshot
  }

  /// The same state with the current keys of its places.
  ///
  /// Places that were deleted are left out.
  ///
  /// - Throws: ``SnapshotError``, or the source's error.
  package func keyed(by source: any PlaceSource) throws -> Engine.Snapshot {
    guard fault == nil else { try SnapshotError.damaged.raise() }
    var snapshot = self
    try snapshot.forEachRegions { regions, sort in
      guard let ids = regions.ids else { return try regions.check(by: source) }
      guard ids.count == regions.keys.count else { try SnapshotError.damaged.raise() }
      var kept: [(key: Int64, index: Int)] = []
      for (index, id) in ids.enumerated() {
        guard let key = try source.key(of: id, formerly: regions.keys[index]) else { continue }
        kept.append((key, index))
      }
      kept.sort { $0.key < $1.key }
      guard zip(kept, kept.dropFirst()).allSatisfy({ $0.key < $1.key }) else {
        try SnapshotError.damaged.raise()
      }
      let order = kept.map { $0.index }
      regions = regions.sorted(order, keys: kept.map { $0.key })
      sort(order)
    }
    return snapshot
  }

  /// Transforms all regions; the transform can also reorder the confirmation's parallel arrays.
  private mutating func forEachRegions(
    _ body: (inout Regions, _ sort: ([Int]) -> Void) throws -> Void
  ) rethrows {
    try body(&monitored) { _ in }
    try body(&containing) { _ in }
    if var regions = doubtful {
      try body(&regions) { _ in }
      doubtful = regions
    }
    guard var held = confirmation else { return }
    var (pending, stays) = (held.pending, held.stays)
    try body(&held.regions) { order in
      pending = order.map { pending[$0] }
      stays = order.map { stays[$0] }
    }
    (held.pending, held.stays) = (pending, stays)
    confirmation = held
  }
}

extension Engine.Snapshot.Regions {
  /// Selects regions in a new order, with new keys and without ids.
  fileprivate func sorted(_ order: [Int], keys: [Int64]) -> Self {
    Self(
      keys: keys, latitudes: order.map { latitudes[$0] }, longitudes: order.map { longitudes[$0] },
      radii: order.map { radii[$0] }, isInside: isInside.isEmpty ? [] : order.map { isInside[$0] })
  }

  /// Checks that keys saved without ids still mean the same circles.
  fileprivate func check(by source: any PlaceSource) throws {
    for region in regions ?? [] {
      guard let place = try source.place(forKey: region.key) else { continue }
      guard place.coordinate == region.circle.center.coordinate,
        place.radiusMeters == region.circle.radiusMeters
      else { try SnapshotError.otherPlaces.raise() }
    }
  }
}
