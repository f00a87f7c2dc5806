/// What the plain form of XML is made of.
extension ByteCursor {
  /// Goes behind white space; false where there is none.
  mutating func skipXMLWhiteSpace() -> Bool {
    let start = index
    while isXMLWhiteSpace(next) { index += 1 }
    return index > start
  }

  /// Goes behind the same bytes as stand in a range before.
  mutating func skip(bytesOf range: Range<Int>) -> Bool {
    for offset in 0..<range.count where self[index + offset] != self[range.lowerBound + offset] {
      return false
    }
    index += range.count
    return true
  }

  /// Reads an ASCII name with at most one colon inside; nil where there is none.
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

  /// Goes behind a comment without `--` inside or a processing instruction; false where neither is here or
  /// its end is not, and then the place is undefined.
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

  /// Whether a range holds no byte that XML forbids or gives a meaning in text: only ASCII without
  /// control characters, `&` and `]`.
  func isPlainXML(_ range: Range<Int>) -> Bool {
    withSpan(range) { bytes in
      var marks: UInt8 = 0
      // Without a branch, so that the compiler looks at many bytes at once.
      for index in bytes.indices {
        let byte = unsafe bytes[unchecked: index]
        let isControl = byte < 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09
        marks |= byte & 0x80 | (isControl ? 1 : 0)
        marks |= (byte == UInt8(ascii: "&") ? 1 : 0) | (byte == UInt8(ascii: "]") ? 1 : 0)
      }
      return marks == 0
    }
  }

  /// How many bytes of a range are line feeds.
  func lineFeeds(in range: Range<Int>) -> Int {
    var index = range.lowerBound
    var lines = 0
    while index + 8 <= range.upperBound {
      // Each of eight lanes counts; 255 rounds are the most that a lane can hold.
      let end = min(range.upperBound - 8, index + 8 * 254)
      var sums: UInt64 = 0
      while index <= end {
        let others = word(at: index) ^ 0x0A0A_0A0A_0A0A_0A0A
        // The high bit of a lane stays 0 only where the whole lane is.
        let marks = ~((others & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F | others)
        sums &+= marks &>> 7 & 0x0101_0101_0101_0101
        index += 8
      }
      let pairs = (sums & 0x00FF_00FF_00FF_00FF) &+ (sums &>> 8 & 0x00FF_00FF_00FF_00FF)
      lines += Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    while index < range.upperBound {
      if self[index] == UInt8(ascii: "\n") { lines += 1 }
      index += 1
    }
    return lines
  }
}

extension Span<UInt8> {
  /// The bytes without XML's white space around them.
  var trimmedRange: Range<Int> {
    var start = 0
    var end = count
    while start < end, isXMLWhiteSpace(self[start]) { start += 1 }
    while end > start, isXMLWhiteSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// Whether a byte is one of space, tab, CR and LF.
func isXMLWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
