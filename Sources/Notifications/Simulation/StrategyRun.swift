struct StrategyRun {
  struct KeptBack {
    var reason: FateReason
    var fromMilliseconds: Int64
    /// When the phone received it; `.max` if never.
    var untilMilliseconds = Int64.max
  }

  private let simulation: ScheduleSimulation
  private let strategy: ScheduleStrategy
  let budget: NotificationBudget
  var phone: SimulatedPhone
  var foreign: [NotificationRequest] = []
  private(set) var lastPlan = BudgetPlan()
  private var state = SchedulerState()
  private var evictions: [String: Int] = [:]
  private var refreshNumber = 0
  private var missedRefreshes = 0
  private(set) var owners: [String: Int] = [:]
  /// The requests of ``ScheduleStrategy/budget`` before staggering.
  private var unmoved: [String: NotificationRequest] = [:]
  private var keptBack: [String: [KeptBack]] = [:]

  init(simulation: ScheduleSimulation, strategy: ScheduleStrategy) {
    self.simulation = simulation
    self.strategy = strategy
    let options = simulation.options
    budget = NotificationBudget(
      totalLimit: options.profile.totalLimit, regionLimit: options.profile.regionLimit,
      policy: options.policy, kinds: simulation.kinds)
    phone = SimulatedPhone(
      profile: options.profile, nowMilliseconds: options.fromMilliseconds,
      zone: simulation.startZone, sameSecondLimit: options.sameSecondLimit,
      lowPowerDelay: options.lowPowerDelay)
  }

  mutating func start() {
    guard strategy != .window else { return replan() }
    let from = simulation.options.fromMilliseconds
    let requests = self.requests { $0.requests(askedMilliseconds: from) }
    switch strategy {
    case .naive:
      for request in requests { phone.add(request) }
    case .firstCome:
      for request in requests {
        if let limit = phone.profile.totalLimit, phone.pendingCount >= limit {
          keepBack(request.identifier, .notAdded)
        } else {
          phone.add(request)
        }
      }
    case .budget, .window:
      unmoved = Dictionary(requests.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      replan { $0 = requests }
    }
  }

  mutating func travel(to zone: ClockZone) {
    phone.travel(to: zone)
    if simulation.options.replansOnZoneChange { replan() }
  }

  mutating func restore() {
    phone.forgetPending()
    replan(isRestoring: true)
  }

  mutating func refresh() {
    refreshNumber += 1
    var random = SeededRandom(
      seed: simulation.options.seed, identifier: "refresh", number: UInt64(refreshNumber))
    if random.nextUnit() < simulation.options.missedRefreshShare {
      missedRefreshes += 1
    } else {
      replan()
    }
  }

  func result(due: [[Occurrence]]) -> SimulationResult {
    var matcher = FateMatcher(
      document: simulation.document, kinds: simulation.kinds, due: due, owners: owners,
      keptBack: keptBack)
    var result = matcher.match(
      phone.trace, under: strategy, pending: Set(phone.pending.map(\.identifier)))
    result.refreshes = refreshNumber - missedRefreshes
    result.missedRefreshes = missedRefreshes
    result.evictions = evictions
    result.trace = phone.trace
    return result
  }

  /// The requests of all reminders; also records their owners.
  private mutating func requests(
    _ make: (Reminder) -> [NotificationRequest]
  ) -> [NotificationRequest] {
    var all: [NotificationRequest] = []
    for (index, reminder) in simulation.document.reminders.enumerated() {
      let requests = make(reminder)
      for request in requests { owners[request.identifier] = index }
      all += requests
    }
    return all
  }

  // MARK: Planning

  /// Plans again, if the strategy plans; ``ScheduleStrategy/budget`` applies the change first.
  mutating func replan(
    isRestoring: Bool = false, _ change: (inout [NotificationRequest]) -> Void = { _ in }
  ) {
    let (now, zone, reminders) = (phone.nowMilliseconds, phone.zone, simulation.document.reminders)
    let (from, unmoved) = (simulation.options.fromMilliseconds, unmoved)
    switch strategy {
    case .naive, .firstCome: break
    case .budget:
      update(isRestoring: isRestoring) { live in
        var requests = live
        change(&requests)
        return requests.map { request in
          // If its own second has passed, a request keeps the second that it was moved to.
          guard let own = unmoved[request.identifier],
            case .at = own.nextFire(afterMilliseconds: now, in: zone)
          else { return request }
          return own
        }
      }
    case .window:
      let ahead = requests {
        SlidingWindow().requests(
          for: [$0], nowMilliseconds: now, zone: zone, askedMilliseconds: from)
      }
      update(isRestoring: isRestoring) { live in
        ahead
          + SlidingWindow().staggered(
            live, besides: ahead, of: reminders, nowMilliseconds: now, zone: zone,
            askedMilliseconds: from)
      }
    }
  }

  /// Runs a scheduler update, with staggered requests if the phone limits notifications per second.
  private mutating func update(
    isRestoring: Bool, _ change: ([NotificationRequest]) -> [NotificationRequest]
  ) {
    var step = SchedulerStep(
      state: state, pending: phone.pending + foreign,
      deliveredByCentre: phone.delivered(afterMilliseconds: state.updatedMilliseconds ?? .min),
      situation: .init(
        nowMilliseconds: phone.nowMilliseconds, zone: phone.zone,
        location: simulation.document.location),
      budget: budget, isRestoring: isRestoring)
    var requests = change(step.live)
    if let limit = simulation.options.sameSecondLimit {
      requests = SecondStagger(limit: limit, kinds: budget.kinds).stagger(
        requests, nowMilliseconds: phone.nowMilliseconds, zone: phone.zone)
    }
    step.settle(requests)
    state = step.confirmedState ?? step.newState
    phone.remove(identifiers: step.report.removed)
    for request in step.additions { phone.add(request) }
    lastPlan = step.report.plan
    evictions.merge(lastPlan.evictionsByKind, uniquingKeysWith: +)
    for item in lastPlan.scheduled { handOver(item.request.identifier) }
    for item in lastPlan.stored { keepBack(item.request.identifier, .stored) }
    for item in lastPlan.purged where item.reason == .dead {
      keepBack(item.request.identifier, .dead)
    }
  }

  private mutating func keepBack(_ identifier: String, _ reason: FateReason) {
    if let last = keptBack[identifier]?.last, last.untilMilliseconds == .max {
      if last.reason == reason { return }
      handOver(identifier)
    }
    keptBack[identifier, default: []].append(
      KeptBack(reason: reason, fromMilliseconds: phone.nowMilliseconds))
  }

  private mutating func handOver(_ identifier: String) {
    guard let index = keptBack[identifier]?.indices.last,
      keptBack[identifier]?[index].untilMilliseconds == .max
    else { return }
    keptBack[identifier]?[index].untilMilliseconds = phone.nowMilliseconds
  }
}
