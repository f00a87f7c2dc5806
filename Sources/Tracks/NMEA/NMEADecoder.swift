public import FencepostFixes

/// Reads NMEA 0183 as receivers and loggers write it.
///
/// RMC, GGA, GLL and GNS of any talker give positions, RMC and VTG speed and course, RMC and ZDA the
/// date, GST the accuracy. Everything else, proprietary sentences and binary data between sentences
/// among it, is passed over. A sentence ends behind its checksum, at a line end of any kind or where
/// the next one starts; one longer than ``sentenceLimit`` is rejected.
///
/// - A wrong checksum rejects a sentence. One without a checksum is read if it has as many fields as
///   its kind must have, and unless the source has given a right checksum for that kind before.
/// - A sentence that is not good leaves nothing behind.
/// - `NMEAEpoch` says how sentences become fixes, `NMEACalendar` how fixes get dates. An epoch
///   is handed on when the next one starts.
public struct NMEADecoder: FixDecoder, Sendable {
  /// The most bytes of a sentence between its `$` and its `*`; the standard asks for 79.
  public static var sentenceLimit: Int { 1024 }

  /// Bytes of a sentence that more than one chunk holds, and room to read on behind them.
  private var carried: [UInt8]
  private var carriedCount = 0
  private var checksumHigh: UInt8 = 0
  private var phase = Phase.between
  private var line = 1
  private var lastWasCarriageReturn = false
  private var reader: NMEASentenceReader

  private enum Phase {
    /// Between sentences.
    case between
    /// Behind a `$`.
    case text
    /// Behind the `*`.
    case checksum
    /// Behind the first digit of the checksum.
    case checksumDigit
  }

  /// Makes a decoder.
  ///
  /// - Parameter startDay: The day of the first fix in days since 1970-01-01, for sources that
  ///   tell none, or that are followed live and must not wait for it.
  public init(startDay: Int32? = nil) {
    carried = [UInt8](
      repeating: 0, count: Self.sentenceLimit + NMEAFieldReader.slackBytes)
    reader = NMEASentenceReader(startDay: startDay)
  }

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    // What reads by address below is told how much there is behind it, and leaves the rest to the
    // loop.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      var index = 0
      while index < buffer.count {
        if phase == .between {
          unsafe decodeWhole(start, &index, buffer.count, into: &batch)
        }
        guard index < buffer.count else { break }
        unsafe decodeByte(buffer[index], into: &batch)
        index += 1
      }
    }
  }

  /// Hands on the fix of the epoch at hand although the next has not begun.
  ///
  /// For live sources that pause between epochs. What else is told of the same moment changes the
  /// fix no more.
  /// - Parameters:
  ///   - isForced: Also where sentences that recent epochs had are still missing.
  ///   - batch: Receives the fix.
  public mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    reader.flush(isForced: isForced, into: &batch)
  }

  /// Whether the epoch at hand was handed on by ``flush(isForced:into:)``.
  public var isEpochHandedOn: Bool { reader.isEpochHandedOn }

  /// Whether fixes are held because no date was told yet.
  public var holdsUndatedFixes: Bool { reader.holdsUndatedFixes }

  /// Dates the fixes held by a clock's time, in milliseconds since 1970; a date that the receiver
  /// tells later goes before it.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    reader.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
  }

  /// The source has ended: appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    if phase != .between { endCarried(phase == .text ? .absent : .wrong, into: &batch) }
    reader.finish(into: &batch)
  }
}

// MARK: Sentences that lie whole in a chunk

