extension ByteBuffer {
  /// Appends a text as one CSV field (RFC 4180): in quotes where it holds a comma, a quote, a line
  /// end or a space at either end.
  ///
  /// Tables are opened in spreadsheets, and titles come from strangers, so a text that a
  /// spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage
  /// return, and is neither a number nor a lone sign) gets an apostrophe in front, which a spreadsheet takes as
  /// "this is text". Control characters other than tab and line ends have no place in a table and
  /// become U+FFFD. Whoever needs every byte as it was reads NDJSON.
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
      // 0xC2 leads the C1 controls (and harmless letters, which quotes do not hurt).
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
      // The full-width ＋ － ＝ ＠, which some spreadsheets read as the narrow ones.
      guard bytes.count > 2, bytes[1] == 0xBC else { return false }
      return [0x8B, 0x8D, 0x9D, 0xA0].contains(bytes[2])
    default: return false
    }
  }

  /// Whether all from `start` on are digits with at most one point among them.
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
