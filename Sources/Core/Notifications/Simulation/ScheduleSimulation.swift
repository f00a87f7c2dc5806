/// Simulates a phone over a period, once per strategy; equal inputs give equal results.
///
/// It answers which of an app's reminders a phone would show under each ``ScheduleStrategy``, and
/// why it loses the others.
package struct ScheduleSimulation: Sendable {
  let document: ReminderDocument
  let options: ScheduleSimulationOptions
  private let travel: [ZoneChange]

  /// A notification with at most this delay is on time.
  static let toleranceMilliseconds: Int64 = 60_000

  /// Creates a simulation; the moves of the options may be in any order.
  package init(document: ReminderDocument, options: ScheduleSimulationOptions) {
    self.document = document
    self.options = options
    travel = options.travel.sorted { $0.timeMilliseconds < $1.timeMilliseconds }
  }

  /// Simulates strategies, each on its own phone.
  ///
  /// - Parameters:
  ///   - strategies: The strategies.
  ///   - due: What ``dueOccurrences()`` returns, if it is known already.
  /// - Returns: A result for each strategy.
  package func run(
    _ strategies: [ScheduleStrategy] = ScheduleStrategy.allCases, due: [[Occurrence]]? = nil
  ) -> [SimulationResult] {
    let due = due ?? dueOccurrences()
    // The end is exclusive.
    return strategies.map {
      run($0, untilMilliseconds: options.toMilliseconds - 1).result(due: due)
    }
  }

  /// The requests that a phone would hold at a time, in milliseconds since 1970, and those that
  /// would wait; a strategy that does not plan has no reasons.
  package func plan(
    under strategy: ScheduleStrategy, atMilliseconds milliseconds: Int64
  ) -> (pending: [NotificationRequest], plan: BudgetPlan) {
    let run = run(strategy, untilMilliseconds: milliseconds)
    return (run.phone.pending, run.plan)
  }

  private func run(_ strategy: ScheduleStrategy, untilMilliseconds end: Int64) -> StrategyRun {
    var run = StrategyRun(simulation: self, strategy: strategy)
    run.start()
    if options.dayZone != nil { run.beginDay() }
    for moment in moments where moment.milliseconds <= end {
      run.advance(toMilliseconds: moment.milliseconds)
      moment.happen(&run)
    }
    run.advance(toMilliseconds: end)
    return run
  }

  /// A user's own reminder that a strategy never shows because others rank higher.
  ///
  /// Reports warn about it, and say whether another ranking would help.
  package struct NeverShown: Sendable {
    /// The strategy that never shows it.
    package let strategy: ScheduleStrategy
    /// The reminder, of priority 0.
    package let reminder: Reminder
    /// Whether ``RankingPolicy/priorityThenFireDate`` would show it.
    package let isShownByPriority: Bool
  }

  /// The users' own reminders that a result never shows although they are due.
  package func neverShown(in result: SimulationResult, due: [[Occurrence]]) -> [NeverShown] {
    func missing(_ result: SimulationResult) -> Set<String> {
      let own = result.reminders.filter {
        $0.kind.priority == NotificationKind.userSetPriority && $0.reason == .stored
          && $0.tally.due > 0 && $0.tally.due == $0.tally.dropped
      }
      return Set(own.map(\.id))
    }
    let ids = missing(result)
    guard !ids.isEmpty, options.policy != .priorityThenFireDate else { return [] }
    var still = ids
    let isOwnOnly = result.reminders.allSatisfy {
      $0.kind.priority == NotificationKind.userSetPriority
    }
    // Without other kinds, the soonest first is the same order.
    if !isOwnOnly || options.policy != .fireDateThenPriority {
      var byPriority = options
      byPriority.policy = .priorityThenFireDate
      byPriority.dayZone = nil
      let others = ScheduleSimulation(document: document, options: byPriority)
        .run([result.strategy], due: due)
      still = others.reduce(into: Set()) { $0.formUnion(missing($1)) }
    }
    return document.reminders.filter { ids.contains($0.id) }.map {
      NeverShown(strategy: result.strategy, reminder: $0, isShownByPriority: !still.contains($0.id))
    }
  }

  /// The events of the period, sorted; at the same time, moves come first and refreshes last.
  private var moments: [(milliseconds: Int64, happen: (inout StrategyRun) -> Void)] {
    var moments: [(milliseconds: Int64, happen: (inout StrategyRun) -> Void)] = []
    if let zone = options.dayZone {
      let first = zone.local(atMilliseconds: options.fromMilliseconds).daysSince1970
      let last = zone.local(atMilliseconds: options.toMilliseconds).daysSince1970
      for day in stride(from: first + 1, through: last, by: 1) {
        let midnight = zone.milliseconds(daysSince1970: day, secondOfDay: 0)
        moments.append((midnight, { $0.beginDay() }))
      }
    }
    for change in travel {
      moments.append((change.timeMilliseconds, { $0.travel(to: change.zone) }))
    }
    for time in options.restoresMilliseconds { moments.append((time, { $0.restore() })) }
    for time in options.launchesMilliseconds + options.dailyLaunches.flatMap(daily) {
      moments.append((time, { $0.launch() }))
    }
    let day = SlidingWindow.refreshMilliseconds
    let refreshes =
      options.refreshTime.map(daily)
      ?? Array(
        stride(from: options.fromMilliseconds + day, to: options.toMilliseconds, by: Int(day)))
    for time in refreshes { moments.append((time, { $0.refresh() })) }
    moments.removeAll {
      $0.milliseconds <= options.fromMilliseconds || $0.milliseconds >= options.toMilliseconds
    }
    return moments.enumerated().sorted {
      ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset)
    }.map(\.element)
  }

  /// A local time of every day of the period, in milliseconds since 1970.
  private func daily(_ time: TimeOfDay) -> [Int64] {
    let daily = Reminder(
      id: "", content: NotificationContent(title: ""),
      schedule: .weekly(Set(Weekday.allCases), [time], anchor: .floating))
    return stays.flatMap { stay in
      daily.occurrences(
        after: stay.start, before: stay.end, in: stay.zone, askedMilliseconds: stay.start)
    }.map(\.dueMilliseconds)
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
  package func dueOccurrences() -> [[Occurrence]] {
    let stays = stays
    return document.reminders.map { reminder in
      var seen: Set<LocalTime> = []
      return stays.flatMap { stay in
        reminder.occurrences(
          after: stay.start, before: stay.end, in: stay.zone,
          askedMilliseconds: options.askedMilliseconds)
      }.filter { reminder.anchor == nil || seen.insert($0.local).inserted }
    }
  }

  /// A time of a reminder that no phone can show.
  ///
  /// Such times are not counted as due, so reports list them apart.
  package struct Unreachable: Sendable {
    /// The reminder.
    package let reminder: Reminder
    /// The time on the anchor's clock; for a reminder that is over, its last time.
    package let local: LocalTime
    /// That it had passed (`dead`), or that the clock was set past it (`zoneChange`).
    package let reason: FateReason
  }

  /// The reminders that were over before the period, and the times that a move skips.
  package func unreachable(besides due: [[Occurrence]]) -> [Unreachable] {
    zip(document.reminders, due).flatMap { reminder, occurrences in
      if let last = reminder.lastTime(before: options.fromMilliseconds, in: startZone) {
        return [Unreachable(reminder: reminder, local: last, reason: .dead)]
      }
      let seen = Set(occurrences.map(\.local))
      return skips(of: reminder).filter { !seen.contains($0) }.map {
        Unreachable(reminder: reminder, local: $0, reason: .zoneChange)
      }
    }
  }

  /// The local times of a reminder on the phone's clock that a move sets the clock past.
  private func skips(of reminder: Reminder) -> [LocalTime] {
    guard reminder.anchor == .floating else { return [] }
    var zone = startZone
    return travel.flatMap { change -> [LocalTime] in
      let time = change.timeMilliseconds
      guard time > options.fromMilliseconds, time < options.toMilliseconds else { return [] }
      // As if both clocks were those of a phone in UTC, which shows each local time once.
      let before = time + zone.offsetSeconds(atMilliseconds: time) * 1000
      let after = time + change.zone.offsetSeconds(atMilliseconds: time) * 1000
      zone = change.zone
      guard after > before else { return [] }
      return reminder.occurrences(
        after: before - 1, before: after, in: .utc, askedMilliseconds: options.askedMilliseconds
      ).map(\.local)
    }
  }

  /// The parts of the period that the phone spends in one zone, without start and end.
  private var stays: [(start: Int64, end: Int64, zone: ClockZone)] {
    var stays: [(start: Int64, end: Int64, zone: ClockZone)] = []
    var start = options.fromMilliseconds
    var zone = startZone
    for change in travel where change.timeMilliseconds > options.fromMilliseconds {
      stays.append((start, min(change.timeMilliseconds, options.toMilliseconds), zone))
      // The time of the move belongs to the new zone.
      (start, zone) = (min(change.timeMilliseconds, options.toMilliseconds) - 1, change.zone)
    }
    stays.append((start, options.toMilliseconds, zone))
    return stays
  }
}

