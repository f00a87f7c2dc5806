package import FencepostFixes
import FencepostFormats

/// Decodes what a receiver sends: NMEA 0183 sentences, gpsd's JSON reports, or both.
///
/// gpsd greets each client with a report, also one that asked for sentences only, so a source may
/// change from one to the other at any line. An object begins a line, or follows a logger's text if
/// it begins with `class`. Everything else goes to an ``NMEADecoder``. If several receivers send
/// positions, or one sends them in both forms, a ``ReceiverChoice`` follows one.
///
/// Of gpsd's reports only TPV contain fixes. A line of gpsd's that is not JSON is `malformed`.
package struct ReceiverDecoder: FixDecoder, Sendable {
  /// What the current line is: undecided, sentences, or an object.
  private enum Line { case open, sentences, object }

  /// The name of what sends sentences, among receivers, and below of reports without a device.
  private static var sentences: String { "the NMEA sentences" }
  private static var reports: String { "gpsd's reports" }
  /// How gpsd's objects begin, by which one is known behind a logger's text.
  private static let opening = Array(#"{"class""#.utf8)
  private static var mostObjectBytes: Int { 64 * 1024 }

  private var nmea: NMEADecoder
  private var reader = JSONFixReader(deviceMember: "device")
  /// The reports by the device that gpsd names.
  private var epochs: [(name: String, epoch: GpsdEpoch)] = []
  private var choice: ReceiverChoice
  /// Whether lines that are neither JSON nor sentences are rejected, until a sentence comes.
  private var rejectsNoise: Bool
  /// How many objects were read, of any class.
  private var reportCount = 0
  private var line = Line.open
  /// Whether more than blanks come before the object in its line.
  private var hasPrefix = false
  /// The bytes of the object that is not complete, and whether some were too many to keep.
  private var object: [UInt8] = []
  private var isObjectCut = false
  /// Where the object began, and how many bytes came before this chunk.
  private var objectOffset = 0
  private var offset = 0

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - startDay: The date of the first fix for sentences without one, in days since 1970.
  ///   - keepsNullIsland: Whether fixes at latitude and longitude 0 count.
  ///   - isGPSD: Whether the source began as gpsd's.
  ///   - receiver: The receiver that was followed before a restart.
  package init(
    startDay: Int32? = nil, keepsNullIsland: Bool = false, isGPSD: Bool = false,
    receiver: String? = nil
  ) {
    nmea = NMEADecoder(
      startDay: startDay, keepsNullIsland: keepsNullIsland, readsStamps: true)
    rejectsNoise = isGPSD
    choice = ReceiverChoice(followed: receiver)
  }

  /// Decodes the sentences and objects that the next bytes complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    defer { offset += bytes.count }
    // Most sources have no object.
    guard rejectsNoise || line == .object || bytes.firstIndex(of: UInt8(ascii: "{")) != nil else {
      try decodeSentences(bytes, into: &batch)
      return follow(bytes)
    }
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if line == .object {
        let end = Self.lineEnd(bytes, from: index)
        extendObject(bytes.extracting(index..<end))
        (start, index) = (end, end)
        if end < bytes.count { try endObject(into: &batch) }
      } else if Self.isEnd(byte) {
        if rejectsNoise {
          try decodeSentences(bytes.extracting(start..<index), into: &batch)
          start = index
          rejectNoise(into: &batch)
        }
        beginLine()
        index += 1
      } else if byte == UInt8(ascii: "{"), line == .open {
        try decodeSentences(bytes.extracting(start..<index), into: &batch)
        start = index
        line = .object
        objectOffset = offset + index
      } else {
        take(byte)
        index += 1
      }
    }
    try decodeSentences(bytes.extracting(start..<bytes.count), into: &batch)
  }

  /// Ends the last line and epochs, and leaves out receivers that were not followed.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    if line == .object { try endObject(into: &batch) } else { rejectNoise(into: &batch) }
    let start = batch.fixes.count
    try nmea.finish(into: &batch)
    choice.judge(&batch, from: start, of: Self.sentences)
    for index in epochs.indices {
      let start = batch.fixes.count
      epochs[index].epoch.close(into: &batch)
      choice.judge(&batch, from: start, of: epochs[index].name)
    }
    choice.finish()
  }

  // MARK: Lines

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The index of the next line end, or the number of bytes.
  private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    let feed = bytes.firstIndex(of: 0x0A, from: start) ?? bytes.count
    return bytes.extracting(start..<feed).firstIndex(of: 0x0D).map { start + $0 } ?? feed
  }

  /// Follows the lines of bytes without an object, to know how the last one begins.
  private mutating func follow(_ bytes: Span<UInt8>) {
    var start = bytes.count
    while start > 0, !Self.isEnd(bytes[start - 1]) { start -= 1 }
    if start > 0 { beginLine() }
    for index in start..<bytes.count {
      take(bytes[index])
      if line == .sentences { return }
    }
  }

  private mutating func beginLine() { (line, hasPrefix) = (.open, false) }

  private mutating func take(_ byte: UInt8) {
    if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") {
      line = .sentences
    } else if byte != 0x20, byte != 0x09 {
      hasPrefix = true
    }
  }

  /// Rejects a line that has neither an object nor a sentence.
  private mutating func rejectNoise(into batch: inout FixBatch) {
    if line == .sentences { rejectsNoise = false }
    guard rejectsNoise, hasPrefix, line == .open else { return }
    batch.reject(.malformed, line: nmea.line, detail: JSONFix.notAnObject)
  }

  /// Decodes text that is not an object, and keeps its fixes if the sentences are followed.
  private mutating func decodeSentences(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    let start = batch.fixes.count
    try nmea.decode(bytes, into: &batch)
    choice.judge(&batch, from: start, of: Self.sentences)
  }

  // MARK: Objects

  /// Adds bytes to the object as far as there is room.
  private mutating func extendObject(_ bytes: Span<UInt8>) {
    let room = Self.mostObjectBytes - object.count
    if bytes.count > room { isObjectCut = true }
    object.append(contentsOf: bytes.extracting(first: min(room, bytes.count)))
  }

  /// Reads the object as a report, or as sentences if it turns out not to be one.
  private mutating func endObject(into batch: inout FixBatch) throws(DecodeError) {
    // Moved out of `self`, since reading changes `self`.
    var object: [UInt8] = []
    swap(&object, &self.object)
    let isReport = hasPrefix ? object.starts(with: Self.opening) : Self.isObject(object)
    let isRead = isReport && read(object, into: &batch)
    if !isRead {
      // A connection that broke off leaves the next one's sentence in the same line.
      try decodeSentences(object.span, into: &batch)
      hasPrefix = !isReport
      line = object.contains(UInt8(ascii: "$")) ? .sentences : .open
      rejectNoise(into: &batch)
    }
    isObjectCut = false
    object.removeAll(keepingCapacity: true)
    swap(&object, &self.object)
    beginLine()
  }

  /// Whether a brace begins an object, and not a logger's text.
  private static func isObject(_ bytes: [UInt8]) -> Bool {
    let next = bytes.dropFirst().first { $0 != 0x20 && $0 != 0x09 }
    return next == UInt8(ascii: "\"") || next == UInt8(ascii: "}") || next == nil
  }

  /// Reads a report; false, with a rejection, if it is not JSON.
  private mutating func read(_ object: [UInt8], into batch: inout FixBatch) -> Bool {
    var report = JSONFix()
    let position = LinePosition(
      number: nmea.line, byteOffset: objectOffset, isCut: isObjectCut)
    guard reader.read(object.span, position, into: &report, rejecting: &batch) else { return false }
    reportCount += 1
    guard report.isReport == true else { return true }
    if let time = report.fix.timeMilliseconds { nmea.stamp = LogStamp(milliseconds: time) }
    let index = index(of: report.device ?? Self.reports)
    let start = batch.fixes.count
    epochs[index].epoch.add(report, line: position.number, into: &batch)
    choice.judge(&batch, from: start, of: epochs[index].name)
    return true
  }

  /// The index of a device's epoch, which is added if it is new.
  private mutating func index(of name: String) -> Int {
    if let index = epochs.firstIndex(where: { $0.name == name }) { return index }
    // As many as are told apart.
    guard epochs.count < ReceiverChoice.mostReceivers else { return epochs.count - 1 }
    epochs.append((name, GpsdEpoch()))
    return epochs.count - 1
  }

  // MARK: What the source has

  /// Which receiver was followed, or what came instead of positions.
  package var notices: [String] {
    guard choice.followed == nil, !holdsPosition else {
      let account = choice.account.map { [$0] } ?? []
      return followsSentences ? account + nmea.notices : account
    }
    let reports = reportCount == 1 ? "1 report" : "\(reportCount) reports"
    return (reportCount > 0 ? ["\(reports) of gpsd, none with a position"] : []) + nmea.notices
  }

  /// Whether a fix waits for the end of its epoch, or for a date.
  package var holdsPosition: Bool {
    nmea.holdsPosition || epochs.contains { $0.epoch.holdsPosition }
  }

  /// The receiver that is followed; nil if there is only one.
  package var receiver: String? { choice.sentence == nil ? nil : choice.followed }
  /// Which of several receivers is followed; nil if there is only one.
  package var receiverSentence: String? { choice.sentence }

  // MARK: Live sources

  /// Appends the fixes of epochs that seem complete, in sentences and in reports.
  package mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    var start = batch.fixes.count
    nmea.flush(isForced: isForced, into: &batch)
    choice.judge(&batch, from: start, of: Self.sentences)
    for index in epochs.indices {
      start = batch.fixes.count
      epochs[index].epoch.flush(isForced: isForced, into: &batch)
      choice.judge(&batch, from: start, of: epochs[index].name)
    }
  }

  /// Whether the fix of the followed receiver's epoch was appended early.
  package var isEpochHandedOn: Bool {
    epochs.first { $0.name == choice.followed }?.epoch.isHandedOn ?? nmea.isEpochHandedOn
  }

  /// Whether sentences may be part of the path.
  private var followsSentences: Bool {
    choice.followed == nil || choice.followed == Self.sentences
  }

  /// Why fixes of sentences wait for a date; those of reports never wait for one.
  package var undatedReason: String? { followsSentences ? nmea.undatedReason : nil }

  /// Dates the fixes of sentences that wait, by a clock in milliseconds since 1970.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    let start = batch.fixes.count
    nmea.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
    choice.judge(&batch, from: start, of: Self.sentences)
  }
}
