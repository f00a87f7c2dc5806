package import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostLive

package struct DeviceTrace {
  /// The device's name; nil if the stream has only one.
  let device: String?
  /// Nil before its first fix.
  var position: Fix?
  /// When the position came, on a monotonic clock; nil if it came before a restart.
  var receivedMilliseconds: Int64?
  /// The watched regions; nil before the first refresh.
  var monitored: LiveUpdate.Monitored?
  /// The path so far, simplified for drawing.
  package var sketch: PathSketch
  var fixes = 0
  var alerts = 0
  /// Suppressed entries since the map was opened.
  var suppressed = 0
  /// The number of its last change.
  var lastSequence = 0

  /// Adds the next position and returns whether the path continues to it.
  mutating func take(_ next: Fix, _ breaks: PathBreaks) -> Bool {
    let isJoined = position.map { breaks.joins($0, next) } ?? false
    sketch.take(next.coordinate, isJoined: isJoined)
    position = next
    fixes += 1
    return isJoined
  }
}

/// When to draw a path with a gap: the engine's rule, as far as two positions decide it.
package struct PathBreaks {
  /// The longest gap in milliseconds; nil for no limit.
  var maxGapMilliseconds: Int64?
  /// The highest speed in m/s; nil for no limit.
  var maxSpeedMetersPerSecond: Double?

  package init(maxGapMilliseconds: Int64?, maxSpeedMetersPerSecond: Double?) {
    self.maxGapMilliseconds = maxGapMilliseconds
    self.maxSpeedMetersPerSecond = maxSpeedMetersPerSecond
  }

  func joins(_ one: Fix, _ next: Fix) -> Bool {
    guard let start = one.timeMilliseconds, let end = next.timeMilliseconds else { return true }
    if let limit = maxGapMilliseconds, end - start > limit { return false }
    guard let limit = maxSpeedMetersPerSecond else { return true }
    let meters = Geodesic.distanceMeters(one.coordinate, next.coordinate)
    return meters * 1000 <= limit * Double(max(0, end - start))
  }
}
