import FencepostMonitoring
import FencepostPhones

/// Collects the timed fixes of a track, along which a phone can be simulated.
struct PathRecorder {
  /// The fixes, each later than the one before.
  private(set) var fixes: [PhonePath.Fix] = []
  private var firstMilliseconds: Int64 = 0
  private var isBroken = false

  /// Takes the path's next vertex; one without time, or no later than the last, leaves the path as it is.
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
