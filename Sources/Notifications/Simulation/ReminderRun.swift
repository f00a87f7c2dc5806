import FencepostGeodesy

/// Simulates timed reminders on a moving phone whose watched circles change.
///
/// They follow ``ScheduleStrategy/window`` and are planned again at every change and once a day.
/// Alerts and reminders at circles share the limit of a second with them.
package struct ReminderRun: Sendable {
  package struct Options: Sendable {
    /// The number of pending requests, including circles; nil for no limit.
    package var totalLimit: Int? = 64
    package var policy = RankingPolicy.fireDateThenPriority
    /// The number of notifications shown in one second; nil for no limit.
    package var sameSecondLimit: Int? = 2

    package init() {}
  }

  /// How often a reminder had to wait, each time once, however many plans it took.
  package struct Waiting: Hashable, Sendable {
    package internal(set) var times = 0
    /// The id of the reminder with the lowest rank that had a slot each time; nil where the
    /// reminder would have had a slot without the watched places.
    package internal(set) var displacedBy: Set<String?> = []
  }

  package private(set) var plans = 0
  /// The largest number of circles at a time.
  package private(set) var mostRegions = 0
  /// The largest number of pending reminders at a time.
  package private(set) var mostReminders = 0
  /// How often reminders had to wait, by id.
  package private(set) var waiting: [String: Waiting] = [:]

  private let simulation: ScheduleSimulation
  private var run: StrategyRun
  private var circles = (places: 0, reminders: 0)
  private var nextRefreshMilliseconds: Int64
  /// The requests that wait now.
  private var waitingNow: Set<String> = []
  /// The firings that ``showTimes(beforeMilliseconds:)`` has returned, by identifier.
  private var announced: [String: Int64] = [:]

  /// Starts at a time in milliseconds since 1970, without watched circles; ignores reminders at
  /// circles.
  package init(
    document: ReminderDocument, fromMilliseconds milliseconds: Int64, options: Options = Options()
  ) {
    var timed = document
    timed.reminders.removeAll(where: \.isAtCircle)
    var period = ScheduleSimulation.Options(
      fromMilliseconds: milliseconds, toMilliseconds: milliseconds)
    period.profile = DeviceProfile(
      name: "track", totalLimit: options.totalLimit, regionLimit: options.totalLimit ?? .max,
      retention: .lastAdded)
    period.policy = options.policy
    period.sameSecondLimit = options.sameSecondLimit
    simulation = ScheduleSimulation(document: timed, options: period)
    run = StrategyRun(simulation: simulation, strategy: .window)
    nextRefreshMilliseconds = milliseconds
  }

  /// Advances the clock to a time in milliseconds since 1970; ignores earlier times.
  package mutating func advance(toMilliseconds milliseconds: Int64) {
    while nextRefreshMilliseconds <= milliseconds {
      replan(atMilliseconds: nextRefreshMilliseconds)
    }
    run.phone.advance(toMilliseconds: milliseconds)
  }

  /// Sets the number of watched circles at a time and plans again.
  package mutating func watch(places: Int, reminders: Int, atMilliseconds milliseconds: Int64) {
    // Reminders due before the change still fire under the old plan.
    if plans > 0 { advance(toMilliseconds: milliseconds) }
    circles = (places, reminders)
    replan(atMilliseconds: max(milliseconds, run.phone.nowMilliseconds))
  }

  /// What happened to everything due until a time in milliseconds since 1970.
  package mutating func result(untilMilliseconds milliseconds: Int64) -> SimulationResult {
    advance(toMilliseconds: milliseconds)
    var period = simulation.options
    period.toMilliseconds = max(milliseconds + 1, period.fromMilliseconds)
    let whole = ScheduleSimulation(document: simulation.document, options: period)
    return run.result(due: whole.dueOccurrences())
  }

  // MARK: One second

  /// Plans again because the app runs, for example when a circle was crossed; a slot may be free.
  package mutating func wake(atMilliseconds milliseconds: Int64) {
    guard plans > 0 else { return }
    advance(toMilliseconds: milliseconds)
    if !waitingNow.isEmpty { replan(atMilliseconds: run.phone.nowMilliseconds) }
  }

  /// Shows a reminder whose circle was crossed.
  ///
  /// - Returns: The id of a reminder or story that was shown in its place, if its second was full.
  package mutating func show(
    _ reminder: Reminder, atMilliseconds milliseconds: Int64
  ) -> String? {
    advance(toMilliseconds: milliseconds)
    let request = NotificationRequest(
      identifier: reminder.id, content: reminder.content, trigger: .immediate)
    return run.phone.showNow(request).map(run.reminderID)
  }

  /// Counts an alert toward the limit of its second.
  package mutating func alert(placeID: String, atMilliseconds milliseconds: Int64) {
    run.phone.reserve(placeID, atMilliseconds: milliseconds)
  }

  /// When pending reminders fire before a time; each firing is returned once.
  package mutating func showTimes(beforeMilliseconds end: Int64) -> [Int64] {
    announced = announced.filter { $0.value > run.phone.nowMilliseconds }
    let firings = run.phone.firings(beforeMilliseconds: end).filter {
      announced[$0.identifier] != $0.milliseconds
    }
    for firing in firings { announced[firing.identifier] = firing.milliseconds }
    return firings.map(\.milliseconds)
  }

  private mutating func replan(atMilliseconds milliseconds: Int64) {
    run.phone.advance(toMilliseconds: milliseconds)
    let regions = circles.places + circles.reminders
    run.foreign = Self.placeholders(regions)
    run.replan()
    nextRefreshMilliseconds = milliseconds + SlidingWindow.refreshMilliseconds
    plans += 1
    mostRegions = max(mostRegions, regions)
    mostReminders = max(mostReminders, run.phone.pendingCount)
    noteWaiting()
  }

  private mutating func noteWaiting() {
    let plan = run.lastPlan
    let before = waitingNow
    waitingNow = Set(plan.stored.map(\.request.identifier))
    guard !waitingNow.isSubset(of: before) else { return }
    let withoutPlaces = run.budget.plan(
      (plan.scheduled + plan.stored).map(\.request), nowMilliseconds: run.phone.nowMilliseconds,
      zone: run.phone.zone,
      occupied: .init(total: circles.reminders, regions: circles.reminders))
    let scheduled = Set(withoutPlaces.scheduled.map(\.request.identifier))
    var counted: Set<String> = []
    for item in plan.stored where !before.contains(item.request.identifier) {
      let identifier = item.request.identifier
      let id = run.reminderID(of: identifier)
      if counted.insert(id).inserted { waiting[id, default: Waiting()].times += 1 }
      let other = scheduled.contains(identifier) ? nil : item.displacedBy.map(run.reminderID)
      waiting[id, default: Waiting()].displacedBy.insert(other)
    }
  }

  /// Requests that stand for the circles in the budget.
  private static func placeholders(_ count: Int) -> [NotificationRequest] {
    let nowhere = RegionTrigger(
      center: .init(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 1)
    guard let nowhere else { return [] }
    return (0..<count).map { number in
      // No reminder id starts with NUL.
      NotificationRequest(
        identifier: "\0region.\(number)", content: NotificationContent(title: ""),
        trigger: .region(nowhere))
    }
  }
}
