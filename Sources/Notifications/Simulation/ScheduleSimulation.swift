/// Runs a simulated phone through a period, once for each strategy; the same input always gives the
/// same result.
public struct ScheduleSimulation: Sendable {
  /// What is to be simulated.
  public struct Options: Sendable {
    /// The start in milliseconds since 1970; what is due at it does not count.
    public var fromMilliseconds: Int64
    /// The end in milliseconds since 1970; what is due at it does not count.
    public var toMilliseconds: Int64
    /// The phone.
    public var profile: DeviceProfile = .ios
    /// The ranking of the strategies that plan.
    public var policy: RankingPolicy = .fireDateThenPriority
    /// Whether priorities follow the tap rates of the document.
    public var adaptsPriorities = false
    /// Moves to other zones.
    public var travel: [ZoneChange] = []
    /// Whether the app runs whenever the zone changes, and plans again at once.
    ///
    /// A system tells of the change only an app that runs; others plan at their next refresh, so
    /// that this is not the default. The phone itself moves floating times along in either case.
    public var replansOnZoneChange = false
    /// When the phone is replaced by one that has nothing pending, in milliseconds since 1970.
    ///
    /// The strategies that plan are opened then and rebuild everything from their store.
    public var restoresMilliseconds: [Int64] = []
    /// The share of refreshes that do not come, 0...1.
    public var missedRefreshShare = 0.0
    /// Another seed misses other refreshes.
    public var seed: UInt64 = 0
    /// How many the phone shows of those that fire in one second; nil for all.
    public var sameSecondLimit: Int? = 2
    /// How the phone delays what it shows.
    public var lowPowerDelay: LowPowerDelay?

    /// Makes options for a period; everything else has its default.
    public init(fromMilliseconds: Int64, toMilliseconds: Int64) {
      self.fromMilliseconds = fromMilliseconds
      self.toMilliseconds = max(toMilliseconds, fromMilliseconds)
    }
  }

  let document: ReminderDocument
  let options: Options
  let travel: [ZoneChange]

  /// Up to this much after it was due, a notification is on time.
  public static let toleranceMilliseconds: Int64 = 60_000

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
      for moment in moments() {
        run.advance(toMilliseconds: moment.timeMilliseconds)
        switch moment.happening {
        case .travel(let zone): run.travel(to: zone)
        case .restore: run.restore()
        case .refresh: run.refresh()
        }
      }
      // What fires at the end is not due any more.
      run.advance(toMilliseconds: options.toMilliseconds - 1)
      return run.result(due: due)
    }
  }

  private struct Moment {
    enum Happening {
      case travel(ClockZone)
      case restore
      case refresh
    }

    var timeMilliseconds: Int64
    var happening: Happening
  }

  /// What happens within the period in order; at one instant the move comes first and the refresh
  /// last.
  private func moments() -> [Moment] {
    var moments = travel.map {
      Moment(timeMilliseconds: $0.timeMilliseconds, happening: .travel($0.zone))
    }
    moments += options.restoresMilliseconds.map {
      Moment(timeMilliseconds: $0, happening: .restore)
    }
    moments.removeAll {
      $0.timeMilliseconds <= options.fromMilliseconds
        || $0.timeMilliseconds >= options.toMilliseconds
    }
    var time = options.fromMilliseconds + SlidingWindow.refreshMilliseconds
    while time < options.toMilliseconds {
      moments.append(Moment(timeMilliseconds: time, happening: .refresh))
      time += SlidingWindow.refreshMilliseconds
    }
    return moments.enumerated().sorted {
      ($0.element.timeMilliseconds, $0.offset) < ($1.element.timeMilliseconds, $1.offset)
    }.map(\.element)
  }

  /// The kinds with the priorities that count.
  var kinds: KindRegistry {
    options.adaptsPriorities ? document.tapRates.adapting(document.kinds) : document.kinds
  }

  /// The zone the phone is in at the start: that of the last move before it.
  var startZone: ClockZone {
    travel.last { $0.timeMilliseconds <= options.fromMilliseconds }?.zone ?? document.zone
  }

  /// Every time each reminder is due for somebody who looks at the clock where they are.
  ///
  /// A local time that comes twice because of a move counts once, and one that is left out does not count.
  func dueOccurrences() -> [[Occurrence]] {
    var stays: [(start: Int64, end: Int64, zone: ClockZone)] = []
    var start = options.fromMilliseconds
    var zone = startZone
    for change in travel where change.timeMilliseconds > options.fromMilliseconds {
      let end = min(change.timeMilliseconds, options.toMilliseconds)
      stays.append((start, end, zone))
      // The moment of the move itself belongs to the new zone.
      (start, zone) = (end - 1, change.zone)
    }
    stays.append((start, options.toMilliseconds, zone))
    return document.reminders.map { reminder in
      var seen: Set<LocalTime> = []
      return stays.flatMap { stay in
        reminder.occurrences(
          after: stay.start, before: stay.end, in: stay.zone,
          askedMilliseconds: options.fromMilliseconds)
      }.filter { !reminder.isAnchored || seen.insert($0.local).inserted }
    }
  }
}
