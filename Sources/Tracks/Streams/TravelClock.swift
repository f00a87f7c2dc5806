import FencepostFixes
import FencepostGeodesy

/// Adds times to a track without any, as if traveled at constant speed without stops.
///
/// The first fix with its own time stops the clock for good.
struct TravelClock: Codable, Sendable {
  private let metersPerSecond: Double
  private let startMilliseconds: Int64
  private var last: Coordinate?
  private var traveledMeters = 0.0
  private var hasStopped = false

  /// Creates a clock; speed above 0, start in milliseconds since 1970-01-01T00:00:00Z.
  init(metersPerSecond: Double, startMilliseconds: Int64) {
    self.metersPerSecond = metersPerSecond
    self.startMilliseconds = startMilliseconds
  }

  mutating func date(_ fixes: inout [Fix], from first: Int) {
    for index in first..<fixes.count where !hasStopped {
      guard fixes[index].timeMilliseconds == nil else { return hasStopped = true }
      let here = fixes[index].coordinate
      if let last { traveledMeters += Geodesic.distanceMeters(last, here) }
      last = here
      // Computed from the total length, so that rounding errors do not add up.
      fixes[index].timeMilliseconds =
        startMilliseconds + Int64((traveledMeters / metersPerSecond * 1000).rounded())
    }
  }
}
