import FencepostFixes
import Glibc

/// Slows a replay down to a multiple of the track's own clock.
struct Pacer {
  private let pace: Double
  private var start: (clock: ContinuousClock.Instant, trackMilliseconds: Int64)?

  /// - Parameter pace: How many times faster than the track's clock, above 0.
  init(pace: Double) {
    self.pace = pace
  }

  /// Waits until a fix is due, in steps so short that `isStopped` takes effect soon.
  ///
  /// A fix without time is due at once. When the track's clock jumps back, pacing starts anew.
  mutating func wait(for fix: Fix, unless isStopped: () -> Bool) {
    guard let time = fix.timeMilliseconds else { return }
    guard let start, time >= start.trackMilliseconds else {
      self.start = (.now, time)
      return
    }
    let elapsed = Double(time - start.trackMilliseconds) / 1000 / pace
    let due = start.clock.advanced(by: .seconds(elapsed))
    while !isStopped() {
      let left = ContinuousClock.now.duration(to: due)
      guard left > .zero else { return }
      sleep(min(left, .milliseconds(50)))
    }
  }

  private func sleep(_ duration: Duration) {
    let parts = duration.components
    var time = timespec(
      tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    // A signal may end the sleep early; the caller's loop sleeps again.
    unsafe nanosleep(&time, nil)
  }
}
