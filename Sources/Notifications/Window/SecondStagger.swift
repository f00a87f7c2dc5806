import Formats

/// Keeps three requests from firing in one second, of which a phone shows two: the third and every
/// further one is moved a second later, and so on.
public struct SecondStagger: Sendable {
  /// How many may fire in one second.
  public let limit: Int

  /// Makes a stagger; two in a second unless told otherwise, at least one.
  public init(limit: Int = 2) {
    self.limit = max(limit, 1)
  }

  /// The requests in the same order, some with a later second of the day.
  ///
  /// Repeating requests give way only to one another, on every weekday on which both may fire;
  /// single ones also to those. Which of several moves depends on their identifiers alone. A
  /// repeating request stays on its day: where no later second of that is free, it is moved to an
  /// earlier one.
  ///
  /// - Parameters:
  ///   - requests: Calendar requests move, and immediate ones, which are then due a little later;
  ///     intervals that repeat, and circles, stay as they are.
  ///   - nowMilliseconds: The present, since 1970.
  ///   - zone: The zone the phone is in.
  /// - Returns: As many requests, with the same identifiers.
  /// - Complexity: O(n log n).
  public func stagger(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> [NotificationRequest] {
    var result = requests
    var taken = TakenSeconds(limit: limit)
    let order = requests.indices.sorted { requests[$0].identifier < requests[$1].identifier }
    // What comes every minute leaves the least choice, then what comes every hour.
    for period in [60, 3600, 86_400] {
      for index in order where requests[index].trigger.repeats {
        moveRepeating(&result[index], every: period, &taken, nowMilliseconds, zone)
      }
    }
    for index in order where !requests[index].trigger.repeats {
      moveSingle(&result[index], &taken, nowMilliseconds, zone)
    }
    return result
  }

  private func moveRepeating(
    _ request: inout NotificationRequest, every period: Int, _ taken: inout TakenSeconds,
    _ now: Int64, _ zone: ClockZone
  ) {
    guard case .calendar(let pattern, true, let anchor) = request.trigger,
      pattern.periodSeconds == period,
      case .at(let fire) = request.nextFire(afterMilliseconds: now, in: zone)
    else { return }
    let own = pattern.secondOfPeriod
    let delays = -own...(period - 1 - own)
    // On the phone's clock: requests that are fixed elsewhere may collide with floating ones.
    let second = zone.secondOfDay(atMilliseconds: fire)
    let delay =
      period < 86_400
      ? taken.takeShort(period, second: second, delays: delays)
      : taken.takeWeekly(
        pattern.weekday.map { [$0] } ?? Weekday.allCases, second: second, delays: delays)
    if delay != 0 {
      request.trigger = .calendar(
        pattern.delayed(bySeconds: delay), repeats: true, anchor: anchor)
    }
  }

  private func moveSingle(
    _ request: inout NotificationRequest, _ taken: inout TakenSeconds, _ now: Int64,
    _ zone: ClockZone
  ) {
    let fire: Int64
    switch request.nextFire(afterMilliseconds: now, in: zone) {
    case .at(let instant): fire = instant
    case .immediately: fire = now
    case .atCrossing, .never: return
    }
    let second = fire.dividedDown(by: 1000)
    let free = taken.takeSingle(second) {
      let (day, secondOfDay) = zone.local(atMilliseconds: $0 * 1000)
      return (Weekday(daysSince1970: day), secondOfDay)
    }
    if free != second { request.trigger = Self.trigger(like: request.trigger, at: free, in: zone) }
  }

  /// A trigger for one second, on the clock of the old one's anchor where that clock shows it once.
  private static func trigger(
    like old: NotificationTrigger, at second: Int64, in zone: ClockZone
  ) -> NotificationTrigger {
    guard case .calendar(_, _, let anchor) = old else { return .at(milliseconds: second * 1000) }
    let clock = anchor.zone(onDeviceIn: zone)
    let local = LocalTime(atMilliseconds: second * 1000, in: clock)
    guard local.milliseconds(in: clock) == second * 1000 else {
      return .at(milliseconds: second * 1000)
    }
    return .calendar(local.pattern, repeats: false, anchor: anchor)
  }
}

/// Which seconds are taken, and how often.
private struct TakenSeconds {
  private struct WeeklySecond: Hashable {
    var weekday: Weekday
    var second: Int
  }

  private let limit: Int
  private var weekly: [WeeklySecond: Int] = [:]
  private var single: [Int64: Int] = [:]
  /// What comes every minute and every hour, whatever the day.
  private var minutely: [Int: Int] = [:]
  private var hourly: [Int: Int] = [:]
  /// Where the search for a free second that began at one ended; those before are full for good.
  private var ends: [Int64: Int64] = [:]
  private var weeklyEnds: [[Weekday]: [Int: Int]] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a second of every minute or hour: the first free one from one on, else the last before it.
  ///
  /// - Returns: How many seconds later it is.
  mutating func takeShort(_ period: Int, second: Int, delays: ClosedRange<Int>) -> Int {
    let candidates = [Array(0...max(0, delays.upperBound)), (delays.lowerBound..<0).reversed()]
    let delay = candidates.joined().first { shortCount(second + $0) < limit } ?? 0
    if period == 60 {
      minutely[Self.remainder(second + delay, 60), default: 0] += 1
    } else {
      hourly[Self.remainder(second + delay, 3600), default: 0] += 1
    }
    return delay
  }

  private func shortCount(_ second: Int) -> Int {
    minutely[Self.remainder(second, 60), default: 0]
      + hourly[Self.remainder(second, 3600), default: 0]
  }

  private static func remainder(_ second: Int, _ period: Int) -> Int {
    (second % period + period) % period
  }

  /// Takes the first free second of weekdays, from one on, else the last free one before it; the
  /// one itself where none is free.
  ///
  /// - Returns: How many seconds later it is.
  mutating func takeWeekly(
    _ weekdays: [Weekday], second: Int, delays: ClosedRange<Int>
  ) -> Int {
    var delay = weeklyEnds[weekdays]?[second] ?? 0
    while delay <= delays.upperBound, isFull(weekdays, second + delay) { delay += 1 }
    if delay > delays.upperBound {
      delay = -1
      while delay >= delays.lowerBound, isFull(weekdays, second + delay) { delay -= 1 }
      if delay < delays.lowerBound { delay = 0 }
    } else {
      weeklyEnds[weekdays, default: [:]][second] = delay
    }
    for weekday in weekdays {
      weekly[WeeklySecond(weekday: weekday, second: second + delay), default: 0] += 1
    }
    return delay
  }

  /// Takes the first free second from one on, given in seconds since 1970.
  mutating func takeSingle(
    _ second: Int64, local: (Int64) -> (weekday: Weekday, secondOfDay: Int)
  ) -> Int64 {
    var free = ends[second] ?? second
    while true {
      let taken = single[free, default: 0]
      if taken < limit {
        let (weekday, secondOfDay) = local(free)
        let repeating = weekly[WeeklySecond(weekday: weekday, second: secondOfDay), default: 0]
        if taken + repeating + shortCount(secondOfDay) < limit { break }
      }
      free += 1
    }
    ends[second] = free
    single[free, default: 0] += 1
    return free
  }

  private func isFull(_ weekdays: [Weekday], _ second: Int) -> Bool {
    let short = shortCount(second)
    return weekdays.contains {
      weekly[WeeklySecond(weekday: $0, second: second), default: 0] + short >= limit
    }
  }
}
