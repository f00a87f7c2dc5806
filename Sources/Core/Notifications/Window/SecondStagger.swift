/// Spreads out requests that fire in the same second, because phones show only a few of them.
///
/// Most move to a later second. In a budget they keep the rank of their own second.
public struct SecondStagger: Sendable {
  private let limit: Int
  private let kinds: KindRegistry

  /// Creates a stagger; the priorities of kinds decide which requests keep their second.
  ///
  /// - Parameters:
  ///   - limit: The number of requests that can fire in one second, at least 1.
  ///   - kinds: The kinds of notifications.
  public init(limit: Int = 2, kinds: KindRegistry = KindRegistry()) {
    self.limit = max(limit, 1)
    self.kinds = kinds
  }

  /// Moves requests to free seconds; repeating intervals and circles do not move.
  ///
  /// Repeating requests yield only to each other, on every weekday that they share; single requests
  /// yield to both. The most important request keeps its second, then the one with the first
  /// identifier. A repeating request stays on its day, even if it must move to an earlier second.
  ///
  /// Repeating requests stay apart for a year, across all clock changes. Stagger again when the
  /// phone changes zones. Requests that are already staggered do not move again.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - nowMilliseconds: The current time in milliseconds since 1970.
  ///   - zone: The time zone of the phone.
  /// - Returns: The requests in the same order, some of them moved.
  /// - Complexity: O(n log n).
  public func stagger(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> [NotificationRequest] {
    var result = requests
    var taken = takeRepeating(&result, nowMilliseconds: nowMilliseconds, zone: zone)
    for index in order(of: requests) where !requests[index].trigger.repeats {
      let next = requests[index].nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      let fire: Int64
      switch next {
      case .at(let instant): fire = instant
      case .immediately: fire = nowMilliseconds
      case .atCrossing, .never: continue
      }
      let second = fire.dividedDown(by: 1000)
      result[index].move(fromSecond: second, to: taken.take(second), in: zone)
    }
    return result
  }

  /// The seconds in which requests fire, for others that must yield to all of them.
  func seconds(
    takenBy requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> TakenSeconds {
    var requests = requests
    var taken = takeRepeating(&requests, nowMilliseconds: nowMilliseconds, zone: zone)
    for request in requests where !request.trigger.repeats {
      let next = request.nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      if case .at(let time) = next { _ = taken.take(time.dividedDown(by: 1000)) }
    }
    return taken
  }

  /// Moves repeating requests and returns the seconds in which they fire.
  func takeRepeating(
    _ requests: inout [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> TakenSeconds {
    var taken = TakenSeconds(limit: limit, nowMilliseconds: nowMilliseconds, zone: zone)
    let repeating = order(of: requests).filter { requests[$0].trigger.repeats }
    // Requests that repeat every minute have the least choice, then those that repeat every hour.
    for period in [60, 3600, 86_400] {
      for index in repeating { taken.moveRepeating(&requests[index], every: period) }
    }
    taken.findFullHours()
    return taken
  }

  private func order(of requests: [NotificationRequest]) -> [Int] {
    let keys = requests.map { request in
      (kinds.kind(ofIdentifier: request.identifier).priority, request.identifier)
    }
    return requests.indices.sorted { keys[$0] < keys[$1] }
  }
}

extension NotificationRequest {
  /// Moves a request that fires once in a second to another one.
  ///
  /// It stays on the anchor's clock unless that clock repeats the second.
  mutating func move(fromSecond second: Int64, to free: Int64, in zone: ClockZone) {
    guard free != second else { return }
    movedSeconds = (movedSeconds ?? 0) + free - second
    if case .calendar(_, _, let anchor) = trigger {
      let clock = anchor.zone(onDeviceIn: zone)
      let local = LocalTime(atMilliseconds: free * 1000, in: clock)
      if local.milliseconds(in: clock) == free * 1000 {
        trigger = .calendar(local.pattern, repeats: false, anchor: anchor)
        return
      }
    }
    trigger = .at(milliseconds: free * 1000)
  }
}

/// The number of requests in each second.
struct TakenSeconds {
  private let limit: Int
  private let nowMilliseconds: Int64
  private var outlook: ClockOutlook
  private var repeating: [RepeatingSecond: Int] = [:]
  private var single: [Int64: Int] = [:]
  /// Where the last search for equal requests ended; earlier seconds are full.
  private var repeatingEnds: [NotificationTrigger: Int] = [:]
  private var singleEnds: [Int64: Int64] = [:]
  /// Whether repeating requests take every second, so that single ones cannot yield to them.
  private var isFull = false

  init(limit: Int, nowMilliseconds: Int64, zone: ClockZone) {
    self.limit = limit
    self.nowMilliseconds = nowMilliseconds
    outlook = ClockOutlook(zone: zone, nowMilliseconds: nowMilliseconds)
  }

  /// Moves a request with this period to a free second, if possible a later one.
  mutating func moveRepeating(_ request: inout NotificationRequest, every period: Int) {
    guard case .calendar(let pattern, true, let anchor) = request.trigger,
      pattern.periodSeconds == period,
      request.nextFire(afterMilliseconds: nowMilliseconds, in: outlook.zone) != .never
    else { return }
    let own = pattern.secondOfPeriod
    func isFree(_ second: Int) -> Bool {
      outlook.seconds(of: pattern, at: second, by: anchor).allSatisfy { count($0) < limit }
    }
    let later = ((repeatingEnds[request.trigger] ?? own)..<period).first(where: isFree)
    if let later { repeatingEnds[request.trigger] = later }
    let second = later ?? (0..<own).last(where: isFree) ?? own
    for taken in outlook.seconds(of: pattern, at: second, by: anchor) {
      repeating[taken, default: 0] += 1
    }
    guard second != own else { return }
    request.trigger = .calendar(
      pattern.delayed(bySeconds: second - own), repeats: true, anchor: anchor)
    request.movedSeconds = (request.movedSeconds ?? 0) + Int64(second - own)
  }

  private func count(_ second: RepeatingSecond) -> Int {
    let short =
      repeating[.init(every: 60, second.second), default: 0]
      + repeating[.init(every: 3600, second.second), default: 0]
    return second.weekday == nil ? short : short + repeating[second, default: 0]
  }

  mutating func findFullHours() {
    guard repeating.count >= 60 else { return }
    isFull = (0..<3600).allSatisfy { second in
      repeating[.init(every: 60, second), default: 0]
        + repeating[.init(every: 3600, second), default: 0] >= limit
    }
  }

  /// Takes the first free second from a second on; the second itself if a whole day is full.
  mutating func take(_ second: Int64) -> Int64 {
    guard !isFull else { return second }
    var free = singleEnds[second] ?? second
    while !isFree(free) {
      guard free - second < 86_400 else { return second }
      free += 1
    }
    singleEnds[second] = free
    single[free, default: 0] += 1
    return free
  }

  private func isFree(_ second: Int64) -> Bool {
    let taken = single[second, default: 0]
    guard taken < limit else { return false }
    if repeating.isEmpty { return true }
    let (day, secondOfDay) = outlook.zone.local(atMilliseconds: second * 1000)
    let weekday = Weekday(daysSince1970: day)
    return taken + count(.init(of: weekday, every: 86_400, secondOfDay)) < limit
  }
}

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
        found.insert(.init(of: Weekday(daysSince1970: phoneDay), every: period, phoneSecond))
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
