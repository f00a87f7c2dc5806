public import FencepostPhones

/// How fast devices were at alerts, how late late entries were found, and how long devices stayed.
///
/// Counts in bins, so that parts add up exactly in any order.
public struct EntryMeasures: Equatable, Sendable {
  /// The speed at each alert in metres a second, as the receiver gave it, else on the way to the next fix.
  public package(set) var alertSpeed = QuantileSketch()
  /// How long after each late entry a refresh found the device inside, in seconds.
  public package(set) var latenessSeconds = QuantileSketch()
  /// How long each stay in a circle that began with an entry lasted, in seconds, whether or not it was noticed.
  public package(set) var insideSeconds = QuantileSketch()
  /// How long the device stayed in the circle after each alert was shown, in seconds.
  public package(set) var dwellSeconds = QuantileSketch()

  /// Makes measures of nothing.
  public init() {}

  /// Adds an entry; what is not known of it is not counted.
  public mutating func add(_ entry: EntryRecord) {
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
  public static func += (measures: inout EntryMeasures, other: EntryMeasures) {
    measures.alertSpeed.merge(other.alertSpeed)
    measures.latenessSeconds.merge(other.latenessSeconds)
    measures.insideSeconds.merge(other.insideSeconds)
    measures.dwellSeconds.merge(other.dwellSeconds)
  }
}
