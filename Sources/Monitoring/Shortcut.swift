import FencepostGeodesy

/// The engine's only shortcut: a disc around a vertex in which nothing can happen.
///
/// As long as the path stays in the disc, it meets neither an edge nor a refresh, and a vertex
/// costs about 10 ns instead of 400. The shortcut must leave the engine exactly as the walk would:
/// the same events to the last bit, the same snapshot. Tests compare both by switching it off with
/// ``Engine/takesShortcut``.
struct Shortcut: Sendable {
  var isEnabled = true {
    didSet { forget() }
  }
  /// Whether the walk may ever be skipped: not where accuracy counts, which changes sides and reach
  /// without a step.
  var isUseful = true
  /// The disc.
  private(set) var quiet = SafeDisc.nothing
  private var center: Coordinate?
  private var radiusMeters = 0.0

  /// Whether a joined vertex lies in the disc.
  ///
  /// The vertex before it lies there too, and discs of this size are convex, so the whole step does.
  func covers(_ coordinate: Coordinate) -> Bool { quiet.contains(coordinate) }

  /// Records that nothing can happen within a distance of a position.
  mutating func set(around center: Position, radiusMeters: Double) {
    quiet = SafeDisc(center: center, radiusMeters: radiusMeters)
    (self.center, self.radiusMeters) = (center.coordinate, radiusMeters)
  }

  /// The distance from a coordinate within which nothing can happen, if it is the disc's centre.
  func clearanceMeters(around coordinate: Coordinate) -> Double? {
    coordinate == center ? radiusMeters : nil
  }

  /// Forgets the disc: the next vertex may leave it, or the monitored set may change.
  mutating func forget() { (quiet, center) = (.nothing, nil) }
}

extension Engine {
  /// Takes a vertex if nothing can happen on the way to it.
  ///
  /// - Returns: Whether it was taken; if not, nothing has changed.
  mutating func takeShortcut(to point: PathPoint) -> Bool {
    guard !hasStage || isStageQuiet(upTo: point),
      let step = path.joinedStepMeters(to: point),
      shortcut.covers(point.coordinate) || isQuiet(to: point, stepMeters: step)
    else { return false }
    path.append(point, joinedStepMeters: step)
    return true
  }

  /// Measures at both ends of a joined step how near the next thing is that can happen.
  ///
  /// Whatever happens at a point of the step is at least that far from each end. The way over that
  /// point is as long as the step, so nothing happens if the two distances add up to more.
  private mutating func isQuiet(to point: PathPoint, stepMeters step: Double) -> Bool {
    // After a failure, and while a side is in doubt, the walk must act at every vertex.
    guard shortcut.isEnabled, shortcut.isUseful, leg == nil, let anchor, !anchor.mustRetry,
      exposure?.isSettling != true, exposure == nil || options.test == .path,
      let previous = path.previous
    else { return false }
    let end = Position(point.coordinate)
    let clear = clearanceMeters(around: end, anchor)
    guard clear > 0 else { return false }
    if clear <= step {
      let start = previous.coordinate
      let clearBefore =
        shortcut.clearanceMeters(around: start) ?? clearanceMeters(around: Position(start), anchor)
      guard clearBefore > 0, clearBefore + clear > step else { return false }
    }
    shortcut.set(around: end, radiusMeters: clear)
    return true
  }

  /// How far the path can go from a position before anything can happen, in metres; at or below 0
  /// if unknown.
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
