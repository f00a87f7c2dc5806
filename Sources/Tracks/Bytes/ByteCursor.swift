import FencepostFormats
import Glibc

/// A position in bytes that are borrowed for one call; the decoders of GPX and CSV read through it.
///
/// Reads past the end return zeros, so a scan for digits, letters or punctuation stops there without a
/// check of its own. To backtrack, keep a copy.
///
/// `@inline(__always)` and wrapping arithmetic keep the index in a register, which saves up to a tenth of the
/// instructions that a row takes.
@safe
struct ByteCursor {
  // Every `unsafe` of this type reads within the bytes, as the condition before it or the caller of an
  // asserted precondition ensures; the bytes stay in place while `reading` lends them.
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the next byte.
  var index = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

  /// Gives a closure a cursor at the beginning of some bytes; the cursor must not escape.
  static func reading<Result, Failure: Error>(
    _ span: Span<UInt8>, _ body: (inout ByteCursor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.withUnsafeBufferPointer { (bytes) throws(Failure) in
      var cursor = unsafe ByteCursor(bytes)
      return try body(&cursor)
    }
  }

  /// How many bytes there are in all.
  var count: Int { unsafe bytes.count }

  /// Whether no byte is left.
  var isAtEnd: Bool { index >= count }

  /// The next byte; 0 at the end.
  var next: UInt8 { self[index] }

  /// The byte at an index; 0 past the end.
  subscript(index: Int) -> UInt8 {
    assert(index >= 0)
    return index < count ? unsafe bytes[index] : 0
  }

  /// Eight bytes as a little-endian integer, with zeros past the end.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0)
    return index &+ 8 <= count ? wholeWord(at: index) : lastWord(at: index)
  }

  /// Eight bytes as a little-endian integer, all of which must exist.
  @inline(__always)
  func wholeWord(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    let word = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: index, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// Sixteen bytes, all of which must exist.
  @inline(__always)
  func vector(at index: Int) -> SIMD16<UInt8> {
    assert(index >= 0 && index + 16 <= count)
    return unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  @inline(never)
  private func lastWord(at index: Int) -> UInt64 {
    var word: UInt64 = 0
    for offset in 0..<max(0, count - index) {
      word |= UInt64(self[index + offset]) << UInt64(8 * offset)
    }
    return word
  }

  /// Gives a range of the bytes to a closure as a span.
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe body(bytes.span.extracting(unchecked: range))
  }

  /// A cursor over a range of the bytes only.
  func part(_ range: Range<Int>) -> ByteCursor {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe ByteCursor(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  // MARK: Steps

  /// Skips a byte if it is next.
  @inline(__always)
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte), !isAtEnd else { return false }
    index &+= 1
    return true
  }

  /// Skips an ASCII literal if it is next.
  // Inlined, the comparison has a known length and becomes one of words.
  @inline(__always)
  mutating func skip(literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard index + length <= count, let base = unsafe bytes.baseAddress else { return false }
    // Both sides have `length` bytes.
    guard unsafe memcmp(base + index, literal.utf8Start, length) == 0 else { return false }
    index += length
    return true
  }

  /// Moves to the next occurrence of a byte, or to the end.
  @inline(__always)
  mutating func skip(to byte: Unicode.Scalar) {
    let pattern = UInt64(byte.value) &* 0x0101_0101_0101_0101
    // Eight at a time: the lowest zero byte of `difference` has its high bit set.
    while index &+ 8 <= count {
      let difference = word(at: index) ^ pattern
      let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      guard zeros == 0 else { return index &+= zeros.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while !isAtEnd, next != UInt8(ascii: byte) { index &+= 1 }
  }

  // MARK: Numbers

  /// Reads a run of ASCII digits.
  ///
  /// - Parameter limit: The most digits allowed, at most 18.
  /// - Returns: The number and its length, or nil, without moving, if there are no digits or too many.
  mutating func digits(limit: Int = 18) -> (value: Int, count: Int)? {
    let start = index
    var value: UInt64 = 0
    let count = appendDigits(to: &value)
    guard 1...limit ~= count else {
      index = start
      return nil
    }
    return (Int(truncatingIfNeeded: value), count)
  }

  /// Reads a decimal number: an optional `-`, then up to fifteen digits with an optional point before, among
  /// or after them.
  ///
  /// - Returns: The nearest `Double`, the same as from ``DecimalNumber``; nil, at an undefined position, if
  ///   there is no such number.
  @inline(__always)
  mutating func decimal() -> Double? { usualDecimal() ?? anyDecimal() }

  /// A shortcut equal to ``anyDecimal()`` for one to three digits, a point and at most seven decimals, as in
  /// most coordinates; nil, without moving, for all others.
  @inline(__always)
  private mutating func usualDecimal() -> Double? {
    let isNegative = next == UInt8(ascii: "-")
    let start = isNegative ? index &+ 1 : index
    let front = word(at: start)
    let length = EightDigits.leadingCount(front)
    guard 1...3 ~= length, self[start &+ length] == UInt8(ascii: ".") else { return nil }
    let behind = word(at: start &+ length &+ 1)
    let decimals = EightDigits.leadingCount(behind)
    guard decimals < 8 else { return nil }
    var mantissa: UInt64
    if length &+ decimals <= 8 {
      // All digits fit into one word.
      let bits = UInt64(truncatingIfNeeded: 8 &* length)
      let digits = front & ((1 &<< bits) &- 1) | behind &<< bits
      mantissa = EightDigits.joined(EightDigits.values(digits), length: length &+ decimals)
    } else {
      mantissa = EightDigits.joined(EightDigits.values(front), length: length)
      mantissa =
        mantissa &* EightDigits.powerOfTen(decimals)
        &+ EightDigits.joined(EightDigits.values(behind), length: decimals)
    }
    index = start &+ length &+ 1 &+ decimals
    let magnitude = Double(Int64(truncatingIfNeeded: mantissa)) / Self.powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  private mutating func anyDecimal() -> Double? {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var mantissa: UInt64 = 0
    var digits = appendDigits(to: &mantissa)
    var decimals = 0
    if next == UInt8(ascii: ".") {
      index += 1
      decimals = appendDigits(to: &mantissa)
      digits += decimals
    }
    // Fifteen digits are below 2^53, and the power of ten is exact: one division rounds once.
    guard 1...15 ~= digits else { return nil }
    let magnitude = Double(Int64(truncatingIfNeeded: mantissa)) / Self.powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// Appends the digits that follow to a number, modulo 2^64, and returns their count.
  mutating func appendDigits(to number: inout UInt64) -> Int {
    var total = 0
    var length: Int
    repeat {
      let digits = word(at: index)
      length = EightDigits.leadingCount(digits)
      guard length > 0 else { break }
      number =
        number &* EightDigits.powerOfTen(length)
        &+ EightDigits.joined(EightDigits.values(digits), length: length)
      index += length
      total += length
    } while length == 8
    return total
  }

  private static let powersOfTen: InlineArray<16, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
