import FencepostFixes
import FencepostGeodesy

/// Gives times to a track without any, as if it had been travelled at one speed without a stop, as simulators do.
///
/// Once a fix has a time of its own, the clock stops for good.
struct TravelClock: Codable, Sendable {
  private let metersPerSecond: Double
  private let startMilliseconds: Int64
  private var last: Coordinate?
  private var traveledMeters = 0.0
  private var hasStopped = false

  /// - Parameters:
  ///   - metersPerSecond: The speed, above 0.
  ///   - startMilliseconds: The time of the first fix, in milliseconds since 1970-01-01T00:00:00Z.
  init(metersPerSecond: Double, startMilliseconds: Int64) {
    self.metersPerSecond = metersPerSecond
    self.startMilliseconds = startMilliseconds
  }

  /// Gives times to the fixes from an index on.
  mutating func date(_ fixes: inout [Fix], from first: Int) {
    for index in first..<fixes.count where !hasStopped {
      guard fixes[index].timeMilliseconds == nil else { return hasStopped = true }
      let here = fixes[index].coordinate
      if let last { traveledMeters += Geodesic.distanceMeters(last, here) }
      last = here
      // Whole milliseconds, of the length so far: rounding does not add up.
      fixes[index].timeMilliseconds =
        startMilliseconds + Int64((traveledMeters / metersPerSecond * 1000).rounded())
    }
  }
}
