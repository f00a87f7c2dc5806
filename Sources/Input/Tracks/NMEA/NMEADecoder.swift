package import FencepostFixes
import FencepostFormats

/// Decodes NMEA 0183 from receivers and loggers.
///
/// RMC, GGA, GLL and GNS of any talker, u-blox's PUBX,00 and Trimble's PTNL,GGK give positions,
/// RMC and VTG speed and course, RMC, ZDA and PTNL,GGK the date, GST the accuracy. Everything else
/// is skipped, including other proprietary sentences and binary data. A sentence ends with its
/// checksum, at any line end or where the next one starts. One longer than ``sentenceLimit`` is
/// rejected. A `LogStamp` before a sentence dates the fixes of receivers that state no date.
///
/// - A sentence with a wrong checksum is rejected. One without a checksum is accepted if it has the
///   right number of fields and none of its kind has come with a correct checksum before.
/// - A rejected sentence has no effect.
/// - `NMEAEpoch` combines sentences into fixes; `NMEACalendar` dates them. The start of an epoch
///   appends the fix of the one before.
package struct NMEADecoder: FixDecoder, Sendable {
  /// The longest text between `$` and `*`, in bytes; the standard allows 79.
  package static var sentenceLimit: Int { 1024 }

  /// What a sentence's checksum shows.
  enum Checksum { case right, wrong, absent }

  /// The beginning of a sentence that the last chunk did not complete.
  private var carried: [UInt8] = []
  private var lastWasCarriageReturn = false
  var epoch = NMEAEpoch()
  var calendar: NMEACalendar
  /// Speed and course from a VTG that came before its epoch.
  var motion: (speedMetersPerSecond: Float, courseDegrees: Float)?
  /// The kinds that came with a right checksum, which they must then have.
  var checkedKinds: NMEAEpoch.Kinds = []
  /// The kinds seen in the current sixteen epochs, and in the sixteen before.
  var usualKinds: (current: NMEAEpoch.Kinds, former: NMEAEpoch.Kinds) = ([], [])
  /// How many epochs are in the current sixteen.
  var epochCount = 0
  /// Whether fixes at latitude and longitude 0 count.
  let keepsNullIsland: Bool
  /// Whether text before a sentence may hold the logger's time.
  private let readsStamps: Bool
  /// The start of what the line has before its sentence.
  var prefix: [UInt8] = []
  var stamps = LogStampReader()
  /// The log's time for the next position.
  var stamp: LogStamp?
  var dateNotes = DateNotes()
  /// The sentences until the first that is read for its position.
  var others: SentenceCounts? = SentenceCounts()

  /// Creates a decoder; `startDay` is the date of the first fix, in days since 1970, if known.
  ///
  /// Fixes at latitude and longitude 0 move no date unless they are kept. With `readsStamps`, a
  /// time before a sentence counts.
  package init(
    startDay: Int32? = nil, keepsNullIsland: Bool = false, readsStamps: Bool = false
  ) {
    calendar = NMEACalendar(startDay: startDay)
    self.keepsNullIsland = keepsNullIsland
    self.readsStamps = readsStamps
  }

  /// Decodes the sentences that the next bytes complete.
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

  /// Decodes a last sentence without an end, and appends the fixes that wait.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    let sentence = carried
    _ = read(sentence.span, isLast: true, into: &batch)
    closeEpoch(into: &batch)
    calendar.finish(into: &batch)
  }

  /// Warnings about dates, or which sentences came if none has a position.
  package var notices: [String] {
    if let others { return others.total > 0 ? [others.sentence] : [] }
    let sentence = calendar.lacksDate ? dateNotes.undatedSentence : dateNotes.sentence
    return sentence.map { [$0] } ?? []
  }

  /// The line that comes next, from 1.
  package private(set) var line = 1

  // MARK: Sentences

  /// Reads all complete sentences; returns where the first incomplete one starts.
  private mutating func read(
    _ bytes: Span<UInt8>, isLast: Bool, into batch: inout FixBatch
  ) -> Int {
    var index = 0
    while true {
      let keepsPrefix = readsStamps && calendar.takesStamps
      // AIS begins with an exclamation mark.
      while index < bytes.count, bytes[index] != UInt8(ascii: "$"),
        bytes[index] != UInt8(ascii: "!")
      {
        let byte = bytes[index]
        if byte == 0x0D || byte == 0x0A {
          // CR, LF and CR LF count as one line end each.
          if byte == 0x0D || !lastWasCarriageReturn { line += 1 }
          if !prefix.isEmpty { prefix.removeAll(keepingCapacity: true) }
        } else if keepsPrefix, prefix.count < LogStamp.mostBytes {
          prefix.append(byte)
        }
        lastWasCarriageReturn = byte == 0x0D
        index += 1
      }
      guard index < bytes.count else { return index }
      guard let end = readSentence(bytes, index + 1, isLast: isLast, into: &batch) else {
        return index
      }
      lastWasCarriageReturn = false
      if !prefix.isEmpty { prefix.removeAll(keepingCapacity: true) }
      index = end
    }
  }

  /// Reads a sentence whose text begins at `start`; returns its end, or nil if it is incomplete.
  private mutating func readSentence(
    _ bytes: Span<UInt8>, _ start: Int, isLast: Bool, into batch: inout FixBatch
  ) -> Int? {
    let isEncapsulated = bytes[start - 1] == UInt8(ascii: "!")
    let limit = min(bytes.count, start + Self.sentenceLimit + 1)
    let fields = NMEAFields(scanning: bytes.extracting(start..<limit))
    let end = start + fields.end
    if end == limit {
      if fields.end > Self.sentenceLimit {
        let text = bytes.extracting(start..<(limit - 1))
        if Self.hasAddress(text), !isEncapsulated { batch.reject(.tooLong, line: line) }
        return limit - 1
      }
      guard isLast else { return nil }
    }
    let text = bytes.extracting(start..<end)
    guard !isEncapsulated else {
      others?.add(text)
      return end
    }
    guard end < limit, bytes[end] == UInt8(ascii: "*") else {
      read(text, fields, checksum: .absent, line: line, into: &batch)
      return end
    }
    // A correct checksum has two digits; a wrong one may run into the next sentence.
    var behind = end + 1
    while behind < min(bytes.count, end + 3), !Self.isEnd(bytes[behind]) { behind += 1 }
    guard behind == end + 3 || behind < bytes.count || isLast else { return nil }
    let isRight =
      behind == end + 3 && Self.isChecksum(bytes[end + 1], bytes[end + 2], of: fields.sum)
    read(text, fields, checksum: isRight ? .right : .wrong, line: line, into: &batch)
    return behind
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == 0x0D || byte == 0x0A || byte == UInt8(ascii: "$")
  }

  /// Whether two hexadecimal digits are the checksum of a text.
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

  /// Whether text begins with a standard address: letters and digits, then a comma.
  static func hasAddress(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 6, let comma = text.firstIndex(of: UInt8(ascii: ",")), 4...8 ~= comma,
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[0]
    else { return false }
    return (0..<comma).allSatisfy {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[$0]
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[$0]
    }
  }

  // MARK: Live sources

  /// Appends the current epoch's fix early, for live sources that pause between epochs.
  ///
  /// Later sentences of that epoch do not change the fix. Unless `isForced`, waits for the kinds of
  /// sentences that recent epochs had.
  package mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let usual = usualKinds.current.union(usualKinds.former)
    guard epoch.position != nil, !epoch.isHandedOn,
      isForced || (!usual.isEmpty && epoch.kinds.isSuperset(of: usual))
    else { return }
    handOnEpoch(into: &batch)
    epoch.isHandedOn = true
  }

  /// Whether the current epoch's fix was appended early.
  package var isEpochHandedOn: Bool { epoch.isHandedOn }

  /// Whether a fix waits for the end of its epoch, or for a date.
  package var holdsPosition: Bool { epoch.position != nil || calendar.holdsFixes }

  /// Why fixes wait for a date; nil if none do.
  package var undatedReason: String? { calendar.holdsFixes ? dateNotes.liveReason : nil }

  /// Dates the fixes that wait by a clock, in milliseconds since 1970.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    calendar.assume(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}
