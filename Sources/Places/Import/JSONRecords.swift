import FencepostFormats

/// Splits text into records, such as newline-delimited JSON and JSON text sequences (RFC 8142).
struct JSONRecords {
  struct Record {
    var bytes: [UInt8] = []
    /// The line on which it begins, from 1.
    var line: Int
    /// Whether it was longer than ``mostBytes`` and its end is missing.
    var isCut = false
  }

  /// The maximum size of a record, in bytes.
  static var mostBytes: Int { JSONTreeBuilder.mostBytes }

  private let separator: UInt8
  /// The record that has not ended yet.
  private(set) var last: Record
  /// The line ends in what was cut off it.
  private var cutLines = 0

  init(separator: UInt8, line: Int) {
    self.separator = separator
    last = Record(line: line)
  }

  /// Returns the records that end in a chunk, without their separators.
  mutating func split(_ chunk: Span<UInt8>) -> [Record] {
    var records: [Record] = []
    var start = 0
    while let end = chunk.firstIndex(of: separator, from: start) {
      carry(chunk.extracting(start..<end))
      records.append(last)
      let lines = last.bytes.span.lineFeedCount + cutLines
      last = Record(line: last.line + lines + (separator == UInt8(ascii: "\n") ? 1 : 0))
      cutLines = 0
      start = end + 1
    }
    carry(chunk.extracting(start..<chunk.count))
    return records
  }

  private mutating func carry(_ bytes: Span<UInt8>) {
    let room = Self.mostBytes - last.bytes.count
    if bytes.count > room { last.isCut = true }
    let kept = bytes.extracting(first: min(room, bytes.count))
    last.bytes.append(contentsOf: kept)
    cutLines += bytes.lineFeedCount - kept.lineFeedCount
  }
}
