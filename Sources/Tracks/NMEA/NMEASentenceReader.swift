import FencepostGeodesy

/// Turns framed sentences into fixes.
///
/// A sentence is read completely before any of it is kept.
struct NMEASentenceReader: Sendable {
  /// The result of comparing a sentence with its checksum.
  enum Checksum {
    case right
    case wrong
    case absent
  }

  var epoch = NMEAEpoch()
  var calendar: NMEACalendar
  /// Speed and course from a VTG that came before its epoch.
  var motion: (knots: Float, courseDegrees: Float)?
  /// The kinds that have had a right checksum.
  var checkedKinds: NMEAEpoch.Kinds = []
  /// Talker, kind and comma.
  private static var addressBytes: Int { 6 }
  private static var metersPerSecondInKnot: Float { 1852.0 / 3600 }
  /// The kinds of sentences that recent epochs had.
  private var usual = UsualKinds()
  /// The bytes of the last date with its comma, and its day.
  var lastDate: (bytes: UInt64, day: Int32)?

  init(startDay: Int32?) {
    calendar = NMEACalendar(startDay: startDay)
  }

  /// Takes the next sentence, without its `$` and its checksum.
  mutating func read(
    _ sentence: ByteCursor, checksum: Checksum, line: Int, into batch: inout FixBatch
  ) {
    guard checksum == .right else {
      return readUnchecked(sentence, checksum: checksum, line: line, into: &batch)
    }
    guard let kind = Self.kind(of: sentence) else { return }
    checkedKinds.formUnion(kind)
    take(kind, sentence, line: line, into: &batch)
  }

  mutating func readUnchecked(
    _ sentence: ByteCursor, checksum: Checksum, line: Int, into batch: inout FixBatch
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

  /// Rejects the beginning of a sentence that is too long.
  mutating func rejectLong(_ sentence: ByteCursor, line: Int, into batch: inout FixBatch) {
    if sentence.startsWithAddress { batch.reject(.tooLong, line: line) }
  }

  /// The source has ended.
  mutating func finish(into batch: inout FixBatch) {
    closeEpoch(into: &batch)
    calendar.finish(into: &batch)
  }

  /// The kind that the three letters after the talker name.
  private static func kind(of sentence: ByteCursor) -> NMEAEpoch.Kinds? {
    let comma = UInt8(ascii: ",")
    // Addresses that begin with P are proprietary.
    guard sentence[addressBytes - 1] == comma, sentence[0] != UInt8(ascii: "P"),
      sentence[0] != comma, sentence[1] != comma
    else { return nil }
    switch sentence.word(at: 2) & 0xFF_FFFF {
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

  /// Three letters as a little-endian integer.
  private static func letters(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar
  ) -> UInt64 {
    UInt64(first.value | second.value << 8 | third.value << 16)
  }

  /// Why a sentence without a checksum is rejected; nil if it is not.
  func rejection(
    ofUnchecked kind: NMEAEpoch.Kinds, _ fields: ByteCursor
  ) -> (reason: Rejection.Reason, detail: String)? {
    guard checkedKinds.isDisjoint(with: kind) else {
      return (.checksum, "no checksum, unlike the sentences before")
    }
    // Commas in versions 1.5 to 4.11 of the standard.
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
    var fields = fields
    var count = 0
    while fields.skipField() { count += 1 }
    return commas.contains(count) ? nil : (.malformed, "cut off")
  }

  mutating func take(
    _ kind: NMEAEpoch.Kinds, _ sentence: ByteCursor, line: Int, into batch: inout FixBatch
  ) {
    var fields = sentence
    fields.index = Self.addressBytes
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
  /// Adds a sentence to its epoch, after closing the one before if that is another.
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) {
    if !epoch.takes(kind, timeOfDay: timeOfDay) {
      closeEpoch(into: &batch)
    }
    if epoch.kinds.isEmpty, let motion {
      setMotion(knots: motion.knots, courseDegrees: motion.courseDegrees)
      epoch.kinds = .vtg
      self.motion = nil
    }
    epoch.timeOfDay = timeOfDay ?? epoch.timeOfDay
    epoch.kinds.formUnion(kind)
    epoch.line = Int32(clamping: line)
  }

  mutating func closeEpoch(into batch: inout FixBatch) {
    if epoch.hasPosition {
      if !epoch.isHandedOn { handOnEpoch(into: &batch) } else { setDate(into: &batch) }
      usual.note(epoch.kinds)
    } else if epoch.isVoid {
      batch.reject(.void, line: Int(epoch.line))
    }
    epoch = NMEAEpoch()
  }

  private mutating func handOnEpoch(into batch: inout FixBatch) {
    var fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: epoch.latitudeDegrees, longitudeDegrees: epoch.longitudeDegrees),
      accuracyMeters: epoch.accuracyMeters, speedMetersPerSecond: epoch.speedMetersPerSecond,
      courseDegrees: epoch.courseDegrees, line: epoch.line)
    if calendar.isDated, let day = epoch.day, let timeOfDay = epoch.timeOfDay {
      calendar.date(&fix, day: day, timeOfDay: timeOfDay)
      batch.append(fix)
    } else {
      setDate(into: &batch)
      calendar.append(fix, timeOfDay: epoch.timeOfDay, into: &batch)
    }
  }

  /// Gives the calendar the date of the epoch, if it has one.
  private mutating func setDate(into batch: inout FixBatch) {
    if let timeOfDay = epoch.timeOfDay,
      let day = epoch.day ?? (calendar.isDated ? nil : epoch.doubtfulDay)
    {
      calendar.setDate(day, timeOfDay: timeOfDay, into: &batch)
    }
  }

  /// As ``NMEADecoder/flush(isForced:into:)``.
  mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    guard epoch.hasPosition, !epoch.isHandedOn, isForced || usual.areAll(in: epoch.kinds) else {
      return
    }
    handOnEpoch(into: &batch)
    epoch.isHandedOn = true
  }

  /// Adds a sentence that reports no fix.
  mutating func joinVoid(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.isVoid = true
  }

  /// Adds a sentence with a valid position.
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, _ position: ByteCursor.Position, line: Int,
    into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.take(position)
  }

  /// Gives the epoch a speed and a course; 360° is north as 0° is.
  mutating func setMotion(knots: Float, courseDegrees: Float) {
    epoch.speedMetersPerSecond = knots * Self.metersPerSecondInKnot
    epoch.courseDegrees = courseDegrees == 360 ? 0 : courseDegrees
  }
}
