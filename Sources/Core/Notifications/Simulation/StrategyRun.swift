import FencepostGeodesy

struct StrategyRun {
  struct KeptBack {
    var reason: FateReason
    var fromMilliseconds: Int64
    /// When the phone received it; `.max` if never.
    var untilMilliseconds = Int64.max
    /// The identifier of the request that has the slot instead; nil if unknown.
    var displacedBy: String?
  }

  private let simulation: ScheduleSimulation
  private let strategy: ScheduleStrategy
  let budget: NotificationBudget
  var phone: NotificationCenterModel
  /// Circles of others, which rank with the requests by their distance from ``location``.
  var foreign: [NotificationRequest] = []
  /// The position of the phone; nil for that of the document.
  var location: Coordinate?
  /// Those of ``foreign`` that have no slot.
  private(set) var evicted: [BudgetPlan.Item] = []
  /// The last plan, without the requests behind the front of the queue.
  private var lastPlan = BudgetPlan()
  private var state = SchedulerState()
  private var evictions: [String: Int] = [:]
  private var refreshNumber = 0
  private var missedRefreshes = 0
  private var launches = 0
  /// When the user opened the app in the last day, in milliseconds since 1970.
  private var recentLaunches: [Int64] = []
  private(set) var owners: [String: Int] = [:]
  private var queue: RequestQueue
  /// The end of the window for which the queue has all requests; nil if it must be filled.
  private var aheadMilliseconds: Int64?
  private var keptBack: [String: [KeptBack]] = [:]
  /// What ``resume(holding:waiting:)`` gives the phone; nil at every other time.
  private var resumed: Set<String>?
  private var days: [SimulationResult.Day] = []
  /// For each reminder with single times, when the first and last of them can be due on any clock.
  private let reach: [ClosedRange<Int64>?]

  init(simulation: ScheduleSimulation, strategy: ScheduleStrategy) {
    self.simulation = simulation
    self.strategy = strategy
    let options = simulation.options
    budget = NotificationBudget(
      totalLimit: options.limits.totalLimit, regionLimit: options.limits.regionLimit,
      policy: options.policy, kinds: simulation.kinds)
    phone = NotificationCenterModel(
      limits: options.limits, nowMilliseconds: options.fromMilliseconds,
      zone: simulation.startZone, sameSecondLimit: options.sameSecondLimit)
    phone.lowPowerDelay = options.lowPowerDelay
    queue = RequestQueue(
      budget: budget, sameSecondLimit: options.sameSecondLimit, zone: simulation.startZone)
    reach = simulation.document.reminders.map(\.reachMilliseconds)
  }

