public import FencepostMonitoring
public import FencepostNotifications

/// Runs story alerts in an app, connecting a phone, a ``StoryWatch`` and a notification scheduler.
///
/// Create one at every launch and call ``start()`` at once. The system may have launched the app to
/// deliver an event, and drops the event if no delegate is set.
///
/// Each event is one synchronous step that ends with saving the state and any new alerts. Only then
/// are alerts handed to the scheduler. If the app is terminated at any moment, no alert is lost or
/// repeated: the next launch continues the handover.
@MainActor
public final class StoryAlerts {
  /// The rules for watching, alerts and notifications.
  public struct Options: Sendable {
    /// Which circles to watch, and which entries alert.
    public var watch = StoryWatch.Options()
    /// The maximum number of regions for the whole app; a phone monitors 20.
    public var regionLimit = 20
    /// Makes the notification for an entry.
    public var content: @Sendable (StoryEntry) -> NotificationContent = { .init($0.story) }

    /// Creates the default options.
    public init() {}
  }

  /// Receives every problem; set it before ``start()``.
  public var onProblem: (PhoneProblem) -> Void = { _ in }
  /// Receives every entry and the decision about it, including those held back.
  public var onEntry: (StoryEntry) -> Void = { _ in }
  /// The current state of the watch.
  public internal(set) var watch: StoryWatch

  let options: Options
  let phone: any LocationPhone
  let center: any PhoneNotificationCenter
  let scheduler: NotificationScheduler
  let now: @Sendable () -> Int64
  private let store: any StoryStateStore
  private var mirror: RegionMirror
  private var permission: LocationPermission?
  private var hadRoom = true
  private var lastSaved: StoryState?
  private var lastSavedMilliseconds: Int64?
  /// Whether the saved state could not be read yet, and therefore must not be overwritten.
  private var isStateUnread = false
  private var hasRefusedToSave = false
  var waiting: [StoryState.WaitingAlert] = []
  var handover = Handover()

