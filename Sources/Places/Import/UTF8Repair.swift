import FencepostFormats

/// Makes chunks valid UTF-8: each byte that belongs to no character becomes U+FFFD.
///
/// `String(decoding:as:)` would replace several bytes of a broken character with one U+FFFD; the
/// report counts bytes.
struct UTF8Repair {
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
    if UTF8Repair.isValid(chunk.span) {
      if replacedBytes == 0 { firstLine += UTF8Repair.lineCount(chunk.span) }
    } else {
      chunk = replacing(chunk.span)
    }
  }

  private static func isValid(_ bytes: Span<UInt8>) -> Bool {
    // Any bytes may be validated; the result is not kept.
    (try? UTF8Span(validating: bytes)) != nil
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
        index += length
      } else {
        repaired.append(contentsOf: [0xEF, 0xBF, 0xBD])
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
