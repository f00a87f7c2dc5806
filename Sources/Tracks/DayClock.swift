import FencepostTime
import FencepostFormats

/// Reads the times of successive fixes, most of which are on the same day.
struct DayClock: Sendable {
  private var dayWord: UInt64 = 0
  private var dayTail: UInt64 = 0
  private var midnightMilliseconds: Int64 = 0

  /// Reads a time that is the whole of a text, exactly as ``ISO8601`` does; nil for any other text.
  ///
  /// A shortcut reads `YYYY-MM-DDThh:mm:ssZ` on the same day as the last such time.
  @inline(__always)
  mutating func milliseconds(_ text: Span<UInt8>) -> Int64? {
    if text.count == 20, Self.word(of: text, at: 0) == dayWord {
      // The day of the month, then `T`, hours and minutes; then `:ss`.
      let middle = Self.word(of: text, at: 8)
      let end = Self.word(of: text, at: 12)
      if middle & 0xFF_FFFF == dayTail, let seconds = Self.seconds(middle, end) {
        return midnightMilliseconds + seconds * 1000
      }
    }
    return readSlowly(text)
  }

  /// Eight of a text's twenty bytes as a little-endian integer.
  private static func word(of text: Span<UInt8>, at offset: Int) -> UInt64 {
    // Callers check that there are twenty; the last eight begin at 12.
    UInt64(
      littleEndian: unsafe text.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// Seconds since midnight, or nil if the words do not have the expected form.
  ///
  /// - Parameters:
  ///   - middle: Bytes 8 … 15 of the time: `DDThh:mm`.
  ///   - end: Bytes 12 … 19 of the time: `h:mm:ssZ`.
  /// - Returns: 0 ..< 86,400.
  private static func seconds(_ middle: UInt64, _ end: UInt64) -> Int64? {
    // The constant is `0:00:00Z`: a digit leaves its value and every other byte as expected 0.
    let digits = end ^ 0x5A30_303A_3030_3A30
    // Adding 0x76 to more than 9, or 0x7F to more than 0, sets the byte's high bit.
    let isInRange =
      (digits | (digits &+ 0x7F76_767F_7676_7F76)) & 0x8080_8080_8080_8080 == 0
    let tens = Int64(middle >> 24 & 0xFF) - 0x30
    let hours = tens * 10 + Int64(digits & 0xFF)
    guard isInRange, tens >= 0, hours <= 23 else { return nil }
    let minutes = Int64(digits >> 16 & 0xFF) * 10 + Int64(digits >> 24 & 0xFF)
    let seconds = Int64(digits >> 40 & 0xFF) * 10 + Int64(digits >> 48 & 0xFF)
    guard minutes <= 59, seconds <= 59 else { return nil }
    return (hours * 60 + minutes) * 60 + seconds
  }

  private mutating func readSlowly(_ text: Span<UInt8>) -> Int64? {
    let parsed = ISO8601.milliseconds(parsing: text)
    guard let parsed, text.count == 20, text[10] == UInt8(ascii: "T"),
      text[19] == UInt8(ascii: "Z")
    else { return parsed }
    if let midnight = ISO8601.milliseconds(parsing: text.extracting(first: 10)) {
      dayWord = Self.word(of: text, at: 0)
      dayTail = Self.word(of: text, at: 8) & 0xFF_FFFF
      midnightMilliseconds = midnight
    }
    return parsed
  }
}
