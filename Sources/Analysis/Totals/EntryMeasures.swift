package import FencepostPhones

/// Distributions of speed, lateness and duration, as bins that add up exactly in any order.
package struct EntryMeasures: Equatable, Sendable {
  /// Speed at each alert in m/s, from the receiver or else computed up to the next fix.
  package var alertSpeed = QuantileSketch()
  /// Seconds from each late entry until a lookup found the phone inside.
  package var latenessSeconds = QuantileSketch()
  /// Length of each stay that began with an entry, noticed or not, in seconds.
  package var insideSeconds = QuantileSketch()
  /// Seconds that the phone stayed in the circle after each alert.
  package var dwellSeconds = QuantileSketch()

  package init() {}

  package mutating func add(_ entry: EntryRecord) {
    if entry.isAlert, let speed = entry.speedMetersPerSecond { alertSpeed.add(speed) }
    if entry.cause == .late {
      Self.add(to: &latenessSeconds, from: entry.timeMilliseconds, to: entry.foundMilliseconds)
    }
    if entry.cause != .extra {
      Self.add(to: &insideSeconds, from: entry.enteredMilliseconds, to: entry.leftMilliseconds)
    }
    if entry.isAlert {
      Self.add(to: &dwellSeconds, from: entry.shownMilliseconds, to: entry.leftMilliseconds)
    }
  }

  private static func add(to sketch: inout QuantileSketch, from start: Int64?, to end: Int64?) {
    guard let start, let end else { return }
    sketch.add(Double(max(0, end - start)) / 1000)
  }
}
