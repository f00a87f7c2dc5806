/// Simulates a phone over a period, once per strategy; equal inputs give equal results.
public struct ScheduleSimulation: Sendable {
  /// The period, the phone and its events.
  public struct Options: Sendable {
    /// The start in milliseconds since 1970, exclusive.
    public var fromMilliseconds: Int64
    /// The end in milliseconds since 1970, exclusive.
    public var toMilliseconds: Int64
    /// The phone.
    public var profile: DeviceProfile = .ios
    /// The ranking, for strategies that plan.
    public var policy: RankingPolicy = .fireDateThenPriority
    /// Whether to adapt priorities to the tap rates of the document.
    public var adaptsPriorities = false
    /// The changes of time zone.
    public var travel: [ZoneChange] = []
    /// Whether the app plans again as soon as the zone changes.
    ///
    /// Off by default, because systems notify only running apps. Floating times move in either
    /// case.
    public var replansOnZoneChange = false
    /// When the phone is replaced and planning strategies restore it, in milliseconds since 1970.
    public var restoresMilliseconds: [Int64] = []
    /// The share of missed refreshes, from 0 to 1.
    public var missedRefreshShare = 0.0
    /// The random seed for missed refreshes.
    public var seed: UInt64 = 0
    /// The number of notifications shown in one second; nil for no limit.
    public var sameSecondLimit: Int? = 2
    /// How the phone delays notifications; nil for no delay.
    public var lowPowerDelay: LowPowerDelay?

    /// Creates the default options for a period.
    public init(fromMilliseconds: Int64, toMilliseconds: Int64) {
      self.fromMilliseconds = fromMilliseconds
      self.toMilliseconds = max(toMilliseconds, fromMilliseconds)
    }
  }

  let document: ReminderDocument
  let options: Options
  private let travel: [ZoneChange]

  /// A notification with at most this delay is on time.
  static let toleranceMilliseconds: Int64 = 60_000

  /// Creates a simulation.
  public init(document: ReminderDocument, options: Options) {
    self.document = document
    self.options = options
    travel = options.travel.sorted { $0.timeMilliseconds < $1.timeMilliseconds }
  }

  /// Simulates strategies, each on its own phone.
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

  /// The events of the period, sorted; at the same time, moves come first and refreshes last.
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

  var kinds: KindRegistry {
    options.adaptsPriorities ? document.tapRates.adapting(document.kinds) : document.kinds
  }

  var startZone: ClockZone {
    travel.last { $0.timeMilliseconds <= options.fromMilliseconds }?.zone ?? document.zone
  }

  /// The times at which each reminder is due on the phone's clock.
  ///
  /// A local time that a move repeats counts once, and one that it skips does not count.
  func dueOccurrences() -> [[Occurrence]] {
    var stays: [(start: Int64, end: Int64, zone: ClockZone)] = []
    var start = options.fromMilliseconds
    var zone = startZone
    for change in travel where change.timeMilliseconds > options.fromMilliseconds {
      stays.append((start, min(change.timeMilliseconds, options.toMilliseconds), zone))
      // The time of the move belongs to the new zone.
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

/// How an app passes its reminders to a phone.
public enum ScheduleStrategy: String, CaseIterable, Sendable {
  /// All requests at once, in file order.
  case naive
  /// Requests in file order until the phone is full; the rest are ignored.
  case firstCome = "first-come"
  /// Requests by budget. The rest are stored and scheduled at later refreshes.
  case budget
  /// Occurrences of the next seven days by budget, planned again at each refresh.
  case window
}

/// A change of time zone.
public struct ZoneChange: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// The new zone.
  public let zone: ClockZone

  /// Creates a zone change.
  public init(timeMilliseconds: Int64, zone: ClockZone) {
    self.timeMilliseconds = timeMilliseconds
    self.zone = zone
  }
}