/// The period of a ``ScheduleSimulation``, the phone, and what happens to it on the way.
///
/// By default, an iPhone stays in one zone, and the app plans again every 24 hours.
package struct ScheduleSimulationOptions: Sendable {
  // In milliseconds since 1970, both exclusive.
  /// The start of the period; what is due at this moment is not counted.
  package var fromMilliseconds: Int64
  /// The end of the period, at or after the start.
  package var toMilliseconds: Int64
  /// When the user asked for the reminders, from which intervals count; the start by default.
  package var askedMilliseconds: Int64
  /// How many requests the phone holds, and which it drops.
  package var limits: NotificationLimits = .ios
  /// The order in which requests get slots, for strategies that plan.
  package var policy: RankingPolicy = .fireDateThenPriority
  /// Whether to adapt priorities to the tap rates of the document.
  package var adaptsPriorities = false
  /// The moves of the phone, in any order; a move before the start sets the first zone.
  package var travel: [ZoneChange] = []
  /// Whether the app plans again as soon as the zone changes.
  ///
  /// Off by default, because systems notify only running apps. Floating times move in either
  /// case.
  package var replansOnZoneChange = false
  /// When the phone is replaced and planning strategies restore it, in milliseconds since 1970.
  package var restoresMilliseconds: [Int64] = []
  /// The local time of the daily refresh; nil for every 24 hours from the start.
  package var refreshTime: TimeOfDay?
  /// The times at which the user opens the app, in milliseconds since 1970.
  package var launchesMilliseconds: [Int64] = []
  /// The local times at which the user opens the app every day.
  package var dailyLaunches: [TimeOfDay] = []
  /// The share of shown notifications from which the user opens the app, from 0 to 1.
  package var openedShare = 0.0
  /// The share of missed refreshes, from 0 to 1.
  ///
  /// Each launch in the day before gives a refresh another such chance.
  package var missedRefreshShare = 0.0
  /// The random seed for missed refreshes and opened notifications.
  package var seed: UInt64 = 0
  /// The number of notifications shown in one second; nil for no limit.
  package var sameSecondLimit: Int? = 2
  /// How the phone delays notifications; nil for no delay.
  package var lowPowerDelay: LowPowerDelay?
  /// The zone of the days that ``SimulationResult/days`` has; nil for none.
  package var dayZone: ClockZone?

  /// Creates options for a period in milliseconds since 1970.
  ///
  /// An end before the start becomes the start.
  package init(fromMilliseconds: Int64, toMilliseconds: Int64) {
    self.fromMilliseconds = fromMilliseconds
    askedMilliseconds = fromMilliseconds
    self.toMilliseconds = max(toMilliseconds, fromMilliseconds)
  }
}

/// How an app passes its reminders to a phone.
///
/// A simulation compares them. The raw value is the name in options and reports.
package enum ScheduleStrategy: String, CaseIterable, Sendable {
  /// All requests at once, in file order.
  case naive
  /// Requests in file order until the phone is full; the rest are ignored.
  case firstCome = "first-come"
  /// Requests by budget. The rest are stored and scheduled at later refreshes.
  case budget
  /// Occurrences of the next seven days by budget, planned again at each refresh.
  case window
}

/// A move of the phone to another time zone.
///
/// Options and files of zone changes name them. Floating reminders follow the new clock at once.
package struct ZoneChange: Hashable, Sendable {
  /// When the phone moves, in milliseconds since 1970; this moment belongs to the new zone.
  package let timeMilliseconds: Int64
  /// The zone after the move.
  package let zone: ClockZone

  /// Creates a move at a time in milliseconds since 1970.
  package init(timeMilliseconds: Int64, zone: ClockZone) {
    self.timeMilliseconds = timeMilliseconds
    self.zone = zone
  }
}
