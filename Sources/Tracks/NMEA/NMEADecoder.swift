package import FencepostFixes
import FencepostFormats

/// Reads NMEA 0183 as receivers and loggers write it.
///
/// RMC, GGA, GLL and GNS of any talker give positions, RMC and VTG speed and course, RMC and ZDA the date, GST the
/// accuracy. Everything else is skipped, also proprietary sentences and binary data between sentences. A
/// sentence ends with its checksum, at a line end of any kind or where the next one starts; one longer than
/// ``sentenceLimit`` is rejected.
///
/// - A wrong checksum rejects a sentence. One without a checksum is read if it has as many fields as its kind must
///   have, unless the source has given a right checksum for that kind before.
/// - A sentence that is not good leaves nothing behind.
/// - `NMEAEpoch` says how sentences become fixes, `NMEACalendar` how fixes get dates. An epoch is handed on when the
///   next one starts.
package struct NMEADecoder: FixDecoder, Sendable {
  /// The most bytes of a sentence between its `$` and its `*`; the standard asks for 79.
  package static var sentenceLimit: Int { 1024 }

  /// What the two digits behind a sentence said.
  enum Checksum {
    case right, wrong, absent
  }

  /// A sentence from its `$` on whose end is still to come.
  private var carried: [UInt8] = []
  private var line = 1
  private var lastWasCarriageReturn = false
  var epoch = NMEAEpoch()
  var calendar: NMEACalendar
  /// Speed and course of a VTG that came before its epoch.
  var motion: (speedMetersPerSecond: Float, courseDegrees: Float)?
  /// The kinds that have come with a right checksum.
  var checkedKinds: NMEAEpoch.Kinds = []
  /// The kinds that the last epochs had: of the current sixteen, and of the sixteen before.
  var usualKinds: (current: NMEAEpoch.Kinds, former: NMEAEpoch.Kinds) = ([], [])
  var epochCount = 0

  /// Makes a decoder.
  ///
  /// - Parameter startDay: The day of the first fix in days since 1970-01-01, for sources that state none, or that
  ///   are followed live and cannot wait for it.
  package init(startDay: Int32? = nil) { calendar = NMEACalendar(startDay: startDay) }

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    var start = 0
    if !carried.isEmpty {
      // Moved out of `self`, since reading changes `self`.
      var sentence: [UInt8] = []
      swap(&sentence, &carried)
      let count = sentence.count
      // Enough for the longest sentence with its checksum.
      sentence.append(contentsOf: bytes.extracting(first: min(bytes.count, Self.sentenceLimit + 4)))
      let end = read(sentence.span, isLast: false, into: &batch)
      guard end >= count else { return carried = sentence }
      start = end - count
    }
    let rest = bytes.extracting(start..<bytes.count)
    let end = read(rest, isLast: false, into: &batch)
    carried.append(contentsOf: rest.extracting(end..<rest.count))
  }

  /// Ends the source and appends what was still held back to `batch`.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    let sentence = carried
    _ = read(sentence.span, isLast: true, into: &batch)
    closeEpoch(into: &batch)
    calendar.finish(into: &batch)
  }

  // MARK: Sentences

  /// Reads all sentences that are complete.
  ///
  /// - Returns: Where the first sentence starts that is not.
  private mutating func read(
    _ bytes: Span<UInt8>, isLast: Bool, into batch: inout FixBatch
  ) -> Int {
    var index = 0
    while true {
      while index < bytes.count, bytes[index] != UInt8(ascii: "$") {
        countLine(bytes[index])
        index += 1
      }
      guard index < bytes.count else { return index }
      guard let end = readSentence(bytes, index + 1, isLast: isLast, into: &batch) else {
        return index
      }
      lastWasCarriageReturn = false
      index = end
    }
  }

  /// Reads the sentence whose text starts at an index; returns where it ends, nil if that is still to come.
  private mutating func readSentence(
    _ bytes: Span<UInt8>, _ start: Int, isLast: Bool, into batch: inout FixBatch
  ) -> Int? {
    let limit = min(bytes.count, start + Self.sentenceLimit + 1)
    let fields = NMEAFields(scanning: bytes.extracting(start..<limit))
    let end = start + fields.end
    if end == limit {
      if fields.end > Self.sentenceLimit {
        let text = bytes.extracting(start..<(limit - 1))
        if Self.hasAddress(text) { batch.reject(.tooLong, line: line) }
        return limit - 1
      }
      guard isLast else { return nil }
    }
    let text = bytes.extracting(start..<end)
    guard end < limit, bytes[end] == UInt8(ascii: "*") else {
      read(text, fields, checksum: .absent, line: line, into: &batch)
      return end
    }
    // A right checksum has two digits; of a wrong one the next sentence may be part.
    var behind = end + 1
    while behind < min(bytes.count, end + 3), !Self.isEnd(bytes[behind]) { behind += 1 }
    guard behind == end + 3 || behind < bytes.count || isLast else { return nil }
    let isRight =
      behind == end + 3 && Self.isChecksum(bytes[end + 1], bytes[end + 2], of: fields.sum)
    read(text, fields, checksum: isRight ? .right : .wrong, line: line, into: &batch)
    return behind
  }

  /// Whether a byte ends the text of a sentence.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == 0x0D || byte == 0x0A || byte == UInt8(ascii: "$")
  }

  private static func isChecksum(_ high: UInt8, _ low: UInt8, of sum: UInt8) -> Bool {
    func value(_ digit: UInt8) -> UInt8 {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x41...0x46, 0x61...0x66: (digit | 0x20) - 0x57
      default: .max
      }
    }
    return value(high) == sum >> 4 && value(low) == sum & 0xF
  }

  /// Counts a line end of any kind.
  private mutating func countLine(_ byte: UInt8) {
    if byte == 0x0D || byte == 0x0A && !lastWasCarriageReturn { line += 1 }
    lastWasCarriageReturn = byte == 0x0D
  }

  /// Whether a text begins with an address as the standard forms it: letters and digits, then a comma.
  static func hasAddress(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 6, let comma = text.firstIndex(of: UInt8(ascii: ",")), 4...8 ~= comma,
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[0]
    else { return false }
    return (0..<comma).allSatisfy {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[$0]
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[$0]
    }
  }
}

// MARK: Live sources

extension NMEADecoder {
  /// Appends the fix of the current epoch before the next begins, for live sources that pause between epochs.
  ///
  /// Later sentences of the same moment do not change the fix.
  ///
  /// - Parameters:
  ///   - isForced: Whether to append it even if sentences are missing that recent epochs had.
  ///   - batch: Receives the fix.
  package mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let usual = usualKinds.current.union(usualKinds.former)
    guard epoch.hasPosition, !epoch.isHandedOn,
      isForced || (!usual.isEmpty && epoch.kinds.isSuperset(of: usual))
    else { return }
    handOnEpoch(into: &batch)
    epoch.isHandedOn = true
  }

  /// Whether the current epoch's fix was appended by ``flush(isForced:into:)``.
  package var isEpochHandedOn: Bool { epoch.isHandedOn }

  /// Whether fixes are held back because no date is known yet.
  package var holdsUndatedFixes: Bool { calendar.holdsFixes }

  /// Dates the fixes held back by a clock, in milliseconds since 1970; a later date in the source takes
  /// precedence.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    calendar.assume(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}
