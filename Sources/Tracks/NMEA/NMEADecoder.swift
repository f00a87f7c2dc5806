/// Reads NMEA 0183 as receivers and loggers write it.
///
/// RMC, GGA, GLL and GNS of any talker give positions; RMC and VTG speed and course; RMC and ZDA the
/// date; GST the accuracy. Everything else is ignored, including proprietary sentences and binary
/// data between sentences. A sentence ends after its checksum, at a line end of any kind or where the
/// next one starts; one longer than ``sentenceLimit`` is rejected.
///
/// - A wrong checksum rejects a sentence. A sentence without a checksum is read if it has as many fields
///   as its kind must have, unless a sentence of that kind has come with a right checksum before.
/// - A rejected sentence changes nothing.
/// - `NMEAEpoch` defines how sentences become fixes, `NMEACalendar` how fixes get dates. An epoch's fix
///   is handed on when the next epoch starts.
public struct NMEADecoder: FixDecoder, Sendable {
  /// The most bytes of a sentence between its `$` and its `*`; the standard allows 79.
  public static var sentenceLimit: Int { 1024 }

  private var carried = CarriedBytes()
  private var line = 1
  private var lastWasCarriageReturn = false
  private var reader: NMEASentenceReader

  /// Makes a decoder.
  ///
  /// - Parameter startDay: The day of the first fix in days since 1970-01-01, for sources that state
  ///   none, or that are followed live and cannot wait for one.
  public init(startDay: Int32? = nil) {
    reader = NMEASentenceReader(startDay: startDay)
  }

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    // Moved out of `self`, since the closure changes `self`.
    var carried = CarriedBytes()
    swap(&carried, &self.carried)
    defer { swap(&carried, &self.carried) }
    // A sentence, the byte that would make it too long, and a checksum.
    try carried.feed(bytes, lookAhead: Self.sentenceLimit + 5) { bytes, goal in
      readSentences(bytes, goal: goal, isLast: false, into: &batch)
    }
  }

  /// Ends the source and appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    let rest = carried.removeAll()
    _ = readSentences(rest.span, goal: rest.count, isLast: true, into: &batch)
    reader.finish(into: &batch)
  }

  // MARK: Live sources

  /// Appends the fix of the current epoch before the next begins, for live sources that pause between
  /// epochs.
  ///
  /// Later sentences of the same epoch do not change the fix.
  /// - Parameters:
  ///   - isForced: Whether to append it even if sentences that recent epochs had are missing.
  ///   - batch: Receives the fix.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    reader.flush(isForced: isForced, into: &batch)
  }

  /// Whether the current epoch's fix was appended by ``flush(isForced:into:)``.
  public var isEpochHandedOn: Bool { reader.epoch.isHandedOn }

  /// Whether fixes are held back because no date is known yet.
  public var holdsUndatedFixes: Bool { reader.calendar.holdsFixes }

  /// Dates the fixes held back by a clock, in milliseconds since 1970; a later date from the receiver takes
  /// precedence.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    reader.calendar.assume(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}

// MARK: Framing

extension NMEADecoder {
  /// Reads all sentences that begin before a goal.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that follow those already read.
  ///   - goal: No sentence is begun at or after this index.
  ///   - isLast: Whether no bytes follow, so that the last sentence ends with them.
  ///   - batch: Receives fixes and rejections.
  /// - Returns: How many bytes were read; the rest is an incomplete sentence.
  private mutating func readSentences(
    _ bytes: Span<UInt8>, goal: Int, isLast: Bool, into batch: inout FixBatch
  ) -> Int {
    ByteCursor.reading(bytes) { cursor in
      while findSentence(&cursor), cursor.index < goal {
        guard readSentence(&cursor, isLast: isLast, into: &batch) else { break }
      }
      return cursor.index
    }
  }

  /// Moves to the next `$` and counts lines on the way; false, at the end, if there is none.
  private mutating func findSentence(_ cursor: inout ByteCursor) -> Bool {
    while !cursor.isAtEnd {
      switch cursor.next {
      case UInt8(ascii: "$"):
        lastWasCarriageReturn = false
        return true
      case UInt8(ascii: "\n"):
        if !lastWasCarriageReturn { line += 1 }
        lastWasCarriageReturn = false
      case UInt8(ascii: "\r"):
        line += 1
        lastWasCarriageReturn = true
      default:
        lastWasCarriageReturn = false
      }
      cursor.index += 1
    }
    return false
  }

