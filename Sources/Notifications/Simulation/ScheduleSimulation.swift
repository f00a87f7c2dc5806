/// Runs a simulated phone through a period, once for each strategy.
///
/// The same input always gives the same result.
public struct ScheduleSimulation: Sendable {
  /// The period, the phone, and what happens to it.
  public struct Options: Sendable {
    /// The start in milliseconds since 1970, exclusive.
    public var fromMilliseconds: Int64
    /// The end in milliseconds since 1970, exclusive.
    public var toMilliseconds: Int64
    /// The phone.
    public var profile: DeviceProfile = .ios
    /// The ranking of the strategies that plan.
    public var policy: RankingPolicy = .fireDateThenPriority
    /// Whether priorities follow the tap rates of the document.
    public var adaptsPriorities = false
    /// Moves to other zones.
    public var travel: [ZoneChange] = []
    /// Whether the app plans again as soon as the zone changes.
    ///
    /// A system notifies only a running app of the change; others plan at their next refresh, so this is
    /// off by default. The phone itself moves floating times in either case.
    public var replansOnZoneChange = false
    /// When the phone is replaced by an empty one, in milliseconds since 1970; the strategies that plan
    /// then rebuild everything from their store.
    public var restoresMilliseconds: [Int64] = []
    /// The share of missed refreshes, 0...1.
    public var missedRefreshShare = 0.0
    /// The seed that decides which refreshes are missed.
    public var seed: UInt64 = 0
    /// How many the phone shows of those that fire in one second; nil for all.
    public var sameSecondLimit: Int? = 2
    /// How the phone delays deliveries; nil for no delay.
    public var lowPowerDelay: LowPowerDelay?

    /// Makes the default options for a period.
    public init(fromMilliseconds: Int64, toMilliseconds: Int64) {
      self.fromMilliseconds = fromMilliseconds
      self.toMilliseconds = max(toMilliseconds, fromMilliseconds)
    }
  }

  let document: ReminderDocument
  let options: Options
  private let travel: [ZoneChange]

  /// The greatest delay of a notification that is on time.
  static let toleranceMilliseconds: Int64 = 60_000

  /// Makes a simulation of reminders.
  public init(document: ReminderDocument, options: Options) {
    self.document = document
    self.options = options
    travel = options.travel.sorted { $0.timeMilliseconds < $1.timeMilliseconds }
  }

  /// Simulates strategies, each on a phone of its own.
  public func run(
    _ strategies: [ScheduleStrategy] = ScheduleStrategy.allCases
  ) -> [SimulationResult] {
    let due = dueOccurrences()
    return strategies.map { strategy in
      var run = StrategyRun(simulation: self, strategy: strategy)
      run.start()
      for moment in moments {
        run.phone.advance(toMilliseconds: moment.milliseconds)
        moment.happen(&run)
      }
      // The end is exclusive.
      run.phone.advance(toMilliseconds: options.toMilliseconds - 1)
      return run.result(due: due)
    }
  }

  /// What happens within the period, in order; at the same instant the move comes first and the refresh
  /// last.
  private var moments: [(milliseconds: Int64, happen: (inout StrategyRun) -> Void)] {
    var moments: [(milliseconds: Int64, happen: (inout StrategyRun) -> Void)] = []
    for change in travel {
      moments.append((change.timeMilliseconds, { $0.travel(to: change.zone) }))
    }
    for time in options.restoresMilliseconds { moments.append((time, { $0.restore() })) }
    moments.removeAll {
      $0.milliseconds <= options.fromMilliseconds || $0.milliseconds >= options.toMilliseconds
    }
    let day = SlidingWindow.refreshMilliseconds
    for time in stride(
      from: options.fromMilliseconds + day, to: options.toMilliseconds, by: Int(day))
    {
      moments.append((time, { $0.refresh() }))
    }
    return moments.enumerated().sorted {
      ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset)
    }.map(\.element)
  }

  /// The kinds with adapted priorities, if wanted.
  var kinds: KindRegistry {
    options.adaptsPriorities ? document.tapRates.adapting(document.kinds) : document.kinds
  }

  /// The zone the phone is in at the start.
  var startZone: ClockZone {
    travel.last { $0.timeMilliseconds <= options.fromMilliseconds }?.zone ?? document.zone
  }

  /// The times at which each reminder is due on the clock of wherever the phone is.
  ///
  /// A local time that comes twice because of a move counts once, and a skipped one does not count.
  func dueOccurrences() -> [[Occurrence]] {
    var stays: [(start: Int64, end: Int64, zone: ClockZone)] = []
    var start = options.fromMilliseconds
    var zone = startZone
    for change in travel where change.timeMilliseconds > options.fromMilliseconds {
      stays.append((start, min(change.timeMilliseconds, options.toMilliseconds), zone))
      // The instant of the move belongs to the new zone.
      (start, zone) = (min(change.timeMilliseconds, options.toMilliseconds) - 1, change.zone)
    }
    stays.append((start, options.toMilliseconds, zone))
    return document.reminders.map { reminder in
      var seen: Set<LocalTime> = []
      return stays.flatMap { stay in
        reminder.occurrences(
          after: stay.start, before: stay.end, in: stay.zone,
          askedMilliseconds: options.fromMilliseconds)
      }.filter { reminder.anchor == nil || seen.insert($0.local).inserted }
    }
  }
}

/// How an app hands its reminders to a phone.
public enum ScheduleStrategy: String, CaseIterable, Sendable {
  /// All requests at once, in the order of the file.
  case naive
  /// Requests in the order of the file until the phone is full, without the rest.
  case firstCome = "first-come"
  /// Requests by the budget; what does not fit is stored, and promoted at each refresh.
  case budget
  /// Occurrences of the next seven days by the budget, again at each refresh.
  case window
}

/// A move to another time zone.
public struct ZoneChange: Hashable, Sendable {
  /// When, in milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// The zone from then on.
  public let zone: ClockZone

  /// Makes a change of its parts.
  public init(timeMilliseconds: Int64, zone: ClockZone) {
    self.timeMilliseconds = timeMilliseconds
    self.zone = zone
  }
}
