import FencepostFormats

/// Tells which rows belong to a header that is a comment.
///
/// In logs of several records, such as `# GPS,time,lat,lon`, the header's first word begins each of
/// its rows. Elsewhere it names a column, and no row has it.
struct CSVRowKinds: Sendable {
  /// The header's first word, normalized; empty if every row counts.
  private let word: String
  /// Whether a row with the word has come.
  private var isFound = false
  private var skippedCount = 0
  /// The first row with another word, before any with this.
  private var otherLine: Int?
  /// The last first cells with the word and with another, because most rows repeat one of them.
  private var own: [UInt8] = []
  private var other: [UInt8] = []

  /// Tells rows by the normalized first word of a header; without it, every row counts.
  init(_ word: String = "") { self.word = word }

  /// How many rows belong to others, in a sentence; nil if none do.
  var notice: String? {
    switch skippedCount {
    case 0: nil
    case 1: "1 row does not begin with the header's first word, so Fencepost skipped it"
    default:
      "\(skippedCount) rows do not begin with the header's first word, so Fencepost skipped them"
    }
  }

  /// Whether the reader's record belongs to another header.
  ///
  /// - Throws: `DecodeError` if earlier rows were taken for fixes and belonged to others.
  // Inlined up to here, because most tables have one kind, and a call would copy the reader.
  @inline(__always)
  mutating func skips(_ reader: borrowing CSVReader) throws(DecodeError) -> Bool {
    word.isEmpty ? false : try skipsOther(reader)
  }

  /// Decides on a row by its first cell, once a word tells the rows apart.
  private mutating func skipsOther(_ reader: borrowing CSVReader) throws(DecodeError) -> Bool {
    let isOwn = reader.withTrimmedField(0) { self.isOwn($0) }
    // Another comment, such as the header of other records.
    if reader.beginsWithHash { return !isOwn }
    guard isOwn else {
      if !isFound, otherLine == nil { otherLine = reader.line }
      if isFound { skippedCount += 1 }
      return isFound
    }
    isFound = true
    guard let otherLine else { return false }
    let name = XMLField.quoted(reader.bytes.span.extracting(reader.fieldRange(0)))
    throw DecodeError(
      "the header belongs to the rows that begin with \(name), but line \(otherLine) begins "
        + "with something else; keep only the rows of the header", line: reader.line)
  }

  private mutating func isOwn(_ cell: Span<UInt8>) -> Bool {
    if cell.isEmpty || cell.equals(other) { return false }
    if cell.equals(own) { return true }
    guard cell.count <= 64 else { return false }
    let text = String(utf8: cell)
    let isOwn = CSVColumnPrefix.normalized(text) == word
    if isOwn { own = Array(text.utf8) } else { other = Array(text.utf8) }
    return isOwn
  }
}
