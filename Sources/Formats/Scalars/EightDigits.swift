/// Decimal digits read eight at a time.
public enum EightDigits {
  /// The number that the digits at the beginning of eight bytes make, and how many these are.
  ///
  /// - Parameter word: The bytes, the first one lowest.
  /// - Returns: The number, and 0 … 8 for its length; both 0 where the first byte is no digit.
  @inlinable @inline(__always)
  public static func leading(_ word: UInt64) -> (value: UInt64, length: Int) {
    let length = leadingCount(word)
    return length > 0 ? (joined(values(word), length: length), length) : (0, 0)
  }

  /// How many of eight bytes, 0 … 8, are digits before the first that is none.
  @inlinable @inline(__always)
  public static func leadingCount(_ word: UInt64) -> Int {
    // Adding 0x76 to more than 9 sets the byte's high bit.
    let digits = values(word)
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// The values of digits, a byte each, as ``joined(_:length:)`` takes them.
  @inlinable @inline(__always)
  public static func values(_ word: UInt64) -> UInt64 { word ^ 0x3030_3030_3030_3030 }

  /// The number that digits make.
  ///
  /// - Parameters:
  ///   - digits: Their values, a byte each, the first one lowest; what follows them does not count.
  ///   - length: How many they are, 1 … 8.
  /// - Returns: 0 … 99,999,999.
  @inlinable @inline(__always)
  public static func joined(_ digits: UInt64, length: Int) -> UInt64 {
    // What follows the digits falls off at the top, and zeros come before them.
    var value = digits &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)
    // Neighbours are joined to numbers of two digits, those to four, and those to eight.
    value = (value &* 10 &+ value &>> 8) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ value &>> 16) & 0x0000_FFFF_0000_FFFF
    return (value &* 10_000 &+ value &>> 32) & 0xFFFF_FFFF
  }

  /// 10 to the power of 0 … 11.
  @inlinable @inline(__always)
  public static func powerOfTen(_ exponent: Int) -> UInt64 {
    // A switch, of which the optimiser makes a table; one of ours would be asked whether it is there.
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

  /// The eight bytes of a text from an index on, the first one lowest, with zeros for those behind its
  /// end; nil where the whole text has fewer than eight, or the index is not one of it.
  @inline(__always)
  static func word(of text: Span<UInt8>, at index: Int) -> UInt64? {
    guard text.count >= 8, index >= 0, index <= text.count else { return nil }
    let start = min(index, text.count - 8)
    // Eight bytes from `start` on are within the text: it has as many, and `start` leaves room for them.
    let word = UInt64(
      littleEndian: unsafe text.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: start, as: UInt64.self))
    // A shift by all 64 bits leaves 0, as it should.
    return word >> UInt64(8 * (index - start))
  }
}
