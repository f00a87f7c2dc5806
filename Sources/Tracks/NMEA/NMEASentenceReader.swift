import FencepostFixes
import FencepostGeodesy

/// Takes framed sentences and makes fixes of them.
///
/// A sentence is read to its end before anything of it is kept.
struct NMEASentenceReader: Sendable {
  /// What the two digits behind a sentence said.
  enum Checksum {
    case right
    case wrong
    case absent
  }

  var epoch = NMEAEpoch()
  var calendar: NMEACalendar
  /// Speed and course of a VTG that came before its epoch.
  var motion: (speedMetersPerSecond: Float, courseDegrees: Float)?
  /// The kinds that have come with a right checksum.
  var checkedKinds: NMEAEpoch.Kinds = []
  /// The last time of day read.
  var timeText = NMEAFieldReader.TimeText()
  /// The last date read, as digits and as the day they spell.
  var dateDigits: UInt64 = 0
  var dateDay = NMEAFieldReader.none

  /// Talker, kind and comma.
  static var addressBytes: Int { 6 }
  static var metersPerSecondInKnot: Float { 1852.0 / 3600 }
  /// The kinds of sentences that recent epochs had.
  private var usual = UsualKinds()

  init(startDay: Int32?) {
    calendar = NMEACalendar(startDay: startDay)
  }

  /// Takes the next sentence, without its `$` and its checksum.
  @inline(__always)
  mutating func read(
    _ sentence: NMEAFieldReader, checksum: Checksum, line: Int, into batch: inout FixBatch
  ) {
    guard checksum == .right else {
      return readUnchecked(sentence, checksum: checksum, line: line, into: &batch)
    }
    guard let kind = Self.kind(of: sentence) else { return }
    checkedKinds.formUnion(kind)
    take(kind, sentence, line: line, into: &batch)
  }

  mutating func readUnchecked(
    _ sentence: NMEAFieldReader, checksum: Checksum, line: Int, into batch: inout FixBatch
  ) {
    guard checksum == .absent else {
      if sentence.startsWithAddress { batch.reject(.checksum, line: line) }
      return
    }
    guard let kind = Self.kind(of: sentence) else { return }
    guard let rejection = rejection(ofUnchecked: kind, sentence) else {
      return take(kind, sentence, line: line, into: &batch)
    }
    if NMEAEpoch.Kinds.positions.contains(kind) {
      batch.reject(rejection.reason, line: line, detail: rejection.detail)
    }
  }

  /// Takes the front of a sentence that has no end.
  mutating func rejectLong(_ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch) {
    if sentence.startsWithAddress { batch.reject(.tooLong, line: line) }
  }

  /// The source has ended.
  mutating func finish(into batch: inout FixBatch) {
    closeEpoch(into: &batch)
    calendar.finish(into: &batch)
  }

  /// The kind that the three letters behind the talker name.
  @inline(__always)
  private static func kind(of sentence: NMEAFieldReader) -> NMEAEpoch.Kinds? {
    // The usual ones first. No byte of theirs ends a sentence: it has as many.
    switch sentence.head.prefix(addressBytes) {
    case letters("G", "P") | letters("R", "M", "C", ",") &<< 16,
      letters("G", "N") | letters("R", "M", "C", ",") &<< 16:
      return .rmc
    case letters("G", "P") | letters("G", "G", "A", ",") &<< 16,
      letters("G", "N") | letters("G", "G", "A", ",") &<< 16:
      return .gga
    default: return anyKind(of: sentence)
    }
  }

  /// Two to four letters as they stand in eight bytes.
  @inline(__always)
  private static func letters(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar = "\0",
    _ fourth: Unicode.Scalar = "\0"
  ) -> UInt64 {
    UInt64(first.value | second.value &<< 8 | third.value &<< 16 | fourth.value &<< 24)
  }

  private static func anyKind(of sentence: NMEAFieldReader) -> NMEAEpoch.Kinds? {
    let head = sentence.head
    let comma = UInt8(ascii: ",")
    // Addresses that begin with P are proprietary, whatever the letters behind look like.
    guard sentence.remainingCount >= addressBytes, head[5] == comma, head[0] != UInt8(ascii: "P"),
      head[0] != comma, head[1] != comma
    else { return nil }
    switch (head.bits &>> 16) & 0xFF_FFFF {
    case letters("R", "M", "C"): return .rmc
    case letters("G", "G", "A"): return .gga
    case letters("V", "T", "G"): return .vtg
    case letters("G", "L", "L"): return .gll
    case letters("Z", "D", "A"): return .zda
    case letters("G", "N", "S"): return .gns
    case letters("G", "S", "T"): return .gst
    default: return nil
    }
  }

  /// Why a sentence without checksum is refused, nil if it is not.
  func rejection(
    ofUnchecked kind: NMEAEpoch.Kinds, _ fields: NMEAFieldReader
  ) -> (reason: Rejection.Reason, detail: String)? {
    guard checkedKinds.isDisjoint(with: kind) else {
      return (.checksum, "no checksum, unlike the sentences before")
    }
    // Commas in the versions 1.5 to 4.11 of the standard.
    let commas: ClosedRange<Int> =
      switch kind {
      case .rmc: 11...13
      case .gga: 14...14
      case .gll: 4...7
      case .gns: 12...13
      case .vtg: 8...9
      case .zda: 6...6
      default: 8...8
      }
    return commas.contains(fields.remainingCommaCount) ? nil : (.malformed, "cut off")
  }

