// MARK: - CSV

extension OutputBuffer {
  /// Appends text as one CSV field (RFC 4180).
  ///
  /// Quotes it if it contains a comma, a quote or a line end, or a space at either end.
  ///
  /// Titles come from strangers, and people open tables in spreadsheets. So text that a spreadsheet
  /// would run as a formula gets a leading apostrophe, which marks it as text. That is text that
  /// begins with `=`, `+`, `-`, `@`, a tab or a line end, and is neither a number nor a lone sign.
  /// Control characters other than tab and line ends become U+FFFD. NDJSON keeps every byte.
  package mutating func append(csv text: String) {
    let bytes = text.utf8.span
    let isFormula = Self.looksLikeFormula(bytes)
    guard isFormula || Self.needsQuotes(bytes) else {
      append(bytes)
      return
    }
    append(UInt8(ascii: "\""))
    if isFormula { append(UInt8(ascii: "'")) }
    for scalar in text.unicodeScalars {
      if scalar == "\"" {
        append("\"\"")
      } else if scalar.isControl && scalar != "\n" && scalar != "\r" && scalar != "\t" {
        append("\u{FFFD}")
      } else {
        append(scalar: scalar)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Whether a field must be quoted: a separator, a quote, a control character or an outer space.
  private static func needsQuotes(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    if bytes[0] == UInt8(ascii: " ") || bytes[bytes.count - 1] == UInt8(ascii: " ") { return true }
    for index in bytes.indices {
      let byte = bytes[index]
      // 0xC2 leads the C1 controls. It also leads ordinary letters, which quotes do not hurt.
      if byte < 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x7F
        || byte == 0xC2
      {
        return true
      }
    }
    return false
  }

  /// Whether a spreadsheet would run the text, judged by its first character.
  ///
  /// Signed numbers such as `-75.16` are not formulas.
  private static func looksLikeFormula(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    switch bytes[0] {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return bytes.count > 1 && !isNumber(bytes, from: 1)
    case 0xEF:
      // Some spreadsheets read the full-width ＋ － ＝ ＠ like the ASCII ones.
      guard bytes.count > 2, bytes[1] == 0xBC else { return false }
      return [0x8B, 0x8D, 0x9D, 0xA0].contains(bytes[2])
    default: return false
    }
  }

  /// Whether the rest is digits with at most one decimal point.
  private static func isNumber(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var digits = 0
    var points = 0
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      default: return false
      }
    }
    return digits > 0 && points <= 1
  }
}

// MARK: - JSON

extension OutputBuffer {
  /// Appends a JSON string with its quotes.
  ///
  /// Escapes more than JSON requires: `<`, so that the text cannot close a page's `script` element;
  /// U+2028 and U+2029, which older JavaScript reads as line ends; and DEL, C1 controls and
  /// directional marks, so that a line is safe on a terminal.
  package mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    let bytes = text.utf8.span
    // Most texts need no escape, so test and copy a word at a time.
    var start = appendWords(of: bytes) { Self.areEightPlain($0) }
    var index = start
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
      append(bytes.extracting(start..<index))
      appendJSONEscape(bytes, at: index, length: length)
      index += length
      start = index
    }
    append(bytes.extracting(start..<bytes.count))
    append(UInt8(ascii: "\""))
  }

  /// Whether the eight bytes from an index on are ASCII characters that need no escape.
  @inline(__always)
  private static func areEightPlain(_ bytes: Span<UInt8>, from index: Int) -> Bool {
    // In bounds by the caller's check. Bytes have no alignment.
    areEightPlain(
      unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Whether a word of eight bytes has only ASCII characters that need no escape.
  ///
  /// The test is branch-free, as in Sean Anderson's "Bit Twiddling Hacks" (zero bytes of a word).
  @inline(__always)
  private static func areEightPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    // (x - ones) & ~x & highs is nonzero exactly if x has a zero byte or, with 0x20 * ones
    // subtracted instead, a byte below 0x20. A byte of 0x7F or above has its high bit set, either
    // as it is or after adding one.
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let angle = word ^ (ones &* UInt64(UInt8(ascii: "<")))
    let special =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((angle &- ones) & ~angle)
      | ((word &- ones &* 0x20) & ~word) | word | (word &+ ones)
    return special & highs == 0
  }

  /// The length in bytes of the scalar at `index` if it needs an escape, else 0.
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

  /// Whether 0xE2 and these bytes encode U+200E, U+200F, U+2028 … U+202E or U+2066 … U+2069.
  private static func isDirectionOrLineMark(_ second: UInt8, _ third: UInt8) -> Bool {
    if second == 0x80 { return third == 0x8E || third == 0x8F || (0xA8...0xAE).contains(third) }
    return second == 0x81 && (0xA6...0xA9).contains(third)
  }

  /// Appends the escape for a scalar of `length` UTF-8 bytes, one that `escapedLength` has found.
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

  /// Appends a code unit as a backslash, `u` and four hexadecimal digits.
  private mutating func appendUnicodeEscape(_ codeUnit: UInt16) {
    append("\\u")
    for shift in stride(from: UInt16(12), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: codeUnit >> shift) & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

// MARK: - XML

extension OutputBuffer {
  /// Appends text as XML character data for an element or attribute.
  ///
  /// Characters that XML 1.0 forbids even as references become U+FFFD.
  package mutating func append(xml text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "'": append("&#39;")
      // A parser would turn bare ones into spaces or another line end.
      case "\t": append("&#9;")
      case "\n": append("&#10;")
      case "\r": append("&#13;")
      case "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
      default:
        if scalar.isControl { append("\u{FFFD}") } else { append(scalar: scalar) }
      }
    }
  }

  /// Appends a character as UTF-8, without escapes.
  package mutating func append(scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for codeUnit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(codeUnit) }
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character of ASCII or Latin-1 (C0, DEL or C1).
  ///
  /// A terminal may act on these, so no text for people keeps them.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether this changes the writing direction, which can disguise the text after it.
  package var isDirectionMark: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
