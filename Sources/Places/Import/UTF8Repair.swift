import Formats

/// Makes chunks valid UTF-8: each byte that belongs to no character becomes U+FFFD.
struct UTF8Repair {
  /// How many bytes were replaced so far.
  private(set) var replacedBytes = 0
  /// The line, from 1, of the first byte that was replaced.
  private(set) var firstLine = 0
  private var line = 1
  /// The beginning of a character that the end of a chunk has cut.
  private var carried: [UInt8] = []

  /// Repairs a chunk in place, together with what the chunk before left over.
  mutating func repair(_ chunk: inout [UInt8], isLast: Bool) {
    if !carried.isEmpty {
      chunk.insert(contentsOf: carried, at: 0)
      carried.removeAll(keepingCapacity: true)
    }
    if UTF8Repair.isPlain(chunk) {
      line += UTF8Repair.lineCount(chunk)
      return
    }
    var repaired: [UInt8]?
    var index = 0
    let count = chunk.count
    while index < count {
      let byte = chunk[index]
      if byte < 0x80 {
        if byte == UInt8(ascii: "\n") { line += 1 }
        repaired?.append(byte)
        index += 1
        continue
      }
      if let length = UTF8Sequence.length(in: chunk.span, at: index) {
        repaired?.append(contentsOf: chunk.span.extracting(index..<(index + length)))
        index += length
        continue
      }
      if !isLast, index + 3 >= count, UTF8Repair.isCut(chunk, at: index) {
        carried = Array(chunk[index...])
        break
      }
      if repaired == nil { repaired = Array(chunk[..<index]) }
      repaired?.append(contentsOf: [0xEF, 0xBF, 0xBD])
      if replacedBytes == 0 { firstLine = line }
      replacedBytes += 1
      index += 1
    }
    if let repaired {
      chunk = repaired
    } else if !carried.isEmpty {
      chunk.removeLast(carried.count)
    }
  }

  /// Whether all bytes are ASCII; without branches, so that many are looked at in one step.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  private static func lineCount(_ bytes: [UInt8]) -> Int {
    var count = 0
    for byte in bytes { count += byte == UInt8(ascii: "\n") ? 1 : 0 }
    return count
  }

  /// Whether the bytes to the end may be the beginning of a character.
  private static func isCut(_ bytes: [UInt8], at index: Int) -> Bool {
    let needed = bytes[index] >= 0xF0 ? 4 : bytes[index] >= 0xE0 ? 3 : bytes[index] >= 0xC2 ? 2 : 0
    guard bytes.count - index < needed else { return false }
    return bytes[(index + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
  }
}
