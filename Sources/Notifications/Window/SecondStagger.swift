/// Keeps three requests from firing in one second, of which a phone shows two: the third and every
/// further one is moved a second later, and so on.
public struct SecondStagger: Sendable {
  /// How many may fire in one second.
  public let limit: Int

  /// Makes a stagger; two in a second unless told otherwise, at least one.
  public init(limit: Int = 2) {
    self.limit = max(limit, 1)
  }

  private struct WeeklySecond: Hashable {
    var weekday: Weekday
    var second: Int64
  }

  /// The requests in the same order, some with a later second of the day.
  ///
  /// Repeating requests give way only to one another, on every weekday on which both may fire;
  /// single ones also to those. Which of several moves depends on their identifiers alone.
  ///
  /// - Parameters:
  ///   - requests: Calendar requests move; others stay as they are.
  ///   - nowMilliseconds: The present, since 1970.
  ///   - zone: The zone the phone is in.
  /// - Returns: As many requests, with the same identifiers.
  public func stagger(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> [NotificationRequest] {
    var result = requests
    var weekly: [WeeklySecond: Int] = [:]
    var single: [Int64: Int] = [:]
    let order = requests.indices.sorted { requests[$0].identifier < requests[$1].identifier }
    for index in order where requests[index].trigger.repeats {
      moveRepeating(&result[index], &weekly, nowMilliseconds, zone)
    }
    for index in order where !requests[index].trigger.repeats {
      moveSingle(&result[index], weekly, &single, nowMilliseconds, zone)
    }
    return result
  }

  private func moveRepeating(
    _ request: inout NotificationRequest, _ weekly: inout [WeeklySecond: Int], _ now: Int64,
    _ zone: ClockZone
  ) {
    guard case .calendar(let pattern, true, let anchor) = request.trigger, pattern.hour != nil,
      case .at(let fire) = request.nextFire(afterMilliseconds: now, in: zone)
    else { return }
    let weekdays = pattern.weekday.map { [$0] } ?? Weekday.allCases
    // On the phone's clock: requests that are fixed elsewhere may collide with floating ones.
    let second = Int64(zone.secondOfDay(atMilliseconds: fire))
    var delay = 0
    while weekdays.contains(where: {
      weekly[WeeklySecond(weekday: $0, second: second + Int64(delay)), default: 0] >= limit
    }) { delay += 1 }
    for weekday in weekdays {
      weekly[WeeklySecond(weekday: weekday, second: second + Int64(delay)), default: 0] += 1
    }
    request.trigger = .calendar(
      pattern.delayed(bySeconds: delay), repeats: true, anchor: anchor)
  }

  private func moveSingle(
    _ request: inout NotificationRequest, _ weekly: [WeeklySecond: Int],
    _ single: inout [Int64: Int], _ now: Int64, _ zone: ClockZone
  ) {
    guard case .calendar(let pattern, false, let anchor) = request.trigger,
      case .at(let fire) = request.nextFire(afterMilliseconds: now, in: zone)
    else { return }
    let (day, secondOfDay) = zone.local(atMilliseconds: fire)
    let weekday = Weekday(daysSince1970: day)
    var delay: Int64 = 0
    while single[fire / 1000 + delay, default: 0]
      + weekly[WeeklySecond(weekday: weekday, second: Int64(secondOfDay) + delay), default: 0]
      >= limit
    { delay += 1 }
    single[fire / 1000 + delay, default: 0] += 1
    request.trigger = .calendar(
      pattern.delayed(bySeconds: Int(delay)), repeats: false, anchor: anchor)
  }
}
