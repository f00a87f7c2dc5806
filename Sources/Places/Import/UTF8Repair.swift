import FencepostFormats

/// Makes chunks valid UTF-8: each byte that belongs to no character is read as Windows-1252.
///
/// Text in Windows-1252 hardly ever has bytes that happen to be a character of UTF-8, so that the two need not be told
/// apart beforehand, and a file that has both is read too.
struct UTF8Repair {
  /// Whether the text has characters of UTF-8 that are not ASCII.
  private(set) var hasCharacters = false
  /// How many bytes have been replaced.
  private(set) var replacedBytes = 0
  /// The line, from 1, of the first replaced byte.
  private(set) var firstLine = 1
  /// The beginning of a character that the end of a chunk has cut.
  private var carried: [UInt8] = []

  /// Repairs a chunk in place, preceded by what the last chunk left over.
  mutating func repair(_ chunk: inout [UInt8], isLast: Bool) {
    if !carried.isEmpty { chunk.insert(contentsOf: carried, at: 0) }
    let end = isLast ? chunk.count : UTF8Repair.endOfWhole(chunk)
    carried = Array(chunk[end...])
    if end < chunk.count { chunk.removeLast(chunk.count - end) }
    if let isASCII = UTF8Repair.isASCII(chunk.span) {
      if !isASCII { hasCharacters = true }
      if replacedBytes == 0 { firstLine += UTF8Repair.lineCount(chunk.span) }
    } else {
      chunk = replacing(chunk.span)
    }
  }

  /// Whether the bytes are ASCII; nil if they are not UTF-8.
  private static func isASCII(_ bytes: Span<UInt8>) -> Bool? {
    // Any bytes may be validated; the result is not kept.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return text.isKnownASCII
  }

  private static func lineCount(_ bytes: Span<UInt8>) -> Int {
    var count = 0
    var start = 0
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      count += 1
      start = end + 1
    }
    return count
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

  /// Where the last character begins if the end of the bytes may have cut it, else their end.
  private static func endOfWhole(_ bytes: [UInt8]) -> Int {
    let tail = bytes.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let needed = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : bytes[start] >= 0xC2 ? 2 : 1
    return bytes.count - start < needed ? start : bytes.count
  }
}
