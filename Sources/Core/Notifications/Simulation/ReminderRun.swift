package import FencepostGeodesy

/// Simulates timed reminders on a moving phone whose watched circles change.
///
/// They follow ``ScheduleStrategy/window`` and are planned again at every change and once a day.
/// The watched circles rank with them, by the earliest moment at which each can fire. Alerts and
/// reminders at circles share the limit of a second with them.
///
/// The counts of occurrences in ``account`` go up to the last call of
/// ``settle(untilMilliseconds:)``.
package struct ReminderRun: Sendable {
  /// How often a reminder had to wait, each time once, however many plans it took.
  package struct Waiting: Codable, Hashable, Sendable {
    /// The number of times that it began to wait.
    package internal(set) var times = 0
    /// The id of the reminder with the lowest rank that had a slot each time; nil where the
    /// reminder would have had a slot without the watched places.
    package internal(set) var displacedBy: Set<String?> = []
  }

  /// What happened so far, as counts; it can be saved.
  ///
  /// All counts begin with the run. Those of occurrences cover the time up to
  /// ``settledMilliseconds``.
  package struct Account: Codable, Equatable, Sendable {
    /// When the run began, from which intervals count, in milliseconds since 1970.
    var askedMilliseconds: Int64
    /// The time up to which occurrences are counted, in milliseconds since 1970.
    package internal(set) var settledMilliseconds: Int64
    /// The number of plans made.
    package internal(set) var plans = 0
    /// The largest number of watched circles that had a slot at a time.
    package internal(set) var mostRegions = 0
    /// The largest number of pending reminders at a time.
    package internal(set) var mostReminders = 0
    /// How often reminders had to wait, by id.
    package internal(set) var waiting: [String: Waiting] = [:]
    /// The number of occurrences that were due.
    package internal(set) var due = 0
    /// The number of them shown within a minute.
    package internal(set) var onTime = 0
    /// The number of them shown later than that.
    package internal(set) var late = 0
    /// The number of them never shown.
    package internal(set) var dropped = 0
    /// The number of dropped ones that fired into a full second.
    package internal(set) var droppedInSecond = 0
    /// The number of occurrences dropped for lack of a slot, by the id of the reminder.
    package internal(set) var droppedByID: [String: Int] = [:]
    var waitingNow: Set<String> = []
    /// The requests that the phone held when the account was settled.
    var held: Set<String> = []
    /// The circles that the phone watches; nil before the first are known.
    var watched: [WatchedCircle]?
    /// Where the phone was when it began to watch them.
    var location: Coordinate?
    /// The firings to come that ``showTimes(beforeMilliseconds:)`` has returned, by identifier.
    var announced: [String: Int64] = [:]
    /// What was shown in the last second and not returned yet.
    var shown: [Int64] = []
    var nextRefreshMilliseconds: Int64
  }

  /// A circle that needs one of the slots.
  ///
  /// It belongs to a reminder or to a place. A place's name begins with a character that no
  /// reminder id has, so that the two are never confused.
  package struct WatchedCircle: Codable, Equatable, Sendable {
    /// The id of its reminder, or a name that no reminder has.
    let id: String
    private let trigger: RegionTrigger

    var isPlace: Bool { id.hasPrefix(Self.placePrefix) }

    /// No reminder id starts with NUL.
    private static let placePrefix = "\0"

    /// Creates a circle of a reminder; nil if no phone can watch it.
    package init?(reminderID id: String, _ circle: Circle) {
      let trigger = RegionTrigger(
        center: circle.center.coordinate, radiusMeters: circle.radiusMeters)
      guard let trigger else { return nil }
      (self.id, self.trigger) = (id, trigger)
    }

    /// Creates a circle of a place; nil if no phone can watch it.
    package init?(placeKey key: Int64, _ circle: Circle) {
      self.init(reminderID: Self.id(ofPlace: key), circle)
    }

    /// The name of a place's circle.
    package static func id(ofPlace key: Int64) -> String { placePrefix + String(key) }

    /// What reports call the request with an identifier.
    static func shownID(of identifier: String) -> String {
      identifier.hasPrefix(placePrefix) ? "places" : identifier
    }

    var request: NotificationRequest {
      NotificationRequest(
        identifier: id, content: NotificationContent(title: ""), trigger: .region(trigger))
    }
  }

  /// The counts so far; they can be saved to continue later.
  package private(set) var account: Account
  /// What happened to the reminder of ``ReminderRunOptions/explainedID``.
  package private(set) var explained:
    (occurrences: [OccurrenceRecord], waits: [SimulationResult.Wait]) = ([], [])

  private let options: ReminderRunOptions
  private var simulation: ScheduleSimulation
  private var run: StrategyRun
  /// How much of the phone's trace it has looked at.
  private var tracedCount = 0

  /// Starts at a time in milliseconds since 1970, without watched circles; ignores reminders at
  /// circles.
  package init(
    document: ReminderDocument, fromMilliseconds milliseconds: Int64,
    options: ReminderRunOptions = ReminderRunOptions()
  ) {
    self.init(
      document: document,
      continuing: Account(
        askedMilliseconds: milliseconds, settledMilliseconds: milliseconds,
        nextRefreshMilliseconds: milliseconds),
      options: options)
  }

  /// Continues a run of which only an account was kept.
  package init(
    document: ReminderDocument, continuing account: Account,
    options: ReminderRunOptions = ReminderRunOptions()
  ) {
    self.account = account
    self.options = options
    var timed = document
    timed.reminders.removeAll(where: \.isAtCircle)
    var period = ScheduleSimulationOptions(
      fromMilliseconds: account.settledMilliseconds, toMilliseconds: account.settledMilliseconds)
    period.askedMilliseconds = account.askedMilliseconds
    period.limits = NotificationLimits(
      name: "track", totalLimit: options.totalLimit, regionLimit: options.totalLimit ?? .max,
      retention: .lastAdded)
    period.policy = options.policy
    period.sameSecondLimit = options.sameSecondLimit
    simulation = ScheduleSimulation(document: timed, options: period)
    run = StrategyRun(simulation: simulation, strategy: .window)
    guard account.plans > 0 else { return }
    followCircles()
    run.resume(holding: account.held, waiting: account.waitingNow)
  }

  /// Advances the clock to a time in milliseconds since 1970; ignores earlier times.
  package mutating func advance(toMilliseconds milliseconds: Int64) {
    while account.nextRefreshMilliseconds <= milliseconds {
      replan(atMilliseconds: account.nextRefreshMilliseconds)
    }
    run.phone.advance(toMilliseconds: milliseconds)
  }

  /// Sets the watched circles and the position of the phone, and plans again.
  package mutating func watch(
    _ circles: [WatchedCircle], from location: Coordinate, atMilliseconds milliseconds: Int64
  ) {
    // Reminders due before the change still fire under the old plan.
    if account.plans > 0 { advance(toMilliseconds: milliseconds) }
    account.watched = circles
    account.location = location
    replan(atMilliseconds: max(milliseconds, run.phone.nowMilliseconds))
  }

  /// The circles that have no slot.
  package var withoutSlot: Set<String> { Set(run.evicted.map(\.request.identifier)) }

  /// The id of the reminder with the lowest rank that has a slot; nil if none has.
  package var lastWithSlot: String? { run.lastScheduled.map(run.reminderID) }

  /// Frees the slot of a circle that has fired, until the phone watches it again.
  package mutating func free(_ id: String) { account.watched?.removeAll { $0.id == id } }

  /// Counts what was due until a time in milliseconds since 1970, and forgets the details.
  package mutating func settle(untilMilliseconds milliseconds: Int64) {
    advance(toMilliseconds: milliseconds)
    var period = simulation.options
    period.toMilliseconds = max(milliseconds + 1, period.fromMilliseconds)
    let whole = ScheduleSimulation(document: simulation.document, options: period)
    let result = run.result(due: whole.dueOccurrences())
    account.settledMilliseconds = milliseconds
    account.shown = showTimes().filter { $0 > milliseconds - 1000 }
    account.held = Set(run.phone.pending.map(\.identifier))
    account.due += result.total.due
    account.onTime += result.total.onTime
    account.late += result.total.late
    account.dropped += result.total.dropped
    for record in result.occurrences where record.fate == .dropped {
      if record.reason == .sameSecond { account.droppedInSecond += 1 }
      if record.reason == .stored { account.droppedByID[record.reminderID, default: 0] += 1 }
    }
    guard let id = options.explainedID else { return }
    explained.occurrences += result.occurrences.filter { $0.reminderID == id }
    explained.waits += result.waits.filter { $0.reminderID == id }
  }

  /// Settles at a time and goes on with the account alone, so that its memory is bounded.
  package mutating func restart(atMilliseconds milliseconds: Int64) {
    settle(untilMilliseconds: milliseconds)
    let explained = explained
    self = ReminderRun(document: simulation.document, continuing: account, options: options)
    self.explained = explained
  }

  // MARK: One second

  /// Plans again because the app runs, for example when a circle was crossed; a slot may be free.
  package mutating func wake(atMilliseconds milliseconds: Int64) {
    guard account.plans > 0 else { return }
    advance(toMilliseconds: milliseconds)
    if !account.waitingNow.isEmpty || !run.evicted.isEmpty {
      replan(atMilliseconds: run.phone.nowMilliseconds)
    }
  }

  /// Shows a reminder whose circle was crossed.
  ///
  /// - Returns: The id of a reminder or story that was shown in its place, if its second was full.
  package mutating func show(_ reminder: Reminder, atMilliseconds milliseconds: Int64) -> String? {
    advance(toMilliseconds: milliseconds)
    let request = NotificationRequest(
      identifier: reminder.id, content: reminder.content, trigger: .immediate)
    return run.phone.showNow(request).map(run.reminderID)
  }

  /// Counts an alert toward the limit of its second.
  package mutating func alert(placeID: String, atMilliseconds milliseconds: Int64) {
    run.phone.reserve(placeID, atMilliseconds: milliseconds)
  }

  /// When reminders were shown since the last call, and when pending ones fire before a time.
  ///
  /// Each firing is returned once.
  package mutating func showTimes(beforeMilliseconds end: Int64) -> [Int64] {
    var times = showTimes()
    for firing in run.phone.firings(beforeMilliseconds: end)
    where account.announced.updateValue(firing.milliseconds, forKey: firing.identifier)
      != firing.milliseconds
    {
      times.append(firing.milliseconds)
    }
    return times
  }

  /// When reminders were shown since the last call, apart from those that it announced.
  private mutating func showTimes() -> [Int64] {
    var times = account.shown
    account.shown = []
    for event in run.phone.trace[tracedCount...] {
      guard case .delivered(let delivery) = event.happening, run.owners[event.identifier] != nil,
        account.announced.removeValue(forKey: event.identifier) != delivery.fireMilliseconds
      else { continue }
      times.append(delivery.fireMilliseconds)
    }
    tracedCount = run.phone.trace.count
    return times
  }

  private mutating func replan(atMilliseconds milliseconds: Int64) {
    run.phone.advance(toMilliseconds: milliseconds)
    account.nextRefreshMilliseconds = milliseconds + SlidingWindow.refreshMilliseconds
    account.plans += 1
    followCircles()
    run.replan()
    account.mostRegions = max(account.mostRegions, run.foreign.count - run.evicted.count)
    account.mostReminders = max(account.mostReminders, run.phone.pendingCount)
    noteWaiting()
  }

  private mutating func noteWaiting() {
    let plan = run.plan
    let before = account.waitingNow
    account.waitingNow = Set(plan.waiting.map(\.request.identifier))
    guard !account.waitingNow.isSubset(of: before) else { return }
    let circles = (account.watched ?? []).filter { !$0.isPlace }.map(\.request)
    let withoutPlaces = run.budget.plan(
      (plan.scheduled + plan.waiting).map(\.request) + circles,
      nowMilliseconds: run.phone.nowMilliseconds, zone: run.phone.zone, location: account.location)
    // Those that would wait beside places or not, and behind which other reminder.
    let others = Dictionary(
      withoutPlaces.waiting.map { ($0.request.identifier, $0.displacedBy) },
      uniquingKeysWith: { $1 })
    var counted: Set<String> = []
    for item in plan.waiting where !before.contains(item.request.identifier) {
      let identifier = item.request.identifier
      let id = run.reminderID(of: identifier)
      if counted.insert(id).inserted { account.waiting[id, default: Waiting()].times += 1 }
      let other = others[identifier].flatMap(\.self)
      account.waiting[id, default: Waiting()].displacedBy.insert(other.map(run.reminderID))
    }
  }

  private mutating func followCircles() {
    run.foreign = (account.watched ?? []).map(\.request)
    run.location = account.location
  }
}

/// The phone that a ``ReminderRun`` simulates, and which reminder it explains.
///
/// The defaults are those of an iPhone: 64 slots, and two notifications in one second.
package struct ReminderRunOptions: Sendable {
  /// The number of pending requests, including circles; nil for no limit.
  package var totalLimit: Int? = 64
  /// The order in which requests get slots.
  package var policy = RankingPolicy.fireDateThenPriority
  /// The number of notifications shown in one second; nil for no limit.
  package var sameSecondLimit: Int? = 2
  /// The id of a reminder whose occurrences and waits are kept; nil to keep only counts.
  package var explainedID: String?

  /// Creates the default options.
  package init() {}
}
