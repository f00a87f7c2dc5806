import Formats

extension CalendarPattern {
  /// The first match after an instant, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The date is settled before the time, so that the answer does not depend on where the search
  /// starts. A day that a month lacks (29 February, day 31) is moved to the first of the next month,
  /// unless a weekday must match too; a time that the clocks leave out is moved forward, and of a
  /// time that comes twice the first counts: see ``ClockZone/milliseconds(date:secondOfDay:)``.
  ///
  /// - Parameters:
  ///   - milliseconds: The instant; a match at it does not count.
  ///   - zone: Whose clocks count.
  /// - Returns: Nil where nothing matches any more.
  public func nextMilliseconds(after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    // Times can be moved over midnight, hence the search begins a day early.
    var day = zone.local(atMilliseconds: milliseconds).daysSince1970 - 1
    while let date = nextDate(onOrAfter: day) {
      if let match = firstTime(on: date, after: milliseconds, in: zone) { return match }
      day = date + 1
    }
    return nil
  }

  private func firstTime(on day: Int, after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    for hour in hours {
      for minute in minutes {
        let seconds = hour * 3600 + minute * 60 + (second ?? 0)
        let match = zone.milliseconds(daysSince1970: day, secondOfDay: seconds)
        if match > milliseconds { return match }
      }
    }
    return nil
  }

  private var hours: ClosedRange<Int> {
    if let hour { return hour...hour }
    return minute == nil && second == nil ? 0...0 : 0...23
  }

  private var minutes: ClosedRange<Int> {
    if let minute { return minute...minute }
    return second == nil ? 0...0 : 0...59
  }

  /// The first day, counted from 1970-01-01, that matches and is not before `start`.
  private func nextDate(onOrAfter start: Int) -> Int? {
    if year == nil, month == nil, day == nil { return nextWeekday(onOrAfter: start) }
    let first = CivilDate(daysSince1970: start)
    if let year, year < first.year - 1 { return nil }
    // A day that last month lacked may have been moved into this one.
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
