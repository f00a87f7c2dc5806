/// Makes text valid UTF-8 by reading bytes that belong to no character as Windows-1252.
///
/// Bytes of Windows-1252 text hardly ever form a valid UTF-8 sequence, so the encoding need not be
/// known in advance and a file may mix both.
package struct UTF8Repair: Sendable {
  /// Whether the text has UTF-8 characters beyond ASCII.
  package private(set) var hasCharacters = false
  /// The number of bytes that were read as Windows-1252.
  package private(set) var replacedBytes = 0
  /// The line of the first replaced byte, from 1.
  package private(set) var firstLine = 1
  /// The start of a character split across chunks.
  private var carried: [UInt8] = []

  /// Creates a repair for the start of a text.
  package init() {}

  /// Repairs a chunk in place, after inserting what the last chunk left over.
  package mutating func repair(_ chunk: inout [UInt8], isLast: Bool) {
    if !carried.isEmpty { chunk.insert(contentsOf: carried, at: 0) }
    let end = isLast ? chunk.count : UTF8Repair.endOfWhole(chunk)
    carried = Array(chunk[end...])
    if end < chunk.count { chunk.removeLast(chunk.count - end) }
    if let isASCII = chunk.withSpan(UTF8Repair.isASCII) {
      if !isASCII { hasCharacters = true }
      if replacedBytes == 0 { firstLine += chunk.withSpan { $0.lineFeedCount } }
    } else {
      chunk = chunk.withSpan { replacing($0) }
    }
  }

  /// Whether the bytes are ASCII, or nil if they are not UTF-8.
  private static func isASCII(_ bytes: Span<UInt8>) -> Bool? {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else {
      return isASCIIByCharacters(bytes)
    }
    // Any bytes may be validated; the result is not kept.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return text.isKnownASCII
  }

  /// What ``isASCII(_:)`` says, in several times the time.
  private static func isASCIIByCharacters(_ bytes: Span<UInt8>) -> Bool? {
    var (index, isASCII) = (0, true)
    while index < bytes.count {
      guard let length = UTF8Sequence.length(in: bytes, at: index) else { return nil }
      if length > 1 { isASCII = false }
      index += length
    }
    return isASCII
  }

  private mutating func replacing(_ bytes: Span<UInt8>) -> [UInt8] {
    var repaired: [UInt8] = []
    repaired.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      if let length = UTF8Sequence.length(in: bytes, at: index) {
        repaired.append(contentsOf: bytes.extracting(index..<(index + length)))
        if replacedBytes == 0, bytes[index] == UInt8(ascii: "\n") { firstLine += 1 }
        if length > 1 { hasCharacters = true }
        index += length
      } else {
        Windows1252.append(bytes[index], to: &repaired)
        replacedBytes += 1
        index += 1
      }
    }
    return repaired
  }

  /// The end of the bytes, or the start of a last character that may be incomplete.
  private static func endOfWhole(_ bytes: [UInt8]) -> Int {
    let tail = bytes.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let needed = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : bytes[start] >= 0xC2 ? 2 : 1
    return bytes.count - start < needed ? start : bytes.count
  }
}

/// The characters of Windows-1252, which old spreadsheet programs write.
///
/// It differs from ISO 8859-1 only at 0x80 … 0x9F.
package enum Windows1252 {
  /// The characters at 0x80 … 0x9F; unassigned ones map to themselves.
  private static let special: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// The character of a byte, or a control character if unassigned.
  package static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(special[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// Appends the character of a byte as UTF-8, or U+FFFD if unassigned.
  static func append(_ byte: UInt8, to text: inout [UInt8]) {
    let scalar = scalar(byte)
    let isAssigned = !(0x80...0x9F ~= scalar.value)
    text.append(contentsOf: String(isAssigned ? scalar : "\u{FFFD}").utf8)
  }
}