  @inline(__always)
  mutating func take(
    _ kind: NMEAEpoch.Kinds, _ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) {
    var fields = sentence
    fields.skipBytes(Self.addressBytes)
    var reason: Rejection.Reason?
    switch kind {
    case .rmc: reason = takeRMC(fields, line: line, into: &batch)
    case .gga: reason = takeGGA(fields, line: line, into: &batch)
    case .gll: reason = takeGLL(fields, line: line, into: &batch)
    case .gns: reason = takeGNS(fields, line: line, into: &batch)
    case .vtg: takeVTG(fields)
    case .zda: takeZDA(fields, into: &batch)
    default: takeGST(fields)
    }
    if let reason { batch.reject(reason, line: line) }
  }
}

// MARK: Epochs

extension NMEASentenceReader {
  /// Opens the epoch that a sentence belongs to; closes the one before.
  @inline(__always)
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, line: Int, into batch: inout FixBatch
  ) {
    if !epoch.takes(kind, timeOfDay: timeOfDay) {
      closeEpoch(into: &batch)
    }
    if epoch.isEmpty, let motion {
      epoch.speedMetersPerSecond = motion.speedMetersPerSecond
      epoch.courseDegrees = motion.courseDegrees
      epoch.kinds = .vtg
      self.motion = nil
    }
    if timeOfDay >= 0 { epoch.timeOfDay = timeOfDay }
    epoch.kinds.formUnion(kind)
    epoch.line = Int32(truncatingIfNeeded: min(line, Int(Int32.max)))
  }

  @inline(__always)
  mutating func closeEpoch(into batch: inout FixBatch) {
    if epoch.hasPosition {
      if !epoch.isHandedOn { handOnEpoch(into: &batch) } else { tellLateDate(into: &batch) }
      usual.note(epoch.kinds)
    } else if epoch.isVoid {
      batch.reject(.void, line: Int(epoch.line))
    }
    epoch.clear()
  }

  @inline(__always)
  private mutating func handOnEpoch(into batch: inout FixBatch) {
    var fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: epoch.latitudeDegrees, longitudeDegrees: epoch.longitudeDegrees),
      accuracyMeters: epoch.accuracyMeters, speedMetersPerSecond: epoch.speedMetersPerSecond,
      courseDegrees: epoch.courseDegrees, line: epoch.line)
    if calendar.isDated, epoch.day >= 0, epoch.timeOfDay >= 0 {
      calendar.date(&fix, day: epoch.day, timeOfDay: epoch.timeOfDay)
      batch.append(fix)
    } else {
      appendUndated(fix, into: &batch)
    }
  }

  /// Appends or holds a fix whose epoch told no date, or the first one.
  private mutating func appendUndated(_ fix: Fix, into batch: inout FixBatch) {
    tellLateDate(into: &batch)
    calendar.append(fix, timeOfDay: epoch.timeOfDay, into: &batch)
  }

  /// Gives the calendar the date that the epoch told, if it did.
  private mutating func tellLateDate(into batch: inout FixBatch) {
    let day = epoch.day >= 0 || calendar.isDated ? epoch.day : epoch.doubtfulDay
    if epoch.timeOfDay >= 0, day >= 0 {
      calendar.told(day: day, timeOfDay: epoch.timeOfDay, into: &batch)
    }
  }

  /// Hands on the fix of the epoch at hand although the next has not begun.
  ///
  /// - Parameters:
  ///   - isForced: Also where sentences that recent epochs had are still missing.
  ///   - batch: Receives the fix.
  mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    guard epoch.hasPosition, !epoch.isHandedOn, isForced || usual.areAll(in: epoch.kinds) else {
      return
    }
    handOnEpoch(into: &batch)
    epoch.isHandedOn = true
  }

  /// Whether the epoch at hand was handed on by ``flush(isForced:into:)``.
  var isEpochHandedOn: Bool { epoch.isHandedOn }

  /// Whether fixes are held because no date was told yet.
  var holdsUndatedFixes: Bool { calendar.holdsFixes }

  /// As ``NMEACalendar/assume(nowMilliseconds:into:)``.
  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    calendar.assume(nowMilliseconds: nowMilliseconds, into: &batch)
  }

  /// A sentence said that there is no fix.
  mutating func joinVoid(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.isVoid = true
  }

  /// Reads the four fields of a position, without the comma behind.
  @inline(__always)
  func position(_ fields: inout NMEAFieldReader) -> NMEAFieldReader.Position {
    if fields.skip(epoch.positionText) {
      return NMEAFieldReader.Position(
        latitudeDegrees: epoch.latitudeDegrees, longitudeDegrees: epoch.longitudeDegrees,
        decimals: epoch.decimals)
    }
    return fields.position()
  }

  /// Reads or skips the four fields of a position and the comma behind, if any; `end` becomes where
  /// the position itself ends.
  @inline(__always)
  func position(
    _ fields: inout NMEAFieldReader, end: inout NMEAFieldReader
  ) -> NMEAFieldReader.Position {
    let start = fields
    let position = position(&fields)
    end = fields
    guard position.decimals >= 0, fields.isAtFieldEnd else {
      fields = start
      _ = fields.skipFields(4)
      return .none
    }
    _ = fields.skipComma()
    return position
  }

  /// Keeps what a valid sentence of `kind` said.
  @inline(__always)
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, _ position: NMEAFieldReader.Position,
    from start: NMEAFieldReader, to end: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.take(position, from: start, to: end)
  }
}