  /// Reads the sentence whose `$` is next; false, without moving, if it is incomplete.
  private mutating func readSentence(
    _ cursor: inout ByteCursor, isLast: Bool, into batch: inout FixBatch
  ) -> Bool {
    let start = cursor.index + 1
    let (end, folded) = Self.scanText(cursor, from: start)
    guard end - start <= Self.sentenceLimit else {
      cursor.index = start + Self.sentenceLimit
      reader.rejectLong(cursor.part(start..<cursor.index), line: line, into: &batch)
      return true
    }
    var checksum = NMEASentenceReader.Checksum.absent
    var next = end
    if cursor[end] == UInt8(ascii: "*") {
      next = end + 3
      let isRight =
        next <= cursor.count && Self.isDigit(cursor[end + 1], of: folded >> 4)
        && Self.isDigit(cursor[end + 2], of: folded & 0xF)
      checksum = isRight ? .right : .wrong
      if !isRight {
        // A byte that ends a text may begin the next sentence.
        next = end + 1
        while next < min(end + 3, cursor.count), !Self.endsText(cursor[next]) { next += 1 }
      }
    }
    let isWhole = next < cursor.count || next == end + 3
    guard isWhole || isLast else { return false }
    cursor.index = next
    reader.read(cursor.part(start..<end), checksum: checksum, line: line, into: &batch)
    return true
  }

  /// Finds the end of a sentence's text.
  ///
  /// - Returns: The index of the byte that ends it, of the end of the bytes, or of a byte past
  ///   ``sentenceLimit``, whichever comes first; and the exclusive or of the text's bytes.
  private static func scanText(
    _ cursor: ByteCursor, from start: Int
  ) -> (end: Int, folded: UInt8) {
    let last = min(cursor.count, start + sentenceLimit + 1)
    var index = start
    var lanes: UInt64 = 0
    while index &+ 16 <= last {
      let (first, second) = (cursor.wholeWord(at: index), cursor.wholeWord(at: index &+ 8))
      guard mayEndText(first) | mayEndText(second) == 0 else { break }
      lanes ^= first ^ second
      index &+= 16
    }
    while index &+ 8 <= last {
      let word = cursor.wholeWord(at: index)
      let length = mayEndText(word).trailingZeroBitCount >> 3
      guard length < 8 else {
        lanes ^= word
        index &+= 8
        continue
      }
      lanes ^= word & ((1 &<< UInt64(8 &* length)) &- 1)
      index &+= length
      if endsText(cursor[index]) { return (index, folded(lanes)) }
      lanes ^= UInt64(cursor[index])
      index &+= 1
    }
    while index < last, !endsText(cursor[index]) {
      lanes ^= UInt64(cursor[index])
      index &+= 1
    }
    return (index, folded(lanes))
  }

  /// Marks, by their high bits, which of eight bytes may end a text: those whose low seven bits are below
  /// `+`, so blanks and some bytes beyond ASCII too.
  private static func mayEndText(_ word: UInt64) -> UInt64 {
    // Adding 0x55 leaves the high bit of such a byte 0.
    ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x5555_5555_5555_5555) & 0x8080_8080_8080_8080
  }

  /// The exclusive or of eight bytes.
  private static func folded(_ lanes: UInt64) -> UInt8 {
    var lanes = lanes ^ lanes >> 32
    lanes ^= lanes >> 16
    return UInt8(truncatingIfNeeded: lanes ^ lanes >> 8)
  }

  private static func endsText(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "$")
  }

  /// Whether a byte is the hexadecimal digit of 0 … 15, in either case.
  ///
  /// It does not branch on the digit, which the processor could not predict.
  private static func isDigit(_ byte: UInt8, of value: UInt8) -> Bool {
    let isLetter = (value &+ 6) >> 4
    let digit = value &+ 0x30 &+ 7 &* isLetter
    return byte == digit || byte == digit | 0x20
  }
}
