package import FencepostPhones

/// How fast devices were at alerts, how late late entries were found, and how long devices stayed.
///
/// Counts in bins, so that parts add up exactly in any order.
package struct EntryMeasures: Equatable, Sendable {
  /// The speed at each alert in metres a second, as the receiver gave it, else on the way to the next fix.
  package var alertSpeed = QuantileSketch()
  /// How long after each late entry a refresh found the device inside, in seconds.
  package var latenessSeconds = QuantileSketch()
  /// How long each stay in a circle that began with an entry lasted, in seconds, whether or not it was noticed.
  package var insideSeconds = QuantileSketch()
  /// How long the device stayed in the circle after each alert was shown, in seconds.
  package var dwellSeconds = QuantileSketch()

  /// Makes measures of nothing.
  package init() {}

  /// Adds an entry; what is not known of it is not counted.
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

  /// Adds the other's counts.
  package static func += (measures: inout EntryMeasures, other: EntryMeasures) {
    measures.alertSpeed.merge(other.alertSpeed)
    measures.latenessSeconds.merge(other.latenessSeconds)
    measures.insideSeconds.merge(other.insideSeconds)
    measures.dwellSeconds.merge(other.dwellSeconds)
  }
}
