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
  /// Repeating requests keep apart for a year: also behind an hour that the clocks leave out, and on
  /// two clocks that change on different days. What nobody can foresee is a journey, which may bring
  /// together the phone's clock and those of other zones: stagger again then. Requests that are
  /// staggered already stay as they are.
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
    var repeating = RepeatingStagger(nowMilliseconds: nowMilliseconds, zone: zone)
    let order = requests.indices.sorted { requests[$0].identifier < requests[$1].identifier }
    // What comes every minute leaves the least choice, then what comes every hour.
    for period in [60, 3600, 86_400] {
      for index in order where requests[index].trigger.repeats {
        repeating.move(&result[index], every: period, &taken)
      }
    }
    for index in order where !requests[index].trigger.repeats {
      moveSingle(&result[index], &taken, nowMilliseconds, zone)
    }
    return result
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
