import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones

/// Collects the fixes with times, along which a phone can be simulated.
struct PathRecorder {
  /// The fixes, strictly ascending by time, on a clock that starts at the first.
  private(set) var fixes: [PhonePath.Fix] = []
  /// The time of the first of them, in milliseconds since 1970.
  private(set) var firstMilliseconds: Int64 = 0
  private var isBroken = false

  /// Adds a vertex, unless it has no time or is not later than the last one.
  mutating func take(_ point: PathPoint, isJoined: Bool) {
    isBroken = isBroken || !isJoined
    guard let time = point.timeMilliseconds else { return }
    if fixes.isEmpty { firstMilliseconds = time }
    let seconds = seconds(atMilliseconds: time)
    guard seconds > fixes.last?.seconds ?? -.infinity else { return }
    fixes.append(
      PhonePath.Fix(
        seconds: seconds, coordinate: point.coordinate,
        accuracyMeters: Double(point.accuracyMeters), isJoined: !isBroken))
    isBroken = false
  }

  func seconds(atMilliseconds time: Int64) -> Double { Double(time - firstMilliseconds) / 1000 }

  func milliseconds(atSeconds seconds: Double) -> Int64 {
    firstMilliseconds + Int64((seconds * 1000).rounded())
  }

  /// Identifies the track in the random numbers by its first fix, whatever its file is called.
  var key: UInt64 {
    guard let first = fixes.first?.coordinate else { return 0 }
    func digits(_ degrees: Double) -> Int { Int((degrees * 1e7).rounded()) }
    return subjectKey(
      "\(firstMilliseconds) \(digits(first.latitudeDegrees)) \(digits(first.longitudeDegrees))")
  }
}
