import Geodesy

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

  private var epoch = NMEAEpoch()
  private var calendar: NMEACalendar
  /// Speed and course of a VTG that came before its epoch.
  private var motion: (speedMetersPerSecond: Float, courseDegrees: Float)?
  /// The kinds that have come with a right checksum.
  private var checkedKinds: NMEAEpoch.Kinds = []
  /// The last time of day read.
  private var timeText = NMEAFieldReader.TimeText()
  /// The last date read, as digits and as the day they spell.
  private var dateDigits: UInt64 = 0
  private var dateDay = NMEAFieldReader.none

  /// Talker, kind and comma.
  private static var addressBytes: Int { 6 }
  /// The kinds of sentences that recent epochs had.
  private var usual = UsualKinds()

  private static var metersPerSecondInKnot: Float { 1852.0 / 3600 }

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

  private mutating func readUnchecked(
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
    let head = sentence.head
    // Addresses that begin with P are proprietary, whatever the letters behind look like.
    guard sentence.remainingCount >= addressBytes, head[5] == UInt8(ascii: ","),
      head[0] != UInt8(ascii: "P")
    else { return nil }
    func letters(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar)
      -> UInt64
    { UInt64(first.value) | UInt64(second.value) << 8 | UInt64(third.value) << 16 }
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
  private func rejection(
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
  private mutating func take(
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
  private mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, line: Int, into batch: inout FixBatch
  ) {
    if !epoch.takes(kind, timeOfDay: timeOfDay) {
      closeEpoch(into: &batch)
      if let motion {
        epoch.speedMetersPerSecond = motion.speedMetersPerSecond
        epoch.courseDegrees = motion.courseDegrees
        epoch.kinds = .vtg
        self.motion = nil
      }
    }
    if timeOfDay >= 0 { epoch.timeOfDay = timeOfDay }
    epoch.kinds.formUnion(kind)
    epoch.line = Int32(truncatingIfNeeded: min(line, Int(Int32.max)))
  }

  @inline(__always)
  private mutating func closeEpoch(into batch: inout FixBatch) {
    if epoch.hasPosition {
      usual.note(epoch.kinds)
      handOnEpoch(into: &batch)
    } else if epoch.isVoid {
      batch.reject(.void, line: Int(epoch.line))
    }
    epoch.clear()
  }

  /// Hands on the epoch's fix, once, and its date in any case.
  @inline(__always)
  private mutating func handOnEpoch(into batch: inout FixBatch) {
    let day = epoch.day >= 0 || calendar.isDated ? epoch.day : epoch.doubtfulDay
    if epoch.timeOfDay >= 0, day >= 0 {
      calendar.told(day: day, timeOfDay: epoch.timeOfDay, into: &batch)
    }
    guard !epoch.isHandedOn else { return }
    let fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: epoch.latitudeDegrees, longitudeDegrees: epoch.longitudeDegrees),
      accuracyMeters: epoch.accuracyMeters, speedMetersPerSecond: epoch.speedMetersPerSecond,
      courseDegrees: epoch.courseDegrees, line: epoch.line)
    calendar.append(fix, timeOfDay: epoch.timeOfDay, into: &batch)
  }

  /// Hands on the fix of the epoch at hand although the next has not begun.
  ///
  /// - Parameter isForced: Also where sentences that recent epochs had are still missing.
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
  private mutating func joinVoid(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.isVoid = true
  }

  /// Reads the four fields of a position, without the comma behind.
  @inline(__always)
  private func position(_ fields: inout NMEAFieldReader) -> NMEAFieldReader.Position {
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
  private func position(
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
  private mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32, _ position: NMEAFieldReader.Position,
    from start: NMEAFieldReader, to end: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.take(position, from: start, to: end)
  }
}

// MARK: Sentences

extension NMEASentenceReader {
  /// `hhmmss.ss,A,ddmm.mm,N,dddmm.mm,E,knots,course,ddmmyy,…`
  @inline(__always)
  private mutating func takeRMC(
    _ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    guard fields.next == UInt8(ascii: "A") else {
      return takeVoidRMC(fields, timeOfDay: timeOfDay, line: line, into: &batch)
    }
    fields.skipBytes(1)
    guard fields.skipComma() else { return .malformed }
    let start = fields
    let position = position(&fields)
    let end = fields
    guard position.decimals >= 0, fields.skipComma() else { return .coordinate }
    let speed = fields.number()
    guard speed != NMEAFieldReader.Number.unreadable else { return .malformed }
    let course = fields.number()
    guard course != NMEAFieldReader.Number.unreadable, !(course > 360) else { return .malformed }
    let day = day(&fields)
    join(.rmc, timeOfDay: timeOfDay, position, from: start, to: end, line: line, into: &batch)
    epoch.speedMetersPerSecond = speed * Self.metersPerSecondInKnot
    epoch.courseDegrees = course == 360 ? 0 : course
    if day >= 0 { epoch.day = day }
    return nil
  }

