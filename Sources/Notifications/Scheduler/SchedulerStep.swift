import FencepostTime

/// One update as a value: from the saved state and the centre's requests to what to save, remove and add.
struct SchedulerStep {
  private let state: SchedulerState
  private let pending: [String: NotificationRequest]
  /// What the phone has shown since the last update; nil if it cannot say.
  private let deliveredByCentre: Set<String>?
  private let situation: NotificationScheduler.Situation
  private let budget: NotificationBudget
  private let isRestoring: Bool
  private var shown: [SchedulerState.Shown]

  /// The requests that can still fire, the soonest first.
  private(set) var live: [NotificationRequest] = []
  private(set) var newState = SchedulerState()
  /// What to add, the most important last.
  private(set) var additions: [NotificationRequest] = []
  private(set) var report = SchedulerReport()

  init(
    state: SchedulerState, pending: [NotificationRequest], deliveredByCentre: Set<String>?,
    situation: NotificationScheduler.Situation, budget: NotificationBudget, isRestoring: Bool
  ) {
    self.state = state
    self.deliveredByCentre = deliveredByCentre
    self.budget = budget
    self.pending = Dictionary(pending.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    self.situation = situation
    self.isRestoring = isRestoring
    shown = state.shown.filter { $0.untilMilliseconds > situation.nowMilliseconds }
    findLive()
  }

  /// The new state with the additions confirmed, nil if confirmation does not matter: a single request
  /// that is gone before its time has fired only if the centre had held it.
  var confirmedState: SchedulerState? {
    guard additions.contains(where: \.trigger.needsConfirmation) else { return nil }
    var confirmed = newState
    for index in confirmed.entries.indices where confirmed.entries[index].isScheduled {
      confirmed.entries[index].isConfirmed = true
    }
    return confirmed
  }

  /// Finds the live requests, and what became of the others.
  private mutating func findLive() {
    var found: [(fire: Int64, request: NotificationRequest)] = []
    for entry in state.entries {
      let request = entry.request
      let isHeld = entry.isScheduled && entry.isConfirmed
      let isGone = !isRestoring && pending[request.identifier] == nil
      switch request.nextFire(
        afterMilliseconds: situation.nowMilliseconds, in: situation.zone)
      {
      case .never where !entry.isScheduled || wasPassedOver(entry):
        report.missed.append(request.identifier)
      case .never: noteDelivered(request)
      // A crash between adding and confirming shows it twice, which is better than not at all.
      case .immediately where isHeld: noteDelivered(request)
      case .immediately: found.append((.min, request))
      case .atCrossing where isHeld && isGone && !request.trigger.repeats: noteDelivered(request)
      case .atCrossing: found.append((.max, request))
      case .at where isGone && hasFiredElsewhere(entry): noteDelivered(request)
      case .at(let milliseconds): found.append((milliseconds, request))
      }
    }
    found.sort { ($0.fire, $0.request.identifier) < ($1.fire, $1.request.identifier) }
    live = found.map(\.request)
  }

  private mutating func noteDelivered(_ request: NotificationRequest) {
    report.delivered.append(request.identifier)
    guard request.trigger.dateByAnyClock != nil else { return }
    shown.append(
      .init(
        identifier: request.identifier, trigger: request.trigger,
        untilMilliseconds: situation.nowMilliseconds + Self.widestMoveMilliseconds))
  }

  // MARK: After the change

  /// Plans all requests after the change, and finds the difference.
  mutating func settle(_ changed: [NotificationRequest]) {
    var requests = changed
    for index in requests.indices where requests[index].askedMilliseconds == nil {
      requests[index].askedMilliseconds = situation.nowMilliseconds
    }
    // What has fired on another zone's clock must not fire again.
    let fired = Dictionary(
      shown.map { ($0.identifier, $0.trigger) }, uniquingKeysWith: { $1 })
    func isAgain(_ request: NotificationRequest) -> Bool {
      fired[request.identifier].map(request.trigger.isSameDateByAnyClock) ?? false
    }
    let again = requests.filter(isAgain)
    requests.removeAll(where: isAgain)
    let owned = Set(state.entries.map(\.request.identifier))
    let kept = Set(requests.map(\.identifier))
    report.plan = budget.plan(
      requests, nowMilliseconds: situation.nowMilliseconds, zone: situation.zone,
      location: situation.location, occupied: occupancy(besides: owned.union(kept)))
    report.plan.purged += again.map { budget.item($0, .never, .shown) }
    report.cancelled = live.map(\.identifier).filter { !kept.contains($0) }
    findDifference(owned: owned)
    buildState()
  }

  /// What others have pending.
  ///
  /// A leaving request is ours unless they replaced it.
  private func occupancy(besides ours: Set<String>) -> NotificationBudget.Occupancy {
    let leaving = Dictionary(
      state.leaving.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    var occupancy = NotificationBudget.Occupancy()
    for request in pending.values where !ours.contains(request.identifier) {
      if leaving[request.identifier]?.isSame(as: request) ?? false { continue }
      occupancy.total += 1
      if case .region = request.trigger { occupancy.regions += 1 }
    }
    return occupancy
  }

  private mutating func findDifference(owned: Set<String>) {
    var leaving: [String: NotificationRequest] = [:]
    for request in state.leaving where pending[request.identifier]?.isSame(as: request) ?? false {
      leaving[request.identifier] = request
    }
    for identifier in owned {
      if let request = pending[identifier] { leaving[identifier] = request }
    }
    for item in report.plan.scheduled { leaving[item.request.identifier] = nil }
    newState.leaving = leaving.values.sorted { $0.identifier < $1.identifier }
    report.removed = newState.leaving.map(\.identifier)
    additions = report.plan.scheduled.reversed().map(\.request.asHandedOver).filter { request in
      !(pending[request.identifier]?.isSame(as: request) ?? false)
    }
    report.added = additions.map(\.identifier)
  }

  private mutating func buildState() {
    let known = Dictionary(
      state.entries.map { ($0.request.identifier, $0) }, uniquingKeysWith: { $1 })
    func entry(_ item: BudgetPlan.Item, isScheduled: Bool) -> SchedulerState.Entry {
      let request = item.request
      let held = pending[request.identifier].map { $0.isSame(as: request.asHandedOver) }
      let last = known[request.identifier]
      let wasConfirmed = !isRestoring && last?.request == request && last?.isConfirmed ?? false
      return SchedulerState.Entry(
        request: request, isScheduled: isScheduled,
        isConfirmed: isScheduled && (held ?? wasConfirmed),
        plannedMilliseconds: request.trigger.comesOnceByAnyClock ? item.fireMilliseconds : nil)
    }
    newState.shown = shown
    newState.updatedMilliseconds = situation.nowMilliseconds
    newState.entries =
      (report.plan.scheduled.map { entry($0, isScheduled: true) }
      + report.plan.stored.map { entry($0, isScheduled: false) })
      .sorted { $0.request.identifier < $1.request.identifier }
  }
}

// MARK: What has fired by a clock that the phone no longer shows

extension SchedulerStep {
  /// The farthest that clocks are ahead of UTC.
  private static let farthestEastSeconds: Int64 = 14 * 3600
  /// No two clocks are more than 26 hours apart.
  private static let widestMoveMilliseconds: Int64 = 26 * 3_600_000

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

  /// Whether a single request that is gone from the phone fired by the clock of a zone that the phone has
  /// left since, although by its present clock it is still to come.
  private func hasFiredElsewhere(_ entry: SchedulerState.Entry) -> Bool {
    guard entry.isScheduled, let planned = entry.plannedMilliseconds else { return false }
    if planned <= situation.nowMilliseconds { return true }
    guard entry.isConfirmed,
      earliestMilliseconds(of: entry.request, planned: planned) <= situation.nowMilliseconds
    else { return false }
    return deliveredByCentre?.contains(entry.request.identifier) ?? !phoneHasLostRequests
  }

  /// Whether a journey east has set the clock past a request's time, so that it never fired.
  private func wasPassedOver(_ entry: SchedulerState.Entry) -> Bool {
    guard let planned = entry.plannedMilliseconds, planned > situation.nowMilliseconds else {
      return false
    }
    return !(deliveredByCentre?.contains(entry.request.identifier) ?? false)
  }

  /// Whether the phone lacks a request that it held and cannot have shown, or is full: others may then be
  /// lost too, and showing one twice is better than not at all.
  private var phoneHasLostRequests: Bool {
    if let totalLimit = budget.totalLimit, pending.count >= totalLimit { return true }
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
    request.trigger.dateByAnyClock.map { ($0 - Self.farthestEastSeconds) * 1000 }
      ?? planned - Self.widestMoveMilliseconds
  }
}

extension NotificationTrigger {
  /// Whether it fires once, by the clock of wherever the phone is.
  fileprivate var comesOnceByAnyClock: Bool {
    if case .calendar(_, false, .floating) = self { true } else { false }
  }

  /// Whether a request that is gone before its time has fired only if the centre had held it.
  fileprivate var needsConfirmation: Bool {
    switch self {
    case .region(let region): !region.repeats
    case .immediate: true
    case .calendar: comesOnceByAnyClock
    case .interval: false
    }
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

  /// Whether both mean the same date and time by the clock of wherever the phone is, give or take the
  /// seconds of a stagger.
  fileprivate func isSameDateByAnyClock(as other: NotificationTrigger) -> Bool {
    guard let own = dateByAnyClock, let theirs = other.dateByAnyClock else { return false }
    return abs(own - theirs) < 60
  }
}

extension NotificationRequest {
  /// The request as the centre gets it: it would count an interval from when the request is added, which
  /// may be much later than when it was asked for.
  fileprivate var asHandedOver: NotificationRequest {
    guard case .interval(let interval) = trigger, !interval.repeats, let asked = askedMilliseconds
    else { return self }
    var copy = self
    copy.trigger = .at(milliseconds: asked + interval.milliseconds)
    return copy
  }
}
