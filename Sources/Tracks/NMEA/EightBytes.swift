import FencepostFormats

/// Eight bytes of text in one register, the first one lowest: what the sentence scanner looks at in
/// one step instead of eight.
///
/// The byte-parallel tests are the usual ones on packed bytes (H. S. Warren, "Hacker's Delight",
/// 2nd ed., chapter 6): no step carries from one byte into the next.
struct EightBytes {
  var bits: UInt64

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  private static var lowBits: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  /// Reads the eight bytes at `address`, all of which must be readable.
  @inline(__always)
  init(at address: UnsafeRawPointer) {
    // The caller has seen to it that they are; every pattern of bits is a number.
    bits = unsafe UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: index &* 8))
  }

  /// Whether the first three are CR, LF and `$`.
  @inline(__always)
  var startsWithLineEndAndSentence: Bool { bits & 0xFF_FFFF == 0x24_0A0D }

  /// The high bit of every byte whose lower seven bits are below `bound`, 1 … 127.
  @inline(__always)
  func below(_ bound: UInt8) -> UInt64 {
    let sums = (bits & Self.lowBits) &+ Self.ones &* UInt64(128 &- bound)
    return ~sums & Self.highBits
  }

  /// The high bit of every byte that is no ASCII digit.
  @inline(__always)
  var nonDigits: UInt64 {
    let values = bits ^ (Self.ones &* 0x30)
    return (((values & Self.lowBits) &+ Self.ones &* 0x76) | values) & Self.highBits
  }

  /// The index of the lowest byte marked in `mask`, 8 when none is.
  @inline(__always)
  static func firstIndex(in mask: UInt64) -> Int { mask.trailingZeroBitCount &>> 3 }

  /// The exclusive or of the first `count` bytes, 0 … 7, as bits still to be folded.
  @inline(__always)
  func prefix(_ count: Int) -> UInt64 {
    bits & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }

  /// The number that the first `count` bytes, 1 … 8 digits, spell.
  @inline(__always)
  func number(digits count: Int) -> UInt64 {
    EightDigits.joined(EightDigits.values(bits), length: count)
  }

  /// Folds the exclusive or of eight lanes into that of all bytes.
  @inline(__always)
  static func foldExclusiveOr(_ lanes: UInt64) -> UInt8 {
    var folded = lanes ^ (lanes &>> 32)
    folded ^= folded &>> 16
    return UInt8(truncatingIfNeeded: folded ^ (folded &>> 8))
  }
}
