/// The separator of a delimited text, and the position of its header.
///
/// Separators are commas, semicolons, tabs or `|`. A first line such as `sep=;`, as Excel writes
/// it, can choose any other. Lines before the header that begin with `#` are comments. NumPy and
/// OpenTracks write the header itself as the last comment; it counts unless a later line names the
/// columns. `//` and `%` do not mark comments, since a title could begin with them. Lines of a title
/// may precede the header where a reader allows them.
package struct CSVDialect: Equatable, Sendable {
  /// The separator, an ASCII character.
  package var separator: UInt8
  /// The offset of the header's first byte, after any `#`.
  package var headerOffset: Int
  /// The header's line number, from 1.
  package var headerLine: Int
  /// Whether the header names the required columns; if not, it is the first line after comments.
  package var namesColumns: Bool

  /// Separators to try, most likely first.
  package static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  /// Detects the dialect from the first lines of a text.
  ///
  /// - Parameters:
  ///   - text: The beginning of the text.
  ///   - isWhole: Whether to decide without waiting for more text.
  ///   - titleLines: How many lines that are neither comments nor the header may precede it.
  ///   - namesColumns: Whether the reader's current record names the required columns.
  /// - Returns: The dialect, or nil if more text is needed.
  /// - Complexity: O(n) up to the end of the header.
  package static func recognize(
    _ text: Span<UInt8>, isWhole: Bool, titleLines: Int = 0,
    namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    guard let start = ByteOrderMark.length(in: text, isWhole: isWhole) else { return nil }
    var named: UInt8?
    var commented: CSVDialect?
    var found: CSVDialect?
    /// The first line that is not a comment, while it may be a title.
    var title: CSVDialect?
    var titleCount = 0
    var number = 0
    func look(_ line: Span<UInt8>, _ position: LinePosition) {
      number = position.number
      guard found == nil, line.indices.contains(where: { line[$0] > 0x20 }) else { return }
      let offset = start + position.byteOffset
      if named == nil, let separator = separator(namedBy: line) {
        named = separator
      } else if line[0] == UInt8(ascii: "#") {
        let mark =
          line.indices.first { line[$0] != UInt8(ascii: "#") && line[$0] != 0x20 } ?? line.count
        let names = line.extracting(mark..<line.count)
        commented = header(names, offset + mark, number, named: named, namesColumns) ?? commented
      } else {
        found = header(line, offset, number, named: named, namesColumns) ?? commented
        title =
          title
          ?? CSVDialect(
            separator: named ?? commonest(in: line)[0], headerOffset: offset, headerLine: number,
            namesColumns: false)
        if titleCount == titleLines { found = found ?? title }
        titleCount += 1
      }
    }
    var scanner = LineScanner(maximumLineBytes: text.count)
    // In pieces, as the header is near the beginning.
    var offset = start
    while found == nil, offset < text.count {
      let end = min(offset + 4096, text.count)
      scanner.scan(text.extracting(offset..<end), look)
      offset = end
    }
    if isWhole { scanner.finish(look) }
    if found != nil || !isWhole { return found }
    return commented ?? title
      ?? CSVDialect(
        separator: named ?? separators[0], headerOffset: text.count, headerLine: number,
        namesColumns: false)
  }

  /// Returns the dialect in which the line is a header, or nil.
  private static func header(
    _ line: Span<UInt8>, _ offset: Int, _ number: Int, named: UInt8?,
    _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    for separator in named.map({ [$0] }) ?? commonest(in: line) {
      var reader = CSVReader(separator: separator)
      reader.push(line)
      reader.finish()
      // A malformed line is not a header.
      guard (try? reader.next()) == true, namesColumns(reader) else { continue }
      return CSVDialect(
        separator: separator, headerOffset: offset, headerLine: number, namesColumns: true)
    }
    return nil
  }

  /// The separators, most frequent in the line first; ignores quoted text.
  private static func commonest(in line: Span<UInt8>) -> [UInt8] {
    var counts = [Int](repeating: 0, count: separators.count)
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let number = separators.firstIndex(of: line[index]) { counts[number] += 1 }
    }
    // Keeps the order of separators that are equally frequent.
    return separators.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }.map { separators[$0] }
  }

  /// The separator that a `sep=;` line chooses, quoted or not; nil for other lines.
  private static func separator(namedBy line: Span<UInt8>) -> UInt8? {
    var end = line.count
    var start = 0
    if end == 7, line[0] == UInt8(ascii: "\""), line[6] == UInt8(ascii: "\"") {
      (start, end) = (1, 6)
    }
    guard end - start == 5 else { return nil }
    for (offset, letter) in "sep=".utf8.enumerated() {
      guard line[start + offset] | 0x20 == letter | 0x20 else { return nil }
    }
    let separator = line[start + 4]
    return separator == UInt8(ascii: "\"") || separator >= 0x80 ? nil : separator
  }
}

