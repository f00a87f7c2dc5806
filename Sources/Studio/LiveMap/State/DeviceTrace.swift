package import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostLive

/// What the map shows of one device.
package struct DeviceTrace {
  /// The device's name in the stream; nil when the stream carries only one.
  let device: String?
  /// Where it is; nil before its first fix.
  var position: Fix?
  /// When the position came, on a monotonic clock; nil if it came before a restart.
  var receivedMilliseconds: Int64?
  /// What is monitored for it; nil before the first refresh.
  var monitored: LiveUpdate.Monitored?
  /// The path so far, simplified for drawing.
  package var sketch: PathSketch
  /// Fixes since the map was opened.
  var fixes = 0
  /// Alerts since the map was opened.
  var alerts = 0
  /// Suppressed enters since the map was opened.
  var suppressed = 0
  /// The number of its last change.
  var lastSequence = 0

  /// Takes the next position.
  ///
  /// - Parameters:
  ///   - next: Where it is now.
  ///   - breaks: When the path breaks.
  /// - Returns: Whether the path continues from the previous position.
  mutating func take(_ next: Fix, _ breaks: PathBreaks) -> Bool {
    let isJoined = position.map { breaks.joins($0, next) } ?? false
    sketch.take(next.coordinate, isJoined: isJoined)
    position = next
    fixes += 1
    return isJoined
  }
}

/// When a path is drawn with a gap: the engine's rule, as far as two positions decide it.
package struct PathBreaks {
  /// The longest gap in milliseconds; nil for any.
  var maxGapMilliseconds: Int64?
  /// The highest speed in metres per second; nil for any.
  var maxSpeedMetersPerSecond: Double?

  /// Takes the engine's limits.
  package init(maxGapMilliseconds: Int64?, maxSpeedMetersPerSecond: Double?) {
    self.maxGapMilliseconds = maxGapMilliseconds
    self.maxSpeedMetersPerSecond = maxSpeedMetersPerSecond
  }

  /// Whether the path continues from one position to the next.
  func joins(_ one: Fix, _ next: Fix) -> Bool {
    guard let start = one.timeMilliseconds, let end = next.timeMilliseconds else { return true }
    if let limit = maxGapMilliseconds, end - start > limit { return false }
    guard let limit = maxSpeedMetersPerSecond else { return true }
    let meters = Geodesic.distanceMeters(one.coordinate, next.coordinate)
    return meters * 1000 <= limit * Double(max(0, end - start))
  }
}
