import FencepostFormats

/// Tells which rows belong to a header that is a comment.
///
/// In logs of several records, such as `# GPS,time,lat,lon`, the header's first word begins each of
/// its rows. Elsewhere it names a column, and no row has it.
struct CSVRowKinds: Sendable {
  /// The header's first word, normalized; empty if every row counts.
  private let word: String
  private var isFound = false
  private var skippedCount = 0
  /// The first row with another word, before any with this.
  private var otherLine: Int?

  init(_ word: String = "") { self.word = word }

  /// How many rows belong to others, in a sentence; nil if none do.
  var notice: String? {
    let rows = skippedCount == 1 ? "1 row does" : "\(skippedCount) rows do"
    return skippedCount == 0
      ? nil : "\(rows) not begin with the header's first word, so Fencepost skipped them"
  }

  /// Whether the reader's record belongs to another header.
  ///
  /// - Throws: `DecodeError` if earlier rows were taken for fixes and belonged to others.
  mutating func skips(_ reader: borrowing CSVReader) throws(DecodeError) -> Bool {
    guard !word.isEmpty, !reader.beginsWithHash else { return false }
    let isOwn = reader.withTrimmedField(0) { cell in
      cell.count <= 64 && CSVColumnPrefix.normalized(String(utf8: cell)) == word
    }
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
}