/// Buffers the beginning of a delimited text until its dialect is known.
///
/// ``CSVReader/push(_:after:namesColumns:)`` fills it, and then starts the reader at the header.
package struct CSVHead: Sendable {
  /// How many bytes are searched for the header.
  package static var mostBytes: Int { 1 << 20 }

  fileprivate let titleLines: Int
  fileprivate var bytes: [UInt8] = []
  /// How many of the bytes were searched the last time.
  fileprivate var searchedCount = 0
  /// The bytes of all searches.
  package fileprivate(set) var work = WorkCount()

  /// Creates a buffer; `titleLines` is how many lines may precede the header.
  package init(titleLines: Int = 0) { self.titleLines = titleLines }
}

extension CSVReader {
  /// Adds the next bytes of a text, which `head` keeps until the dialect is known.
  ///
  /// `namesColumns` tells whether the current record of a reader names the required columns.
  /// Returns whether the dialect is known, and this reader has all bytes so far.
  package mutating func push(
    _ chunk: Span<UInt8>, after head: inout CSVHead?, namesColumns: (borrowing CSVReader) -> Bool
  ) -> Bool {
    guard var begun = head.take() else {
      push(chunk)
      return true
    }
    begun.bytes.append(contentsOf: chunk)
    let isFull = begun.bytes.count >= CSVHead.mostBytes
    let hasLineEnd = chunk.firstIndex(of: 0x0A) != nil || chunk.firstIndex(of: 0x0D) != nil
    // Searched again when a sixteenth more has come, so that tiny pieces take no longer than large ones.
    let hasGrown = begun.bytes.count - begun.searchedCount >= begun.searchedCount / 16
    if isFull || hasLineEnd && hasGrown {
      begun.searchedCount = begun.bytes.count
      begun.work.add(begun.bytes.count)
      if begin(begun, isWhole: isFull, namesColumns) { return true }
    }
    head = begun
    return false
  }

  /// Ends a text whose beginning `head` may still have.
  package mutating func finish(
    after head: inout CSVHead?, namesColumns: (borrowing CSVReader) -> Bool
  ) {
    if let head = head.take() { _ = begin(head, isWhole: true, namesColumns) }
    finish()
  }

  /// Starts before the header of a text; false if its dialect needs more bytes.
  private mutating func begin(
    _ head: CSVHead, isWhole: Bool, _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> Bool {
    let bytes = ContiguousArray(head.bytes)
    let start = bytes.span.extracting(first: min(bytes.count, CSVHead.mostBytes))
    let dialect = CSVDialect.recognize(
      start, isWhole: isWhole, titleLines: head.titleLines, namesColumns: namesColumns)
    guard let dialect else { return false }
    self = CSVReader(separator: dialect.separator, firstLine: dialect.headerLine)
    headerIsComment =
      bytes[..<dialect.headerOffset].last { $0 != 0x20 } == UInt8(ascii: "#")
    push(bytes.span.extracting(dialect.headerOffset..<bytes.count))
    return true
  }
}