  mutating func start() {
    guard strategy != .window else { return replan() }
    var requests: [NotificationRequest] = []
    for (index, reminder) in simulation.document.reminders.enumerated() {
      let own = reminder.requests(askedMilliseconds: simulation.options.askedMilliseconds)
      for request in own { owners[request.identifier] = index }
      requests += own
    }
    guard strategy != .budget else { return replan(adding: requests) }
    let limit = strategy == .firstCome ? phone.limits.totalLimit : nil
    for request in requests {
      if let limit, phone.pendingCount >= limit {
        keepBack(request.identifier, .notAdded)
      } else {
        phone.add(request)
      }
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

  /// The app runs because it was opened, so it plans again.
  mutating func launch() {
    launches += 1
    recentLaunches.append(phone.nowMilliseconds)
    replan()
  }

  /// Advances the clock; the user opens the app from some of the notifications shown on the way.
  mutating func advance(toMilliseconds end: Int64) {
    let share = simulation.options.openedShare
    while share > 0, let next = phone.nextFireMilliseconds(), next <= end {
      let count = phone.trace.count
      phone.advance(toMilliseconds: next)
      let isOpened = phone.trace[count...].contains { event in
        guard case .delivered(let delivery) = event.happening else { return false }
        var random = SplitMix(
          seed: simulation.options.seed, identifier: "open." + event.identifier,
          number: UInt64(bitPattern: delivery.fireMilliseconds))
        return random.nextUnit() < share
      }
      if isOpened { launch() }
    }
    phone.advance(toMilliseconds: end)
  }

  /// The daily run, unless it is missed.
  ///
  /// Systems run an app more often that is used: each launch in the last day gives it another chance.
  mutating func refresh() {
    refreshNumber += 1
    recentLaunches.removeAll {
      $0 <= phone.nowMilliseconds - SlidingWindow.refreshMilliseconds
    }
    let share = recentLaunches.reduce(simulation.options.missedRefreshShare) { share, _ in
      share * simulation.options.missedRefreshShare
    }
    var random = SplitMix(
      seed: simulation.options.seed, identifier: "refresh", number: UInt64(refreshNumber))
    if random.nextUnit() < share {
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
    result.refreshes = refreshNumber - missedRefreshes + launches
    (result.peakCount, result.peakMilliseconds) = phone.peak
    result.missedRefreshes = missedRefreshes
    result.evictions = evictions
    result.days = days
    result.trace = phone.trace
    return result
  }

  // MARK: Days

  mutating func beginDay() { days.append(today) }

  private var today: SimulationResult.Day {
    var day = SimulationResult.Day(milliseconds: phone.nowMilliseconds)
    for request in phone.pending {
      day.pendingByKind[budget.kinds.kind(ofIdentifier: request.identifier).name, default: 0] += 1
      day.pending.append(held(request, displacedBy: nil))
    }
    day.pending.sort {
      ($0.fireMilliseconds ?? .min, $0.identifier) < ($1.fireMilliseconds ?? .min, $1.identifier)
    }
    day.pending = Array(day.pending.prefix(SimulationResult.Day.mostNamed))
    for item in lastPlan.waiting { day.waitingByKind[item.kind.name, default: 0] += 1 }
    for (kind, count) in queue.behindByKind where count > 0 {
      day.waitingByKind[kind.name, default: 0] += count
    }
    day.waiting = lastPlan.waiting.prefix(SimulationResult.Day.mostNamed).map {
      held($0.request, displacedBy: $0.displacedBy)
    }
    return day
  }

  private func held(
    _ request: NotificationRequest, displacedBy other: String?
  ) -> SimulationResult.Held {
    var fire: Int64?
    let next = request.nextFire(afterMilliseconds: phone.nowMilliseconds, in: phone.zone)
    if case .at(let time) = next { fire = time }
    return SimulationResult.Held(
      identifier: request.identifier, reminderID: reminderID(of: request.identifier),
      fireMilliseconds: fire, repeats: request.trigger.repeats,
      displacedBy: other.map(reminderID))
  }

  /// The id of the reminder that a request belongs to, or else the request's own.
  func reminderID(of identifier: String) -> String {
    owners[identifier].map { simulation.document.reminders[$0].id }
      ?? ReminderRun.WatchedCircle.shownID(of: identifier)
  }

  // MARK: Planning

  /// The last plan with everything that waits.
  var plan: BudgetPlan {
    var plan = lastPlan
    let last = lastScheduled
    plan.waiting += queue.behind.map { request in
      let now = phone.nowMilliseconds
      var item = budget.item(
        request, request.nextFire(afterMilliseconds: now, in: phone.zone), .overLimit, now)
      item.displacedBy = last
      return item
    }
    plan.waiting = budget.policy.sorted(plan.waiting)
    return plan
  }

  /// The request with the lowest rank that has a slot.
  var lastScheduled: String? {
    lastPlan.scheduled.last { $0.reason != .immediate }?.request.identifier
  }

  mutating func replan(isRestoring: Bool = false, adding new: [NotificationRequest] = []) {
    guard strategy == .budget || strategy == .window else { return }
    let (now, zone) = (phone.nowMilliseconds, phone.zone)
    var step = SchedulerStep(
      state: state, pending: phone.pending + foreign,
      deliveredByCenter: phone.delivered(afterMilliseconds: state.updatedMilliseconds ?? .min),
      situation: .init(
        nowMilliseconds: now, zone: zone, location: location ?? simulation.document.location),
      budget: budget, isRestoring: isRestoring)
    if strategy == .window {
      slideWindow(step.live)
    } else {
      queue.keep(step.live, nowMilliseconds: now, zone: zone)
      queue.insert(new, nowMilliseconds: now)
    }
    // Requests that have fired on another clock take no slot.
    let waiting = SimulationResult.Day.mostNamed + step.shown.count
    step.settle(
      queue.front(waitingCount: waiting, nowMilliseconds: now), rankingOthers: !foreign.isEmpty)
    evicted = step.report.evicted
    state = step.confirmedState ?? step.newState
    phone.remove(identifiers: step.report.removed)
    for request in step.additions { phone.add(request) }
    lastPlan = step.report.plan
    for item in lastPlan.scheduled { handOver(item.request.identifier) }
    for item in lastPlan.waiting { evict(item.request.identifier, .stored, by: item.displacedBy) }
    for item in lastPlan.purged where item.reason == .dead { evict(item.request.identifier, .dead) }
    let last = lastScheduled
    for identifier in queue.newBehind() { evict(identifier, .stored, by: last) }
    // The fullest moment describes the day: it holds most, or as much while more waits.
    if let day = days.last,
      day.milliseconds == now
        || day.counts < (phone.pendingCount, lastPlan.waiting.count + queue.behindCount)
    {
      days[days.count - 1] = today
    }
  }

  /// Gives a new phone the requests that an earlier one held, and notes those that waited.
  mutating func resume(holding held: Set<String>, waiting: Set<String>) {
    resumed = held
    replan()
    resumed = nil
    aheadMilliseconds = nil
    for identifier in waiting { keepBack(identifier, .stored) }
  }

  /// Adds the requests that enter the window; all of its requests if the clock has changed.
  private mutating func slideWindow(_ live: [NotificationRequest]) {
    let (window, now, zone) = (SlidingWindow(), phone.nowMilliseconds, phone.zone)
    let end = now + window.lengthMilliseconds
    if let ahead = aheadMilliseconds, zone == queue.zone {
      queue.keep(
        live, lateMilliseconds: SlidingWindow.staggeredMilliseconds, nowMilliseconds: now,
        zone: zone)
      queue.insert(requests(after: max(ahead - 1, now), before: end), nowMilliseconds: now)
    } else {
      let ahead = requests(after: now, before: end, withCircles: true)
      let late = window.staggered(
        live, besides: ahead, of: simulation.document.reminders, nowMilliseconds: now, zone: zone,
        askedMilliseconds: simulation.options.askedMilliseconds)
      queue = RequestQueue(
        budget: budget, sameSecondLimit: simulation.options.sameSecondLimit, zone: zone)
      queue.insert(ahead + late, nowMilliseconds: now)
    }
    aheadMilliseconds = end
  }

  /// The requests of a part of the window; reminders that are far away cost nothing.
  private mutating func requests(
    after start: Int64, before end: Int64, withCircles: Bool = false
  ) -> [NotificationRequest] {
    var all: [NotificationRequest] = []
    for index in reach.indices {
      if let reach = reach[index], reach.upperBound <= start || reach.lowerBound >= end { continue }
      let reminder = simulation.document.reminders[index]
      guard withCircles || !reminder.isAtCircle else { continue }
      let requests = reminder.singleRequests(
        after: start, before: end, in: phone.zone,
        askedMilliseconds: simulation.options.askedMilliseconds)
      for request in requests { owners[request.identifier] = index }
      all += requests.filter { resumed?.contains($0.identifier) ?? true }
    }
    return all
  }

  private mutating func evict(_ identifier: String, _ reason: FateReason, by other: String? = nil) {
    guard keepBack(identifier, reason, by: other) else { return }
    evictions[budget.kinds.kind(ofIdentifier: identifier).name, default: 0] += 1
  }

  /// Notes that a request waits; returns false if it has been waiting for the same reason.
  @discardableResult
  private mutating func keepBack(
    _ identifier: String, _ reason: FateReason, by other: String? = nil
  ) -> Bool {
    if let last = keptBack[identifier]?.last, last.untilMilliseconds == .max {
      if last.reason == reason { return false }
      handOver(identifier)
    }
    keptBack[identifier, default: []].append(
      KeptBack(
        reason: reason, fromMilliseconds: phone.nowMilliseconds, displacedBy: other))
    return true
  }

  private mutating func handOver(_ identifier: String) {
    guard let index = keptBack[identifier]?.indices.last,
      keptBack[identifier]?[index].untilMilliseconds == .max
    else { return }
    keptBack[identifier]?[index].untilMilliseconds = phone.nowMilliseconds
  }
}
