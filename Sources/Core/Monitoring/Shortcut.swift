import FencepostGeodesy

/// The engine's only shortcut: a disc around a vertex in which nothing can happen.
///
/// While the path stays in the disc, it meets neither an edge nor a refresh, and a vertex takes
/// about 10 ns instead of 400. The shortcut must leave the engine exactly as the walk would, to the
/// last bit of events and snapshot. Tests compare both with ``Engine/takesShortcut``.
struct Shortcut: Sendable {
  var isEnabled = true {
    didSet { forget() }
  }
  /// False where accuracy counts, as it changes sides and reach without a step.
  var isUseful = true
  private(set) var quiet = SafeDisc.nothing
  private var center: Coordinate?
  private var radiusMeters = 0.0

  /// Whether a joined vertex lies in the disc, and, as the disc is convex, the whole step.
  func covers(_ coordinate: Coordinate) -> Bool { quiet.contains(coordinate) }

  /// Records that nothing can happen within a distance of a position.
  mutating func set(around center: Position, radiusMeters: Double) {
    quiet = SafeDisc(center: center, radiusMeters: radiusMeters)
    (self.center, self.radiusMeters) = (center.coordinate, radiusMeters)
  }

  /// The distance within which nothing can happen, if the coordinate is the disc's center.
  func clearanceMeters(around coordinate: Coordinate) -> Double? {
    coordinate == center ? radiusMeters : nil
  }

  /// Needed when the next vertex may leave the disc or the monitored set may change.
  mutating func forget() { (quiet, center) = (.nothing, nil) }
}

extension Engine {
  /// Takes a vertex if nothing can happen on the way to it; otherwise returns false.
  mutating func takeShortcut(to point: PathPoint) -> Bool {
    guard shortcut.isEnabled, !confirmsCrossings || isConfirmationQuiet(upTo: point),
      let step = path.joinedStepMeters(to: point),
      shortcut.covers(point.coordinate) || isQuiet(to: point, stepMeters: step)
    else { return false }
    path.append(point, joinedStepMeters: step)
    return true
  }

  /// Whether nothing can happen on a joined step, from measurements at both ends.
  ///
  /// Whatever happens at a point of the step is at least the measured distance from each end. So
  /// nothing happens if the two distances add up to more than the step.
  private mutating func isQuiet(to point: PathPoint, stepMeters step: Double) -> Bool {
    // After a failure, and while a side is in doubt, the walk must act at every vertex.
    guard !monitorsEveryPlace, shortcut.isUseful, leg == nil, let anchor, !anchor.mustRetry,
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

  /// How far the path can go before anything can happen, in meters; 0 or less if unknown.
  private func clearanceMeters(around here: Position, _ anchor: Anchor) -> Double {
    let room = undisturbedMeters(of: anchor) - Geodesic.distanceMeters(anchor.position, here)
    guard room > 0 else { return 0 }
    return monitored.clearanceMeters(from: here, upTo: min(room, Self.widestQuietMeters))
      - Self.quietToleranceMeters
  }

  /// How far from the anchor the rule has nothing to do, in meters.
  private func undisturbedMeters(of anchor: Anchor) -> Double {
    options.followsReach && exposure == nil
      ? min(anchor.tripMeters, anchor.reachMeters) : anchor.tripMeters
  }

  /// The bounds of ``SafeDisc`` are not proved for wider discs.
  static var widestQuietMeters: Double { 50_000 }
  /// More than the errors of all compared distances, in meters.
  static var quietToleranceMeters: Double { 0.01 }
}
