import FencepostFormats

/// Splits text into records that end with a separator, such as newline-delimited JSON and JSON text sequences
/// (RFC 8142).
struct JSONRecords {
  /// The place of a record in its source.
  struct Position {
    /// The line, from 1, on which the record begins.
    var line: Int
    /// Whether the record was longer than permitted and its end is missing.
    var isCut: Bool
  }

  /// The most bytes of a record that are kept.
  static var mostBytes: Int { JSONTreeBuilder.mostBytes }

  private let separator: UInt8
  private var carried: [UInt8] = []
  private var isCut = false
  private var line: Int

  /// - Parameters:
  ///   - separator: The byte between two records.
  ///   - line: The line, from 1, of the first byte.
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

  /// Passes on the last record, which needs no separator.
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

  /// How many lines ended in what was dropped.
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
