/// Decimal digits read eight at a time.
public enum EightDigits {
  /// The number that eight bytes begin with, and its length.
  ///
  /// - Parameter word: The bytes, the first one lowest.
  /// - Returns: The number, and 0 … 8 digits; both 0 if the first byte is not a digit.
  @inlinable @inline(__always)
  public static func leading(_ word: UInt64) -> (value: UInt64, length: Int) {
    let length = leadingCount(word)
    return length > 0 ? (joined(values(word), length: length), length) : (0, 0)
  }

  /// How many digits eight bytes begin with, 0 … 8.
  @inlinable @inline(__always)
  public static func leadingCount(_ word: UInt64) -> Int {
    // Adding 0x76 to more than 9 sets the byte's high bit.
    let digits = values(word)
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// The digits' values, one a byte, for ``joined(_:length:)``.
  @inlinable @inline(__always)
  public static func values(_ word: UInt64) -> UInt64 { word ^ 0x3030_3030_3030_3030 }

  /// The number that digits make.
  ///
  /// - Parameters:
  ///   - digits: Their values, one a byte, the first one lowest; the bytes after them are ignored.
  ///   - length: How many digits, 1 … 8.
  /// - Returns: 0 … 99,999,999.
  @inlinable @inline(__always)
  public static func joined(_ digits: UInt64, length: Int) -> UInt64 {
    // The bytes after the digits fall off at the top, and zeros move in before them.
    var value = digits &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)
    // Neighbours join into numbers of two digits, those into four, and those into eight.
    value = (value &* 10 &+ value &>> 8) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ value &>> 16) & 0x0000_FFFF_0000_FFFF
    return (value &* 10_000 &+ value &>> 32) & 0xFFFF_FFFF
  }

  /// The four numbers of two digits that eight digits make.
  ///
  /// - Parameter digits: Their values, one a byte, the first one lowest.
  /// - Returns: The numbers, 0 … 99; meaningless from the first byte above 9 on.
  @inlinable @inline(__always)
  public static func pairs(_ digits: UInt64) -> (UInt8, UInt8, UInt8, UInt8) {
    let pairs = digits &* 10 &+ digits &>> 8
    return (
      UInt8(truncatingIfNeeded: pairs), UInt8(truncatingIfNeeded: pairs &>> 16),
      UInt8(truncatingIfNeeded: pairs &>> 32), UInt8(truncatingIfNeeded: pairs &>> 48)
    )
  }

  /// 10 to the power of 0 … 11.
  @inlinable @inline(__always)
  public static func powerOfTen(_ exponent: Int) -> UInt64 {
    // The optimiser makes a table of this switch, without the lazy initialisation of a static one.
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    default: 100_000_000_000
    }
  }
}
