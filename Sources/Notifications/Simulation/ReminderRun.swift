import Geodesy

/// Reminders on a phone that also watches circles, which come and go while it is carried along.
///
/// The reminders are kept by the strategy ``ScheduleStrategy/window``: planned again whenever the
/// circles change, and every 24 hours.
public struct ReminderRun: Sendable {
  /// What the phone and the app are like.
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
  public struct Regions: Equatable, Sendable {
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

  /// How often a reminder had to wait, and for whom.
  public struct Waiting: Equatable, Sendable {
    /// In how many plans it would have had a slot, had there been no places.
    public internal(set) var forPlaces = 0
    /// In how many plans other reminders had all the slots, places or not.
    public internal(set) var forReminders = 0
  }

  /// How many plans were made.
  public private(set) var plans = 0
  /// The most circles that there were at a time.
  public private(set) var mostRegions = 0
  /// The most single reminders that were pending at a time.
  public private(set) var mostReminders = 0
  /// Who had to wait, by the reminder's id.
  public private(set) var waiting: [String: Waiting] = [:]

  private let simulation: ScheduleSimulation
  private var run: StrategyRun
  private var regions = Regions()
  private var nextRefreshMilliseconds: Int64

  /// Begins at an instant, with no circle watched.
  ///
  /// - Parameters:
  ///   - document: The reminders; those at circles are left to the caller.
  ///   - milliseconds: When, since 1970.
  ///   - options: What the phone and the app are like.
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

  /// Lets time pass, up to an instant in milliseconds since 1970; the past is passed over.
  public mutating func advance(toMilliseconds milliseconds: Int64) {
    while nextRefreshMilliseconds <= milliseconds {
      replan(atMilliseconds: nextRefreshMilliseconds)
    }
    run.advance(toMilliseconds: milliseconds)
  }

  /// Notes which circles are watched from an instant on, and plans again.
  public mutating func watch(_ regions: Regions, atMilliseconds milliseconds: Int64) {
    // What was due until then fires under the old plan, and the first plan needs none before it.
    if plans > 0 { advance(toMilliseconds: milliseconds) }
    self.regions = regions
    replan(atMilliseconds: max(milliseconds, run.phone.nowMilliseconds))
  }

  /// What became of all that was due until an instant, in milliseconds since 1970.
  public mutating func result(untilMilliseconds milliseconds: Int64) -> SimulationResult {
    advance(toMilliseconds: milliseconds)
    var period = simulation.options
    period.toMilliseconds = max(milliseconds + 1, period.fromMilliseconds)
    let whole = ScheduleSimulation(document: simulation.document, options: period)
    return run.result(due: whole.dueOccurrences())
  }

  private mutating func replan(atMilliseconds milliseconds: Int64) {
    run.advance(toMilliseconds: milliseconds)
    run.foreign = Self.stand(for: regions)
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

  /// Requests that take the circles' slots in the budget; where the circles are is not asked.
  private static func stand(for regions: Regions) -> [NotificationRequest] {
    guard
      let trigger = RegionTrigger(
        center: .init(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 1)
    else { return [] }
    return (0..<regions.total).map { number in
      // No reminder's id begins with a NUL, so that these are never taken for one.
      NotificationRequest(
        identifier: "\0region.\(number)", content: NotificationContent(title: ""),
        trigger: .region(trigger))
    }
  }
}

extension Reminder {
  /// Whether it is due at a circle and not at a time.
  public var isAtCircle: Bool {
    if case .region = schedule { true } else { false }
  }
}
