/// Moves requests apart that would fire in the same second, of which a phone shows only two: further ones
/// move to the next free second.
public struct SecondStagger: Sendable {
  /// How many may fire in one second, at least 1.
  public let limit: Int
  /// The kinds, whose priorities decide which requests keep their second.
  public let kinds: KindRegistry

  /// Makes a stagger.
  public init(limit: Int = 2, kinds: KindRegistry = KindRegistry()) {
    self.limit = max(limit, 1)
    self.kinds = kinds
  }

  /// The requests in the same order, some moved by seconds.
  ///
  /// Repeating requests yield only to each other, on every weekday on which both may fire; single ones
  /// yield to both. Of several the more important keeps its second, then the one whose identifier comes
  /// first. A repeating request stays on its day: if no later second of the day is free, it moves to an
  /// earlier one.
  ///
  /// Repeating requests stay apart for a year, also after an hour that the clocks skip and on two clocks
  /// that change on different days. Only a journey can bring together the phone's clock and those of
  /// other zones: stagger again then. Requests that are staggered already do not move again.
  ///
  /// - Parameters:
  ///   - requests: Calendar requests and immediate ones can move; repeating intervals and circles cannot.
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
    let keys = requests.map { request in
      (kinds.kind(ofIdentifier: request.identifier).priority, request.identifier)
    }
    let order = requests.indices.sorted { keys[$0] < keys[$1] }
    // Requests that come every minute have the least choice, then those that come every hour.
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
    if free != second {
      request.trigger = Self.trigger(like: request.trigger, at: free, in: zone)
      request.movedSeconds = (request.movedSeconds ?? 0) + free - second
    }
  }

  /// A trigger for one second, on the anchor's clock if that second is unambiguous there.
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
