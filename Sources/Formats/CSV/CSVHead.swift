/// Buffers the beginning of a delimited text until its dialect is known, then creates a reader.
package struct CSVHead: Sendable {
  /// How many bytes are searched for the header.
  package static var mostBytes: Int { 1 << 20 }

  private var bytes: [UInt8] = []

  package init() {}

  /// Adds the next bytes of the text.
  ///
  /// Returns a reader positioned before the header, with all bytes so far; nil if the dialect is
  /// still unknown.
  fileprivate mutating func push(
    _ chunk: Span<UInt8>, namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVReader? {
    bytes.append(contentsOf: chunk)
    if bytes.count >= Self.mostBytes { return reader(isWhole: true, namesColumns) }
    let hasLineEnd = chunk.firstIndex(of: 0x0A) != nil || chunk.firstIndex(of: 0x0D) != nil
    return hasLineEnd ? reader(isWhole: false, namesColumns) : nil
  }

  /// The reader of a whole text, positioned before the header.
  fileprivate consuming func finished(namesColumns: (borrowing CSVReader) -> Bool) -> CSVReader {
    reader(isWhole: true, namesColumns) ?? CSVReader()
  }

  private mutating func reader(
    isWhole: Bool, _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVReader? {
    let bytes = ContiguousArray(bytes)
    let start = bytes.span.extracting(first: min(bytes.count, Self.mostBytes))
    guard let dialect = CSVDialect.recognize(start, isWhole: isWhole, namesColumns: namesColumns)
    else { return nil }
    var reader = CSVReader(separator: dialect.separator, firstLine: dialect.headerLine)
    reader.push(bytes.span.extracting(dialect.headerOffset..<bytes.count))
    self.bytes = []
    return reader
  }
}

extension CSVReader {
  /// Adds the next bytes of a text, which `head` keeps until the dialect is known.
  ///
  /// `namesColumns` tells whether the current record of a reader names the required columns.
  /// Returns whether the dialect is known, and this reader has all bytes so far.
  package mutating func push(
    _ chunk: Span<UInt8>, after head: inout CSVHead?, namesColumns: (borrowing CSVReader) -> Bool
  ) -> Bool {
    if head == nil {
      push(chunk)
    } else if let reader = head?.push(chunk, namesColumns: namesColumns) {
      (self, head) = (reader, nil)
    }
    return head == nil
  }

  /// Ends a text whose beginning `head` may still have.
  package mutating func finish(
    after head: inout CSVHead?, namesColumns: (borrowing CSVReader) -> Bool
  ) {
    if let reader = head.take()?.finished(namesColumns: namesColumns) { self = reader }
    finish()
  }
}
