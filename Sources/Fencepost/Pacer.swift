import Fixes
import Glibc

/// Holds a replay back to a multiple of the track's own clock.
struct Pacer {
  private let pace: Double
  private var start: (clock: ContinuousClock.Instant, trackMilliseconds: Int64)?

  /// - Parameter pace: How many times faster than the track's clock, above 0.
  init(pace: Double) {
    self.pace = pace
  }

  /// Waits until a fix is due, in steps short enough for `isStopped` to be heard.
  ///
  /// A fix without time is due at once. Where the track's clock jumps back it starts anew.
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
    // A signal may end the sleep early; the loop around it asks again.
    unsafe nanosleep(&time, nil)
  }
}
