/// Reads delimited text such as CSV (RFC 4180) from chunks, one record at a time.
///
/// ``CSVDialect`` detects the separator.
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
/// Lines end with LF, CR LF or CR. The reader skips a byte order mark and empty lines. Quotes
/// inside an unquoted field are ordinary characters. After an error, reading resumes on the next
/// line.
@usableFromInline
package struct CSVReader: Sendable {
  /// The byte between two fields.
  package let separator: UInt8
  /// The longest record allowed, in bytes.
  package let maximumRecordBytes: Int
  /// The line, from 1, where the current record begins.
  package private(set) var line = 1
  /// The current record's row in a spreadsheet, from 1; line ends within quotes do not count.
  package private(set) var row = 1
  /// Whether the header is the last of the comments before the rows.
  package internal(set) var headerIsComment = false
  /// The bytes that ``fieldRange(_:)`` refers to; valid until the next ``push(_:)``.
  @usableFromInline package private(set) var bytes: [UInt8] = []

  @usableFromInline var fields: [Range<Int>] = []
  /// Fields that contain doubled quotes.
  private var escapedFields: [Int] = []
  /// The start of the next record in `bytes`.
  private var position = 0
  /// Where the scan must stop: at the end of `bytes` or at the size limit.
  private var scanEnd = 0
  private var hasQuotes = false
  private var nextLine = 1
  /// Line ends within quotes so far.
  private var quotedLineEnds = 0
  private var isAtStart = true
  private var isFinished = false
  private var endedWithCR = false
  private var skipsToLineEnd = false
  /// Where the scan of an incomplete record goes on, so that tiny pieces are not scanned again.
  private var openField: OpenField?
  /// The bytes of all scans that found no end of a record.
  package private(set) var work = WorkCount()

  /// The field at which the bytes ended; offsets are from the start of its record.
  private struct OpenField {
    var start = 0
    var scanned = 0
    var isEscaped = false
  }

  /// Creates a reader; `firstLine` is the line number of the first byte.
  package init(
    separator: UInt8 = UInt8(ascii: ","), maximumRecordBytes: Int = 1 << 20, firstLine: Int = 1
  ) {
    self.separator = separator
    self.maximumRecordBytes = maximumRecordBytes
    line = firstLine
    row = firstLine
    nextLine = firstLine
  }

  /// The number of fields in the current record, at least 1.
  @inlinable
  package var fieldCount: Int { fields.count }

  /// Whether the current record begins with an unquoted `#`, like a comment.
  @inlinable
  package var beginsWithHash: Bool {
    guard let start = fields.first?.first, bytes[start] == UInt8(ascii: "#") else { return false }
    return start == 0 || bytes[start - 1] != UInt8(ascii: "\"")
  }

  /// The range of a field in ``bytes``, without its quotes.
  @inlinable
  package func fieldRange(_ index: Int) -> Range<Int> { fields[index] }

  /// A field's text; invalid UTF-8 becomes U+FFFD.
  package func string(_ index: Int) -> String {
    String(decoding: bytes[fieldRange(index)], as: UTF8.self)
  }

  /// Lends a field's bytes to a closure.
  @inlinable
  package func withField<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = fieldRange(index)
    return try bytes.withSpan { bytes throws(Failure) in try body(bytes.extracting(range)) }
  }

  /// Adds the next bytes of the text and clears the current record.
  package mutating func push(_ chunk: Span<UInt8>) {
    if openField == nil { fields.removeAll(keepingCapacity: true) }
    if position > 0 {
      for index in fields.indices {
        fields[index] =
          (fields[index].lowerBound - position)..<(fields[index].upperBound - position)
      }
      bytes.removeFirst(position)
      position = 0
    }
    bytes.append(contentsOf: chunk)
  }

  /// Ends the text, so that a last record without a line end is complete.
  package mutating func finish() { isFinished = true }

  /// Advances to the next record.
  ///
  /// - Returns: False if more bytes are needed or, after ``finish()``, at the end.
  /// - Throws: ``CSVError``. Call again to resume on the next line.
  package mutating func next() throws(CSVError) -> Bool {
    if isAtStart {
      let mark = bytes.withSpan { ByteOrderMark.length(in: $0, isWhole: isFinished) }
      guard let mark else { return false }
      (position, isAtStart) = (mark, false)
    }
    while skipLineFeed(), !skipsToLineEnd || skipLine() {
      line = nextLine
      row = nextLine - quotedLineEnds
      if openField == nil {
        fields.removeAll(keepingCapacity: true)
        escapedFields.removeAll(keepingCapacity: true)
        hasQuotes = false
      }
      scanEnd = min(bytes.count, position + maximumRecordBytes)
      guard let end = try scanRecord() else { return false }
      let isEmptyLine = end == position
      let quoted = hasQuotes ? lineEnds(in: position..<end) : 0
      quotedLineEnds += quoted
      nextLine += 1 + quoted
      for index in escapedFields { removeDoubledQuotes(ofField: index) }
      position = end
      passLineEnd()
      if !isEmptyLine { return true }
    }
    return false
  }

  // MARK: Fields

  /// Finds the fields of the record at `position`.
  ///
  /// - Returns: The index of the record's line end or of the end of the text; nil if more bytes are
  ///   needed or none are left.
  private mutating func scanRecord() throws(CSVError) -> Int? {
    guard position < bytes.count else { return nil }
    var field = openField.take() ?? OpenField()
    let first = position + field.scanned
    while true {
      let start = position + field.start
      let end: Int
      if start < scanEnd, bytes[start] == UInt8(ascii: "\"") {
        guard let quotedEnd = try scanQuoted(start, &field) else {
          work.add(scanEnd - first)
          openField = field
          return nil
        }
        end = quotedEnd
      } else {
        let range = (position + field.scanned)..<scanEnd
        end = bytes.withSpan { $0.firstFieldEnd(in: range, separator: separator) }
        fields.append(start..<end)
        field.scanned = end - position
      }
      if end == scanEnd {
        if let end = try endOfBytes(end, in: .recordTooLong, from: position) { return end }
        // The next bytes may belong to this field.
        fields.removeLast()
        if escapedFields.last == fields.count { escapedFields.removeLast() }
        work.add(scanEnd - first)
        openField = field
        return nil
      }
      if bytes[end] != separator { return end }
      field = OpenField(start: end + 1 - position, scanned: end + 1 - position)
    }
  }

  /// Scans a quoted field; returns the index after the closing quote.
  private mutating func scanQuoted(
    _ start: Int, _ field: inout OpenField
  ) throws(CSVError) -> Int? {
    hasQuotes = true
    var end = max(start + 1, position + field.scanned)
    var isEscaped = field.isEscaped
    // A quote at the end of the bytes closes the field only if no other follows.
    defer { (field.scanned, field.isEscaped) = (end - position, isEscaped) }
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
    let next = end + 1
    if next < scanEnd, bytes[next] != separator, !isLineEnd(bytes[next]) {
      throw abandon(.textAfterQuote, fieldStart: start, resume: next)
    }
    return next
  }

  /// Handles the end of the scan: fails if the record is too long; nil if more bytes are needed.
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

  private mutating func passLineEnd() {
    guard position < bytes.count else { return }
    endedWithCR = bytes[position] == UInt8(ascii: "\r")
    position += 1
  }

  /// Collapses doubled quotes in place.
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

  /// Drops the current record, so that the next call resumes on the next line.
  private mutating func abandon(
    _ reason: CSVError.Reason, fieldStart: Int, resume: Int
  ) -> CSVError {
    let error = CSVError(reason: reason, line: nextLine + lineEnds(in: position..<fieldStart))
    nextLine += lineEnds(in: position..<resume)
    position = resume
    skipsToLineEnd = true
    fields.removeAll(keepingCapacity: true)
    return error
  }

  /// Skips the rest of the line; false if its end is not in the buffer yet.
  private mutating func skipLine() -> Bool {
    while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
    guard position < bytes.count else { return false }
    passLineEnd()
    nextLine += 1
    skipsToLineEnd = false
    return skipLineFeed()
  }

  /// Skips the LF of a CR LF; false if the byte after the CR is not in the buffer yet.
  private mutating func skipLineFeed() -> Bool {
    guard endedWithCR else { return true }
    guard position < bytes.count else { return false }
    if bytes[position] == UInt8(ascii: "\n") { position += 1 }
    endedWithCR = false
    return true
  }

  /// Counts line ends in a range; CR LF counts once.
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

