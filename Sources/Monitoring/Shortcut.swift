import FencepostGeodesy

/// The engine's only shortcut: a disc around a vertex within which nothing can happen.
///
/// As long as the path stays in the disc, it meets neither an edge nor a refresh, and a vertex
/// costs about 10 ns instead of 400. The shortcut must leave the engine exactly as the walk would:
/// the same events to the last bit, the same snapshot. ``Engine/takesShortcut`` switches it off for
/// tests that compare both.
struct Shortcut: Sendable {
  var isEnabled = true {
    didSet { forget() }
  }
  private(set) var quiet = SafeDisc.nothing

  /// Whether a joined vertex lies in the disc.
  ///
  /// The vertex before it lies there too, and discs of this size are convex, so the whole step does.
  func covers(_ coordinate: Coordinate) -> Bool { quiet.contains(coordinate) }

  /// Takes note that nothing can happen within a distance of a position.
  mutating func set(around center: Position, radiusMeters: Double) {
    quiet = SafeDisc(center: center, radiusMeters: radiusMeters)
  }

  /// Forgets the disc: the next vertex may leave it, or the monitored set may change.
  mutating func forget() { quiet = .nothing }
}

extension Engine {
  /// Takes a vertex if nothing can happen on the way to it.
  ///
  /// - Returns: Whether it was taken; if not, nothing has changed.
  mutating func takeShortcut(to point: PathPoint) -> Bool {
    guard let step = path.joinedStepMeters(to: point),
      shortcut.covers(point.coordinate) || isQuiet(to: point, stepMeters: step)
    else { return false }
    path.append(point, joinedStepMeters: step)
    return true
  }

  /// Looks around both ends of a joined step for the nearest thing that can happen.
  ///
  /// Whatever happens at a point of the step is at least as far from each end as the nearest thing
  /// there. The way over that point is as long as the step, so nothing happens if the distances add
  /// up to more.
  private mutating func isQuiet(to point: PathPoint, stepMeters step: Double) -> Bool {
    // After a failure, and while a side is in doubt, the walk has to act at every vertex.
    guard shortcut.isEnabled, leg == nil, let anchor, !anchor.mustRetry,
      exposure?.isSettling != true, let previous = path.previous
    else { return false }
    let end = Position(point.coordinate)
    let clear = clearanceMeters(around: end, anchor)
    guard clear > 0 else { return false }
    if clear <= step {
      let clearBefore = clearanceMeters(around: Position(previous.coordinate), anchor)
      guard clearBefore > 0, clearBefore + clear > step else { return false }
    }
    shortcut.set(around: end, radiusMeters: clear)
    return true
  }

  /// How far the path can go from a position before anything can happen, in metres; not above 0
  /// where that is unknown.
  private func clearanceMeters(around here: Position, _ anchor: Anchor) -> Double {
    let room = undisturbedMeters(of: anchor) - Geodesic.distanceMeters(anchor.position, here)
    guard room > 0 else { return 0 }
    return min(room, Self.widestQuietMeters, monitored.clearanceMeters(from: here))
      - Self.quietToleranceMeters
  }

  /// How far from the anchor the rule has nothing to do, in metres.
  private func undisturbedMeters(of anchor: Anchor) -> Double {
    options.followsReach && exposure == nil
      ? min(anchor.tripMeters, anchor.reachMeters) : anchor.tripMeters
  }

  /// A wider disc would leave the range in which the bounds of ``SafeDisc`` are proved.
  private static var widestQuietMeters: Double { 50_000 }
  /// More than the errors of all distances that are compared, in metres.
  private static var quietToleranceMeters: Double { 0.01 }
}
