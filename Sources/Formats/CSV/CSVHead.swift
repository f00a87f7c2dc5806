/// Buffers the beginning of a delimited text until its dialect is known, then creates a reader.
package struct CSVHead: Sendable {
  /// How many bytes are searched for the header.
  package static var mostBytes: Int { 1 << 20 }

  private var bytes: [UInt8] = []

  package init() {}

  /// Adds the next bytes of the text.
  ///
  /// - Parameters:
  ///   - chunk: The bytes.
  ///   - namesColumns: Whether the reader's current record names the required columns.
  /// - Returns: A reader positioned before the header, holding all bytes so far; nil if the dialect
  ///   is still unknown.
  package mutating func push(
    _ chunk: Span<UInt8>, namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVReader? {
    bytes.append(contentsOf: chunk)
    if bytes.count >= Self.mostBytes { return reader(isWhole: true, namesColumns) }
    let hasLineEnd = chunk.firstIndex(of: 0x0A) != nil || chunk.firstIndex(of: 0x0D) != nil
    return hasLineEnd ? reader(isWhole: false, namesColumns) : nil
  }

  /// Ends the text, and returns an unfinished reader positioned before the header.
  package mutating func finish(namesColumns: (borrowing CSVReader) -> Bool) -> CSVReader {
    reader(isWhole: true, namesColumns) ?? CSVReader()
  }

  private mutating func reader(
    isWhole: Bool, _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVReader? {
    let bytes = ContiguousArray(bytes)
    let start = bytes.span.extracting(first: min(bytes.count, Self.mostBytes))
    guard
      let dialect = CSVDialect.recognise(start, isWhole: isWhole, namesColumns: namesColumns)
    else { return nil }
    var reader = CSVReader(separator: dialect.separator, firstLine: dialect.headerLine)
    reader.push(bytes.span.extracting(dialect.headerOffset..<bytes.count))
    self.bytes = []
    return reader
  }
}
