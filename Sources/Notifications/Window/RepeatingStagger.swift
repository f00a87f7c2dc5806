/// Moves repeating requests apart, for ``SecondStagger``.
struct RepeatingStagger {
  private let nowMilliseconds: Int64
  private var outlook: ClockOutlook
  /// Where the search for like requests ended; the seconds before are full.
  private var ends: [Like: Int] = [:]

  /// What requests that may take the same seconds have in common.
  private struct Like: Hashable {
    var weekday: Weekday?
    var anchor: ClockAnchor
    var second: Int
  }

  init(nowMilliseconds: Int64, zone: ClockZone) {
    self.nowMilliseconds = nowMilliseconds
    outlook = ClockOutlook(zone: zone, nowMilliseconds: nowMilliseconds)
  }

  /// Moves a request that repeats in a period of so many seconds; ignores others.
  mutating func move(
    _ request: inout NotificationRequest, every period: Int, _ taken: inout TakenSeconds
  ) {
    guard case .calendar(let pattern, true, let anchor) = request.trigger,
      pattern.periodSeconds == period,
      request.nextFire(afterMilliseconds: nowMilliseconds, in: outlook.zone) != .never
    else { return }
    let delay: Int
    if period < 86_400 {
      let own = pattern.secondOfPeriod
      let clock = anchor.zone(onDeviceIn: outlook.zone)
      delay = taken.takeShort(
        period, seconds: outlook.phoneShifts(from: clock).map { own + $0 },
        delays: -own...(period - 1 - own))
    } else {
      delay = takeDaily(pattern, anchor, &taken)
    }
    if delay != 0 {
      request.trigger = .calendar(
        pattern.delayed(bySeconds: delay), repeats: true, anchor: anchor)
      request.movedSeconds = (request.movedSeconds ?? 0) + Int64(delay)
    }
  }

  /// Takes the first second from a pattern's own on that is free on all its days, else the last free one
  /// before it, else its own; returns how many seconds later it is.
  private mutating func takeDaily(
    _ pattern: CalendarPattern, _ anchor: ClockAnchor, _ taken: inout TakenSeconds
  ) -> Int {
    let own = pattern.secondOfPeriod
    let weekdays = pattern.weekday.map { [$0] } ?? Weekday.allCases
    let like = Like(weekday: pattern.weekday, anchor: anchor, second: own)
    let later = ((ends[like] ?? own)..<86_400).first {
      taken.hasRoom(for: outlook.weeklySeconds($0, on: weekdays, by: anchor))
    }
    if let later { ends[like] = later }
    let second =
      later
      ?? (0..<own).last {
        taken.hasRoom(for: outlook.weeklySeconds($0, on: weekdays, by: anchor))
      } ?? own
    taken.take(outlook.weeklySeconds(second, on: weekdays, by: anchor))
    return second - own
  }
}
