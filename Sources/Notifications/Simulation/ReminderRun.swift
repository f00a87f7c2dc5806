import FencepostGeodesy

/// Simulates timed reminders on a moving phone whose watched circles change.
///
/// They follow ``ScheduleStrategy/window`` and are planned again at every change and once a day.
package struct ReminderRun: Sendable {
  package struct Options: Sendable {
    /// The number of pending requests, including circles; nil for no limit.
    package var totalLimit: Int? = 64
    package var policy = RankingPolicy.fireDateThenPriority
    /// The number of notifications shown in one second; nil for no limit.
    package var sameSecondLimit: Int? = 2

    package init() {}
  }

  /// The number of plans in which a reminder had to wait.
  package struct Waiting: Hashable, Sendable {
    /// Plans in which it would have had a slot without the places.
    package internal(set) var forPlaces = 0
    /// Plans in which it would have waited even without the places.
    package internal(set) var forReminders = 0
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
    guard !plan.stored.isEmpty else { return }
    let withoutPlaces = run.budget.plan(
      (plan.scheduled + plan.stored).map(\.request), nowMilliseconds: run.phone.nowMilliseconds,
      zone: run.phone.zone,
      occupied: .init(total: circles.reminders, regions: circles.reminders))
    let scheduled = Set(withoutPlaces.scheduled.map(\.request.identifier))
    var (forPlaces, forReminders): (Set<String>, Set<String>) = ([], [])
    for item in plan.stored {
      guard let owner = run.owners[item.request.identifier] else { continue }
      let id = simulation.document.reminders[owner].id
      if scheduled.contains(item.request.identifier) {
        forPlaces.insert(id)
      } else {
        forReminders.insert(id)
      }
    }
    for id in forPlaces { waiting[id, default: Waiting()].forPlaces += 1 }
    for id in forReminders { waiting[id, default: Waiting()].forReminders += 1 }
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
