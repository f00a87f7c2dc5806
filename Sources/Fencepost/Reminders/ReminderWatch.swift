package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// The reminders on a phone that follows a track, which share its slots with the watched places.
///
/// Circles of reminders compete with places for regions. The remaining slots hold the reminders due
/// in the next seven days. Both are planned again at every lookup and every 24 hours of track time.
package final class ReminderWatch: SessionObserver {
  package struct Options: Sendable {
    package var document: ReminderDocument
    package var run = ReminderRun.Options()

    package init(document: ReminderDocument) {
      self.document = document
    }
  }

  /// The source that the session must use instead of its own.
  package var source: any PlaceSource { circles }

  /// The rules that the session must use: its own, limited to the slots of the phone.
  package let monitoring: MonitoringOptions

  private let options: Options
  private let circles: CircleSource
  private let triggers: [Int64: RegionTrigger]
  private var run: ReminderRun?
  private var monitored: Set<Int64> = []
  private var lastMilliseconds: Int64?
  private var circlesFired = 0
  private var fired: Set<Mark> = []

  private struct Mark: Hashable {
    var key: Int64
    var fraction: Double
    var isEnter: Bool

    init(_ crossing: Crossing) {
      key = crossing.key
      fraction = crossing.fraction
      isEnter = crossing.isEnter
    }
  }

  /// Creates a watch for the start of a track; without a region limit, requests have none either.
  package init(options: Options, source: any PlaceSource, monitoring: MonitoringOptions) {
    var options = options
    var monitoring = monitoring
    if let limit = monitoring.limit, let slots = options.run.totalLimit {
      monitoring.limit = min(limit, slots)
    } else if monitoring.limit == nil {
      options.run.totalLimit = nil
    }
    self.monitoring = monitoring
    self.options = options
    var members: [CircleSource.Member] = []
    var triggers: [Int64: RegionTrigger] = [:]
    for reminder in options.document.reminders {
      guard case .region(let trigger) = reminder.schedule else { continue }
      let key = CircleSource.key(members.count)
      let circle = Circle(center: trigger.center, radiusMeters: trigger.radiusMeters)
      members.append(
        .init(
          reminderID: reminder.id, title: reminder.content.title,
          region: Region(key: key, circle: circle)))
      triggers[key] = trigger
    }
    self.triggers = triggers
    let slots = monitoring.limit.map { max(0, monitoring.hasTripwire ? $0 - 1 : $0) }
    circles = CircleSource(base: source, members: members, slots: slots)
  }

  /// Handles an event of the engine.
  package func found(_ event: EngineEvent) {
    switch event {
    case .crossing(let crossing): cross(crossing)
    case .dwell: break
    case .refresh(let refresh): renew(refresh)
    }
  }

  /// The reminder that a crossing fired; ask once, after ``found(_:)`` received the crossing.
  package func reminder(firedBy crossing: Crossing) -> FiredReminder? {
    guard fired.remove(Mark(crossing)) != nil,
      let member = circles.members.first(where: { $0.region.key == crossing.key })
    else { return nil }
    return FiredReminder(id: member.reminderID, title: member.title)
  }

  /// Advances to the time of a fix.
  package func took(_ fix: Fix) {
    guard let time = fix.timeMilliseconds else { return }
    pass(time)
    run?.advance(toMilliseconds: time)
  }

  /// Adds the budget to the summary.
  package func finish(_ summary: inout TrackSummary) {
    var budget = BudgetSummary(slots: options.run.totalLimit)
    budget.circlesFired = circlesFired
    budget.displacements = displacedPlaces
    if var run, let lastMilliseconds {
      let result = run.result(untilMilliseconds: lastMilliseconds)
      budget.plans = run.plans
      budget.mostRegions = run.mostRegions
      budget.mostReminders = run.mostReminders
      budget.due = result.total.due
      budget.onTime = result.total.onTime
      budget.late = result.total.late
      budget.dropped = result.total.dropped
      budget.displacements += Self.displacedReminders(run.waiting, result)
    }
    summary.budget = budget
  }

  private func pass(_ milliseconds: Int64) {
    lastMilliseconds = max(lastMilliseconds ?? milliseconds, milliseconds)
    if run == nil {
      run = ReminderRun(
        document: options.document, fromMilliseconds: milliseconds, options: options.run)
    }
  }

  private func renew(_ refresh: Refresh) {
    guard !refresh.hasFailed else { return }
    monitored.formUnion(refresh.added)
    monitored.subtract(refresh.removed)
    circles.everMonitored.formUnion(refresh.added.filter(CircleSource.isCircle))
    guard let time = refresh.timeMilliseconds ?? lastMilliseconds else { return }
    pass(time)
    let own = monitored.count(where: CircleSource.isCircle)
    run?.watch(places: monitored.count - own, reminders: own, atMilliseconds: time)
  }

  private func cross(_ crossing: Crossing) {
    let key = crossing.key
    guard let trigger = triggers[key],
      crossing.isEnter ? trigger.firesOnEntry : trigger.firesOnExit,
      let index = circles.members.firstIndex(where: { $0.region.key == key }),
      circles.members[index].isLive
    else { return }
    circlesFired += 1
    fired.insert(Mark(crossing))
    // The next lookup stops watching it, because the source no longer returns it.
    if !trigger.repeats { circles.members[index].isLive = false }
  }

  private var displacedPlaces: [BudgetSummary.Displacement] {
    circles.displaced.compactMap { key, entry in
      // A place that was deleted from the store has no id to show.
      guard let place = try? circles.place(forKey: key) else { return nil }
      return BudgetSummary.Displacement(
        displaced: .place(place.id), by: entry.by.sorted(), times: entry.times)
    }.sorted { $0.name < $1.name }
  }

  private static func displacedReminders(
    _ waiting: [String: ReminderRun.Waiting], _ result: SimulationResult
  ) -> [BudgetSummary.Displacement] {
    var dropped: [String: Int] = [:]
    for record in result.occurrences where record.fate == .dropped && record.reason == .stored {
      dropped[record.reminderID, default: 0] += 1
    }
    return waiting.sorted { $0.key < $1.key }.map { id, waiting in
      let isForPlaces = waiting.forPlaces > 0
      return BudgetSummary.Displacement(
        displaced: .reminder(id), by: [isForPlaces ? "places" : "reminders"],
        times: isForPlaces ? waiting.forPlaces : waiting.forReminders, dropped: dropped[id] ?? 0)
    }
  }
}

extension BudgetSummary.Displacement {
  fileprivate var name: String {
    switch displaced {
    case .place(let id), .reminder(let id): id
    }
  }
}
