/// How a delimited text is written: what separates its columns, and where its header begins.
///
/// Columns are separated by commas, semicolons, tabs or `|`. A first line `sep=;`, as Excel writes and
/// reads it, names the separator, whatever it is. Lines in front of the header that begin with `#` are
/// comments; the last of them is the header where it names the columns and no line behind it does, as
/// NumPy and OpenTracks write it. Other marks of comments, such as `//` or `%`, are not known: hardly
/// any program writes them into tables, and each could begin a title.
public struct CSVDialect: Equatable, Sendable {
  /// The byte between fields.
  public var separator: UInt8
  /// The offset of the byte with which the header begins, behind its `#` if it has one.
  public var headerOffset: Int
  /// The line of the header, from 1.
  public var headerLine: Int
  /// Whether the header names the columns that were asked for; otherwise it is the first line that is
  /// no comment.
  public var namesColumns: Bool

  /// The separators that are told by the header, the likeliest first.
  public static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  /// Recognises a text by its first lines.
  ///
  /// - Parameters:
  ///   - text: The text from its first byte on, as far as it is there.
  ///   - isWhole: Whether no more of it is needed or to come.
  ///   - namesColumns: Takes a reader that stands at a record; returns whether that is a header which
  ///     names the columns that are needed.
  /// - Returns: The dialect; nil where more of the text is needed.
  /// - Complexity: O(n) up to the header's end.
  public static func recognise(
    _ text: Span<UInt8>, isWhole: Bool, namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    var lines = Lines(text, isWhole: isWhole)
    guard lines.skipByteOrderMark() else { return nil }
    var told: UInt8?
    var commented: CSVDialect?
    while true {
      switch lines.next(text) {
      case .open: return nil
      case .end:
        return commented
          ?? CSVDialect(
            separator: told ?? separators[0], headerOffset: text.count, headerLine: lines.number,
            namesColumns: false)
      case .line(let range):
        if told == nil, let separator = separator(toldBy: text.extracting(range)) {
          told = separator
        } else if text[range.lowerBound] == UInt8(ascii: "#") {
          let names = behindMark(range, of: text)
          commented =
            header(names, of: text, lines.number, told: told, namesColumns) ?? commented
        } else {
          return header(range, of: text, lines.number, told: told, namesColumns) ?? commented
            ?? CSVDialect(
              separator: told ?? commonest(in: text.extracting(range))[0],
              headerOffset: range.lowerBound, headerLine: lines.number, namesColumns: false)
        }
      }
    }
  }

  /// The dialect in which a line names the columns, nil where it does in none.
  private static func header(
    _ range: Range<Int>, of text: Span<UInt8>, _ number: Int, told: UInt8?,
    _ namesColumns: (borrowing CSVReader) -> Bool
  ) -> CSVDialect? {
    let line = text.extracting(range)
    for separator in told.map({ [$0] }) ?? commonest(in: line) {
      var reader = CSVReader(separator: separator)
      reader.push(line)
      reader.finish()
      // A damaged header is none.
      guard (try? reader.next()) == true, namesColumns(reader) else { continue }
      return CSVDialect(
        separator: separator, headerOffset: range.lowerBound, headerLine: number,
        namesColumns: true)
    }
    return nil
  }

  /// The separators, the one that a line has most outside of quotes first.
  private static func commonest(in line: Span<UInt8>) -> [UInt8] {
    var counts = [Int](repeating: 0, count: separators.count)
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let number = separators.firstIndex(of: line[index]) { counts[number] += 1 }
    }
    // Where two are equally frequent the order stays.
    return separators.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
      .map { separators[$0] }
  }

  /// The separator of a line `sep=;`, which may be quoted; nil of any other.
  private static func separator(toldBy line: Span<UInt8>) -> UInt8? {
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

  /// Where a comment's text begins.
  private static func behindMark(_ range: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, text[start] == UInt8(ascii: "#") || text[start] == 0x20 {
      start += 1
    }
    return start..<range.upperBound
  }
}

/// The lines of a text that are not blank, which end with LF, CR LF or CR.
private struct Lines {
  enum Line {
    /// Where the line stands, without its end.
    case line(Range<Int>)
    /// There is none any more.
    case end
    /// It is not whole yet.
    case open
  }

  /// The number of the line, from 1.
  private(set) var number = 0
  private var index = 0
  private let isWhole: Bool
  private let hasMark: Bool?

  init(_ text: Span<UInt8>, isWhole: Bool) {
    self.isWhole = isWhole
    var start: [UInt8] = []
    for index in 0..<min(text.count, ByteOrderMark.count) { start.append(text[index]) }
    hasMark = ByteOrderMark.begins(start, isWhole: isWhole)
  }

  /// Skips a byte order mark; false where it cannot be known yet whether there is one.
  mutating func skipByteOrderMark() -> Bool {
    if hasMark == true { index = ByteOrderMark.count }
    return hasMark != nil
  }

  mutating func next(_ text: Span<UInt8>) -> Line {
    while index < text.count {
      let start = index
      var end = start
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      // Behind a CR an LF may come that belongs to it.
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
