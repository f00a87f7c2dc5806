import FencepostFormats

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
    guard range.count >= 16 else { return lineFeedsOneByOne(in: range) }
    var index = range.lowerBound
    var lines = 0
    let feed = SIMD16<UInt8>(repeating: 0x0A)
    let one = SIMD16<UInt8>(repeating: 1)
    let last = range.upperBound - 16
    while index <= last {
      // At most 254 rounds, or a lane would overflow.
      var sums = SIMD16<UInt8>()
      let end = min(last, index + 16 * 253)
      repeat {
        sums.replace(with: sums &+ one, where: chunk.vector(at: index) .== feed)
        index += 16
      } while index <= end
      if index > last, index < range.upperBound {
        // The last sixteen, of which the first were counted.
        let counted = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: index - last))
        var rest = SIMD16<UInt8>()
        rest.replace(with: one, where: chunk.vector(at: last) .== feed)
        rest.replace(with: SIMD16<UInt8>(), where: GPXBytes.lanes .< counted)
        sums &+= rest
      }
      lines += GPXBytes.sum(sums)
    }
    return lines
  }

  private func lineFeedsOneByOne(in range: Range<Int>) -> Int {
    var lines = 0
    for index in range where self[index] == 0x0A { lines += 1 }
    return lines
  }

  /// The numbers of sixteen lanes.
  private static var lanes: SIMD16<UInt8> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  }

  /// The sum of sixteen bytes.
  @inline(__always)
  private static func sum(_ bytes: SIMD16<UInt8>) -> Int {
    // Pairs of bytes in lanes of 16 bits, which one multiplication adds up.
    let words = bytes.halves
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
    var index = 0
    while index < chunk.count {
      let end = min(chunk.count, index + 1024)
      // Line ends with CR, or tabs: looked at more closely.
      if mayNeedCare(chunk, index..<end), doesNeedCare(chunk, index..<end) { return true }
      index = end
    }
    return false
  }

  /// As ``doesNeedCare(_:_:)``, but CR and tab are also said to.
  @inline(__always)
  private static func mayNeedCare(_ chunk: ChunkBytes, _ range: Range<Int>) -> Bool {
    // Lanes are compared with lanes: a comparison with one byte is made lane by lane.
    let half = SIMD16<UInt8>(repeating: 0x80)
    let bound = SIMD16<UInt8>(repeating: 0xA0)
    let lineFeed = SIMD16<UInt8>(repeating: 0x0A)
    let ampersand = SIMD16<UInt8>(repeating: 0x26)
    let bracket = SIMD16<UInt8>(repeating: 0x5D)
    let marked = SIMD16<UInt8>(repeating: 0xFF)
    let unmarked = SIMD16<UInt8>()
    var found = SIMD16<UInt8>()
    var index = range.lowerBound
    // What is added stays within the range.
    let last = range.upperBound &- 16
    while index <= last {
      let bytes = chunk.vector(at: index)
      // Below 0x20, or above 0x7F.
      var marks = unmarked
      marks.replace(with: marked, where: (bytes &+ half) .< bound)
      marks.replace(with: unmarked, where: bytes .== lineFeed)
      marks.replace(with: marked, where: bytes .== ampersand)
      marks.replace(with: marked, where: bytes .== bracket)
      found |= marks
      index &+= 16
    }
    return found.halves.x | found.halves.y != 0
      || doesNeedCare(chunk, index..<range.upperBound)
  }

  private static func doesNeedCare(_ chunk: ChunkBytes, _ range: Range<Int>) -> Bool {
    for index in range {
      switch chunk[index] {
      case 0x09, 0x0A, 0x0D: break
      case 0x26, 0x5D, 0x00..<0x20, 0x80...: return true
      default: break
      }
    }
    return false
  }
}