  /// Creates story alerts, which do nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - stories: The stories, which may differ from those at the last launch.
  ///   - phone: Delivers fixes and watches regions.
  ///   - center: The notification center that the scheduler uses.
  ///   - scheduler: Adds notifications, within a budget for the whole app.
  ///   - store: Saves the state.
  ///   - options: The rules.
  ///   - now: Returns the time in milliseconds since 1970.
  public init(
    stories: PlaceIndex, phone: any LocationPhone, center: any PhoneNotificationCenter,
    scheduler: NotificationScheduler, store: any StoryStateStore, options: Options = Options(),
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds }
  ) {
    watch = StoryWatch(stories: stories, options: options.watch)
    self.options = options
    self.phone = phone
    self.center = center
    self.scheduler = scheduler
    self.store = store
    self.now = now
    mirror = RegionMirror(limit: options.regionLimit)
  }

  /// Continues from the saved state and starts listening to the phone.
  public func start() {
    do {
      try load()
    } catch {
      isStateUnread = true
      onProblem(.stateNotLoaded(reason: "\(error)"))
    }
    phone.onEvent = { [weak self] in self?.take($0) }
    for problem in phone.missingServices { onProblem(problem) }
    permission = phone.permission
    if let problem = permission?.problem { onProblem(problem) }
    phone.start()
    followRegions()
    askForLostCrossings()
    if watch.lastFix == nil, permission?.givesFixes == true { phone.requestFix() }
    handOver(isStarting: true)
  }

  /// Moves an unreadable saved state aside and saves the current state instead.
  ///
  /// Until this is called or the state can be read, nothing is saved. Past stories may alert again.
  ///
  /// - Throws: The store's error; then nothing has changed.
  public func replaceUnreadableState() throws {
    guard isStateUnread else { return }
    try store.moveAside()
    isStateUnread = false
    save()
  }

  private func load() throws {
    guard let state = try store.load() else { return }
    let known = watch.snapshot
    watch = StoryWatch(stories: watch.stories, options: options.watch, snapshot: state.watch)
    watch.merge(known)
    waiting = state.waiting + waiting
    lastSaved = state
  }

  /// Tries again to read the state, which may have been locked with the phone.
  private func retryLoad() {
    guard isStateUnread else { return }
    do {
      try load()
      isStateUnread = false
    } catch {
      // The problem has been reported; the next event tries again.
    }
  }

  /// Stops listening; regions stay monitored for the next start.
  public func stop() {
    phone.stop()
    phone.onEvent = nil
  }

  /// Replaces the stories.
  public func replaceStories(_ stories: PlaceIndex) {
    watch.replaceStories(stories)
    finishStep(entries: [])
  }

  // MARK: Events

  private func take(_ event: LocationEvent) {
    retryLoad()
    switch event {
    case .fix(let fix):
      mirror.retryFailures()
      finishStep(entries: watch.follow(fix, nowMilliseconds: now()))
    case .entered(let identifier, let time):
      crossed(identifier, isEnter: true, atMilliseconds: time)
    case .left(let identifier, let time): crossed(identifier, isEnter: false, atMilliseconds: time)
    case .found(let identifier, let isInside, let time):
      guard let story = StoryWatch.storyID(ofRegion: identifier) else {
        // The phone left the tripwire while the app was not running.
        if identifier == StoryWatch.tripwireIdentifier, !isInside { phone.requestFix() }
        return
      }
      let entries = isInside ? followToLatestFix() : []
      finishStep(
        entries: entries
          + watch.phoneFound(storyID: story, isInside: isInside, atMilliseconds: time))
    case .regionFailed(let identifier, let reason):
      noteFailure(ofRegion: identifier, reason: reason)
    case .locationFailed(let reason): onProblem(.locationFailed(reason: reason))
    case .permissionChanged(let permission):
      // Phones also report the permission at each launch.
      guard permission != self.permission else { return }
      self.permission = permission
      if let problem = permission.problem { onProblem(problem) }
      guard permission.givesFixes else { return }
      mirror.retryFailures()
      phone.start()
      followRegions()
      phone.requestFix()
    case .regionsKnown:
      followRegions()
      askForLostCrossings()
    }
  }

  /// Handles a region crossing, after following the path to the phone's latest fix.
  private func crossed(_ identifier: String, isEnter: Bool, atMilliseconds time: Int64) {
    guard identifier.hasPrefix(RegionMirror.prefix) else { return }
    var entries = followToLatestFix()
    if let story = StoryWatch.storyID(ofRegion: identifier) {
      if isEnter {
        entries += watch.phoneEntered(storyID: story, atMilliseconds: time)
      } else {
        watch.phoneLeft(storyID: story, atMilliseconds: time)
      }
    }
    finishStep(entries: entries)
    let fixTime = phone.latestFix?.timeMilliseconds ?? .min / 2
    if time - fixTime > Self.freshMilliseconds { phone.requestFix() }
  }

  /// Follows the path to the phone's latest fix, if it is newer than the last one.
  private func followToLatestFix() -> [StoryEntry] {
    guard let fix = phone.latestFix, fix.timeMilliseconds > watch.lastFix?.timeMilliseconds ?? .min
    else { return [] }
    return watch.follow(fix, nowMilliseconds: now())
  }

  /// An older fix does not tell where the region was crossed.
  private static var freshMilliseconds: Int64 { 10_000 }

  private func noteFailure(ofRegion identifier: String?, reason: String) {
    if let identifier {
      guard identifier.hasPrefix(RegionMirror.prefix) else { return }
      mirror.noteFailure(of: identifier)
      phone.stopMonitoring(identifier: identifier)
      watch.phoneStopped(regionIdentifier: identifier)
    }
    onProblem(.regionFailed(identifier: identifier, reason: reason))
    save()
  }

  /// Crossings while the app was not running may never have been delivered.
  private func askForLostCrossings() {
    for region in phone.regions ?? [] where region.identifier.hasPrefix(RegionMirror.prefix) {
      phone.askSide(identifier: region.identifier)
    }
  }

  // MARK: After each event

  /// Saves the outcome of an event before acting on it.
  private func finishStep(entries: [StoryEntry]) {
    for entry in entries {
      if case .alert = entry.decision {
        waiting.append(
          StoryState.WaitingAlert(
            identifier: Self.identifier(of: entry), content: options.content(entry)))
      }
      onEntry(entry)
    }
    followRegions()
    saveIfNeeded()
    handOver(isStarting: false)
  }

  /// The prefix of alert requests; register a `NotificationKind` for it to set their priority.
  package nonisolated static let requestPrefix = "story."

  private static func identifier(of entry: StoryEntry) -> String {
    "\(requestPrefix)\(entry.story.id)@\(entry.timeMilliseconds)"
  }

  private func followRegions() {
    guard let held = phone.regions, phone.permission.problem == nil else { return }
    guard phone.greatestRadiusMeters > 0 else { return }
    let wanted = watch.regions
    let hasRoom = wanted.isEmpty || mirror.room(beside: held) > 0
    if hadRoom, !hasRoom { onProblem(.noRegionLeft(foreign: RegionMirror.foreignCount(of: held))) }
    hadRoom = hasRoom
    let change = mirror.follow(wanted, held: held, greatestRadiusMeters: phone.greatestRadiusMeters)
    for identifier in change.stopped { phone.stopMonitoring(identifier: identifier) }
    for identifier in change.stopped + change.started.map(\.identifier) {
      watch.phoneStopped(regionIdentifier: identifier)
    }
    for region in change.started { phone.monitor(region) }
  }

  /// Skips saving when only the fix is new, unless enough time has passed.
  private func saveIfNeeded() {
    if let last = lastSaved, let lastTime = lastSavedMilliseconds, last.waiting == waiting,
      last.watch.visits == watch.visits, last.watch.tripwire == watch.tripwire,
      let time = watch.lastFix?.timeMilliseconds,
      (time - lastTime).magnitude < Self.saveMilliseconds
    {
      return
    }
    save()
  }

  private static var saveMilliseconds: UInt64 { 30_000 }

  func save() {
    guard !isStateUnread else {
      if !hasRefusedToSave { onProblem(.stateNotSaved(reason: "the saved one was not read yet")) }
      hasRefusedToSave = true
      return
    }
    let state = StoryState(watch: watch.snapshot, waiting: waiting)
    do {
      try store.save(state)
      lastSaved = state
      lastSavedMilliseconds = state.watch.lastFix?.timeMilliseconds
    } catch {
      onProblem(.stateNotSaved(reason: "\(error)"))
    }
  }

  /// The state of the handover between waiting alerts and the scheduler.
  struct Handover {
    var task: Task<Void, Never>?
    /// Whether to call the scheduler even if no alerts are waiting.
    var mustRefresh = false
    /// The number of alerts in this second and later ones, by second since 1970.
    var counts: [Int64: Int] = [:]
  }

  /// Waits until all alerts have been handed over, or the attempt has failed.
  ///
  /// In the background, end your background task only after this.
  public func finishHandover() async {
    while let task = handover.task { await task.value }
  }

  /// Starts handing over alerts, unless a handover is already running.
  func handOver(isStarting: Bool) {
    if isStarting { handover.mustRefresh = true }
    guard handover.task == nil, !waiting.isEmpty || handover.mustRefresh else { return }
    handover.task = Task {
      while !waiting.isEmpty || handover.mustRefresh {
        guard await handOver(waiting) else { break }
      }
      handover.task = nil
    }
  }

  /// Returns whether the scheduler accepted the batch.
  private func handOver(_ batch: [StoryState.WaitingAlert]) async -> Bool {
    do {
      // An earlier launch may have handed over alerts without recording it.
      let shown = try await center.delivered(afterMilliseconds: 0) ?? []
      let live = try await scheduler.requests()
      let known = shown.union(live.map(\.identifier))
      let requests = requests(for: batch.filter { !known.contains($0.identifier) }, beside: live)
      handover.mustRefresh = false
      try await scheduler.update { live in
        live.removeAll {
          $0.identifier.hasPrefix(Self.requestPrefix) && shown.contains($0.identifier)
        }
        live += requests
      }
    } catch {
      handover.mustRefresh = true
      onProblem(.notificationFailed(reason: "\(error)"))
      // The scheduler keeps the requests that the notification center refused.
      if error is SchedulerError { noteHandedOver(batch) }
      return false
    }
    noteHandedOver(batch)
    return true
  }

  private func noteHandedOver(_ batch: [StoryState.WaitingAlert]) {
    guard !batch.isEmpty else { return }
    waiting.removeFirst(batch.count)
    save()
  }

  /// Makes requests, at most two per second with the reminders of that second, because a phone
  /// drops any beyond that.
  private func requests(
    for batch: [StoryState.WaitingAlert], beside live: [NotificationRequest]
  ) -> [NotificationRequest] {
    let now = now() / 1000
    handover.counts = handover.counts.filter { $0.key >= now }
    var reminders: [Int64: Int] = [:]
    for request in live where !request.identifier.hasPrefix(Self.requestPrefix) {
      let next = request.nextFire(afterMilliseconds: now * 1000 - 1, in: scheduler.zone)
      if case .at(let time) = next { reminders[time / 1000, default: 0] += 1 }
    }
    return batch.map { alert in
      var second = now
      while handover.counts[second, default: 0] + reminders[second, default: 0] >= 2 { second += 1 }
      handover.counts[second, default: 0] += 1
      let trigger = IntervalTrigger(milliseconds: (second - now) * 1000, repeats: false)
      return NotificationRequest(
        identifier: alert.identifier, content: alert.content,
        trigger: trigger.map { .interval($0) } ?? .immediate)
    }
  }
}
