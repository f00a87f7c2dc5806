import FencepostFormats

// What XML allows where, as far as its plain form goes.
extension GPXBytes {
  /// Whether a range is text that XML allows, without anything that begins with `&` but the five
  /// references that are always defined.
  func isPlainText(_ range: Range<Int>) -> Bool {
    guard needsCare else { return true }
    return withSpan(range) { text in
      var index = 0
      while index < text.count {
        let byte = text[index]
        if byte >= 0x80 {
          guard let length = UTF8Sequence.length(in: text, at: index) else { return false }
          // U+FFFE and U+FFFF are no characters of XML.
          if byte == 0xEF, text[index + 1] == 0xBF, text[index + 2] >= 0xBE { return false }
          index += length
        } else if byte < 0x20 && !isXMLWhiteSpace(byte) {
          return false
        } else if byte == UInt8(ascii: "&") {
          guard let length = GPXBytes.referenceLength(text, index) else { return false }
          index += length
        } else if byte == UInt8(ascii: "]"), index + 2 < text.count,
          text[index + 1] == byte, text[index + 2] == UInt8(ascii: ">")
        {
          return false
        } else {
          index += 1
        }
      }
      return true
    }
  }

  private static func referenceLength(_ text: Span<UInt8>, _ index: Int) -> Int? {
    let rest = text.extracting(index..<min(text.count, index + 6))
    if rest.count >= 4, rest.extracting(0..<4).equals("&lt;") { return 4 }
    if rest.count >= 4, rest.extracting(0..<4).equals("&gt;") { return 4 }
    if rest.count >= 5, rest.extracting(0..<5).equals("&amp;") { return 5 }
    if rest.equals("&quot;") || rest.equals("&apos;") { return 6 }
    return nil
  }

  /// Whether a range is free of `&`, so that its bytes are what they mean.
  func isLiteral(_ range: Range<Int>) -> Bool {
    guard needsCare else { return true }
    return withSpan(range) { $0.firstIndex(of: UInt8(ascii: "&")) == nil } && isPlainText(range)
  }

  /// The index after white space.
  @inline(__always)
  func skipWhiteSpace(from start: Int) -> Int {
    var index = start
    while index < count, isXMLWhiteSpace(self[index]) { index += 1 }
    return index
  }

  /// The index after an ASCII name with at most one colon inside; the start where there is none.
  @inline(__always)
  func skipName(from start: Int) -> Int {
    guard start < count, GPXBytes.beginsName(self[start]) else { return start }
    var index = start + 1
    while index < count, GPXBytes.continuesName(self[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func beginsName(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_")
  }

  @inline(__always)
  static func continuesName(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
      || (byte >= UInt8(ascii: "-") && byte <= UInt8(ascii: ":") && byte != UInt8(ascii: "/"))
      || byte == UInt8(ascii: "_")
  }

  /// The colon of a name with a prefix; nil where it has none, `-1` where it has a strange one.
  func colon(in name: Range<Int>) -> Int? {
    var found: Int?
    for index in name where self[index] == UInt8(ascii: ":") {
      if found != nil { return -1 }
      found = index
    }
    guard let found else { return nil }
    // After the colon another name begins.
    return found + 1 < name.upperBound && GPXBytes.beginsName(self[found + 1]) ? found : -1
  }

  /// A comment that begins at an index, `<!-- … -->`, without `--` inside.
  func scanComment(at start: Int) -> GPXScan {
    var index = start + 4
    while index + 2 < count {
      if self[index] == UInt8(ascii: "-"), self[index + 1] == UInt8(ascii: "-") {
        guard self[index + 2] == UInt8(ascii: ">") else { return .unusual }
        // What is reserved in text is not in a comment, but a doubtful one may go the long way.
        return isPlainText((start + 4)..<index) ? .complete(index + 3) : .unusual
      }
      index += 1
    }
    return .incomplete
  }
}
