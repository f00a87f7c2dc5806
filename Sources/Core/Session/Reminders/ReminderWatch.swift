package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// The reminders on a phone that follows a track, which share its slots with the watched places.
///
/// Circles of reminders compete with places for regions. All circles and the reminders due in the
/// next seven days compete for slots, on one scale: the earliest moment at which each can fire. They
/// are planned again at every lookup, at every crossing and every 24 hours of track time.
package final class ReminderWatch: SessionObserver {
  /// After this time a run counts what is over and forgets the rest, so that its memory is bounded.
  static let settlingMilliseconds: Int64 = 30 * 86_400_000

  /// The source that the session must use instead of its own.
  package var source: any PlaceSource { circles }

  /// The rules that the session must use: its own, limited to the slots of the phone.
  package let monitoring: MonitoringOptions

  let options: ReminderWatchOptions
  let circles: CircleSource
  /// The reminders at circles, by the keys of their circles.
  private let reminders: [Int64: (reminder: Reminder, trigger: RegionTrigger)]
  /// Follows the same path with every circle watched, to find those crossed while they waited.
  var shadow: Shadow?
  var run: ReminderRun?
  var progress = Progress()
  private var fired: [Crossing: FiredReminder] = [:]
  /// The reminders whose circles fired on the way to the current fix.
  private var firedNow: Set<String> = []
  /// When circles fired since the last call of ``showTimes(beforeMilliseconds:)``.
  private var shownCircles: [Int64] = []
  private var moments: [ReminderMoment] = []
  private var hasFreedRegion = false

  /// What grows along the track and a snapshot keeps.
  struct Progress: Codable {
    var lastMilliseconds: Int64?
    var monitored: Set<Int64> = []
    /// The keys of the circles that wait now.
    var waitingNow: Set<Int64> = []
    var circleWaits: [String: CircleWait] = [:]
    var circlesFired = 0
    var circlesUnshown = 0
  }

  /// How one reminder's circle waited for a region or slot, and what that cost.
  struct CircleWait: Codable {
    var times = 0
    var by: Set<String> = []
    /// The number of crossings that would have fired.
    var missed = 0
    /// The number of times that it fired into a full second.
    var dropped = 0
  }

  /// A second run along the path that watches the circles of all reminders.
  struct Shadow {
    private var run: PathRun
    private let index: PlaceIndex
    private var batch = PathBatch()

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
      run = PathRun(monitoring.withoutLimit)
    }

    var snapshot: (engine: Engine.Snapshot, last: TrackSession.LastFix?) {
      (run.engine.snapshot, (batch.fixes.last ?? batch.before).map(TrackSession.LastFix.init))
    }

    mutating func restore(_ saved: Engine.Snapshot, after last: TrackSession.LastFix?) {
      // Without it only crossings of circles that waited before the restart are not counted.
      guard let run = PathRun(run.engine.options, continuing: saved) else { return }
      self.run = run
      batch = PathBatch(after: last?.fix)
    }

    /// The crossings on the way to a fix, with the ids of the reminders.
    mutating func follow(_ fix: Fix) -> [(id: String, crossing: Crossing)] {
      batch.prepare([fix])
      _ = run.follow(batch.points[...], from: index)
      return run.events.compactMap { event in
        guard case .crossing(let crossing) = event,
          let place = index.place(forKey: crossing.key)
        else { return nil }
        return (place.id, crossing)
      }
    }
  }

  /// Creates a watch for the start of a track; without a region limit, requests have none either.
  package init(
    options: ReminderWatchOptions, source: any PlaceSource, monitoring: MonitoringOptions
  ) {
    var options = options
    var monitoring = monitoring
    if let limit = monitoring.limit, let slots = options.run.totalLimit {
      if options.placesNeedSlots { monitoring.limit = min(limit, slots) }
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

  /// Handles an engine event on the way to the next fix.
  ///
  /// A lookup or a crossing plans the slots again. A crossing of a reminder's circle fires it.
  package func found(_ event: EngineEvent) {
    switch event {
    case .crossing(let crossing):
      if let time = crossing.timeMilliseconds { advance(toMilliseconds: time) }
      if circles.withoutSlot.contains(crossing.key) { return noteUnwatched(crossing) }
      cross(crossing)
      guard let time = crossing.timeMilliseconds else { return }
      // A watched circle was crossed, so the app runs; a reminder's that has fired leaves a slot.
      pass(time)
      run?.wake(atMilliseconds: time)
      followSlots()
    case .dwell: break
    case .refresh(let refresh): applyRefresh(refresh)
    }
  }

  /// The reminder that a crossing fired; ask once, after ``found(_:)`` received the crossing.
  package func reminder(firedBy crossing: Crossing) -> FiredReminder? {
    fired.removeValue(forKey: crossing)
  }

  /// The id of the reminder with a circle, by the circle's key; nil for a place.
  package func reminderID(ofCircle key: Int64) -> String? { reminders[key]?.reminder.id }

  /// When pending reminders fire before a time, and when circles fired since the last call.
  package func showTimes(beforeMilliseconds end: Int64) -> [Int64] {
    defer { shownCircles = [] }
    return shownCircles + (run?.showTimes(beforeMilliseconds: end) ?? [])
  }

  /// Counts an alert toward the limit of its second.
  package func alerted(placeID: String, atMilliseconds milliseconds: Int64) {
    run?.alert(placeID: placeID, atMilliseconds: milliseconds)
  }

  /// Advances to the time of a fix.
  package func followed(_ fix: Fix) {
    for (id, crossing) in shadow?.follow(fix) ?? [] where !firedNow.contains(id) {
      // It would have fired if the circle had been watched.
      guard let member = circles.members.first(where: { $0.reminderID == id }),
        circles.isLive(member), let trigger = reminders[member.region.key]?.trigger,
        crossing.isEntry ? trigger.firesOnEntry : trigger.firesOnExit
      else { continue }
      progress.circleWaits[id, default: CircleWait()].missed += 1
      note(.crossedUnwatched, of: id, atMilliseconds: crossing.timeMilliseconds)
    }
    firedNow = []
    if let time = fix.timeMilliseconds { advance(toMilliseconds: time) }
  }

  /// Whether a circle has fired for the last time since the last call, so that its region is free.
  package func takeFreedRegion() -> Bool {
    defer { hasFreedRegion = false }
    return hasFreedRegion
  }

  /// Adds the ``BudgetSummary`` of the track.
  package func finish(_ summary: inout TrackSummary) {
    var budget = BudgetSummary(slots: options.run.totalLimit)
    budget.circlesFired = progress.circlesFired
    budget.circlesUnshown = progress.circlesUnshown
    budget.droppedInSecond = progress.circlesUnshown
    budget.circlesMissed = progress.circleWaits.values.reduce(0) { $0 + $1.missed }
    budget.displacements = displacedPlaces + displacedCircles
    budget.moments = moments
    if var run, let last = progress.lastMilliseconds {
      run.settle(untilMilliseconds: last)
      budget.plans = run.account.plans
      budget.mostRegions = run.account.mostRegions
      budget.mostReminders = run.account.mostReminders
      budget.due = run.account.due
      budget.onTime = run.account.onTime
      budget.late = run.account.late
      budget.dropped = run.account.dropped
      budget.droppedInSecond += run.account.droppedInSecond
      budget.displacements += Self.displacedReminders(run.account)
      budget.moments += Self.moments(of: run.explained)
    }
    summary.budget = budget
  }

  private func pass(_ milliseconds: Int64) {
    progress.lastMilliseconds = max(progress.lastMilliseconds ?? milliseconds, milliseconds)
    if run == nil {
      run = ReminderRun(
        document: options.document, fromMilliseconds: milliseconds, options: options.run)
    }
    while let end = run.map({ $0.account.settledMilliseconds + Self.settlingMilliseconds }),
      end <= milliseconds
    {
      run?.restart(atMilliseconds: end)
    }
  }

  private func applyRefresh(_ refresh: Refresh) {
    guard !refresh.hasFailed else { return }
    progress.monitored.formUnion(refresh.added)
    progress.monitored.subtract(refresh.removed)
    circles.memory.everMonitored.formUnion(refresh.added.filter { $0.isReminderCircle })
    noteWaiting(atMilliseconds: refresh.timeMilliseconds)
    guard let time = refresh.timeMilliseconds ?? progress.lastMilliseconds else { return }
    pass(time)
    run?.watch(watchedCircles, from: refresh.coordinate, atMilliseconds: time)
    followSlots()
    let places = refresh.added.filter { !$0.isReminderCircle && circles.withoutSlot.contains($0) }
    if !places.isEmpty { circles.memory.neverHeld = (circles.memory.neverHeld ?? []).union(places) }
  }

  /// The watched circles that need slots.
  private var watchedCircles: [ReminderRun.WatchedCircle] {
    progress.monitored.sorted().compactMap { key in
      if let (reminder, trigger) = reminders[key] {
        guard !circles.memory.spent.contains(key) else { return nil }
        let circle = Circle(center: trigger.center, radiusMeters: trigger.radiusMeters)
        return .init(reminderID: reminder.id, circle)
      }
      guard options.placesNeedSlots else { return nil }
      let circle =
        circles.answered[key]
        ?? circles.storedPlace(forKey: key).map {
          Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters)
        }
      return circle.flatMap { .init(placeKey: key, $0) }
    }
  }

  private func advance(toMilliseconds time: Int64) {
    pass(time)
    run?.advance(toMilliseconds: time)
    followSlots()
  }

  /// Notes which circles have lost their slots to reminders, or have one again.
  func followSlots(isRestoring: Bool = false) {
    let lost = run?.withoutSlot ?? []
    guard !lost.isEmpty || !circles.withoutSlot.isEmpty else { return }
    let before = circles.withoutSlot
    circles.withoutSlot = progress.monitored.filter { lost.contains(requestID(ofCircle: $0)) }
    if circles.memory.neverHeld != nil {
      circles.memory.neverHeld?.subtract(progress.monitored.subtracting(circles.withoutSlot))
    }
    guard !isRestoring else { return }
    let other = run?.lastWithSlot
    for key in circles.withoutSlot.subtracting(before).sorted() {
      guard let id = reminders[key]?.reminder.id else {
        circles.noteDisplaced(key, by: other)
        continue
      }
      progress.circleWaits[id, default: CircleWait()].times += 1
      if let other { progress.circleWaits[id, default: CircleWait()].by.insert(other) }
      note(.waits(behind: other), of: id, atMilliseconds: progress.lastMilliseconds)
    }
  }

  private func requestID(ofCircle key: Int64) -> String {
    reminders[key]?.reminder.id ?? ReminderRun.WatchedCircle.id(ofPlace: key)
  }

  /// Notes that the circle of a reminder was crossed while reminders had all slots.
  private func noteUnwatched(_ crossing: Crossing) {
    guard let (reminder, trigger) = reminders[crossing.key],
      crossing.isEntry ? trigger.firesOnEntry : trigger.firesOnExit
    else { return }
    firedNow.insert(reminder.id)
    progress.circleWaits[reminder.id, default: CircleWait()].missed += 1
    note(.crossedUnwatched, of: reminder.id, atMilliseconds: crossing.timeMilliseconds)
  }

  /// Notes the circles that others keep from being watched; the adaptive rule only waits for them
  /// to come near.
  private func noteWaiting(atMilliseconds time: Int64?) {
    guard let last = circles.memory.lastWatched, monitoring.refresh == .fixed else { return }
    let other = name(ofCircle: last)
    let before = progress.waitingNow
    progress.waitingNow = []
    for member in circles.members where circles.isLive(member) {
      let (key, id) = (member.region.key, member.reminderID)
      let (wasWaiting, isWaiting) = (before.contains(key), !progress.monitored.contains(key))
      if isWaiting != wasWaiting {
        note(isWaiting ? .waits(behind: other) : .pending, of: id, atMilliseconds: time)
      }
      guard isWaiting else { continue }
      progress.waitingNow.insert(key)
      progress.circleWaits[id, default: CircleWait()].times += wasWaiting ? 0 : 1
      if let other { progress.circleWaits[id, default: CircleWait()].by.insert(other) }
    }
  }

  private func note(
    _ happening: ReminderMoment.Happening, of id: String, atMilliseconds time: Int64?
  ) {
    guard id == options.run.explainedID else { return }
    moments.append(ReminderMoment(timeMilliseconds: time, happening: happening))
  }

  /// What happened to a timed reminder, in order of time.
  private static func moments(
    of explained: (occurrences: [OccurrenceRecord], waits: [SimulationResult.Wait])
  ) -> [ReminderMoment] {
    var moments: [ReminderMoment] = []
    for wait in explained.waits {
      moments.append(
        ReminderMoment(
          timeMilliseconds: wait.fromMilliseconds, happening: .waits(behind: wait.displacedBy)))
      guard let end = wait.untilMilliseconds else { continue }
      moments.append(ReminderMoment(timeMilliseconds: end, happening: .pending))
    }
    moments += explained.occurrences.map {
      ReminderMoment(timeMilliseconds: $0.dueMilliseconds, happening: .due($0))
    }
    return moments.sorted { ($0.timeMilliseconds ?? 0) < ($1.timeMilliseconds ?? 0) }
  }

  /// The id of the place or reminder with a circle; nil if the place was deleted.
  private func name(ofCircle key: Int64) -> String? {
    reminders[key]?.reminder.id ?? circles.storedPlace(forKey: key)?.id
  }

  private func cross(_ crossing: Crossing) {
    let key = crossing.key
    guard let (reminder, trigger) = reminders[key],
      crossing.isEntry ? trigger.firesOnEntry : trigger.firesOnExit,
      !circles.memory.spent.contains(key)
    else { return }
    progress.circlesFired += 1
    firedNow.insert(reminder.id)
    var one = FiredReminder(id: reminder.id, title: reminder.content.title)
    if let time = crossing.timeMilliseconds {
      pass(time)
      one.displacedBy = run?.show(reminder, atMilliseconds: time)
      if let other = one.displacedBy {
        progress.circlesUnshown += 1
        progress.circleWaits[reminder.id, default: CircleWait()].dropped += 1
        progress.circleWaits[reminder.id, default: CircleWait()].by.insert(other)
      } else {
        shownCircles.append(time)
      }
    }
    note(
      .fired(insteadOf: one.displacedBy), of: reminder.id,
      atMilliseconds: crossing.timeMilliseconds)
    fired[crossing] = one
    guard !trigger.repeats else { return }
    // The source no longer returns it, and what waits for a region gets its own.
    circles.memory.spent.insert(key)
    run?.free(reminder.id)
    hasFreedRegion = circles.memory.lastWatched != nil
  }

  private var displacedCircles: [BudgetSummary.Displacement] {
    progress.circleWaits.sorted { $0.key < $1.key }.map { id, wait in
      BudgetSummary.Displacement(
        displaced: .reminder(id: id), by: wait.by.sorted(), times: wait.times,
        dropped: wait.missed + wait.dropped)
    }
  }

  private var displacedPlaces: [BudgetSummary.Displacement] {
    circles.memory.displaced.compactMap { key, entry in
      // A place that was deleted from the store has no id to show.
      guard let place = circles.storedPlace(forKey: key) else { return nil }
      return BudgetSummary.Displacement(
        displaced: .place(id: place.id), by: entry.by.sorted(), times: entry.times)
    }.sorted { $0.name < $1.name }
  }

  private static func displacedReminders(
    _ account: ReminderRun.Account
  ) -> [BudgetSummary.Displacement] {
    account.waiting.sorted { $0.key < $1.key }.map { id, waiting in
      BudgetSummary.Displacement(
        displaced: .reminder(id: id), by: waiting.displacedBy.map { $0 ?? "places" }.sorted(),
        times: waiting.times, dropped: account.droppedByID[id] ?? 0)
    }
  }

  /// Whether a key is that of a reminder's circle and not of a place.
  package static func isCircle(_ key: Int64) -> Bool { key.isReminderCircle }

  /// The rules of a session beside reminders, if any.
  package static func rules(
    _ rules: TrackSessionOptions, beside watch: ReminderWatch?
  ) -> TrackSessionOptions {
    var rules = rules
    if let watch { rules.monitoring = watch.monitoring }
    return rules
  }
}

/// The reminders, and the phone that holds them.
///
/// The defaults are those of an iPhone whose places are notification requests.
package struct ReminderWatchOptions: Sendable {
  /// The reminders, their kinds, and the zone of the phone.
  package var document: ReminderDocument
  /// The options of the run; its `explainedID` also keeps what happened to a circle.
  package var run = ReminderRunOptions()
  /// Whether watched places are notification requests, which need slots, or circles that the app
  /// monitors itself and answers at once.
  package var placesNeedSlots = true

  /// Creates the default options for some reminders.
  package init(document: ReminderDocument) { self.document = document }
}

extension BudgetSummary.Displacement {
  fileprivate var name: String {
    switch displaced {
    case .place(let id), .reminder(let id): id
    }
  }
}
