extension NMEASentenceReader {
  /// RMC: `hhmmss.ss,A,ddmm.mm,N,dddmm.mm,E,knots,course,ddmmyy,…`.
  mutating func takeRMC(
    _ sentence: ByteCursor, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay()
    guard fields.skip("A") else {
      return takeVoidRMC(fields, timeOfDay: timeOfDay, line: line, into: &batch)
    }
    guard fields.skip(",") else { return .malformed }
    guard let position = fields.position(), fields.skip(",") else { return .coordinate }
    guard let knots = fields.number(), let course = fields.number(), !(course > 360) else {
      return .malformed
    }
    join(.rmc, timeOfDay: timeOfDay, position, line: line, into: &batch)
    setMotion(knots: knots, courseDegrees: course)
    epoch.day = date(fields) ?? epoch.day
    return nil
  }

  /// Reads `ddmmyy`, or reuses the last day: a file repeats the same date for hours.
  @inline(__always)
  private mutating func date(_ sentence: ByteCursor) -> Int32? {
    var fields = sentence
    let bytes = fields.word(at: fields.index) & 0xFF_FFFF_FFFF_FFFF
    if let lastDate, bytes == lastDate.bytes { return lastDate.day }
    guard let day = fields.date() else { return nil }
    if fields.next == UInt8(ascii: ",") { lastDate = (bytes, day) }
    return day
  }

  mutating func takeVoidRMC(
    _ sentence: ByteCursor, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    guard !fields.isAtEnd, fields.next == UInt8(ascii: "V") || fields.isAtFieldEnd else {
      return .malformed
    }
    joinVoid(.rmc, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.doubtfulDay = fields.skipFields(7) ? fields.date() : nil
    return nil
  }

  /// GGA: `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,quality,…`.
  mutating func takeGGA(
    _ sentence: ByteCursor, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay()
    let position = fields.positionFields()
    guard !fields.isAtEnd else { return .malformed }
    let quality = fields.next
    if quality == UInt8(ascii: "0") || quality == UInt8(ascii: ",") {
      joinVoid(.gga, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    fields.index += 1
    guard 0x31...0x39 ~= quality, fields.isAtFieldEnd else { return .malformed }
    guard let position else { return .coordinate }
    join(.gga, timeOfDay: timeOfDay, position, line: line, into: &batch)
    return nil
  }

  /// GLL: `ddmm.mm,N,dddmm.mm,E[,hhmmss.ss[,A[,mode]]]`: version 1.5 had neither time nor status.
  mutating func takeGLL(
    _ sentence: ByteCursor, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    var isVoid = fields.isAtFieldEnd
    let position = fields.positionFields()
    let timeOfDay = fields.isAtEnd ? nil : fields.timeOfDay()
    if !fields.isAtEnd { isVoid = fields.next != UInt8(ascii: "A") }
    if isVoid {
      joinVoid(.gll, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    guard let position else { return .coordinate }
    join(.gll, timeOfDay: timeOfDay, position, line: line, into: &batch)
    return nil
  }

  /// GNS: `hhmmss.ss,ddmm.mm,N,dddmm.mm,E,modes,…`, where `modes` has a letter for each satellite system, `N`
  /// for no fix.
  mutating func takeGNS(
    _ sentence: ByteCursor, line: Int, into batch: inout FixBatch
  ) -> Rejection.Reason? {
    var fields = sentence
    let timeOfDay = fields.timeOfDay()
    let position = fields.positionFields()
    guard !fields.isAtEnd else { return .malformed }
    var isVoid = true
    while !fields.isAtFieldEnd {
      if fields.next != UInt8(ascii: "N") { isVoid = false }
      fields.index += 1
    }
    if isVoid {
      joinVoid(.gns, timeOfDay: timeOfDay, line: line, into: &batch)
      return nil
    }
    guard let position else { return .coordinate }
    join(.gns, timeOfDay: timeOfDay, position, line: line, into: &batch)
    return nil
  }

  /// VTG: `course,T,magnetic,M,knots,N,…`, which has no time and belongs to the current epoch or, if that
  /// already has one, to the next.
  mutating func takeVTG(_ sentence: ByteCursor) {
    if epoch.kinds.contains(.rmc) { return }
    var fields = sentence
    guard let course = fields.number(), !(course > 360), fields.skipFields(3),
      let knots = fields.number()
    else { return }
    if epoch.kinds.isEmpty || epoch.kinds.contains(.vtg) {
      motion = (knots, course)
    } else {
      setMotion(knots: knots, courseDegrees: course)
      epoch.kinds.formUnion(.vtg)
    }
  }

  /// ZDA: `hhmmss.ss,dd,mm,yyyy,…`.
  mutating func takeZDA(_ sentence: ByteCursor, into batch: inout FixBatch) {
    var fields = sentence
    guard let timeOfDay = fields.timeOfDay(),
      let dayOfMonth = fields.wholeNumber(), let month = fields.wholeNumber(),
      let year = fields.wholeNumber(),
      let day = NMEACalendar.day(year: year, month: month, dayOfMonth: dayOfMonth)
    else { return }
    if let epochTime = epoch.timeOfDay {
      // The date also dates the current epoch, and with it the fixes held before.
      let epochDay = day &- calendar.days(from: epochTime, to: timeOfDay)
      calendar.setDate(epochDay, timeOfDay: epochTime, into: &batch)
      if epoch.day == nil { epoch.day = epochDay }
    }
    calendar.setDate(day, timeOfDay: timeOfDay, into: &batch)
  }

  /// GST: `hhmmss.ss,rms,major,minor,orientation,latitude error,longitude error,…`, errors as standard
  /// deviations in metres.
  mutating func takeGST(_ sentence: ByteCursor) {
    var fields = sentence
    guard let timeOfDay = fields.timeOfDay(), timeOfDay == epoch.timeOfDay, fields.skipFields(4),
      let north = fields.number(), let east = fields.number()
    else { return }
    let error = (north * north + east * east).squareRoot()
    if error.isFinite { epoch.accuracyMeters = error }
  }
}
