import FencepostTime
import FencepostFormats

extension OutputBuffer {
  /// Appends a whole number in decimal.
  package mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(value.magnitude))
  }

  /// Appends a number rounded to `decimals` places, halves away from zero, without trailing zeros but
  /// with at least one decimal (`100.0`, `39.949612`), so that it does not look like a count.
  ///
  /// - Parameters:
  ///   - value: The number; `null` is written where it is not finite.
  ///   - decimals: The most digits after the point, 1 … 9.
  package mutating func append(_ value: Double, decimals: Int) {
    switch decimals {
    // The widths of event lines, with divisors that the compiler knows.
    case 1: append(value, decimals: 1, scale: 10)
    case 2: append(value, decimals: 2, scale: 100)
    case 7: append(value, decimals: 7, scale: 10_000_000)
    default: append(value, decimals: decimals, scale: Self.powersOfTen[decimals])
    }
  }

  @inline(__always)
  private mutating func append(_ value: Double, decimals: Int, scale: UInt64) {
    let scaled = value.magnitude * Double(scale)
    // From 2^53 on a double has no fraction.
    guard scaled < 9_007_199_254_740_992 else { return append(coarse: value) }
    let truncated = Int64(scaled)
    let rest = scaled - Double(truncated)
    let units = UInt64(truncated) &+ (rest >= 0.5 ? 1 : 0)
    if value < 0 && units > 0 { append(UInt8(ascii: "-")) }
    let whole = units / scale
    append(digits: whole)
    append(UInt8(ascii: "."))
    appendFixed(digits: units &- whole &* scale, width: decimals)
    dropZeros(atMost: decimals &- 1)
  }

  /// Appends a number that is large, infinite or not a number.
  @inline(never)
  private mutating func append(coarse value: Double) {
    if value.isFinite { append(verbatim: value.description) } else { append("null") }
  }

  private static var powersOfTen: InlineArray<10, UInt64> {
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
  }

  /// Appends a number without leading zeros.
  private mutating func append(digits value: UInt64) {
    var length = 1
    var bound: UInt64 = 10
    // At twenty digits the bound has wrapped and is no longer read.
    while length < 20 && value >= bound {
      length += 1
      bound &*= 10
    }
    appendFixed(digits: value, width: length)
  }
}

extension OutputBuffer {
  /// A day and its text, `2026-03-04T`.
  struct WrittenDay {
    /// The beginning of the day in milliseconds since 1970; nil before the first.
    var midnight: Int64?
    var text = ""
  }

  /// Appends an instant as `ISO8601.string(milliseconds:)` writes it: in UTC, without a fraction at whole
  /// seconds (`2026-03-04T17:00:12.250Z`).
  ///
  /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z.
  package mutating func append(instant milliseconds: Int64) {
    var rest = milliseconds % 86_400_000
    if rest < 0 { rest += 86_400_000 }
    // On the first day of the range the day's beginning overflows; its text is still right.
    let (midnight, overflow) = milliseconds.subtractingReportingOverflow(rest)
    if overflow || midnight != lastDay.midnight {
      let text = ISO8601.string(milliseconds: milliseconds)
      guard let endOfDay = text.firstIndex(of: "T") else { return append(verbatim: text) }
      lastDay.midnight = overflow ? nil : midnight
      lastDay.text = String(text[...endOfDay])
    }
    append(verbatim: lastDay.text)
    append(timeOfDay: UInt64(rest))
  }

  private mutating func append(timeOfDay milliseconds: UInt64) {
    let seconds = milliseconds / 1000
    appendFixed(digits: seconds / 3600, width: 2)
    append(UInt8(ascii: ":"))
    appendFixed(digits: seconds / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    appendFixed(digits: seconds % 60, width: 2)
    if milliseconds % 1000 != 0 {
      append(UInt8(ascii: "."))
      appendFixed(digits: milliseconds % 1000, width: 3)
    }
    append(UInt8(ascii: "Z"))
  }
}

/// The number of decimals of each quantity.
enum Decimals {
  /// Degrees: a unit of the seventh decimal is 11 mm or less.
  static var degrees: Int { 7 }
  /// Metres: the geometry promises a tenth.
  static var meters: Int { 1 }
  /// The fraction of a segment: 10 cm on 1,000 km.
  static var fraction: Int { 7 }
}
