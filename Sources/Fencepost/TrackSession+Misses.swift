public import FencepostMonitoring

/// The entries that a limit of watched places costs.
extension TrackSession {
  /// Follows all places beside the watched ones from here on, and counts the entries that are missed.
  ///
  /// The summary then has the counts. It costs a second engine once there are more places than can be watched.
  /// Call this before the first fix.
  ///
  /// - Parameters:
  ///   - source: Finds the places; may be that of the session.
  ///   - collects: Whether to keep each miss for ``takeMisses()``.
  public mutating func watchForMisses(in source: any PlaceSource, collects: Bool) {
    var watch = MissWatch(options: engine.options, alertsOn: alertsOn, source: source)
    watch?.wantsMisses = collects
    if engine.fixCount > 0 { watch?.restore(savedMisses) }
    savedMisses = nil
    missWatch = watch
  }

  /// The misses since the last call, in order along the path.
  public mutating func takeMisses() -> [Miss] {
    guard let misses = missWatch?.misses, !misses.isEmpty else { return [] }
    missWatch?.misses.removeAll()
    return misses
  }
}
