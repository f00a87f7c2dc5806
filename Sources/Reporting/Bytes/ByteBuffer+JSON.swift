extension ByteBuffer {
  /// Appends a string as a JSON string, quotes included.
  ///
  /// Besides what JSON demands, these are written as escapes, which every parser undoes: `<`, so
  /// that the text cannot end the `script` element of a page it is pasted into; U+2028 and U+2029,
  /// which older JavaScript takes for line ends; and DEL, the C1 controls and the marks that turn
  /// the direction of writing, so that a line can be shown on a terminal as it is.
  public mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    let bytes = text.utf8.span
    var start = 0
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count && Self.areEightPlain(bytes, from: index) {
        index += 8
        continue
      }
      let length = Self.escapedLength(bytes, at: index)
      if length == 0 {
        index += 1
        continue
      }
      append(bytes, from: start, to: index)
      appendJSONEscape(bytes, at: index, length: length)
      index += length
      start = index
    }
    append(bytes, from: start, to: bytes.count)
    append(UInt8(ascii: "\""))
  }

  /// Whether eight bytes from `index` on are ASCII that needs no escape, looked at as one word.
  @inline(__always)
  private static func areEightPlain(_ bytes: Span<UInt8>, from index: Int) -> Bool {
    // In bounds, as the caller has seen; a byte has no alignment.
    // The loop leaves off where fewer than eight bytes are left.
    let word = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    // (x - ones) & ~x & highs is not 0 exactly if x has a zero byte; with 0x20 times ones taken
    // away, exactly if one is below 0x20. What is 0x7F or above has its high bit, here or after
    // one is added.
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let angle = word ^ (ones &* UInt64(UInt8(ascii: "<")))
    let special =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((angle &- ones) & ~angle)
      | ((word &- ones &* 0x20) & ~word) | word | (word &+ ones)
    return special & highs == 0
  }

  /// Number of bytes of the scalar at `index` if it must be escaped, else 0.
  @inline(__always)
  private static func escapedLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x7F {
      let isSpecial =
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        || byte == UInt8(ascii: "<")
      return isSpecial ? 1 : 0
    }
    switch byte {
    case 0x7F: return 1
    case 0xC2: return bytes[index + 1] < 0xA0 ? 2 : 0
    case 0xE2: return isDirectionOrLineMark(bytes[index + 1], bytes[index + 2]) ? 3 : 0
    default: return 0
    }
  }

  /// Whether E2 and these two bytes are one of U+200E, U+200F, U+2028 … U+202E, U+2066 … U+2069.
  private static func isDirectionOrLineMark(_ second: UInt8, _ third: UInt8) -> Bool {
    if second == 0x80 { return third == 0x8E || third == 0x8F || (0xA8...0xAE).contains(third) }
    return second == 0x81 && (0xA6...0xA9).contains(third)
  }

  private mutating func appendJSONEscape(_ bytes: Span<UInt8>, at index: Int, length: Int) {
    switch length {
    case 1: appendJSONEscape(ascii: bytes[index])
    case 2: appendUnicodeEscape(UInt16(bytes[index + 1]))
    default:
      let high = UInt16(bytes[index] & 0x0F) << 12
      let middle = UInt16(bytes[index + 1] & 0x3F) << 6
      appendUnicodeEscape(high | middle | UInt16(bytes[index + 2] & 0x3F))
    }
  }

  private mutating func appendJSONEscape(ascii byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    default: appendUnicodeEscape(UInt16(byte))
    }
  }

  private mutating func appendUnicodeEscape(_ codeUnit: UInt16) {
    append("\\u")
    for shift in stride(from: UInt16(12), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: codeUnit >> shift) & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
