/// The separator of a delimited text, and where its header begins.
///
/// Columns are separated by commas, semicolons, tabs or `|`; a first line `sep=;`, as Excel writes it, names
/// any separator. Lines before the header that begin with `#` are comments. If the last comment names the
/// columns and no line after it does, it is the header, as NumPy and OpenTracks write it. Other comment
/// marks, such as `//` or `%`, are rare in tables and could begin a title, so they are not recognised.
public struct CSVDialect: Equatable, Sendable {
  /// The byte between fields.
  public var separator: UInt8
  /// The offset of the header's first byte, after its `#` if it has one.
  public var headerOffset: Int
  /// The line of the header, from 1.
  public var headerLine: Int
  /// Whether the header names the required columns; otherwise it is the first line that is not a comment.
  public var namesColumns: Bool

  /// The separators that a header can reveal, the likeliest first.
  public static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  /// Recognises a text by its first lines.
  ///
  /// - Parameters:
  ///   - text: The text from its first byte on, or its beginning.
  ///   - isWhole: Whether to decide without more text.
  ///   - namesColumns: Whether a reader's current record is a header that names the required columns.
  /// - Returns: The dialect; nil if more of the text is needed.
  /// - Complexity: O(n) up to the header's end.
  public static func recognise(
    _ text: Span<UInt8>, isWhole: Bool, namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    guard var lines = Lines(text, isWhole: isWhole) else { return nil }
    var named: UInt8?
    var commented: CSVDialect?
    while true {
      switch lines.next(text) {
      case .open: return nil
      case .end:
        return commented
          ?? CSVDialect(
            separator: named ?? separators[0], headerOffset: text.count, headerLine: lines.number,
            namesColumns: false)
      case .line(let range):
        if named == nil, let separator = separator(namedBy: text.extracting(range)) {
          named = separator
        } else if text[range.lowerBound] == UInt8(ascii: "#") {
          let names = afterMark(range, of: text)
          commented =
            header(names, of: text, lines.number, named: named, namesColumns) ?? commented
        } else {
          return header(range, of: text, lines.number, named: named, namesColumns) ?? commented
            ?? CSVDialect(
              separator: named ?? commonest(in: text.extracting(range))[0],
              headerOffset: range.lowerBound, headerLine: lines.number, namesColumns: false)
        }
      }
    }
  }

  /// The dialect in which a line names the columns, or nil.
  private static func header(
    _ range: Range<Int>, of text: Span<UInt8>, _ number: Int, named: UInt8?,
    _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    let line = text.extracting(range)
    for separator in named.map({ [$0] }) ?? commonest(in: line) {
      var reader = CSVReader(separator: separator)
      reader.push(line)
      reader.finish()
      // A damaged line is not a header.
      guard (try? reader.next()) == true, namesColumns(reader) else { continue }
      return CSVDialect(
        separator: separator, headerOffset: range.lowerBound, headerLine: number,
        namesColumns: true)
    }
    return nil
  }

  /// The separators, the most frequent one in a line first; quoted text does not count.
  private static func commonest(in line: Span<UInt8>) -> [UInt8] {
    var counts = [Int](repeating: 0, count: separators.count)
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let number = separators.firstIndex(of: line[index]) { counts[number] += 1 }
    }
    // Equally frequent ones keep their order.
    return separators.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
      .map { separators[$0] }
  }

  /// The separator that a line `sep=;` names, which may be quoted; nil for other lines.
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

  /// The range of a comment's text.
  private static func afterMark(_ range: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, text[start] == UInt8(ascii: "#") || text[start] == 0x20 {
      start += 1
    }
    return start..<range.upperBound
  }
}

/// The lines of a text that are not blank; they end with LF, CR LF or CR.
private struct Lines {
  enum Line {
    /// The range of a line without its line end.
    case line(Range<Int>)
    /// The text has ended.
    case end
    /// The line is incomplete.
    case open
  }

  /// The number of the line, from 1.
  private(set) var number = 0
  private var index = 0
  private let isWhole: Bool

  /// Skips a byte order mark; nil if more bytes are needed to know whether there is one.
  init?(_ text: Span<UInt8>, isWhole: Bool) {
    guard let hasMark = ByteOrderMark.begins(text, isWhole: isWhole) else { return nil }
    self.isWhole = isWhole
    if hasMark { index = ByteOrderMark.count }
  }

  mutating func next(_ text: Span<UInt8>) -> Line {
    while index < text.count {
      let start = index
      var end = start
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      // An LF after a CR belongs to it.
      let isEnded = end < text.count && (text[end] == 0x0A || end + 1 < text.count)
      guard isEnded || isWhole else { return .open }
      index = end + 1
      if end + 1 < text.count, text[end] == 0x0D, text[end + 1] == 0x0A { index = end + 2 }
      number += 1
      for byte in start..<end where text[byte] > 0x20 { return .line(start..<end) }
    }
    return isWhole ? .end : .open
  }
}
