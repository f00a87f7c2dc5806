import FencepostFixes
import FencepostFormats

// One method per kind of sentence. Each parses the whole sentence before it stores anything.
extension NMEADecoder {
  /// A knot is a nautical mile of 1852 m per hour.
  private static var metersPerSecondInKnot: Float { 1852.0 / 3600 }

  /// Decodes a sentence, passed without its `$` and checksum.
  mutating func read(
    _ text: Span<UInt8>, _ fields: NMEAFields, checksum: Checksum, line: Int,
    into batch: inout FixBatch
  ) {
    if checksum == .wrong {
      if Self.hasAddress(text) { batch.reject(.checksum, line: line) }
      return
    }
    let kind = Self.kind(of: text)
    if let kind, NMEAEpoch.Kinds.positions.contains(kind) {
      readStamp()
    } else {
      others?.add(text)
    }
    guard let kind else { return }
    if checksum == .right {
      checkedKinds.formUnion(kind)
    } else if let fault = fault(ofUnchecked: kind, fields) {
      if NMEAEpoch.Kinds.positions.contains(kind) {
        batch.reject(fault.reason, line: line, detail: fault.detail)
      }
      return
    }
    if NMEAEpoch.Kinds.positions.contains(kind) { others = nil }
    let reason: Rejection.Reason?
    switch kind {
    case .rmc: reason = takeRMC(text, fields, line: line, into: &batch)
    case .gga, .gns: reason = takeGGAOrGNS(kind, text, fields, line: line, into: &batch)
    case .gll: reason = takeGLL(text, fields, line: line, into: &batch)
    case .vtg: reason = takeVTG(text, fields)
    case .zda: reason = takeZDA(text, fields, into: &batch)
    case .pubx: reason = takePUBX(text, fields, line: line, into: &batch)
    case .ggk: reason = takeGGK(text, fields, line: line, into: &batch)
    default: reason = takeGST(text, fields)
    }
    if let reason { batch.reject(reason, line: line) }
  }

  /// The kind named by the three letters after the talker; nil if it is not used.
  private static func kind(of text: Span<UInt8>) -> NMEAEpoch.Kinds? {
    let comma = UInt8(ascii: ",")
    guard text.count >= 6 else { return nil }
    // Addresses that begin with P are proprietary, whatever letters follow.
    guard text[0] != UInt8(ascii: "P") else {
      guard text.count > 9 else { return nil }
      if text.extracting(first: 8).equals("PUBX,00,") { return .pubx }
      return text.extracting(first: 9).equals("PTNL,GGK,") ? .ggk : nil
    }
    guard text[5] == comma, text[0] != comma, text[1] != comma else { return nil }
    let letters = text.extracting(2..<5)
    return kinds.first { letters.equals($0.letters) }?.kind
  }

  /// The kinds that are used, most frequent first.
  private static let kinds: [(letters: StaticString, kind: NMEAEpoch.Kinds)] = [
    ("RMC", .rmc), ("GGA", .gga), ("VTG", .vtg), ("GLL", .gll), ("ZDA", .zda), ("GNS", .gns),
    ("GST", .gst),
  ]

  /// Why a sentence without a checksum is rejected; nil if it is accepted.
  private func fault(
    ofUnchecked kind: NMEAEpoch.Kinds, _ fields: NMEAFields
  ) -> (reason: Rejection.Reason, detail: String)? {
    guard checkedKinds.isDisjoint(with: kind) else {
      return (.checksum, "no checksum, unlike the sentences before")
    }
    // The number of commas in versions 1.5 to 4.11 of the standard.
    let commas: ClosedRange<Int> =
      switch kind {
      case .rmc: 11...13
      case .gga: 14...14
      case .gll: 4...7
      case .gns: 12...13
      case .vtg: 8...9
      case .zda: 6...6
      case .pubx: 20...20
      case .ggk: 12...12
      default: 8...8
      }
    return commas.contains(fields.count - 1) ? nil : (.malformed, "cut off")
  }

