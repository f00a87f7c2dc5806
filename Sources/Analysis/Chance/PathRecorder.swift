import FencepostMonitoring
import FencepostPhones

/// Collects the fixes with times, along which a phone can be simulated.
struct PathRecorder {
  /// The fixes, strictly ascending by time.
  private(set) var fixes: [PhonePath.Fix] = []
  private var firstMilliseconds: Int64 = 0
  private var isBroken = false

  /// Adds a vertex, unless it has no time or is not later than the last one.
  mutating func take(_ point: PathPoint, isJoined: Bool) {
    isBroken = isBroken || !isJoined
    guard let time = point.timeMilliseconds else { return }
    if fixes.isEmpty { firstMilliseconds = time }
    let seconds = Double(time - firstMilliseconds) / 1000
    guard seconds > fixes.last?.seconds ?? -.infinity else { return }
    fixes.append(
      PhonePath.Fix(
        seconds: seconds, coordinate: point.coordinate,
        accuracyMeters: Double(point.accuracyMeters), isJoined: !isBroken))
    isBroken = false
  }
}
