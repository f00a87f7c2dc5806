import Formats

/// How far a scan of plain XML came.
enum GPXScan {
  /// The construct is complete and plain; the index is that of the byte after it.
  case complete(Int)
  /// The bytes end within the construct.
  case incomplete
  /// Something that is left to the full XML reader: faulty, or merely rare.
  case unusual
}

/// Bytes of a GPX file, lent to the scanner, with the primitives that XML's plain form needs.
struct GPXBytes {
  /// The bytes.
  let chunk: ChunkBytes
  /// Whether some text needs a look.
  ///
  /// There is a byte that it may not hold or that means something in it: a control character,
  /// `&`, `]`, or one beyond ASCII.
  let needsCare: Bool

  /// Lends bytes to a closure.
  @inline(__always)
  static func withBytes<Result>(
    _ span: Span<UInt8>, _ body: (GPXBytes) -> Result
  ) -> Result? {
    ChunkBytes.withBytes(span) { body(GPXBytes($0)) }
  }

  private init(_ chunk: ChunkBytes) {
    self.chunk = chunk
    needsCare = GPXBytes.needsCare(chunk)
  }

  /// How many bytes there are.
  @inline(__always)
  var count: Int { chunk.count }

  @inline(__always)
  subscript(index: Int) -> UInt8 { chunk[index] }

  /// Eight bytes as an integer, the first one lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 { chunk.word(at: index) }

  /// Gives a range of the bytes to a closure as a span.
  @inline(__always)
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    chunk.withSpan(range, body)
  }

  /// A copy of a range of the bytes.
  func copy(_ range: Range<Int>) -> [UInt8] { chunk.copy(range) }

  /// Whether an ASCII literal stands at an index; false where the bytes end before it does.
  @inline(__always)
  func matches(_ literal: StaticString, at index: Int) -> Bool {
    chunk.matches(literal, at: index)
  }

  /// Whether a tag of at most eight bytes stands at an index and another byte follows it, or it
  /// has eight itself.
  @inline(__always)
  func has(_ tag: GPXPlainTag, at index: Int) -> Bool {
    index + 8 <= count && word(at: index) &<< tag.unusedBits == tag.word
  }

  /// The index of the next `<`, or `count`.
  @inline(__always)
  func nextTag(from start: Int) -> Int {
    var index = start
    // Eight bytes at a time: the lowest zero byte of `bytes ^ pattern` has its high bit set.
    while index + 8 <= count {
      let difference = word(at: index) ^ 0x3C3C_3C3C_3C3C_3C3C
      let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount >> 3 }
      index += 8
      if index - start >= 64 { return chunk.firstIndex(of: 0x3C, from: index) }
    }
    while index < count, self[index] != UInt8(ascii: "<") { index += 1 }
    return index
  }

  /// Whether two ranges of the same length hold the same bytes.
  @inline(__always)
  func areEqual(_ first: Int, _ second: Int, length: Int) -> Bool {
    assert(max(first, second) + length <= count)
    for offset in 0..<length where self[first + offset] != self[second + offset] { return false }
    return true
  }

  /// How many bytes of a range are LF.
  func lineFeeds(in range: Range<Int>) -> Int {
    var index = range.lowerBound
    var lines = 0
    let feed = SIMD16<UInt8>(repeating: 0x0A)
    let one = SIMD16<UInt8>(repeating: 1)
    while index + 16 <= range.upperBound {
      // At most 255 rounds, or a lane would overflow.
      var sums = SIMD16<UInt8>()
      let end = min(range.upperBound - 16, index + 16 * 254)
      repeat {
        sums.replace(with: sums &+ one, where: chunk.vector(at: index) .== feed)
        index += 16
      } while index <= end
      lines += GPXBytes.sum(sums)
    }
    while index < range.upperBound {
      if self[index] == 0x0A { lines += 1 }
      index += 1
    }
    return lines
  }

  /// The sum of sixteen bytes.
  @inline(__always)
  private static func sum(_ bytes: SIMD16<UInt8>) -> Int {
    // The cast is between types of sixteen bytes of which every pattern is a value.
    // Pairs of bytes in lanes of 16 bits, which one multiplication adds up.
    let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    let low: UInt64 = 0x00FF_00FF_00FF_00FF
    let pairs = (words[0] & low) + (words[0] >> 8 & low) + (words[1] & low) + (words[1] >> 8 & low)
    return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
  }

  /// The index of the last LF before an index, or nil.
  func lastLineFeed(before end: Int) -> Int? {
    assert(end <= count)
    var index = end
    while index > 0 {
      index -= 1
      if self[index] == 0x0A { return index }
    }
    return nil
  }

  /// How many UTF-8 characters begin in a range.
  func characters(in range: Range<Int>) -> Int {
    var characters = 0
    for index in range where self[index] & 0xC0 != 0x80 { characters += 1 }
    return characters
  }

  private static func needsCare(_ chunk: ChunkBytes) -> Bool {
    let count = chunk.count
    var index = 0
    while index < count {
      // Blocks without a branch inside, which the compiler turns into vectors.
      let end = min(count, index + 1024)
      var found: UInt8 = 0
      while index < end {
        let byte = chunk[index]
        // As signed numbers both control characters and what is beyond ASCII are below space.
        let isLow: UInt8 = Int8(bitPattern: byte) < 0x20 ? 1 : 0
        let isSpace: UInt8 =
          (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0) | (byte == 0x09 ? 1 : 0)
        found |= (isLow & ~isSpace) | (byte == 0x26 ? 1 : 0) | (byte == 0x5D ? 1 : 0)
        index += 1
      }
      if found != 0 { return true }
    }
    return false
  }
}
