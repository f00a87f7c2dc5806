import FencepostFormats

/// Scanning of plain XML.
extension ByteCursor {
  /// Skips white space; false if there is none.
  mutating func skipXMLWhiteSpace() -> Bool {
    let start = index
    while isXMLWhiteSpace(next) { index += 1 }
    return index > start
  }

  /// Skips a repetition of the bytes in an earlier range.
  mutating func skip(bytesOf range: Range<Int>) -> Bool {
    for offset in 0..<range.count where self[index + offset] != self[range.lowerBound + offset] {
      return false
    }
    index += range.count
    return true
  }

  /// Reads an ASCII name with at most one colon inside; nil if there is none.
  mutating func xmlName() -> (range: Range<Int>, colon: Int?)? {
    let start = index
    var colon: Int?
    var beginsName = true
    while true {
      let letter = next | 0x20
      if UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter || next == UInt8(ascii: "_") {
        beginsName = false
      } else if beginsName {
        return nil
      } else if next == UInt8(ascii: ":") {
        guard colon == nil else { return nil }
        colon = index
        beginsName = true
      } else if !(UInt8(ascii: "-")...UInt8(ascii: "9") ~= next) || next == UInt8(ascii: "/") {
        return (start..<index, colon)
      }
      index += 1
    }
  }

  /// Skips a comment without `--` inside or a processing instruction; false, at an undefined position, if
  /// there is neither or it is incomplete.
  mutating func skipCommentOrInstruction() -> Bool {
    if skip(literal: "<!--") {
      repeat {
        skip(to: "-")
        guard !isAtEnd else { return false }
        index += 1
      } while !skip("-")
      return skip(">")
    }
    guard skip(literal: "<?") else { return false }
    repeat {
      skip(to: "?")
      guard !isAtEnd else { return false }
      index += 1
    } while !skip(">")
    return true
  }

  /// Whether a range is ASCII without control characters, `&` and `]`, so that XML neither forbids nor
  /// interprets any text in it.
  func isPlainXML(_ range: Range<Int>) -> Bool {
    var marks = SIMD16<UInt8>()
    var index = range.lowerBound
    while index &+ 16 <= range.upperBound {
      marks |= Self.marksOfSpecialBytes(vector(at: index))
      index &+= 16
    }
    var last = SIMD16<UInt8>(repeating: UInt8(ascii: " "))
    for lane in 0..<(range.upperBound - index) { last[lane] = self[index + lane] }
    marks |= Self.marksOfSpecialBytes(last)
    return marks.halves.x | marks.halves.y == 0
  }

  @inline(__always)
  private static func marksOfSpecialBytes(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // Vectors on both sides: comparing a vector with a single byte is compiled lane by lane.
    func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }
    // Adding 0x80 puts control characters right after bytes beyond ASCII.
    var marks = all(0).replacing(with: all(0xFF), where: bytes &+ all(0x80) .< all(0xA0))
    marks.replace(with: all(0), where: bytes .== all(0x0A))
    marks.replace(with: all(0), where: bytes .== all(0x0D))
    marks.replace(with: all(0), where: bytes .== all(0x09))
    marks.replace(with: all(0xFF), where: bytes .== all(UInt8(ascii: "&")))
    marks.replace(with: all(0xFF), where: bytes .== all(UInt8(ascii: "]")))
    return marks
  }

  /// How many bytes of a range are line feeds.
  func lineFeeds(in range: Range<Int>) -> Int {
    let lineFeed = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
    let one = SIMD16<UInt8>(repeating: 1)
    var index = range.lowerBound
    var lines = 0
    while index &+ 16 <= range.upperBound {
      // Each lane counts up to 255.
      let end = min(range.upperBound &- 16, index &+ 16 &* 254)
      var sums = SIMD16<UInt8>()
      while index <= end {
        sums.replace(with: sums &+ one, where: vector(at: index) .== lineFeed)
        index &+= 16
      }
      let low: UInt64 = 0x00FF_00FF_00FF_00FF
      let (x, y) = (sums.halves.x, sums.halves.y)
      let pairs = (x & low) &+ (x &>> 8 & low) &+ (y & low) &+ (y &>> 8 & low)
      lines &+= Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    while index < range.upperBound {
      if self[index] == UInt8(ascii: "\n") { lines &+= 1 }
      index &+= 1
    }
    return lines
  }
}

extension Span<UInt8> {
  /// The range without XML white space at its ends.
  var trimmedRange: Range<Int> {
    var start = 0
    var end = count
    while start < end, isXMLWhiteSpace(self[start]) { start += 1 }
    while end > start, isXMLWhiteSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// Whether a byte is a space, tab, CR or LF.
func isXMLWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