extension NMEADecoder {
  /// Reads sentences from `index` on while each of them, and the slack behind it, lies in the chunk.
  private mutating func decodeWhole(
    _ start: UnsafeRawPointer, _ index: inout Int, _ count: Int, into batch: inout FixBatch
  ) {
    // `count` bytes are readable from `start` on; what is found ends within them, slack included.
    while unsafe findSentence(start, &index, count) {
      // `index` is that of a `$`.
      let text = index &+ 1
      let (length, folded) = unsafe Self.scanText(start + text, readable: count &- text)
      // The chunk ends first: byte by byte from here.
      guard length >= 0 else { return }
      index = text &+ length
      let fields = unsafe NMEAFieldReader(from: start + text, to: start + index)
      guard length <= Self.sentenceLimit else {
        index = text &+ Self.sentenceLimit
        reader.rejectLong(fields, line: line, into: &batch)
        continue
      }
      guard unsafe start.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "*") else {
        reader.read(fields, checksum: .absent, line: line, into: &batch)
        continue
      }
      let high = unsafe start.load(fromByteOffset: index &+ 1, as: UInt8.self)
      let low = unsafe start.load(fromByteOffset: index &+ 2, as: UInt8.self)
      let checksum = Self.checksum(high, low, folded)
      if checksum == .right {
        index &+= 3
      } else {
        // A right checksum has two digits; of a wrong one the next sentence may be part.
        index &+= Self.endsText(high) ? 1 : Self.endsText(low) ? 2 : 3
      }
      reader.read(fields, checksum: checksum, line: line, into: &batch)
    }
  }

  /// Finds the end of the text that starts at `text`, and the exclusive or of its bytes.
  ///
  /// - Parameters:
  ///   - text: The byte behind the `$`.
  ///   - readable: How many bytes there are from `text` on.
  /// - Returns: The length of the text, one above ``sentenceLimit`` or more when it is too long, -1
  ///   when the bytes end first or leave no slack behind it.
  @inline(__always)
  private static func scanText(
    _ text: UnsafeRawPointer, readable: Int
  ) -> (length: Int, folded: UInt8) {
    // All bytes that end a text are below comma, point, digits and letters.
    let bound: UInt8 = 0x2B
    let last = min(readable &- 16 &- NMEAFieldReader.slackBytes, sentenceLimit)
    var lanes = SIMD2<UInt64>()
    var position = 0
    while position <= last {
      let pair = unsafe SixteenBytes(at: text + position)
      if !pair.mayFallBelow(bound) {
        lanes ^= pair.bits
        position &+= 16
        continue
      }
      let low = pair.first.below(bound)
      let word = low != 0 ? pair.first : pair.second
      let offset = EightBytes.firstIndex(in: low != 0 ? low : pair.second.below(bound))
      if low == 0 {
        lanes[0] ^= pair.first.bits
        position &+= 8
      }
      guard offset < 8 else {
        lanes[0] ^= pair.second.bits
        position &+= 8
        continue
      }
      lanes[0] ^= word.prefix(offset)
      position &+= offset
      if endsText(word[offset]) {
        return (position, EightBytes.foldExclusiveOr(lanes[0] ^ lanes[1]))
      }
      // A blank or the like: part of the text.
      lanes[0] ^= UInt64(word[offset])
      position &+= 1
    }
    return (position > sentenceLimit ? position : -1, 0)
  }

  /// Goes on to the next `$` and counts the lines on the way; false, at the end, when none is left.
  @inline(__always)
  private mutating func findSentence(
    _ start: UnsafeRawPointer, _ index: inout Int, _ count: Int
  ) -> Bool {
    // Nearly always a sentence follows the line end of the one before.
    if count &- index >= 8, unsafe EightBytes(at: start + index).startsWithLineEndAndSentence {
      line &+= 1
      lastWasCarriageReturn = false
      index &+= 2
      return true
    }
    while index < count {
      let byte = unsafe start.load(fromByteOffset: index, as: UInt8.self)
      if byte == UInt8(ascii: "$") {
        lastWasCarriageReturn = false
        return true
      }
      countLine(byte)
      index &+= 1
    }
    return false
  }

  /// Counts a line end of any kind.
  @inline(__always)
  private mutating func countLine(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") {
      if !lastWasCarriageReturn { line &+= 1 }
      lastWasCarriageReturn = false
    } else if byte == UInt8(ascii: "\r") {
      line &+= 1
      lastWasCarriageReturn = true
    } else {
      lastWasCarriageReturn = false
    }
  }

  /// Whether a byte ends the text of a sentence.
  @inline(__always)
  private static func endsText(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "$")
  }

  /// Compares the two digits behind a `*`, of either case, with the exclusive or of the text.
  ///
  /// Without a branch on a digit, which none could foresee.
  @inline(__always)
  private static func checksum(
    _ high: UInt8, _ low: UInt8, _ folded: UInt8
  ) -> NMEASentenceReader.Checksum {
    let values = UInt32(folded &>> 4) | UInt32(folded & 0xF) &<< 16
    // One in each half whose digit is a letter; letters stand 7 behind the digits.
    let letters = ((values &+ 0x0006_0006) &>> 4) & 0x0001_0001
    let expected = values &+ 0x0030_0030 &+ letters &* 7
    let told = UInt32(high) | UInt32(low) &<< 16
    return told & ~(letters &<< 5) == expected ? .right : .wrong
  }
}

// MARK: Sentences that chunks cut

extension NMEADecoder {
  /// The same rules for one byte: what a sentence needs that no chunk holds whole.
  private mutating func decodeByte(_ byte: UInt8, into batch: inout FixBatch) {
    let endsText = Self.endsText(byte)
    switch phase {
    case .between:
      break
    case .text where byte == UInt8(ascii: "*"):
      phase = .checksum
      return
    case .text where !endsText && carriedCount < Self.sentenceLimit:
      carried[carriedCount] = byte
      carriedCount += 1
      return
    case .checksum where !endsText:
      checksumHigh = byte
      phase = .checksumDigit
      return
    case .checksumDigit where !endsText:
      endCarried(Self.checksum(checksumHigh, byte, foldedCarried), into: &batch)
      return
    case .text:
      if endsText {
        endCarried(.absent, into: &batch)
      } else {
        rejectCarried(into: &batch)
      }
    case .checksum, .checksumDigit:
      endCarried(.wrong, into: &batch)
    }
    if byte == UInt8(ascii: "$") {
      lastWasCarriageReturn = false
      carriedCount = 0
      phase = .text
    } else {
      countLine(byte)
    }
  }

  private var foldedCarried: UInt8 {
    var folded: UInt8 = 0
    for index in 0..<carriedCount { folded ^= carried[index] }
    return folded
  }

  private mutating func endCarried(
    _ checksum: NMEASentenceReader.Checksum, into batch: inout FixBatch
  ) {
    carried[carriedCount] = UInt8(ascii: "*")
    // `carried` has slack behind every text that fits into it.
    unsafe carried.withUnsafeBytes { buffer in
      guard let text = buffer.baseAddress else { return }
      let fields = unsafe NMEAFieldReader(from: text, to: text + carriedCount)
      reader.read(fields, checksum: checksum, line: line, into: &batch)
    }
    phase = .between
  }

  private mutating func rejectCarried(into batch: inout FixBatch) {
    // `carried` has slack behind every text that fits into it.
    unsafe carried.withUnsafeBytes { buffer in
      guard let text = buffer.baseAddress else { return }
      let fields = unsafe NMEAFieldReader(from: text, to: text + carriedCount)
      reader.rejectLong(fields, line: line, into: &batch)
    }
    phase = .between
  }
}
