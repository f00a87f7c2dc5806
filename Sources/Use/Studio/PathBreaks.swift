#if Command
import FencepostFixes
import FencepostGeodesy

/// When to draw a path with a gap: the engine's rule, as far as two positions decide it.
///
/// The map draws without the engine, and a line through a gap would show a path that nobody took.
package struct PathBreaks {
  /// The longest gap in milliseconds; nil for no limit.
  var maxGapMilliseconds: Int64?
  /// The highest speed in m/s; nil for no limit.
  var maxSpeedMetersPerSecond: Double?

  /// Creates the rule of a session; nil means no limit.
  package init(maxGapMilliseconds: Int64?, maxSpeedMetersPerSecond: Double?) {
    self.maxGapMilliseconds = maxGapMilliseconds
    self.maxSpeedMetersPerSecond = maxSpeedMetersPerSecond
  }

  /// Whether the path runs straight from one fix to the next.
  ///
  /// Fixes without times always join, as nothing tells how long the way took.
  func joins(_ one: Fix, _ next: Fix) -> Bool {
    guard let start = one.timeMilliseconds, let end = next.timeMilliseconds else { return true }
    if let limit = maxGapMilliseconds, end - start > limit { return false }
    guard let limit = maxSpeedMetersPerSecond else { return true }
    let meters = Geodesic.distanceMeters(one.coordinate, next.coordinate)
    return meters * 1000 <= limit * Double(max(0, end - start))
  }
}
#endif
