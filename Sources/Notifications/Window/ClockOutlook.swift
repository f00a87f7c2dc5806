/// A second of a weekday on the phone's clock.
struct WeeklySecond: Hashable {
  var weekday: Weekday
  /// Seconds since midnight, 0..<86400.
  var second: Int

  /// Makes a second that may lie in another day, before or after.
  init(_ weekday: Weekday, _ second: Int) {
    let days = Int64(second).dividedDown(by: 86_400)
    self.second = second - Int(days) * 86_400
    self.weekday = days == 0 ? weekday : weekday.advanced(byDays: Int(days))
  }
}

/// The clock changes of the next year, which decide when repeating requests meet: a request may stay on a
/// phone through changes of its own clock and of the phone's.
struct ClockOutlook {
  /// The zone the phone is in.
  let zone: ClockZone
  private let startSeconds: Int64
  private var changes: [ClockZone: [Change]] = [:]
  private var shifts: [ClockZone: [Int]] = [:]

  /// A year, and some days in case the next plan comes late.
  static let days = 400

  /// A change of a clock's offset from UTC.
  private struct Change {
    var seconds: Int64
    var before: Int64
    var after: Int64

    /// The skipped seconds since 1970-01-01T00:00:00 on the clock, if any.
    var gap: Range<Int64> { seconds + before..<seconds + max(before, after) }
  }

  init(zone: ClockZone, nowMilliseconds: Int64) {
    self.zone = zone
    // A time that was skipped shortly before may still be to come.
    startSeconds = nowMilliseconds.dividedDown(by: 1000) - 86_400
  }

  /// When a time of day comes on the phone's clock: usually at one second, but at others if its own clock
  /// skips it or the two clocks change on different days.
  ///
  /// - Parameters:
  ///   - second: Seconds since midnight on the anchor's clock.
  ///   - weekdays: The weekdays on that clock.
  ///   - anchor: The clock.
  /// - Returns: Every second of the phone's week that it falls on within the outlook.
  mutating func weeklySeconds(
    _ second: Int, on weekdays: [Weekday], by anchor: ClockAnchor
  ) -> Set<WeeklySecond> {
    let clock = anchor.zone(onDeviceIn: zone)
    var found: Set<WeeklySecond> = []
    for shift in phoneShifts(from: clock) {
      for weekday in weekdays { found.insert(WeeklySecond(weekday, second + shift)) }
    }
    for gap in changes(of: clock).map(\.gap) where !gap.isEmpty {
      let first = Int(gap.lowerBound.dividedDown(by: 86_400))
      let last = Int((gap.upperBound - 1).dividedDown(by: 86_400))
      for day in first...last
      where gap.contains(Int64(day) * 86_400 + Int64(second))
        && weekdays.contains(Weekday(daysSince1970: day))
      {
        let moved = clock.milliseconds(daysSince1970: day, secondOfDay: second)
        let (phoneDay, phoneSecond) = zone.local(atMilliseconds: moved)
        found.insert(WeeklySecond(Weekday(daysSince1970: phoneDay), phoneSecond))
      }
    }
    return found
  }

  /// By how many seconds the phone's clock is ahead of another within the outlook, each number once.
  mutating func phoneShifts(from clock: ClockZone) -> [Int] {
    guard clock != zone else { return [0] }
    if let known = shifts[clock] { return known }
    var found: [Int] = []
    for instant in [startSeconds] + (changes(of: clock) + changes(of: zone)).map(\.seconds) {
      let milliseconds = instant * 1000
      let shift =
        zone.offsetSeconds(atMilliseconds: milliseconds)
        - clock.offsetSeconds(atMilliseconds: milliseconds)
      if !found.contains(Int(shift)) { found.append(Int(shift)) }
    }
    shifts[clock] = found
    return found
  }

  private mutating func changes(of clock: ClockZone) -> [Change] {
    if let known = changes[clock] { return known }
    var found: [Change] = []
    var instant = startSeconds
    var offset = clock.offsetSeconds(atMilliseconds: instant * 1000)
    // No zone changes its clocks twice within two days.
    for _ in 0..<Self.days {
      let next = instant + 86_400
      let nextOffset = clock.offsetSeconds(atMilliseconds: next * 1000)
      if nextOffset != offset {
        found.append(
          Change(
            seconds: clock.firstSecond(after: instant, until: next), before: offset,
            after: nextOffset))
      }
      (instant, offset) = (next, nextOffset)
    }
    changes[clock] = found
    return found
  }
}

extension Weekday {
  /// The weekday some days later, or earlier if negative.
  fileprivate func advanced(byDays days: Int) -> Weekday {
    let index = rawValue - 1 + days
    return Weekday.allCases[(index % 7 + 7) % 7]
  }
}
