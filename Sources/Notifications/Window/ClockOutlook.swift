/// A second of every minute, every hour or a weekday in which requests fire on the phone's clock.
struct RepeatingSecond: Hashable {
  /// Nil for a second of every minute or hour.
  var weekday: Weekday?
  /// 60, 3600 or 86,400.
  var periodSeconds: Int
  var second: Int

  /// A negative or large second falls in an earlier or later period.
  init(of weekday: Weekday? = nil, every period: Int, _ second: Int) {
    self.weekday = weekday?.advanced(byDays: second.dividedDown(by: 86_400))
    periodSeconds = period
    self.second = second.remainderDown(by: period)
  }
}

/// The clock changes of the next year, which determine when repeating requests coincide.
struct ClockOutlook {
  let zone: ClockZone
  private let startSeconds: Int64
  private var known: [ClockZone: Clock] = [:]

  /// A year, plus some days in case the next plan is late.
  private static let days = 400

  private struct Clock {
    /// The distinct numbers of seconds by which the phone's clock is ahead.
    var shifts: [Int] = []
    /// The skipped seconds, counted on this clock since 1970-01-01T00:00:00.
    var gaps: [Range<Int64>] = []
  }

  init(zone: ClockZone, nowMilliseconds: Int64) {
    self.zone = zone
    // A time that was skipped shortly before can still be due.
    startSeconds = nowMilliseconds.dividedDown(by: 1000) - 86_400
  }

  /// The seconds on the phone's clock at which a pattern would fire if moved within its period.
  ///
  /// Usually one. There are more if a clock skips the second or the clocks change on different
  /// days.
  mutating func seconds(
    of pattern: CalendarPattern, at second: Int, by anchor: ClockAnchor
  ) -> Set<RepeatingSecond> {
    let zone = anchor.zone(onDeviceIn: zone)
    let (clock, period) = (clock(of: zone), pattern.periodSeconds)
    guard period == 86_400 else {
      return Set(clock.shifts.map { RepeatingSecond(every: period, second + $0) })
    }
    let weekdays = pattern.weekday.map { [$0] } ?? Weekday.allCases
    var found: Set<RepeatingSecond> = []
    for shift in clock.shifts {
      for day in weekdays { found.insert(.init(of: day, every: period, second + shift)) }
    }
    for gap in clock.gaps {
      let first = Int(gap.lowerBound.dividedDown(by: 86_400))
      let last = Int((gap.upperBound - 1).dividedDown(by: 86_400))
      for day in first...last
      where gap.contains(Int64(day) * 86_400 + Int64(second))
        && weekdays.contains(Weekday(daysSince1970: day))
      {
        let moved = zone.milliseconds(daysSince1970: day, secondOfDay: second)
        let (phoneDay, phoneSecond) = self.zone.local(atMilliseconds: moved)
        found.insert(
          .init(of: Weekday(daysSince1970: phoneDay), every: period, phoneSecond))
      }
    }
    return found
  }

  private mutating func clock(of zone: ClockZone) -> Clock {
    if let clock = known[zone] { return clock }
    var clock = Clock()
    let changes = changes(of: zone)
    for change in changes where change.after > change.before {
      clock.gaps.append(change.seconds + change.before..<change.seconds + change.after)
    }
    for seconds in [startSeconds] + (changes + self.changes(of: self.zone)).map(\.seconds) {
      let shift = Int(
        self.zone.offsetSeconds(atMilliseconds: seconds * 1000)
          - zone.offsetSeconds(atMilliseconds: seconds * 1000))
      if !clock.shifts.contains(shift) { clock.shifts.append(shift) }
    }
    known[zone] = clock
    return clock
  }

  /// The changes of a clock's UTC offset within the outlook.
  private func changes(of zone: ClockZone) -> [(seconds: Int64, before: Int64, after: Int64)] {
    // No zone changes its clocks twice within two days.
    (0..<Int64(Self.days)).compactMap { day in
      let start = startSeconds + day * 86_400
      let before = zone.offsetSeconds(atMilliseconds: start * 1000)
      let after = zone.offsetSeconds(atMilliseconds: (start + 86_400) * 1000)
      guard before != after else { return nil }
      return (zone.firstSecond(after: start, until: start + 86_400), before, after)
    }
  }
}
