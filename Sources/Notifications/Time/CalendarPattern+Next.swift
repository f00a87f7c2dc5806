import FencepostTime

extension CalendarPattern {
  /// The first match after an instant, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The date is found before the time, so the answer does not depend on where the search starts. A day
  /// that a month lacks (29 February, day 31) moves to the first of the next month, unless a weekday must
  /// match too. A time that the clocks skip moves forward, and of a time that comes twice the first
  /// counts: see ``ClockZone/milliseconds(date:secondOfDay:)``. A pattern without an hour matches whenever
  /// the clock shows the minute and second, twice in an hour that comes twice.
  ///
  /// - Parameters:
  ///   - milliseconds: The instant; a match at it does not count.
  ///   - zone: The zone of the clock.
  /// - Returns: Nil if nothing matches any more.
  /// - Complexity: O(1), unless many days pass before a match.
  public func nextMilliseconds(after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    guard let hour = hour ?? (minute == nil && second == nil ? 0 : nil) else {
      return nextReading(after: milliseconds, in: zone)
    }
    let secondOfDay = hour * 3600 + (minute ?? 0) * 60 + (second ?? 0)
    // Times can move past midnight, so the search begins a day early.
    var day = zone.local(atMilliseconds: milliseconds).daysSince1970 - 1
    while let date = nextDate(onOrAfter: day) {
      let match = zone.milliseconds(daysSince1970: date, secondOfDay: secondOfDay)
      if match > milliseconds { return match }
      day = date + 1
    }
    return nil
  }

  /// The first instant after another at which the clock shows the minute and second, on a day that
  /// matches.
  private func nextReading(after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    var instant = milliseconds.dividedDown(by: 1000) + 1
    while true {
      let (day, secondOfDay) = zone.local(atMilliseconds: instant * 1000)
      guard let date = nextDate(onOrAfter: day) else { return nil }
      if date > day {
        let midnight = zone.milliseconds(daysSince1970: date, secondOfDay: 0) / 1000
        // Clocks that are set back past midnight show the previous day once more.
        instant = max(midnight, instant + 1)
        continue
      }
      let wait = secondsUntilReading(secondOfDay)
      if wait == 0 { return instant * 1000 }
      let offset = zone.offsetSeconds(atMilliseconds: instant * 1000)
      if zone.offsetSeconds(atMilliseconds: (instant + wait) * 1000) == offset {
        instant += wait
      } else {
        instant = zone.firstSecond(after: instant, until: instant + wait)
      }
    }
  }

  /// How long a clock takes to show the minute and second, unless it is changed meanwhile.
  private func secondsUntilReading(_ secondOfDay: Int) -> Int64 {
    let wanted = (minute ?? 0) * 60 + (second ?? 0)
    let period = minute == nil ? 60 : 3600
    return Int64(((wanted - secondOfDay) % period + period) % period)
  }

  /// The first matching day at or after `start`, in days since 1970-01-01.
  private func nextDate(onOrAfter start: Int) -> Int? {
    if year == nil, month == nil, day == nil { return nextWeekday(onOrAfter: start) }
    let first = CivilDate(daysSince1970: start)
    if let year, year < first.year - 1 { return nil }
    // A day that last month lacked may have moved into this one.
    var index = (year.map { max($0, first.year - 1) } ?? first.year) * 12
    index = max(index, first.year * 12 + first.month - 2)
    // A leap day on a given weekday can be 40 years away, around a year like 2100.
    for _ in 0...(12 * 41) {
      let (candidateYear, month) = (index / 12, index % 12 + 1)
      if let year, candidateYear > year { return nil }
      if let date = date(inMonth: month, ofYear: candidateYear, onOrAfter: start) { return date }
      index += 1
    }
    return nil
  }

  private func nextWeekday(onOrAfter start: Int) -> Int {
    guard let weekday else { return start }
    let distance = weekday.rawValue - Weekday(daysSince1970: start).rawValue
    return start + (distance + 7) % 7
  }

  private func date(inMonth candidate: Int, ofYear year: Int, onOrAfter start: Int) -> Int? {
    if let month, month != candidate { return nil }
    let first = CivilDate(year: year, month: candidate, day: 1).daysSince1970
    let length = CivilDate.days(inMonth: candidate, ofYear: year)
    guard let day else {
      let date = nextWeekday(onOrAfter: max(first, start))
      return date < first + length ? date : nil
    }
    if day > length, weekday != nil { return nil }
    let date = first + min(day - 1, length)
    if let weekday, Weekday(daysSince1970: date) != weekday { return nil }
    return date >= start ? date : nil
  }
}
