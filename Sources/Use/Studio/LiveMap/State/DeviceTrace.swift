#if Command
package import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostLive

/// What the map shows of one device: its position, its path and its counts.
///
/// Its memory is bounded: a longer path becomes a coarser drawing, and the counts go on.
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
  /// Positions since the map was opened.
  var fixes = 0
  /// Alerts since the map was opened.
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
#endif
