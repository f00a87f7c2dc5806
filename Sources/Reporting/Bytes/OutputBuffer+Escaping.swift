// MARK: - CSV

extension OutputBuffer {
  /// Appends a text as one CSV field (RFC 4180), quoted if it contains a comma, a quote, a line end or a
  /// space at either end.
  ///
  /// People open tables in spreadsheets, and titles come from strangers. A text that a spreadsheet would
  /// run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and is neither a
  /// number nor a lone sign) therefore gets a leading apostrophe, which marks it as text. Control
  /// characters other than tab and line ends become U+FFFD. NDJSON keeps every byte.
  public mutating func append(csv text: String) {
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

  private static func needsQuotes(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    if bytes[0] == UInt8(ascii: " ") || bytes[bytes.count - 1] == UInt8(ascii: " ") { return true }
    for index in bytes.indices {
      let byte = bytes[index]
      // 0xC2 leads the C1 controls, and harmless letters that quotes do not hurt.
      if byte < 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x7F
        || byte == 0xC2
      {
        return true
      }
    }
    return false
  }

  private static func looksLikeFormula(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    switch bytes[0] {
    case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return bytes.count > 1 && !isNumber(bytes, from: 1)
    case 0xEF:
      // Some spreadsheets read the full-width ＋ － ＝ ＠ as the narrow ones.
      guard bytes.count > 2, bytes[1] == 0xBC else { return false }
      return [0x8B, 0x8D, 0x9D, 0xA0].contains(bytes[2])
    default: return false
    }
  }

  /// Whether the bytes from `start` on are digits with at most one point.
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
  /// Escapes more than JSON demands: `<`, so that the text cannot end the `script` element of a page;
  /// U+2028 and U+2029, which older JavaScript reads as line ends; and DEL, the C1 controls and the
  /// directional marks, so that a line is safe to show on a terminal.
  public mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    // Most texts need no escape.
    if Self.isPlain(text.utf8.span) {
      append(verbatim: text)
    } else {
      for scalar in text.unicodeScalars { append(jsonScalar: scalar) }
    }
    append(UInt8(ascii: "\""))
  }

  /// Whether a text surely needs no escape: 0xC2 and 0xE2 lead controls and directional marks, and harmless letters.
  ///
  /// Without an early end, so that the compiler tests many bytes at once.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var special: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let isSpecial =
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        || byte == UInt8(ascii: "<") || byte == 0x7F || byte == 0xC2 || byte == 0xE2
      special |= isSpecial ? 1 : 0
    }
    return special == 0
  }

  private mutating func append(jsonScalar scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case "<", "\u{2028}", "\u{2029}": appendUnicodeEscape(scalar)
    // The Arabic letter mark has always been written as it is.
    case _ where scalar.isControl || (scalar.isDirectionMark && scalar.value != 0x061C):
      appendUnicodeEscape(scalar)
    default: append(scalar: scalar)
    }
  }

  /// Appends a scalar of the basic plane as `\u` and four hexadecimal digits.
  private mutating func appendUnicodeEscape(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    append("\\u")
    append(verbatim: String(repeating: "0", count: 4 - digits.count) + digits)
  }
}

// MARK: - XML

extension OutputBuffer {
  /// Appends a text as XML character data for an element or an attribute.
  ///
  /// Characters that XML 1.0 forbids even as references become U+FFFD.
  public mutating func append(xml text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "'": append("&#39;")
      // A parser would turn the bare ones into spaces or another line end.
      case "\t": append("&#9;")
      case "\n": append("&#10;")
      case "\r": append("&#13;")
      case "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
      default:
        if scalar.isControl { append("\u{FFFD}") } else { append(scalar: scalar) }
      }
    }
  }

  /// Appends one scalar as UTF-8.
  package mutating func append(scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for codeUnit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(codeUnit) }
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is a C0 or C1 control or DEL.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether this changes the direction of writing, which can disguise the text that follows.
  var isDirectionMark: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Fields of CSV behind the first of a row.
///
/// Each appends a comma and the field, which is empty where the value is missing or not finite.
extension OutputBuffer {
  mutating func field(_ text: String?) {
    append(UInt8(ascii: ","))
    if let text { append(csv: text) }
  }

  mutating func field(_ number: Int?) {
    append(UInt8(ascii: ","))
    if let number { append(decimal: number) }
  }

  mutating func field(_ number: Double?, decimals: Int) {
    append(UInt8(ascii: ","))
    if let number, number.isFinite { append(number, decimals: decimals) }
  }

  mutating func field(instant milliseconds: Int64?) {
    append(UInt8(ascii: ","))
    if let milliseconds { append(instant: milliseconds) }
  }

  /// `checksum=2;late=1`, in the order of the names.
  mutating func field(counts: [String: Int]?) {
    field(
      counts?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";"))
  }
}