  /// RMC: `hhmmss.ss,A,ddmm.mm,N,dddmm.mm,E,knots,course,ddmmyy,…`.
  private mutating func takeRMC(
    _ text: Span<UInt8>, _ fields: NMEAFields, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    let timeOfDay = fields.timeOfDay(1, text)
    guard fields.continues(with: 2) else { return .malformed }
    let status = fields.first(2, text)
    guard status == UInt8(ascii: "A") else {
      guard status == nil || status == UInt8(ascii: "V") else { return .malformed }
      join(.rmc, timeOfDay: timeOfDay, nil, line: line, into: &batch)
      epoch.doubtfulDay = fields.count > 9 ? fields.day(9, text) : nil
      return nil
    }
    guard fields[2].count == 1, fields.count > 3 else { return .malformed }
    guard fields.count > 7, let position = fields.position(from: 3, text) else {
      return .coordinate
    }
    guard fields.count > 9, let speed = fields.number(7, text),
      let course = fields.number(8, text), !(course > 360)
    else { return .malformed }
    join(.rmc, timeOfDay: timeOfDay, position, line: line, into: &batch)
    epoch.speedMetersPerSecond = speed * Self.metersPerSecondInKnot
    epoch.courseDegrees = course == 360 ? 0 : course
    if let day = fields.day(9, text) {
      epoch.day = day
      dateNotes.note(text.extracting(fields[9]), day: day)
    } else {
      dateNotes.add(text.extracting(fields[9]), line: line)
    }
    return nil
  }

  /// GGA: `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,quality,…`.
  ///
  /// GNS has modes in place of the quality, one per satellite system, `N` for no fix.
  private mutating func takeGGAOrGNS(
    _ kind: NMEAEpoch.Kinds, _ text: Span<UInt8>, _ fields: NMEAFields, line: Int,
    into batch: inout FixBatch
  ) -> Rejection.Reason? {
    let timeOfDay = fields.timeOfDay(1, text)
    guard fields.continues(with: 6) else { return .malformed }
    var isVoid = fields[6].allSatisfy { text[$0] == UInt8(ascii: "N") }
    if kind == .gga {
      let quality = fields.first(6, text) ?? UInt8(ascii: "0")
      isVoid = quality == UInt8(ascii: "0")
      guard isVoid || fields[6].count == 1 && 0x31...0x39 ~= quality else { return .malformed }
    }
    let position = isVoid ? nil : fields.position(from: 2, text)
    guard isVoid || position != nil else { return .coordinate }
    join(kind, timeOfDay: timeOfDay, position, line: line, into: &batch)
    return nil
  }

  /// GLL: `ddmm.mm,N,dddmm.mm,E[,hhmmss.ss[,A[,mode]]]`; version 1.5 had no time and status.
  private mutating func takeGLL(
    _ text: Span<UInt8>, _ fields: NMEAFields, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    let timeOfDay = fields.continues(with: 5) ? fields.timeOfDay(5, text) : nil
    let isVoid =
      fields.continues(with: 6) ? fields.first(6, text) != UInt8(ascii: "A") : fields[1].isEmpty
    if isVoid {
      join(.gll, timeOfDay: timeOfDay, nil, line: line, into: &batch)
      return nil
    }
    guard let position = fields.position(from: 1, text) else { return .coordinate }
    join(.gll, timeOfDay: timeOfDay, position, line: line, into: &batch)
    return nil
  }

