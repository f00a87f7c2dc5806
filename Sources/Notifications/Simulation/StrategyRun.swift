/// One strategy on one phone.
struct StrategyRun {
  private let simulation: ScheduleSimulation
  private let strategy: ScheduleStrategy
  let budget: NotificationBudget
  private(set) var phone: SimulatedPhone
  /// Pending requests of other owners.
  var foreign: [NotificationRequest] = []
  /// The latest plan.
  private(set) var lastPlan = BudgetPlan()
  private var state = SchedulerState()
  private var evictions = EvictionLedger()
  private var refreshNumber = 0
  private var missedRefreshes = 0
  /// The index of the reminder that a request belongs to.
  private(set) var owners: [String: Int] = [:]
  /// The requests of ``ScheduleStrategy/budget`` before staggering.
  private var unmoved: [String: NotificationRequest] = [:]
  /// When and why the app held back requests.
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
    switch strategy {
    case .naive:
      for request in allRequests() { phone.add(request) }
    case .firstCome:
      for request in allRequests() { addIfRoom(request) }
    case .budget:
      let requests = allRequests()
      unmoved = Dictionary(requests.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      replan { $0 = requests }
    case .window:
      moveWindow()
    }
  }

  mutating func advance(toMilliseconds end: Int64) {
    phone.advance(toMilliseconds: end)
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
    let options = simulation.options
    var random = SeededRandom(
      seed: options.seed, identifier: "refresh", number: UInt64(refreshNumber))
    if random.nextUnit() < options.missedRefreshShare {
      missedRefreshes += 1
      return
    }
    replan()
  }

  mutating func replan(isRestoring: Bool = false) {
    switch strategy {
    case .naive, .firstCome: break
    case .budget: replan(isRestoring: isRestoring) { _ in }
    case .window: moveWindow(isRestoring: isRestoring)
    }
  }

  /// Plans again and staggers all requests again, by the phone's present clock.
  private mutating func replan(
    isRestoring: Bool = false, _ change: (inout [NotificationRequest]) -> Void
  ) {
    let (simulation, now, zone) = (simulation, phone.nowMilliseconds, phone.zone)
    let unmoved = unmoved
    runScheduler(isRestoring: isRestoring) { requests in
      change(&requests)
      let fresh = requests.map { request in
        // A request whose own second has passed fires in the one that it was moved to.
        guard let own = unmoved[request.identifier],
          case .at = own.nextFire(afterMilliseconds: now, in: zone)
        else { return request }
        return own
      }
      requests = simulation.staggered(fresh, nowMilliseconds: now, zone: zone)
    }
  }

  func result(due: [[Occurrence]]) -> SimulationResult {
    var matcher = FateMatcher(
      document: simulation.document, strategy: strategy, kinds: simulation.kinds, due: due,
      owners: owners, keptBack: keptBack, trace: phone.trace)
    var result = matcher.match(pending: Set(phone.pending.map(\.identifier)))
    result.refreshes = refreshNumber - missedRefreshes
    result.missedRefreshes = missedRefreshes
    result.evictions = evictions
    result.trace = phone.trace
    return result
  }

  private mutating func allRequests() -> [NotificationRequest] {
    let from = simulation.options.fromMilliseconds
    var all: [NotificationRequest] = []
    for (index, reminder) in simulation.document.reminders.enumerated() {
      let requests = reminder.requests(askedMilliseconds: from)
      for request in requests { owners[request.identifier] = index }
      all += requests
    }
    return all
  }

  private mutating func addIfRoom(_ request: NotificationRequest) {
    if let limit = phone.profile.totalLimit, phone.pendingCount >= limit {
      keepBack(request.identifier, .notAdded)
    } else {
      phone.add(request)
    }
  }

  private mutating func moveWindow(isRestoring: Bool = false) {
    let from = simulation.options.fromMilliseconds
    var all: [NotificationRequest] = []
    for (index, reminder) in simulation.document.reminders.enumerated() {
      let requests = SlidingWindow().requests(
        for: [reminder], nowMilliseconds: phone.nowMilliseconds, zone: phone.zone,
        askedMilliseconds: from)
      for request in requests { owners[request.identifier] = index }
      all += requests
    }
    let (simulation, now, zone) = (simulation, phone.nowMilliseconds, phone.zone)
    runScheduler(isRestoring: isRestoring) { live in
      let kept = SlidingWindow().staggered(
        live, besides: all, of: simulation.document.reminders, nowMilliseconds: now, zone: zone,
        askedMilliseconds: from)
      live = simulation.staggered(all + kept, nowMilliseconds: now, zone: zone)
    }
  }

  private mutating func runScheduler(
    isRestoring: Bool = false, _ change: (inout [NotificationRequest]) -> Void
  ) {
    let situation = NotificationScheduler.Situation(
      nowMilliseconds: phone.nowMilliseconds, zone: phone.zone,
      location: simulation.document.location)
    var step = SchedulerStep(
      state: state, pending: phone.pending + foreign,
      deliveredByCentre: phone.delivered(afterMilliseconds: state.updatedMilliseconds ?? .min),
      situation: situation, totalLimit: budget.totalLimit, isRestoring: isRestoring)
    let live = step.takeLive()
    var requests = live
    change(&requests)
    step.settle(requests, live: live, budget: budget)
    state = step.confirmedState ?? step.newState
    phone.remove(identifiers: step.removals)
    for request in step.additions { phone.add(request) }
    let report = step.report
    evictions.note(report.plan)
    lastPlan = report.plan
    for item in report.plan.scheduled { handOver(item.request.identifier) }
    for item in report.plan.stored { keepBack(item.request.identifier, .stored) }
    for item in report.plan.purged where item.reason == .dead {
      keepBack(item.request.identifier, .dead)
    }
  }

  private mutating func keepBack(_ identifier: String, _ reason: FateReason) {
    if let last = keptBack[identifier]?.last, last.untilMilliseconds == nil {
      if last.reason == reason { return }
      handOver(identifier)
    }
    keptBack[identifier, default: []].append(
      KeptBack(reason: reason, fromMilliseconds: phone.nowMilliseconds))
  }

  private mutating func handOver(_ identifier: String) {
    guard let last = keptBack[identifier]?.indices.last else { return }
    if keptBack[identifier]?[last].untilMilliseconds == nil {
      keptBack[identifier]?[last].untilMilliseconds = phone.nowMilliseconds
    }
  }
}

extension ScheduleSimulation {
  /// Requests moved apart if the phone limits how many fire in one second.
  fileprivate func staggered(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone
  ) -> [NotificationRequest] {
    guard let limit = options.sameSecondLimit else { return requests }
    return SecondStagger(limit: limit, kinds: kinds).stagger(
      requests, nowMilliseconds: nowMilliseconds, zone: zone)
  }
}
