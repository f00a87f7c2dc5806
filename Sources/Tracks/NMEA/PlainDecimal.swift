import FencepostFormats

/// Decimal numbers as nearly all sources write them: a `-` perhaps, digits, and a point with more
/// digits perhaps.
enum PlainDecimal {
  /// Reads a number of at most fifteen digits.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that hold it.
  ///   - start: Where it begins.
  /// - Returns: The `Double` nearest to the number, as ``DecimalNumber`` would read it, and the index
  ///   behind it; nil where there is no such number.
  @inline(__always)
  static func scan(_ bytes: ChunkBytes, from start: Int) -> (value: Double, end: Int)? {
    scanShort(bytes, from: start) ?? scanAny(bytes, from: start)
  }

  /// Reads one to three digits, a point and at most seven digits, as most coordinates are written.
  @inline(__always)
  private static func scanShort(
    _ bytes: ChunkBytes, from start: Int
  ) -> (value: Double, end: Int)? {
    // A sign, three digits, a point, and the eight bytes behind it.
    guard start + 13 <= bytes.count else { return nil }
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let index = isNegative ? start &+ 1 : start
    let front = bytes.word(at: index)
    let length = EightDigits.leadingCount(front)
    let point = index &+ length
    guard 1...3 ~= length, bytes[point] == UInt8(ascii: ".") else { return nil }
    let behind = bytes.word(at: point &+ 1)
    let decimals = EightDigits.leadingCount(behind)
    guard decimals < 8 else { return nil }
    let mantissa: UInt64
    if length &+ decimals <= 8 {
      // One word of all digits.
      let frontBits = UInt64(truncatingIfNeeded: length &* 8)
      let digits = front & ((1 &<< frontBits) &- 1) | behind &<< frontBits
      mantissa = EightDigits.joined(EightDigits.values(digits), length: length &+ decimals)
    } else {
      mantissa =
        EightDigits.joined(EightDigits.values(front), length: length)
        &* EightDigits.powerOfTen(decimals)
        &+ EightDigits.joined(EightDigits.values(behind), length: decimals)
    }
    // As below.
    let magnitude = Double(Int64(truncatingIfNeeded: mantissa)) / powersOfTen[decimals]
    return (isNegative ? -magnitude : magnitude, point &+ 1 &+ decimals)
  }

  private static func scanAny(
    _ bytes: ChunkBytes, from start: Int
  ) -> (value: Double, end: Int)? {
    var index = start
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var mantissa: UInt64 = 0
    let first = index
    while index < bytes.count, bytes[index] &- 0x30 <= 9 {
      mantissa = mantissa &* 10 &+ UInt64(bytes[index] &- 0x30)
      index += 1
    }
    var digits = index - first
    var decimals = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: "."), digits > 0 {
      index += 1
      let point = index
      if index + 8 <= bytes.count {
        let (value, length) = EightDigits.leading(bytes.word(at: index))
        mantissa = mantissa &* EightDigits.powerOfTen(length) &+ value
        index += length
      }
      while index < bytes.count, bytes[index] &- 0x30 <= 9 {
        mantissa = mantissa &* 10 &+ UInt64(bytes[index] &- 0x30)
        index += 1
      }
      decimals = index - point
      digits += decimals
    }
    // Fifteen digits are below 2^53, and the power of ten is exact: one division rounds once.
    guard digits > 0, digits <= 15 else { return nil }
    let magnitude = Double(mantissa) / powersOfTen[decimals]
    return (isNegative ? -magnitude : magnitude, index)
  }

  private static let powersOfTen: InlineArray<16, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
