/// Times given as numbers that count from 1970-01-01T00:00:00Z.
///
/// Times outside the years 0 … 9999 are rejected.
package enum EpochTime {
  /// The milliseconds of the years 0 … 9999, which ISO 8601 writes with four digits.
  package static let fourDigitYears: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Rounds milliseconds to whole ones; nil outside the years 0 … 9999, for NaN and for infinity.
  package static func milliseconds(rounding number: Double) -> Int64? {
    let years = fourDigitYears
    guard Double(years.lowerBound)...Double(years.upperBound) ~= number else { return nil }
    return Int64(number.rounded())
  }

  /// Converts a time to whole milliseconds, inferring its unit from its size.
  ///
  /// Numbers below 10^11 are seconds, below 10^14 milliseconds, below 10^17 microseconds, and
  /// larger ones nanoseconds. Returns nil as ``milliseconds(rounding:)`` does.
  package static func milliseconds(inAnyUnit number: Double) -> Int64? {
    let milliseconds: Double =
      switch abs(number) {
      case ..<1e11: number * 1000
      case ..<1e14: number
      case ..<1e17: number / 1e3
      default: number / 1e6
      }
    return self.milliseconds(rounding: milliseconds)
  }
}
