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
    var repaired: [UInt8]?
    var index = 0
    let count = chunk.count
    while index < count {
      if chunk[index] < 0x80 {
        let run = UTF8Repair.plainRun(in: chunk.span, from: index)
        line += run.lineCount
        repaired?.append(contentsOf: chunk.span.extracting(index..<run.end))
        index = run.end
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

  /// Where the ASCII characters end that stand from an index on, and how many lines end in them.
  ///
  /// - Complexity: O(n), 16 bytes in one step.
  private static func plainRun(
    in bytes: Span<UInt8>, from start: Int
  ) -> (end: Int, lineCount: Int) {
    var index = start
    var lineCount = 0
    var isPlain = true
    // Any 16 bytes are numbers, and those that are read are within the span. A mask of 16 bytes has as
    // many, of which each is 0 or, as a number, −1.
    let storage = unsafe bytes.bytes
    while isPlain, index + 16 <= bytes.count {
      // Each lane counts to 255 at most.
      var counts = SIMD16<UInt8>()
      let lineFeeds = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
      let stop = min(bytes.count - 15, index + 255 * 16)
      while index < stop {
        let block = unsafe storage.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
        isPlain = (block.halves.x | block.halves.y) & 0x8080_8080_8080_8080 == 0
        guard isPlain else { break }
        counts &-= unsafe unsafeBitCast(block .== lineFeeds, to: SIMD16<UInt8>.self)
        index &+= 16
      }
      for lane in counts.indices { lineCount += Int(counts[lane]) }
    }
    while index < bytes.count, bytes[index] < 0x80 {
      if bytes[index] == UInt8(ascii: "\n") { lineCount += 1 }
      index += 1
    }
    return (index, lineCount)
  }

  /// Whether the bytes to the end may be the beginning of a character.
  private static func isCut(_ bytes: [UInt8], at index: Int) -> Bool {
    let needed = bytes[index] >= 0xF0 ? 4 : bytes[index] >= 0xE0 ? 3 : bytes[index] >= 0xC2 ? 2 : 0
    guard bytes.count - index < needed else { return false }
    return bytes[(index + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
  }
}
