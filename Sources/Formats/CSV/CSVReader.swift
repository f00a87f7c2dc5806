/// Delimited text, such as comma-separated values (RFC 4180), read from chunks, record by record;
/// ``CSVDialect`` recognises the separator.
///
/// ```swift
/// var reader = CSVReader()
/// while try source.read(into: &chunk) {
///   reader.push(chunk.span)
///   while try reader.next() { use(reader.string(0)) }
/// }
/// reader.finish()
/// while try reader.next() { use(reader.string(0)) }
/// ```
///
/// Lines end with LF, CR LF or CR. A byte order mark and empty lines are skipped. In a field that does
/// not begin with a quote, quotes are ordinary characters. After an error the reader goes on with the
/// line after the fault.
package struct CSVReader: Sendable {
  /// The byte between fields.
  package let separator: UInt8
  /// The most bytes that one record may have.
  package let maximumRecordBytes: Int
  /// The line, from 1, where the current record begins.
  package private(set) var line = 1
  /// The row, from 1, that the current record has in a spreadsheet: line ends within quotes do not count.
  package private(set) var row = 1
  /// The bytes that ``fieldRange(_:)`` points into; valid until the next ``push(_:)``.
  package private(set) var bytes: [UInt8] = []

  /// The fields of the current record.
  @usableFromInline var fields: [Range<Int>] = []
  /// The indices of fields with doubled quotes.
  private var escapedFields: [Int] = []
  /// Where the record after the current one begins in `bytes`.
  private var position = 0
  /// Where the scan must end: the end of the bytes or the greatest length of a record.
  private var scanEnd = 0
  private var hasQuotes = false
  private var nextLine = 1
  /// How many line ends were within quotes.
  private var quotedLineEnds = 0
  private var isAtStart = true
  private var isFinished = false
  private var endedWithCR = false
  private var skipsToLineEnd = false

  /// Makes a reader at the first line.
  ///
  /// - Parameters:
  ///   - separator: The byte between fields.
  ///   - maximumRecordBytes: The most bytes of a record, so that an unclosed quote does not fill the
  ///     memory.
  ///   - firstLine: The line, from 1, of the first byte.
  package init(
    separator: UInt8 = UInt8(ascii: ","), maximumRecordBytes: Int = 1 << 20, firstLine: Int = 1
  ) {
    self.separator = separator
    self.maximumRecordBytes = maximumRecordBytes
    line = firstLine
    row = firstLine
    nextLine = firstLine
  }

  /// How many fields the current record has, at least 1.
  @inlinable
  package var fieldCount: Int { fields.count }

  /// Whether the current record begins with `#` outside quotes, as comments do.
  package var beginsWithHash: Bool {
    guard let start = fields.first?.first, bytes[start] == UInt8(ascii: "#") else { return false }
    return start == 0 || bytes[start - 1] != UInt8(ascii: "\"")
  }

  /// The range in ``bytes`` of a field of the current record, without its quotes.
  @inlinable
  package func fieldRange(_ index: Int) -> Range<Int> { fields[index] }

  /// A field of the current record as text; what is not UTF-8 becomes U+FFFD.
  package func string(_ index: Int) -> String {
    String(decoding: bytes[fieldRange(index)], as: UTF8.self)
  }

  /// Lends the bytes of a field of the current record to a closure.
  @inlinable
  package func withField<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = fieldRange(index)
    return try bytes.withSpan { bytes throws(Failure) in try body(bytes.extracting(range)) }
  }

  /// Adds bytes that follow those pushed before; there is no current record then.
  package mutating func push(_ chunk: Span<UInt8>) {
    bytes.removeFirst(position)
    position = 0
    fields.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: chunk)
  }

  /// Ends the text, so that a last record without a line end is complete.
  package mutating func finish() {
    isFinished = true
  }

  /// Goes to the next record.
  ///
  /// - Returns: False if more bytes are needed or, after ``finish()``, at the text's end.
  /// - Throws: ``CSVError``; the call after it goes on with the line after the fault.
  package mutating func next() throws(CSVError) -> Bool {
    guard skipByteOrderMark() else { return false }
    while skipLineFeed(), !skipsToLineEnd || skipLine() {
      line = nextLine
      row = nextLine - quotedLineEnds
      fields.removeAll(keepingCapacity: true)
      escapedFields.removeAll(keepingCapacity: true)
      hasQuotes = false
      scanEnd = min(bytes.count, position + maximumRecordBytes)
      guard let end = try scanRecord() else { return false }
      let isEmptyLine = end == position
      endRecord(at: end)
      if !isEmptyLine { return true }
    }
    return false
  }

  // MARK: Fields

  /// Finds the fields of the record at `position`.
  ///
  /// - Returns: The index of the record's line end, which may be the end of the bytes; nil if more bytes
  ///   are needed or none are left.
  private mutating func scanRecord() throws(CSVError) -> Int? {
    guard position < bytes.count else { return nil }
    var index = position
    while true {
      let end: Int
      if index < scanEnd, bytes[index] == UInt8(ascii: "\"") {
        guard let quotedEnd = try scanQuoted(index) else { return nil }
        end = quotedEnd
      } else {
        let range = index..<scanEnd
        end = bytes.withSpan { $0.firstFieldEnd(in: range, separator: separator) }
        fields.append(index..<end)
      }
      if end == scanEnd { return try endOfBytes(end, in: .recordTooLong, from: position) }
      if bytes[end] != separator { return end }
      index = end + 1
    }
  }

  /// Scans a field that begins with a quote; returns the index after the closing quote.
  private mutating func scanQuoted(_ start: Int) throws(CSVError) -> Int? {
    hasQuotes = true
    var end = start + 1
    var isEscaped = false
    while true {
      guard end < scanEnd else {
        guard try endOfBytes(end, in: .unclosedQuote, from: start) != nil else { return nil }
        throw abandon(.unclosedQuote, fieldStart: start, resume: start)
      }
      if bytes[end] == UInt8(ascii: "\"") {
        guard end + 1 < scanEnd, bytes[end + 1] == UInt8(ascii: "\"") else { break }
        isEscaped = true
        end += 1
      }
      end += 1
    }
    if isEscaped { escapedFields.append(fields.count) }
    fields.append((start + 1)..<end)
    end += 1
    if end < scanEnd, bytes[end] != separator, !isLineEnd(bytes[end]) {
      throw abandon(.textAfterQuote, fieldStart: start, resume: end)
    }
    return end
  }

  /// Handles the end of the bytes: the record is too long, is the last one, or nil: it is incomplete.
  private mutating func endOfBytes(
    _ index: Int, in reason: CSVError.Reason, from start: Int
  ) throws(CSVError) -> Int? {
    if index == position + maximumRecordBytes {
      throw abandon(reason, fieldStart: start, resume: start)
    }
    return isFinished ? index : nil
  }

  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  // MARK: Lines

  /// Unescapes the fields and passes the line end.
  private mutating func endRecord(at end: Int) {
    let quoted = hasQuotes ? lineEnds(in: position..<end) : 0
    quotedLineEnds += quoted
    nextLine += 1 + quoted
    for index in escapedFields { removeDoubledQuotes(ofField: index) }
    position = end
    passLineEnd()
  }

  private mutating func passLineEnd() {
    guard position < bytes.count else { return }
    endedWithCR = bytes[position] == UInt8(ascii: "\r")
    position += 1
  }

  /// Replaces each pair of quotes in a field by one, in place.
  private mutating func removeDoubledQuotes(ofField index: Int) {
    let range = fields[index]
    var write = range.lowerBound
    var read = range.lowerBound
    while read < range.upperBound {
      bytes[write] = bytes[read]
      write += 1
      read += bytes[read] == UInt8(ascii: "\"") ? 2 : 1
    }
    fields[index] = range.lowerBound..<write
  }

  /// Gives up the current record; the next call goes on with the next line.
  private mutating func abandon(
    _ reason: CSVError.Reason, fieldStart: Int, resume: Int
  ) -> CSVError {
    let error = CSVError(
      reason: reason, line: nextLine + lineEnds(in: position..<fieldStart))
    nextLine += lineEnds(in: position..<resume)
    position = resume
    skipsToLineEnd = true
    fields.removeAll(keepingCapacity: true)
    return error
  }

  /// Passes the next line end; false if it has not come yet.
  private mutating func skipLine() -> Bool {
    while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
    guard position < bytes.count else { return false }
    passLineEnd()
    nextLine += 1
    skipsToLineEnd = false
    return skipLineFeed()
  }

  /// Skips the LF of a CR LF; false if the byte after the CR has not come yet.
  private mutating func skipLineFeed() -> Bool {
    guard endedWithCR else { return true }
    guard position < bytes.count else { return false }
    if bytes[position] == UInt8(ascii: "\n") { position += 1 }
    endedWithCR = false
    return true
  }

  /// Skips a UTF-8 byte order mark; false if more bytes are needed to know.
  private mutating func skipByteOrderMark() -> Bool {
    guard isAtStart else { return true }
    guard let hasMark = bytes.withSpan({ ByteOrderMark.begins($0, isWhole: isFinished) }) else {
      return false
    }
    if hasMark { position = ByteOrderMark.count }
    isAtStart = false
    return true
  }

  /// How many lines end in a range of the bytes; CR LF is one end.
  private func lineEnds(in range: Range<Int>) -> Int {
    var count = 0
    var previous: UInt8 = 0
    for index in range {
      let byte = bytes[index]
      if isLineEnd(byte), byte != UInt8(ascii: "\n") || previous != UInt8(ascii: "\r") {
        count += 1
      }
      previous = byte
    }
    return count
  }
}