extension Span<UInt8> {
  /// Returns the index of the first separator or line end, or the end of the range.
  ///
  /// - Complexity: O(n), eight bytes per step.
  package func firstFieldEnd(in range: Range<Int>, separator: UInt8) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Sets the top bit of each zero byte. Bits above the lowest zero byte may be wrong.
    func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones << 7) }
    var index = range.lowerBound
    // Any eight bytes form a valid integer, and the loop stays within the range.
    let bytes = unsafe self.bytes
    while index + 8 <= range.upperBound {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let ends =
        zeroBytes(word ^ ones &* UInt64(separator)) | zeroBytes(word ^ ones &* 0x0A)
        | zeroBytes(word ^ ones &* 0x0D)
      if ends != 0 { return index + ends.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound {
      let byte = self[index]
      if byte == separator || byte == 0x0A || byte == 0x0D { return index }
      index += 1
    }
    return index
  }
}

/// A syntax error in delimited text.
///
/// The reader can continue on the next line.
package struct CSVError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  package enum Reason: String, Equatable, Sendable {
    /// A quoted field does not end, or is longer than a record may be.
    case unclosedQuote
    /// A closing quote is followed by something other than a separator or a line end.
    case textAfterQuote
    /// A record is longer than ``CSVReader/maximumRecordBytes``.
    case recordTooLong
  }

  /// What is wrong with the text.
  package var reason: Reason
  /// The line, from 1, where the faulty field begins.
  package var line: Int

  /// The line and the problem, without a final period.
  package var description: String {
    switch reason {
    case .unclosedQuote: "line \(line): the quote that opens here is not closed"
    case .textAfterQuote: "line \(line): text follows a closing quote"
    case .recordTooLong: "line \(line): the record is too long"
    }
  }
}
