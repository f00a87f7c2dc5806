import Glibc

/// Bytes of a source, lent to the scanner of NMEA sentences.
///
/// With a decoder written for ``ByteCursor``, which checks each read against the end, the replay of a walk
/// took 2,859 instructions a fix instead of 1,956.
///
/// Reads are checked in debug builds only: every index is compared with `count` by the scan that
/// makes it, once for each run of bytes. The storage outlives the value, which never leaves the
/// closure that lends it.
@safe
struct ChunkBytes {
  /// How many bytes there are.
  let count: Int
  private let base: UnsafePointer<UInt8>

  /// Lends bytes to a closure; nil, without calling it, where there are none.
  @inline(__always)
  static func withBytes<Result>(
    _ span: Span<UInt8>, _ body: (ChunkBytes) -> Result
  ) -> Result? {
    // The view lives no longer than the bytes: only as long as `body` runs.
    unsafe span.withUnsafeBufferPointer { storage in
      guard let base = storage.baseAddress else { return nil }
      return unsafe body(ChunkBytes(base, count: storage.count))
    }
  }

  @inline(__always)
  private init(_ base: UnsafePointer<UInt8>, count: Int) {
    // Every `unsafe` of this type reads within `base ..< base + count`: callers keep to the ranges that
    // the assertions state, which debug builds check, or the condition is in front of it. The bytes
    // are there as long as this value is: see `withBytes`.
    unsafe self.base = base
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return unsafe base[index]
  }

  /// Eight bytes as an integer, the first one lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(
        fromByteOffset: index, as: UInt64.self))
  }

  /// Sixteen bytes, each a lane.
  @inline(__always)
  func vector(at index: Int) -> SIMD16<UInt8> {
    assert(index >= 0 && index + 16 <= count)
    return unsafe UnsafeRawPointer(base).loadUnaligned(
      fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Gives a range of the bytes to a closure as a span.
  @inline(__always)
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe body(
      Span(_unsafeStart: base + range.lowerBound, count: range.count))
  }

  /// A copy of a range of the bytes.
  func copy(_ range: Range<Int>) -> [UInt8] {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  /// The index of a byte from a start on, or `count`.
  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard start < count else { return count }
    guard let hit = unsafe memchr(base + start, Int32(byte), count - start) else { return count }
    return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
  }

  /// Whether an ASCII literal stands at an index; false where the bytes end before it does.
  @inline(__always)
  func matches(_ literal: StaticString, at index: Int) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard index + length <= count else { return false }
    // Both sides have `length` bytes.
    return unsafe memcmp(base + index, literal.utf8Start, length) == 0
  }
}
