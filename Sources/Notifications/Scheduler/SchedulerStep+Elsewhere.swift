import FencepostTime

// What has fired by a clock that the phone no longer shows.
extension SchedulerStep {
  /// Whether it matters what the phone has shown: it lacks a local time that is to come.
  static func needsDelivered(
    _ state: SchedulerState, pending: [NotificationRequest], nowMilliseconds: Int64
  ) -> Bool {
    let held = Set(pending.map(\.identifier))
    return state.entries.contains { entry in
      entry.isConfirmed && !held.contains(entry.request.identifier)
        && entry.plannedMilliseconds.map { $0 > nowMilliseconds } ?? false
    }
  }

  /// Whether a single request fired by the clock of a zone that the phone has left since, although by its
  /// present clock it is still to come.
  ///
  /// The only sign is that the phone no longer holds it; on a replaced phone it was lost instead.
  func hasFiredElsewhere(_ entry: SchedulerState.Entry) -> Bool {
    guard !isRestoring, entry.isScheduled, let planned = entry.plannedMilliseconds,
      pending[entry.request.identifier] == nil
    else { return false }
    if planned <= situation.nowMilliseconds { return true }
    guard entry.isConfirmed,
      earliestMilliseconds(of: entry.request, planned: planned) <= situation.nowMilliseconds
    else { return false }
    return deliveredByCentre?.contains(entry.request.identifier) ?? !phoneHasLostRequests
  }

  /// Whether a journey east has set the clock past a request's time, so that it never fired.
  func wasPassedOver(_ entry: SchedulerState.Entry) -> Bool {
    guard let planned = entry.plannedMilliseconds, planned > situation.nowMilliseconds else {
      return false
    }
    return !(deliveredByCentre?.contains(entry.request.identifier) ?? false)
  }

  /// Whether the phone lacks a request that it held and cannot have shown, or is full: others may then be
  /// lost too, and showing one twice is better than not at all.
  private var phoneHasLostRequests: Bool {
    if let totalLimit, pending.count >= totalLimit { return true }
    return state.entries.contains { entry in
      entry.isScheduled && entry.isConfirmed && pending[entry.request.identifier] == nil
        && isToCome(entry)
    }
  }

  /// Whether a request is still to come on every clock, and so should be pending.
  private func isToCome(_ entry: SchedulerState.Entry) -> Bool {
    let request = entry.request
    guard !request.trigger.repeats else { return true }
    guard
      case .at = request.nextFire(afterMilliseconds: situation.nowMilliseconds, in: situation.zone)
    else { return false }
    guard let planned = entry.plannedMilliseconds else { return true }
    return earliestMilliseconds(of: request, planned: planned) > situation.nowMilliseconds
  }

  /// The first instant at which any clock shows a request's time, in milliseconds since 1970.
  private func earliestMilliseconds(of request: NotificationRequest, planned: Int64) -> Int64 {
    guard let local = request.trigger.dateByAnyClock else {
      return planned - Self.widestMoveMilliseconds
    }
    return (local - Self.farthestEastSeconds) * 1000
  }

  /// The farthest that clocks are ahead of UTC.
  private static let farthestEastSeconds: Int64 = 14 * 3600
  /// No two clocks are more than 26 hours apart.
  static let widestMoveMilliseconds: Int64 = 26 * 3_600_000
}

extension NotificationTrigger {
  /// Whether it fires once, by the clock of wherever the phone is.
  var comesOnceByAnyClock: Bool {
    if case .calendar(_, false, .floating) = self { true } else { false }
  }

  /// The one date and time at which it fires by the clock of wherever the phone is, in seconds since
  /// 1970-01-01T00:00:00 on that clock.
  fileprivate var dateByAnyClock: Int64? {
    guard case .calendar(let pattern, false, .floating) = self,
      let year = pattern.year, let month = pattern.month, let day = pattern.day
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return Int64(date.daysSince1970) * 86_400 + Int64(pattern.secondOfPeriod)
  }

  /// Whether it fires on one date by the clock of wherever the phone is.
  var isDatedByAnyClock: Bool { dateByAnyClock != nil }

  /// Whether both mean the same date and time by the clock of wherever the phone is, give or take the
  /// seconds of a stagger.
  func isSameDateByAnyClock(as other: NotificationTrigger) -> Bool {
    guard let own = dateByAnyClock, let theirs = other.dateByAnyClock else { return false }
    return abs(own - theirs) < 60
  }
}
