/// Collects the beginning of a delimited text until its dialect is known, and makes a reader for it.
package struct CSVHead: Sendable {
  /// The most bytes of the header and all before it.
  package static var mostBytes: Int { 1 << 20 }

  private var bytes: [UInt8] = []

  /// Starts at the first byte.
  package init() {}

  /// Takes the next bytes of the text.
  ///
  /// - Parameters:
  ///   - chunk: The bytes.
  ///   - namesColumns: Whether a reader's current record is a header that names the required columns.
  /// - Returns: A reader before the header that has all bytes so far; nil if more are needed.
  package mutating func push(
    _ chunk: Span<UInt8>, namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVReader? {
    bytes.append(contentsOf: chunk)
    if bytes.count >= Self.mostBytes { return reader(isWhole: true, namesColumns) }
    let hasLineEnd = chunk.firstIndex(of: 0x0A) != nil || chunk.firstIndex(of: 0x0D) != nil
    return hasLineEnd ? reader(isWhole: false, namesColumns) : nil
  }

  /// Ends the text.
  ///
  /// - Parameter namesColumns: Whether a reader's current record is a header that names the required
  ///   columns.
  /// - Returns: A reader before the header that has all bytes and is not finished.
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