  private mutating func takeVoidRMC(
    _ sentence: NMEAFieldReader, timeOfDay: Int32, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    guard !fields.isAtEnd, fields.next == UInt8(ascii: "V") || fields.isAtFieldEnd else {
      return .malformed
    }
    let day = fields.skipFields(7) ? day(&fields) : NMEAFieldReader.none
    joinVoid(.rmc, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.doubtfulDay = day
    return nil
  }

  /// Reads `ddmmyy`; `none` when the field holds no date: receivers with a rolled-over week number are
  /// known that write nonsense here beside a good position.
  @inline(__always)
  private mutating func day(_ fields: inout NMEAFieldReader) -> Int32 {
    guard !fields.skipDate(dateDigits) else { return dateDay }
    guard let digits = fields.dateDigits(), fields.isAtFieldEnd else {
      return NMEAFieldReader.none
    }
    dateDigits = digits
    dateDay = NMEACalendar.day(ddmmyy: digits) ?? NMEAFieldReader.none
    return dateDay
  }

  /// `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,quality,…`
  @inline(__always)
  private mutating func takeGGA(
    _ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    let start = fields
    var end = fields
    let position = position(&fields, end: &end)
    guard !fields.isAtEnd else { return .malformed }
    let quality = fields.next
    if quality == UInt8(ascii: "0") || quality == UInt8(ascii: ",") {
      joinVoid(.gga, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    fields.skipBytes(1)
    guard 0x31...0x39 ~= quality, fields.isAtFieldEnd else { return .malformed }
    guard position.decimals >= 0 else { return .coordinate }
    join(.gga, timeOfDay: timeOfDay, position, from: start, to: end, line: line, into: &batch)
    return nil
  }

  /// `ddmm.mm,N,dddmm.mm,E[,hhmmss.ss[,A[,mode]]]`: version 1.5 had neither time nor status.
  private mutating func takeGLL(
    _ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    var isVoid = fields.isAtFieldEnd
    let start = fields
    var end = fields
    let position = position(&fields, end: &end)
    let timeOfDay = fields.isAtEnd ? NMEAFieldReader.none : fields.timeOfDay(&timeText)
    if !fields.isAtEnd { isVoid = fields.next != UInt8(ascii: "A") }
    if isVoid {
      joinVoid(.gll, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    guard position.decimals >= 0 else { return .coordinate }
    join(.gll, timeOfDay: timeOfDay, position, from: start, to: end, line: line, into: &batch)
    return nil
  }

  /// `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,modes,…`: a letter a satellite system, `N` for no fix.
  private mutating func takeGNS(
    _ sentence: NMEAFieldReader, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    let start = fields
    var end = fields
    let position = position(&fields, end: &end)
    guard !fields.isAtEnd else { return .malformed }
    var isVoid = true
    while !fields.isAtFieldEnd {
      if fields.next != UInt8(ascii: "N") { isVoid = false }
      fields.skipBytes(1)
    }
    if isVoid {
      joinVoid(.gns, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    guard position.decimals >= 0 else { return .coordinate }
    join(.gns, timeOfDay: timeOfDay, position, from: start, to: end, line: line, into: &batch)
    return nil
  }

  /// `course,T,magnetic,M,knots,N,…`; has no time and belongs to the epoch at hand, or, where that
  /// has one already, to the next.
  private mutating func takeVTG(_ sentence: NMEAFieldReader) {
    if epoch.kinds.contains(.rmc) { return }
    var fields = sentence
    let course = fields.number()
    guard course != NMEAFieldReader.Number.unreadable, !(course > 360), fields.skipFields(3)
    else { return }
    let knots = fields.number()
    guard knots != NMEAFieldReader.Number.unreadable else { return }
    let speed = knots * Self.metersPerSecondInKnot
    if epoch.isEmpty || epoch.kinds.contains(.vtg) {
      motion = (speed, course == 360 ? 0 : course)
    } else {
      epoch.speedMetersPerSecond = speed
      epoch.courseDegrees = course == 360 ? 0 : course
      epoch.kinds.formUnion(.vtg)
    }
  }

  /// `hhmmss.ss,dd,mm,yyyy,…`
  private mutating func takeZDA(_ sentence: NMEAFieldReader, into batch: inout FixBatch) {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    guard timeOfDay >= 0,
      let dayOfMonth = fields.wholeNumber(), let month = fields.wholeNumber(),
      let year = fields.wholeNumber(),
      let day = NMEACalendar.day(year: year, month: month, dayOfMonth: dayOfMonth)
    else { return }
    if epoch.timeOfDay >= 0 {
      // The date also fixes that of the epoch at hand, and with it those held before.
      let epochDay = day &- calendar.days(from: epoch.timeOfDay, to: timeOfDay)
      calendar.told(day: epochDay, timeOfDay: epoch.timeOfDay, into: &batch)
      if epoch.day < 0 { epoch.day = epochDay }
    }
    calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
  }

  /// `hhmmss.ss,rms,major,minor,orientation,latitude error,longitude error,…`, errors as standard
  /// deviations in metres.
  private mutating func takeGST(_ sentence: NMEAFieldReader) {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    guard timeOfDay >= 0, timeOfDay == epoch.timeOfDay, fields.skipFields(4) else { return }
    let north = fields.number()
    let east = fields.number()
    let error = (north * north + east * east).squareRoot()
    if error.isFinite { epoch.accuracyMeters = error }
  }
}

/// Which kinds of sentences a receiver sends in an epoch, as far as recent epochs tell.
private struct UsualKinds {
  private var current: NMEAEpoch.Kinds = []
  private var former: NMEAEpoch.Kinds = []
  private var count = 0

  /// What a receiver sends may change; that long a kind is waited for that does not come any more.
  private static var generationCount: Int { 16 }

  @inline(__always)
  mutating func note(_ kinds: NMEAEpoch.Kinds) {
    current.formUnion(kinds)
    count &+= 1
    guard count >= Self.generationCount else { return }
    former = current
    current = []
    count = 0
  }

  /// Whether nothing is missing in `kinds`; false while nothing is known.
  func areAll(in kinds: NMEAEpoch.Kinds) -> Bool {
    let usual = current.union(former)
    return !usual.isEmpty && kinds.isSuperset(of: usual)
  }
}
