/// One update as a value: from the saved state and the centre's requests to what to save, remove and add.
struct SchedulerStep {
  let state: SchedulerState
  let pending: [String: NotificationRequest]
  /// What the phone has shown since the last update; nil if it cannot say.
  let deliveredByCentre: Set<String>?
  let situation: NotificationScheduler.Situation
  let isRestoring: Bool
  /// How many requests the phone holds in all.
  let totalLimit: Int?

  private(set) var newState = SchedulerState()
  private(set) var removals: [String] = []
  private(set) var additions: [NotificationRequest] = []
  private var plan = BudgetPlan()
  private var delivered: [String] = []
  private var missed: [String] = []
  private var cancelled: [String] = []
  private var shown: [SchedulerState.Shown] = []

  init(
    state: SchedulerState, pending: [NotificationRequest], deliveredByCentre: Set<String>?,
    situation: NotificationScheduler.Situation, totalLimit: Int?, isRestoring: Bool
  ) {
    self.state = state
    self.deliveredByCentre = deliveredByCentre
    self.totalLimit = totalLimit
    self.pending = Dictionary(pending.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    self.situation = situation
    self.isRestoring = isRestoring
    shown = state.shown.filter { $0.untilMilliseconds > situation.nowMilliseconds }
  }

  var report: SchedulerReport {
    SchedulerReport(
      plan: plan, added: additions.map(\.identifier), removed: removals, delivered: delivered,
      missed: missed, cancelled: cancelled)
  }

  /// The new state with the additions confirmed, nil if confirmation does not matter: a single request
  /// that is gone before its time has fired only if the centre had held it.
  var confirmedState: SchedulerState? {
    guard additions.contains(where: Self.needsConfirmation) else { return nil }
    var confirmed = newState
    for index in confirmed.entries.indices where confirmed.entries[index].isScheduled {
      confirmed.entries[index].isConfirmed = true
    }
    return confirmed
  }

  /// Plans and finds the difference, after the change.
  ///
  /// - Parameters:
  ///   - changed: All requests after the change.
  ///   - live: The result of ``takeLive()``.
  ///   - budget: The limits, ranking and kinds.
  mutating func settle(
    _ changed: [NotificationRequest], live: [NotificationRequest], budget: NotificationBudget
  ) {
    var requests = changed
    for index in requests.indices where requests[index].askedMilliseconds == nil {
      requests[index].askedMilliseconds = situation.nowMilliseconds
    }
    let owned = Set(state.entries.map(\.request.identifier))
    let again = takeShown(from: &requests)
    plan = budget.plan(
      requests, nowMilliseconds: situation.nowMilliseconds, zone: situation.zone,
      location: situation.location, occupied: occupancy(owned: owned, requested: requests))
    plan.purged += again.map { budget.item($0, .never, from: nil, .shown) }
    let kept = Set(requests.map(\.identifier))
    cancelled = live.map(\.identifier).filter { !kept.contains($0) }
    findDifference(owned: owned)
    buildState()
  }

  /// The requests that can still fire, the soonest first; notes what became of the others.
  mutating func takeLive() -> [NotificationRequest] {
    var live: [(fire: Int64, request: NotificationRequest)] = []
    for entry in state.entries {
      let request = entry.request
      let next = request.nextFire(
        afterMilliseconds: situation.nowMilliseconds, in: situation.zone)
      switch next {
      case .never:
        if entry.isScheduled && !wasPassedOver(entry) {
          noteDelivered(request)
        } else {
          missed.append(request.identifier)
        }
      case .immediately:
        // A crash between adding and confirming shows it twice, which is better than not at all.
        if entry.isScheduled && entry.isConfirmed {
          noteDelivered(request)
        } else {
          live.append((.min, request))
        }
      case .atCrossing:
        if hasCrossed(entry) {
          noteDelivered(request)
        } else {
          live.append((.max, request))
        }
      case .at(let milliseconds):
        if hasFiredElsewhere(entry) {
          noteDelivered(request)
        } else {
          live.append((milliseconds, request))
        }
      }
    }
    live.sort { ($0.fire, $0.request.identifier) < ($1.fire, $1.request.identifier) }
    return live.map(\.request)
  }

  private mutating func noteDelivered(_ request: NotificationRequest) {
    delivered.append(request.identifier)
    guard request.trigger.isDatedByAnyClock else { return }
    shown.append(
      .init(
        identifier: request.identifier, trigger: request.trigger,
        untilMilliseconds: situation.nowMilliseconds + Self.widestMoveMilliseconds))
  }

  /// Takes out the requests that have fired on another zone's clock.
  private func takeShown(from requests: inout [NotificationRequest]) -> [NotificationRequest] {
    guard !shown.isEmpty else { return [] }
    let fired = Dictionary(
      shown.map { ($0.identifier, $0.trigger) }, uniquingKeysWith: { $1 })
    func isAgain(_ request: NotificationRequest) -> Bool {
      fired[request.identifier].map(request.trigger.isSameDateByAnyClock) ?? false
    }
    let again = requests.filter(isAgain)
    requests.removeAll(where: isAgain)
    return again
  }

  private func hasCrossed(_ entry: SchedulerState.Entry) -> Bool {
    !isRestoring && !entry.request.trigger.repeats && entry.isScheduled && entry.isConfirmed
      && pending[entry.request.identifier] == nil
  }

  /// What others have pending.
  ///
  /// A leaving request is ours unless they replaced it.
  private func occupancy(
    owned: Set<String>, requested: [NotificationRequest]
  ) -> NotificationBudget.Occupancy {
    let requestedIDs = Set(requested.map(\.identifier))
    let leaving = Dictionary(
      state.leaving.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    var occupancy = NotificationBudget.Occupancy()
    for request in pending.values {
      let isOurs =
        owned.contains(request.identifier) || requestedIDs.contains(request.identifier)
        || leaving[request.identifier].map { $0.isSame(as: request) } ?? false
      if isOurs { continue }
      occupancy.total += 1
      if case .region = request.trigger { occupancy.regions += 1 }
    }
    return occupancy
  }

  private mutating func findDifference(owned: Set<String>) {
    let wanted = Set(plan.scheduled.map(\.request.identifier))
    var leaving: [String: NotificationRequest] = [:]
    for request in state.leaving where pending[request.identifier]?.isSame(as: request) ?? false {
      leaving[request.identifier] = request
    }
    for identifier in owned {
      if let request = pending[identifier] { leaving[identifier] = request }
    }
    for identifier in wanted { leaving[identifier] = nil }
    newState.leaving = leaving.values.sorted { $0.identifier < $1.identifier }
    removals = newState.leaving.map(\.identifier)
    additions = plan.scheduled.reversed().map(\.request).filter { request in
      pending[request.identifier].map { !$0.isSame(as: Self.handedOver(request)) } ?? true
    }.map(Self.handedOver)
  }

  private mutating func buildState() {
    let known = Dictionary(
      state.entries.map { ($0.request.identifier, $0) }, uniquingKeysWith: { $1 })
    func entry(_ item: BudgetPlan.Item, isScheduled: Bool) -> SchedulerState.Entry {
      let request = item.request
      let held = pending[request.identifier].map { $0.isSame(as: Self.handedOver(request)) }
      let wasConfirmed =
        !isRestoring && known[request.identifier]?.request == request
        && known[request.identifier]?.isConfirmed ?? false
      return SchedulerState.Entry(
        request: request, isScheduled: isScheduled,
        isConfirmed: isScheduled && (held ?? wasConfirmed),
        plannedMilliseconds: request.trigger.comesOnceByAnyClock ? item.fireMilliseconds : nil)
    }
    newState.shown = shown
    newState.updatedMilliseconds = situation.nowMilliseconds
    newState.entries =
      (plan.scheduled.map { entry($0, isScheduled: true) }
      + plan.stored.map { entry($0, isScheduled: false) })
      .sorted { $0.request.identifier < $1.request.identifier }
  }

  /// The request as the centre gets it: it would count an interval from when the request is added, which
  /// may be much later than when it was asked for.
  private static func handedOver(_ request: NotificationRequest) -> NotificationRequest {
    guard case .interval(let interval) = request.trigger, !interval.repeats,
      let asked = request.askedMilliseconds
    else { return request }
    var copy = request
    copy.trigger = .at(milliseconds: asked + interval.milliseconds)
    return copy
  }

  private static func needsConfirmation(_ request: NotificationRequest) -> Bool {
    switch request.trigger {
    case .region(let region): !region.repeats
    case .immediate: true
    case .calendar: request.trigger.comesOnceByAnyClock
    case .interval: false
    }
  }
}
