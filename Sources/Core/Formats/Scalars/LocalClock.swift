import FencepostTime

/// The clock of times that state no zone.
///
/// Readers take such a time for UTC first, and then ask the clock for the instant at which it shows
/// that time.
package struct LocalClock: Sendable {
  private let instant: @Sendable (Int64) -> Int64

  /// Creates a clock.
  ///
  /// - Parameter instant: Returns the instant at which the clock shows a time. Both are milliseconds
  ///   since 1970-01-01T00:00:00Z, the time as if it were in UTC.
  package init(instant: @escaping @Sendable (Int64) -> Int64) { self.instant = instant }

  /// The instant at which the clock shows a time that was read as if it were in UTC.
  package func milliseconds(_ readInUTC: Int64) -> Int64 { instant(readInUTC) }

  /// Whether a text that ``ISO8601`` reads states a zone.
  package static func statesZone(_ text: Span<UInt8>) -> Bool {
    for index in 10..<max(10, text.count) {
      let byte = text[index]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      if isSign || byte | 0x20 == UInt8(ascii: "z") { return true }
    }
    return false
  }
}

extension LocalClock? {
  /// Reads a time in ISO 8601, in UTC without a clock; nil if it is not one.
  package func milliseconds(parsing text: Span<UInt8>) -> Int64? {
    guard let milliseconds = ISO8601.milliseconds(parsing: text) else { return nil }
    guard let self, !LocalClock.statesZone(text) else { return milliseconds }
    return self.milliseconds(milliseconds)
  }
}
