import FencepostTime

extension OutputBuffer {
  /// Appends a whole number in decimal digits, without grouping.
  package mutating func append(decimal value: Int) { append(decimal: Int64(value)) }

  /// Appends a whole number in decimal digits, without grouping.
  package mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude)
  }

  /// Appends a rounded number, or `null` if it is not finite.
  ///
  /// Rounds to 1 … 9 places, halves away from zero. Drops trailing zeros but keeps one decimal
  /// (`100.0`), so that the number does not look like a count.
  package mutating func append(_ value: Double, decimals: Int) {
    switch decimals {
    // The widths of event lines, with divisors that the compiler knows.
    case 1: append(value, decimals: 1, scale: 10)
    case 2: append(value, decimals: 2, scale: 100)
    case 7: append(value, decimals: 7, scale: 10_000_000)
    default: append(value, decimals: decimals, scale: Self.powersOfTen[decimals])
    }
  }

  /// Appends a number rounded to a power of ten, given both as digits and as a divisor.
  ///
  /// A negative number that rounds to 0 loses its sign.
  @inline(__always)
  private mutating func append(_ value: Double, decimals: Int, scale: UInt64) {
    let scaled = value.magnitude * Double(scale)
    // From 2^53 on, a double has no fraction.
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

  /// Appends a number too large to have decimals, in Swift's shortest form, or `null`.
  @inline(never)
  private mutating func append(coarse value: Double) {
    if value.isFinite { append(verbatim: value.description) } else { append("null") }
  }

  /// 10^0 to 10^9, by exponent.
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
  /// A day and its text, such as `2026-03-04T`.
  struct WrittenDay {
    /// The start of the day in milliseconds since 1970; nil before the first use.
    var midnight: Int64?
    var text = ""
  }

  /// Appends an instant in milliseconds since 1970 as ISO 8601 text in UTC.
  ///
  /// The text is that of `ISO8601.string(milliseconds:)`, such as `2026-03-04T17:00:12.250Z`.
  package mutating func append(instant milliseconds: Int64) {
    var rest = milliseconds % 86_400_000
    if rest < 0 { rest += 86_400_000 }
    // On the first day of the range, midnight overflows; the text is still right.
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

  /// Appends `17:00:12Z` for a time since midnight, with milliseconds if there are any.
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

/// The number of decimals for each quantity.
///
/// Events have them in NDJSON, CSV, GeoJSON and GPX alike.
package enum Decimals {
  /// In degrees: the seventh decimal is 11 mm or less.
  package static var degrees: Int { 7 }
  /// In meters: distances are exact to a tenth.
  package static var meters: Int { 1 }
  /// Of a segment: 10 cm on 1,000 km.
  package static var fraction: Int { 7 }
}

extension OutputBuffer {
  /// Appends the shortest decimal that reads back as the same number.
  ///
  /// It has no exponent, as XML's `decimal` and simulators require. The number must be finite and
  /// below 10^15 in magnitude.
  package mutating func append(exact value: Double) {
    let text = value.description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...])
    else { return append(verbatim: text) }
    // Below 0.0001: 5.25e-06 is 0.00000525.
    let digits = text[..<mark].filter { $0.isNumber }
    if value < 0 { append(UInt8(ascii: "-")) }
    append("0.")
    append(verbatim: String(repeating: "0", count: max(0, -exponent - 1)) + digits)
  }
}
