import FencepostGeodesy

/// Reminders on a moving phone that also monitors circles, which come and go.
///
/// The reminders follow the strategy ``ScheduleStrategy/window`` and are planned again whenever the circles
/// change and every 24 hours.
package struct ReminderRun: Sendable {
  /// The phone's limits and the ranking.
  package struct Options: Sendable {
    /// How many requests may be pending in all, circles included; nil for any number.
    package var totalLimit: Int? = 64
    /// The ranking of the reminders.
    package var policy = RankingPolicy.fireDateThenPriority
    /// How many the phone shows of those that fire in one second; nil for all.
    package var sameSecondLimit: Int? = 2

    /// Makes the defaults.
    package init() {}
  }

  /// How often a reminder had to wait, and for what.
  package struct Waiting: Hashable, Sendable {
    /// In how many plans it would have had a slot without the places.
    package internal(set) var forPlaces = 0
    /// In how many plans it would not have had a slot even without the places.
    package internal(set) var forReminders = 0
  }

  /// How many plans were made.
  package private(set) var plans = 0
  /// The most circles at a time.
  package private(set) var mostRegions = 0
  /// The most reminders pending at a time.
  package private(set) var mostReminders = 0
  /// How often reminders had to wait, by their ids.
  package private(set) var waiting: [String: Waiting] = [:]

  private let simulation: ScheduleSimulation
  private var run: StrategyRun
  /// The monitored circles of places and of reminders.
  private var circles = (places: 0, reminders: 0)
  private var nextRefreshMilliseconds: Int64

  /// Begins at an instant, without monitored circles.
  ///
  /// - Parameters:
  ///   - document: The reminders; those at circles are left to the caller.
  ///   - milliseconds: The instant, since 1970.
  ///   - options: The phone's limits and the ranking.
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

  /// Lets time pass up to an instant in milliseconds since 1970; ignores the past.
  package mutating func advance(toMilliseconds milliseconds: Int64) {
    while nextRefreshMilliseconds <= milliseconds {
      replan(atMilliseconds: nextRefreshMilliseconds)
    }
    run.phone.advance(toMilliseconds: milliseconds)
  }

  /// Sets the number of monitored circles from an instant on, and plans again.
  package mutating func watch(places: Int, reminders: Int, atMilliseconds milliseconds: Int64) {
    // Whatever is due until then fires under the old plan, if there is one.
    if plans > 0 { advance(toMilliseconds: milliseconds) }
    circles = (places, reminders)
    replan(atMilliseconds: max(milliseconds, run.phone.nowMilliseconds))
  }

  /// What became of everything due until an instant, in milliseconds since 1970.
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

  /// Requests that take the circles' slots in the budget, wherever the circles are.
  private static func placeholders(_ count: Int) -> [NotificationRequest] {
    let nowhere = RegionTrigger(
      center: .init(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 1)
    guard let nowhere else { return [] }
    return (0..<count).map { number in
      // No reminder's id begins with NUL.
      NotificationRequest(
        identifier: "\0region.\(number)", content: NotificationContent(title: ""),
        trigger: .region(nowhere))
    }
  }
}
