import FencepostFixes

// What each kind of sentence says.
extension NMEASentenceReader {
  /// RMC: `hhmmss.ss,A,ddmm.mm,N,dddmm.mm,E,knots,course,ddmmyy,…`.
  @inline(__always)
  mutating func takeRMC(
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

  mutating func takeVoidRMC(
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

  /// GGA: `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,quality,…`.
  @inline(__always)
  mutating func takeGGA(
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

  /// GLL: `ddmm.mm,N,dddmm.mm,E[,hhmmss.ss[,A[,mode]]]`: version 1.5 had neither time nor status.
  mutating func takeGLL(
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

  /// GNS: `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,modes,…`: a letter a satellite system, `N` for no fix.
  mutating func takeGNS(
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

  /// VTG: `course,T,magnetic,M,knots,N,…`; has no time and belongs to the epoch at hand, or, where that
  /// has one already, to the next.
  mutating func takeVTG(_ sentence: NMEAFieldReader) {
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

  /// ZDA: `hhmmss.ss,dd,mm,yyyy,…`.
  mutating func takeZDA(_ sentence: NMEAFieldReader, into batch: inout FixBatch) {
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

  /// GST: `hhmmss.ss,rms,major,minor,orientation,latitude error,longitude error,…`, errors as standard
  /// deviations in metres.
  mutating func takeGST(_ sentence: NMEAFieldReader) {
    var fields = sentence
    let timeOfDay = fields.timeOfDay(&timeText)
    guard timeOfDay >= 0, timeOfDay == epoch.timeOfDay, fields.skipFields(4) else { return }
    let north = fields.number()
    let east = fields.number()
    let error = (north * north + east * east).squareRoot()
    if error.isFinite { epoch.accuracyMeters = error }
  }
}