  /// PUBX,00 of u-blox: `00,hhmmss.ss,ddmm.mm,N,dddmm.mm,E,altitude,state,accuracy,…`.
  private mutating func takePUBX(
    _ text: Span<UInt8>, _ fields: NMEAFields, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    guard fields.count > 10 else { return .malformed }
    let timeOfDay = fields.timeOfDay(2, text)
    guard !text.extracting(fields[8]).equals("NF") else {
      join(.pubx, timeOfDay: timeOfDay, nil, line: line, into: &batch)
      return nil
    }
    guard let position = fields.position(from: 3, text) else { return .coordinate }
    join(.pubx, timeOfDay: timeOfDay, position, line: line, into: &batch)
    // GST counts first.
    if epoch.accuracyMeters.isNaN { epoch.accuracyMeters = fields.number(9, text) ?? .nan }
    return nil
  }

  /// PTNL,GGK of Trimble: `GGK,hhmmss.ss,mmddyy,ddmm.mm,N,dddmm.mm,E,quality,…`.
  private mutating func takeGGK(
    _ text: Span<UInt8>, _ fields: NMEAFields, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    guard fields.continues(with: 8) else { return .malformed }
    let timeOfDay = fields.timeOfDay(2, text)
    guard fields.first(8, text) ?? UInt8(ascii: "0") != UInt8(ascii: "0") else {
      join(.ggk, timeOfDay: timeOfDay, nil, line: line, into: &batch)
      return nil
    }
    guard let position = fields.position(from: 4, text) else { return .coordinate }
    join(.ggk, timeOfDay: timeOfDay, position, line: line, into: &batch)
    if let date = fields.wholeNumber(3, text, digits: 6...6),
      let day = NMEACalendar.day(
        shortYear: date % 100, month: date / 10_000, dayOfMonth: date / 100 % 100)
    {
      epoch.day = day
    } else {
      dateNotes.add(text.extracting(fields[3]), line: line)
    }
    return nil
  }

  /// VTG: `course,T,magnetic,M,knots,N,…`, for the current epoch, or the next if that has one.
  private mutating func takeVTG(_ text: Span<UInt8>, _ fields: NMEAFields) -> Rejection.Reason? {
    guard !epoch.kinds.contains(.rmc), fields.count > 6, let course = fields.number(1, text),
      !(course > 360), let knots = fields.number(5, text)
    else { return nil }
    let speed = knots * Self.metersPerSecondInKnot
    if epoch.kinds.isEmpty || epoch.kinds.contains(.vtg) {
      motion = (speed, course == 360 ? 0 : course)
    } else {
      epoch.speedMetersPerSecond = speed
      epoch.courseDegrees = course == 360 ? 0 : course
      epoch.kinds.formUnion(.vtg)
    }
    return nil
  }

  /// ZDA: `hhmmss.ss,dd,mm,yyyy,…`.
  private mutating func takeZDA(
    _ text: Span<UInt8>, _ fields: NMEAFields, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    guard fields.count > 4, let timeOfDay = fields.timeOfDay(1, text),
      let dayOfMonth = fields.wholeNumber(2, text), let month = fields.wholeNumber(3, text),
      let year = fields.wholeNumber(4, text),
      let day = NMEACalendar.day(year: year, month: month, dayOfMonth: dayOfMonth)
    else { return nil }
    if let epochTime = epoch.timeOfDay {
      // This also dates the current epoch, and the fixes held before it.
      let epochDay = day - NMEACalendar.days(from: epochTime, to: timeOfDay)
      calendar.told(day: epochDay, timeOfDay: epochTime, into: &batch)
      if epoch.day == nil { epoch.day = epochDay }
    }
    calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
    return nil
  }

  /// GST: `hhmmss.ss,rms,major,minor,orientation,latitude error,longitude error,…`, in meters.
  private mutating func takeGST(_ text: Span<UInt8>, _ fields: NMEAFields) -> Rejection.Reason? {
    guard fields.count > 8, let timeOfDay = fields.timeOfDay(1, text),
      timeOfDay == epoch.timeOfDay, let north = fields.number(6, text),
      let east = fields.number(7, text)
    else { return nil }
    let error = (north * north + east * east).squareRoot()
    if error.isFinite { epoch.accuracyMeters = error }
    return nil
  }
}
