import FencepostFormats

/// Splits text into records, such as newline-delimited JSON and JSON text sequences (RFC 8142).
struct JSONRecords {
  /// Where a record is in its source.
  struct Position {
    var line: Int
    /// Whether the record was too long and its end is missing.
    var isCut: Bool
  }

  /// The maximum size of a record, in bytes.
  static var mostBytes: Int { JSONTreeBuilder.mostBytes }

  private let separator: UInt8
  private var carried: [UInt8] = []
  private var isCut = false
  private var line: Int

  init(separator: UInt8, line: Int) {
    self.separator = separator
    self.line = line
  }

  /// Passes on each record that ends in a chunk, without its separator.
  mutating func split<Failure: Error>(
    _ chunk: Span<UInt8>, _ body: ([UInt8], Position) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while let end = chunk.firstIndex(of: separator, from: start) {
      carry(chunk.extracting(start..<end))
      try emit(body)
      if separator == UInt8(ascii: "\n") { line += 1 }
      start = end + 1
    }
    carry(chunk.extracting(start..<chunk.count))
  }

  mutating func finish<Failure: Error>(
    _ body: ([UInt8], Position) throws(Failure) -> Void
  ) throws(Failure) {
    try emit(body)
  }

  private mutating func carry(_ bytes: Span<UInt8>) {
    let room = Self.mostBytes - carried.count
    if bytes.count > room { isCut = true }
    let kept = bytes.extracting(first: min(room, bytes.count))
    carried.append(contentsOf: kept)
    cutLines += bytes.lineFeedCount - kept.lineFeedCount
  }

  private var cutLines = 0

  private mutating func emit<Failure: Error>(
    _ body: ([UInt8], Position) throws(Failure) -> Void
  ) throws(Failure) {
    try body(carried, Position(line: line, isCut: isCut))
    line += carried.span.lineFeedCount + cutLines
    carried.removeAll(keepingCapacity: true)
    (isCut, cutLines) = (false, 0)
  }
}
