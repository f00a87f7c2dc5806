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
    /// The id of a reminder whose moments the summary lists; nil for none.
    package var explainedID: String?

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
  /// The reminders at circles, by the keys of their circles.
  private let reminders: [Int64: (reminder: Reminder, trigger: RegionTrigger)]
  /// Follows the same path with every circle watched, to find those crossed while they waited.
  private var shadow: Shadow?
  private var run: ReminderRun?
  private var monitored: Set<Int64> = []
  private var lastMilliseconds: Int64?
  private var circlesFired = 0
  private var droppedInSecond = 0
  private var fired: [Mark: FiredReminder] = [:]
  /// The reminders whose circles fired on the way to the current fix.
  private var firedNow: Set<String> = []
  /// When circles fired since the last call of ``showTimes(beforeMilliseconds:)``.
  private var shownCircles: [Int64] = []
  private var circleWaits: [String: CircleWait] = [:]
  private var moments: [ReminderMoment] = []
  /// The keys of the circles that wait now.
  private var waitingNow: Set<Int64> = []

  private struct CircleWait {
    var times = 0
    var by: Set<String> = []
    /// The number of crossings that would have fired.
    var missed = 0
    /// The number of times that it fired into a full second.
    var dropped = 0
  }

  private struct Shadow {
    var engine: Engine
    let index: PlaceIndex
    var batch = PathBatch()
    var found: [EngineEvent] = []

    init?(_ reminders: [(Reminder, RegionTrigger)], _ monitoring: MonitoringOptions) {
      guard monitoring.limit != nil, !reminders.isEmpty else { return nil }
      let places = reminders.map { reminder, trigger in
        Place(
          id: reminder.id, title: "", coordinate: trigger.center,
          radiusMeters: trigger.radiusMeters)
      }
      // A file of reminders has no empty or repeated ids; without an index nothing is compared.
      guard let index = try? PlaceIndex(places) else { return nil }
      self.index = index
      engine = Engine(options: monitoring.withoutLimit)
    }

    /// The crossings on the way to a fix, with the ids of the reminders.
    mutating func follow(_ fix: Fix) -> [(id: String, crossing: Crossing)] {
      found.removeAll(keepingCapacity: true)
      batch.prepare([fix])
      engine.advance(along: batch.points[...], from: index, into: &found)
      return found.compactMap { event in
        guard case .crossing(let crossing) = event,
          let place = index.place(forKey: crossing.key)
        else { return nil }
        return (place.id, crossing)
      }
    }
  }

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
    var own: [Int64: (reminder: Reminder, trigger: RegionTrigger)] = [:]
    for reminder in options.document.reminders {
      guard case .region(let trigger) = reminder.schedule else { continue }
      let key = CircleSource.key(members.count)
      let circle = Circle(center: trigger.center, radiusMeters: trigger.radiusMeters)
      members.append(
        .init(
          reminderID: reminder.id, region: Region(key: key, circle: circle),
          isUsers: options.document.kinds.kind(ofIdentifier: reminder.id).priority
            == NotificationKind.userSetPriority))
      own[key] = (reminder, trigger)
    }
    reminders = own
    shadow = Shadow(members.compactMap { own[$0.region.key] }, monitoring)
    let slots = monitoring.limit.map { max(0, monitoring.hasTripwire ? $0 - 1 : $0) }
    circles = CircleSource(
      base: source, members: members, slots: slots, ranksByKind: monitoring.refresh == .fixed)
  }

  /// Handles an event of the engine.
  package func found(_ event: EngineEvent) {
    switch event {
    case .crossing(let crossing):
      cross(crossing)
      // A watched circle was crossed, so the app runs.
      if let time = crossing.timeMilliseconds { run?.wake(atMilliseconds: time) }
    case .dwell: break
    case .refresh(let refresh): renew(refresh)
    }
  }

  /// The reminder that a crossing fired; ask once, after ``found(_:)`` received the crossing.
  package func reminder(firedBy crossing: Crossing) -> FiredReminder? {
    fired.removeValue(forKey: Mark(crossing))
  }

  /// When pending reminders fire before a time, and when circles fired since the last call.
  package func showTimes(beforeMilliseconds end: Int64) -> [Int64] {
    defer { shownCircles = [] }
    return shownCircles + (run?.showTimes(beforeMilliseconds: end) ?? [])
  }

  package func alerted(placeID: String, atMilliseconds milliseconds: Int64) {
    run?.alert(placeID: placeID, atMilliseconds: milliseconds)
  }

  /// Advances to the time of a fix.
  package func took(_ fix: Fix) {
    if let crossings = shadow?.follow(fix) {
      for one in crossings { noteMissed(one.id, one.crossing) }
    }
    firedNow = []
    guard let time = fix.timeMilliseconds else { return }
    pass(time)
    run?.advance(toMilliseconds: time)
  }

  /// Counts a crossing that would have fired if the circle had been watched.
  private func noteMissed(_ id: String, _ crossing: Crossing) {
    guard !firedNow.contains(id),
      let member = circles.members.first(where: { $0.reminderID == id }), member.isLive,
      let trigger = reminders[member.region.key]?.trigger,
      crossing.isEnter ? trigger.firesOnEntry : trigger.firesOnExit
    else { return }
    circleWaits[id, default: CircleWait()].missed += 1
    note(.crossedUnwatched, of: id, atMilliseconds: crossing.timeMilliseconds)
  }

  /// Adds the budget to the summary.
  package func finish(_ summary: inout TrackSummary) {
    var budget = BudgetSummary(slots: options.run.totalLimit)
    budget.circlesFired = circlesFired
    budget.droppedInSecond = droppedInSecond
    budget.circlesMissed = circleWaits.values.reduce(0) { $0 + $1.missed }
    budget.displacements = displacedPlaces + displacedCircles
    budget.moments = moments
    if var run, let lastMilliseconds {
      let result = run.result(untilMilliseconds: lastMilliseconds)
      budget.plans = run.plans
      budget.mostRegions = run.mostRegions
      budget.mostReminders = run.mostReminders
      budget.due = result.total.due
      budget.onTime = result.total.onTime
      budget.late = result.total.late
      budget.dropped = result.total.dropped
      budget.droppedInSecond += result.occurrences.count {
        $0.fate == .dropped && $0.reason == .sameSecond
      }
      budget.displacements += Self.displacedReminders(run.waiting, result)
      if let id = options.explainedID { budget.moments += Self.moments(of: id, in: result) }
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
    noteWaiting(atMilliseconds: refresh.timeMilliseconds)
    guard let time = refresh.timeMilliseconds ?? lastMilliseconds else { return }
    pass(time)
    let own = monitored.count(where: CircleSource.isCircle)
    run?.watch(places: monitored.count - own, reminders: own, atMilliseconds: time)
  }

  /// Notes the circles that others keep from being watched; the adaptive rule only waits for them
  /// to come near.
  private func noteWaiting(atMilliseconds time: Int64?) {
    guard let last = circles.lastWatched, monitoring.refresh == .fixed else { return }
    let waiting = circles.members.filter { $0.isLive && !monitored.contains($0.region.key) }
    let before = waitingNow
    waitingNow = Set(waiting.map(\.region.key))
    let other = name(ofCircle: last)
    for member in circles.members where member.isLive {
      let key = member.region.key
      if waitingNow.contains(key), !before.contains(key) {
        note(.waits(behind: other), of: member.reminderID, atMilliseconds: time)
      } else if before.contains(key), !waitingNow.contains(key) {
        note(.pending, of: member.reminderID, atMilliseconds: time)
      }
    }
    for member in waiting {
      if !before.contains(member.region.key) {
        circleWaits[member.reminderID, default: CircleWait()].times += 1
      }
      if let other { circleWaits[member.reminderID, default: CircleWait()].by.insert(other) }
    }
  }

  private func note(
    _ happening: ReminderMoment.Happening, of id: String, atMilliseconds time: Int64?
  ) {
    guard id == options.explainedID else { return }
    moments.append(ReminderMoment(timeMilliseconds: time, happening: happening))
  }

  /// What happened to a timed reminder, in order of time.
  private static func moments(of id: String, in result: SimulationResult) -> [ReminderMoment] {
    let waits = result.waits.filter { $0.reminderID == id }.flatMap { wait in
      [
        ReminderMoment(
          timeMilliseconds: wait.fromMilliseconds, happening: .waits(behind: wait.displacedBy))
      ]
        + (wait.untilMilliseconds.map {
          [ReminderMoment(timeMilliseconds: $0, happening: .pending)]
        } ?? [])
    }
    let due = result.occurrences.filter { $0.reminderID == id }.map {
      ReminderMoment(timeMilliseconds: $0.dueMilliseconds, happening: .due($0))
    }
    return (waits + due).sorted { ($0.timeMilliseconds ?? 0) < ($1.timeMilliseconds ?? 0) }
  }

  /// The id of the place or reminder with a circle; nil if the place was deleted.
  private func name(ofCircle key: Int64) -> String? {
    reminders[key]?.reminder.id ?? (try? circles.place(forKey: key))?.id
  }

  private func cross(_ crossing: Crossing) {
    let key = crossing.key
    guard let (reminder, trigger) = reminders[key],
      crossing.isEnter ? trigger.firesOnEntry : trigger.firesOnExit,
      let index = circles.members.firstIndex(where: { $0.region.key == key }),
      circles.members[index].isLive
    else { return }
    circlesFired += 1
    firedNow.insert(reminder.id)
    var one = FiredReminder(id: reminder.id, title: reminder.content.title)
    if let time = crossing.timeMilliseconds {
      pass(time)
      one.displacedBy = run?.show(reminder, atMilliseconds: time)
      if let other = one.displacedBy {
        droppedInSecond += 1
        circleWaits[reminder.id, default: CircleWait()].dropped += 1
        circleWaits[reminder.id, default: CircleWait()].by.insert(other)
      } else {
        shownCircles.append(time)
      }
    }
    note(
      .fired(insteadOf: one.displacedBy), of: reminder.id,
      atMilliseconds: crossing.timeMilliseconds)
    fired[Mark(crossing)] = one
    // The next lookup stops watching it, because the source no longer returns it.
    if !trigger.repeats { circles.members[index].isLive = false }
  }

  private var displacedCircles: [BudgetSummary.Displacement] {
    circleWaits.sorted { $0.key < $1.key }.map { id, wait in
      BudgetSummary.Displacement(
        displaced: .reminder(id), by: wait.by.sorted(), times: wait.times,
        dropped: wait.missed + wait.dropped)
    }
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
      BudgetSummary.Displacement(
        displaced: .reminder(id), by: waiting.displacedBy.map { $0 ?? "places" }.sorted(),
        times: waiting.times, dropped: dropped[id] ?? 0)
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
