/// Parses decimal numbers in ASCII, rounded correctly to the nearest `Double`.
///
/// The result does not depend on the locale.
package enum DecimalNumber {
  /// Parses bytes that consist of one number.
  ///
  /// The form is `[+-] digits [. digits] [e [+-] digits]`, with a digit on at least one side of the
  /// point. White space, hexadecimal, infinity and NaN are rejected.
  ///
  /// Integers up to 2^53 and powers of ten up to 10^22 are exact, so one division or multiplication
  /// rounds only once (W. Clinger, "How to read floating point numbers accurately", 1990). Longer
  /// numbers go to the standard library.
  ///
  /// - Parameter bytes: ASCII text.
  /// - Returns: The nearest `Double` (infinite if too large), or nil if the text is not a number.
  package static func double(parsing bytes: Span<UInt8>) -> Double? {
    var index = 0
    let count = bytes.count
    guard count > 0 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    if isNegative || bytes[0] == UInt8(ascii: "+") { index = 1 }

    var mantissa: UInt64 = 0
    var digits = scanDigits(bytes, &index, &mantissa)
    var scale = 0
    if index < count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      scale = -scanDigits(bytes, &index, &mantissa)
      digits -= scale
    }
    guard digits > 0 else { return nil }
    if index < count {
      guard let exponent = scanExponent(bytes, &index), index == count else { return nil }
      scale += exponent
    }
    // An integer of up to 19 digits cannot overflow.
    if digits <= 19, mantissa <= 1 << 53, abs(scale) <= 22 {
      let magnitude =
        scale < 0 ? Double(mantissa) / powersOfTen[-scale] : Double(mantissa) * powersOfTen[scale]
      return isNegative ? -magnitude : magnitude
    }
    // The standard library rounds correctly at any length and ignores the locale.
    return Double(String(utf8: bytes))
  }

  /// Parses text that consists of one number, as the function for bytes does.
  package static func double(parsing text: String) -> Double? {
    let bytes = ContiguousArray(text.utf8)
    return double(parsing: bytes.span)
  }

  /// Appends digits to `value`, wrapping on overflow; returns their count.
  private static func scanDigits(
    _ bytes: Span<UInt8>, _ index: inout Int, _ value: inout UInt64
  ) -> Int {
    let first = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 {
      value = value &* 10 &+ UInt64(bytes[index] &- UInt8(ascii: "0"))
      index += 1
    }
    return index - first
  }

  /// Parses `e` or `E`, an optional sign and at least one digit; exponents are capped at 99,999.
  private static func scanExponent(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    var exponent = 0
    let first = index
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      exponent = min(99_999, exponent * 10 + Int(digit))
      index += 1
    }
    guard index > first else { return nil }
    return isNegative ? -exponent : exponent
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
