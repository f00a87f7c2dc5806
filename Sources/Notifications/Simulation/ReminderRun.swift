import FencepostGeodesy

/// Reminders on a moving phone that also monitors circles, which come and go.
///
/// The reminders follow the strategy ``ScheduleStrategy/window`` and are planned again whenever the circles
/// change and every 24 hours.
public struct ReminderRun: Sendable {
  /// The phone's limits and the ranking.
  public struct Options: Sendable {
    /// How many requests may be pending in all, circles included; nil for any number.
    public var totalLimit: Int? = 64
    /// The ranking of the reminders.
    public var policy = RankingPolicy.fireDateThenPriority
    /// How many the phone shows of those that fire in one second; nil for all.
    public var sameSecondLimit: Int? = 2

    /// Makes the defaults.
    public init() {}
  }

  /// The circles that take slots.
  public struct Regions: Hashable, Sendable {
    /// Circles of places.
    public var places: Int
    /// Circles of reminders.
    public var reminders: Int

    /// Makes a count of both.
    public init(places: Int = 0, reminders: Int = 0) {
      self.places = places
      self.reminders = reminders
    }

    var total: Int { places + reminders }
  }

  /// How often a reminder had to wait, and for what.
  public struct Waiting: Hashable, Sendable {
    /// In how many plans it would have had a slot without the places.
    public internal(set) var forPlaces = 0
    /// In how many plans it would not have had a slot even without the places.
    public internal(set) var forReminders = 0
  }

  /// How many plans were made.
  public private(set) var plans = 0
  /// The most circles at a time.
  public private(set) var mostRegions = 0
  /// The most reminders pending at a time.
  public private(set) var mostReminders = 0
  /// How often reminders had to wait, by their ids.
  public private(set) var waiting: [String: Waiting] = [:]

  private let simulation: ScheduleSimulation
  private var run: StrategyRun
  private var regions = Regions()
  private var nextRefreshMilliseconds: Int64

  /// Begins at an instant, without monitored circles.
  ///
  /// - Parameters:
  ///   - document: The reminders; those at circles are left to the caller.
  ///   - milliseconds: The instant, since 1970.
  ///   - options: The phone's limits and the ranking.
  public init(
    document: ReminderDocument, fromMilliseconds milliseconds: Int64, options: Options = Options()
  ) {
    var timed = document
    timed.reminders.removeAll { $0.isAtCircle }
    var period = ScheduleSimulation.Options(
      fromMilliseconds: milliseconds, toMilliseconds: milliseconds)
    period.profile = DeviceProfile(totalLimit: options.totalLimit)
    period.policy = options.policy
    period.sameSecondLimit = options.sameSecondLimit
    simulation = ScheduleSimulation(document: timed, options: period)
    run = StrategyRun(simulation: simulation, strategy: .window)
    nextRefreshMilliseconds = milliseconds
  }

  /// Lets time pass up to an instant in milliseconds since 1970; ignores the past.
  public mutating func advance(toMilliseconds milliseconds: Int64) {
    while nextRefreshMilliseconds <= milliseconds {
      replan(atMilliseconds: nextRefreshMilliseconds)
    }
    run.advance(toMilliseconds: milliseconds)
  }

  /// Sets the monitored circles from an instant on, and plans again.
  public mutating func watch(_ regions: Regions, atMilliseconds milliseconds: Int64) {
    // Whatever is due until then fires under the old plan, if there is one.
    if plans > 0 { advance(toMilliseconds: milliseconds) }
    self.regions = regions
    replan(atMilliseconds: max(milliseconds, run.phone.nowMilliseconds))
  }

  /// What became of everything due until an instant, in milliseconds since 1970.
  public mutating func result(untilMilliseconds milliseconds: Int64) -> SimulationResult {
    advance(toMilliseconds: milliseconds)
    var period = simulation.options
    period.toMilliseconds = max(milliseconds + 1, period.fromMilliseconds)
    let whole = ScheduleSimulation(document: simulation.document, options: period)
    return run.result(due: whole.dueOccurrences())
  }

  private mutating func replan(atMilliseconds milliseconds: Int64) {
    run.advance(toMilliseconds: milliseconds)
    run.foreign = Self.placeholders(for: regions)
    run.replan()
    nextRefreshMilliseconds = milliseconds + SlidingWindow.refreshMilliseconds
    plans += 1
    mostRegions = max(mostRegions, regions.total)
    mostReminders = max(mostReminders, run.phone.pendingCount)
    noteWaiting()
  }

  private mutating func noteWaiting() {
    let plan = run.lastPlan
    guard !plan.stored.isEmpty else { return }
    let withoutPlaces = run.budget.plan(
      (plan.scheduled + plan.stored).map(\.request), nowMilliseconds: run.phone.nowMilliseconds,
      zone: run.phone.zone,
      occupied: .init(total: regions.reminders, regions: regions.reminders))
    let scheduled = Set(withoutPlaces.scheduled.map(\.request.identifier))
    var forPlaces: Set<String> = []
    var forReminders: Set<String> = []
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
  private static func placeholders(for regions: Regions) -> [NotificationRequest] {
    guard
      let trigger = RegionTrigger(
        center: .init(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 1)
    else { return [] }
    return (0..<regions.total).map { number in
      // No reminder's id begins with NUL.
      NotificationRequest(
        identifier: "\0region.\(number)", content: NotificationContent(title: ""),
        trigger: .region(trigger))
    }
  }
}

extension Reminder {
  /// Whether it is due at a circle, not at a time.
  public var isAtCircle: Bool {
    if case .region = schedule { true } else { false }
  }
}
