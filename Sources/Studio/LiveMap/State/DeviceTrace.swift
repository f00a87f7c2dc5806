package import Analysis
import Geodesy
import Live

/// What the map shows of one device.
package struct DeviceTrace {
  /// The device's name in the stream, nil where the stream carries only one.
  let device: String?
  /// Where it is, nil before its first fix.
  var position: LivePosition?
  /// What is monitored for it, nil before the first refresh.
  var monitored: LiveMonitored?
  /// The path so far, as it is drawn.
  package var sketch: PathSketch
  /// How many fixes came while the map was open.
  var fixes = 0
  /// How many alerts came while the map was open.
  var alerts = 0
  /// How many enters were held back while the map was open.
  var suppressed = 0
  /// The number of the last change of it.
  var lastSequence = 0

  /// Takes the next position.
  ///
  /// - Parameters:
  ///   - next: Where it is now.
  ///   - breaks: When the path is broken.
  /// - Returns: Whether the path goes on from the position before.
  mutating func take(_ next: LivePosition, _ breaks: PathBreaks) -> Bool {
    let isJoined = position.map { breaks.joins($0, next) } ?? false
    sketch.take(next.coordinate, isJoined: isJoined)
    position = next
    fixes += 1
    return isJoined
  }
}

/// When a path is not drawn through: the engine's rule, as far as two positions tell it.
package struct PathBreaks {
  /// The longest gap in milliseconds, nil for any.
  var maxGapMilliseconds: Int64?
  /// The greatest speed in metres a second, nil for any.
  var maxSpeedMetersPerSecond: Double?

  /// Makes breaks of the engine's limits.
  package init(maxGapMilliseconds: Int64?, maxSpeedMetersPerSecond: Double?) {
    self.maxGapMilliseconds = maxGapMilliseconds
    self.maxSpeedMetersPerSecond = maxSpeedMetersPerSecond
  }

  /// Whether the path goes from one position to the next.
  func joins(_ one: LivePosition, _ next: LivePosition) -> Bool {
    guard let start = one.timeMilliseconds, let end = next.timeMilliseconds else { return true }
    if let limit = maxGapMilliseconds, end - start > limit { return false }
    guard let limit = maxSpeedMetersPerSecond else { return true }
    let meters = Geodesic.distanceMeters(one.coordinate, next.coordinate)
    return meters * 1000 <= limit * Double(max(0, end - start))
  }
}
