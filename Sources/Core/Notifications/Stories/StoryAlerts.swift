public import FencepostGeodesy
public import FencepostMonitoring

/// Runs story alerts in an app, connecting a phone, a `StoryWatch` and a notification scheduler.
///
/// Create one at every launch and call ``start()`` at once. The system may have launched the app to
/// deliver an event, and drops the event if no delegate is set.
///
/// Each event is one synchronous step that ends with saving the state and any new alerts. Only then
/// are alerts handed to the scheduler. If the app is terminated at any moment, no alert is lost or
/// repeated: the next launch continues the handover.
@MainActor
public final class StoryAlerts {
  /// Receives every problem; set it before ``start()``.
  public var onProblem: (PhoneProblem) -> Void = { _ in }
  /// The most recent problem; nil if none has occurred since launch.
  public private(set) var lastProblem: PhoneProblem?
  /// Receives every entry and the decision about it, including those held back.
  public var onEntry: (StoryEntry) -> Void = { _ in }
  /// The current state of the watch.
  public internal(set) var watch: StoryWatch

  let options: StoryAlertsOptions
  let phone: any LocationPhone
  let center: any PhoneNotificationCenter
  let scheduler: NotificationScheduler
  private let store: any StoryStateStore
  private var mirror: RegionMirror
  private var permission: LocationPermission?
  private var hadRoom = true
  private var lastSaved: StoryState?
  private var lastSavedMilliseconds: Int64?
  /// Whether the saved state could not be read yet, and therefore must not be overwritten.
  private var isStateUnread = false
  private var hasRefusedToSave = false
  private let fetch: Fetch?
  private var fetching: Task<Void, Never>?
  /// The stories that were fetched last, and where.
  private var fetched: StoryState.Fetched?
  var waiting: [StoryState.WaitingAlert] = []
  var handover = Handover()

  /// Returns the stories nearest to a point, at most so many, from a server or a store.
  public typealias Fetch = @Sendable (_ here: Coordinate, _ count: Int) async throws -> [Place]

  /// Creates story alerts whose stories are fetched when the phone has moved by a significant change.
  ///
  /// Fetched stories replace those before and are saved, so that the next launch knows them. If
  /// fetching fails, those before stay, and the next fix tries again.
  ///
  /// - Parameters:
  ///   - fetch: Returns the stories nearest to a point.
  ///   - phone: Delivers fixes and watches regions.
  ///   - center: The notification center that the scheduler uses.
  ///   - scheduler: Adds notifications, within a budget for the whole app. Alerts follow its clock.
  ///   - store: Saves the state, such as `StoryStateFile` of `FencepostStateFile`.
  ///   - options: The rules.
  public convenience init(
    fetch: @escaping Fetch, phone: any LocationPhone, center: any PhoneNotificationCenter,
    scheduler: NotificationScheduler, store: any StoryStateStore,
    options: StoryAlertsOptions = StoryAlertsOptions()
  ) {
    self.init(
      PlaceIndex(), fetch, phone: phone, center: center, scheduler: scheduler, store: store,
      options: options)
  }

  /// Creates story alerts, which do nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - stories: The stories, which may differ from those at the last launch.
  ///   - phone: Delivers fixes and watches regions.
  ///   - center: The notification center that the scheduler uses.
  ///   - scheduler: Adds notifications, within a budget for the whole app. Alerts follow its clock.
  ///   - store: Saves the state, such as `StoryStateFile` of `FencepostStateFile`.
  ///   - options: The rules.
  public convenience init(
    stories: PlaceIndex, phone: any LocationPhone, center: any PhoneNotificationCenter,
    scheduler: NotificationScheduler, store: any StoryStateStore,
    options: StoryAlertsOptions = StoryAlertsOptions()
  ) {
    self.init(
      stories, nil, phone: phone, center: center, scheduler: scheduler, store: store,
      options: options)
  }

  private init(
    _ stories: PlaceIndex, _ fetch: Fetch?, phone: any LocationPhone,
    center: any PhoneNotificationCenter, scheduler: NotificationScheduler,
    store: any StoryStateStore, options: StoryAlertsOptions
  ) {
    self.fetch = fetch
    watch = StoryWatch(stories: stories, options: options.watch)
    self.options = options
    self.phone = phone
    self.center = center
    self.scheduler = scheduler
    self.store = store
    mirror = RegionMirror(limit: options.regionLimit)
  }

  /// Continues from the saved state and starts listening to the phone.
  ///
  /// If the state cannot be read, this reports the problem and goes on without it. Alerts that an
  /// earlier launch did not hand over are handed over now.
  public func start() {
    do {
      try load()
    } catch {
      isStateUnread = true
      report(.stateNotLoaded(reason: "\(error)"))
    }
    phone.onEvent = { [weak self] in self?.take($0) }
    for problem in phone.missingServices { report(problem) }
    permission = phone.permission
    if let problem = permission?.problem { report(problem) }
    phone.start()
    followRegions()
    askForLostCrossings()
    if watch.lastFix == nil, permission?.givesFixes == true { phone.requestFix() }
    handOver(isStarting: true)
  }

  func report(_ problem: PhoneProblem) {
    lastProblem = problem
    onProblem(problem)
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
    var stories = watch.stories
    if fetch != nil, fetched == nil, let last = state.fetched {
      stories = try PlaceIndex(last.stories)
      fetched = last
    }
    watch = StoryWatch(stories: stories, options: options.watch, snapshot: state.watch)
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

  /// Replaces the stories, for example after the app has downloaded new ones.
  ///
  /// Past alerts and visits are kept by story id.
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
      finishStep(
        entries: watch.follow(fix, nowMilliseconds: now, canAlert: options.canAlert))
      fetchStories()
    case .entered(let identifier, let time):
      crossed(identifier, isEntry: true, atMilliseconds: time)
    case .left(let identifier, let time): crossed(identifier, isEntry: false, atMilliseconds: time)
    case .found(let identifier, let isInside, let time):
      guard let story = StoryWatch.storyID(ofRegion: identifier) else {
        // The phone left the tripwire while the app was not running.
        if identifier == StoryWatch.tripwireIdentifier, !isInside { phone.requestFix() }
        return
      }
      let entries = isInside ? followToLatestFix() : []
      finishStep(
        entries: entries
          + watch.phoneFound(
            storyID: story, isInside: isInside, atMilliseconds: time, canAlert: options.canAlert))
    case .regionFailed(let identifier, let reason):
      noteFailure(ofRegion: identifier, reason: reason)
    case .locationFailed(let reason): report(.locationFailed(reason: reason))
    case .permissionChanged(let permission):
      // Phones also report the permission at each launch.
      guard permission != self.permission else { return }
      self.permission = permission
      if let problem = permission.problem { report(problem) }
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
  private func crossed(_ identifier: String, isEntry: Bool, atMilliseconds time: Int64) {
    guard identifier.hasPrefix(RegionMirror.prefix) else { return }
    var entries = followToLatestFix()
    if let story = StoryWatch.storyID(ofRegion: identifier) {
      if isEntry {
        entries += watch.phoneEntered(
          storyID: story, atMilliseconds: time, canAlert: options.canAlert)
      } else {
        watch.phoneLeft(storyID: story, atMilliseconds: time)
      }
    }
    finishStep(entries: entries)
    let fixTime = phone.latestFix?.timeMilliseconds ?? .min / 2
    if time - fixTime > Self.freshMilliseconds { phone.requestFix() }
  }

  private var now: Int64 { scheduler.situation.nowMilliseconds }

  /// Follows the path to the phone's latest fix, if it is newer than the last one.
  private func followToLatestFix() -> [StoryEntry] {
    guard let fix = phone.latestFix, fix.timeMilliseconds > watch.lastFix?.timeMilliseconds ?? .min
    else { return [] }
    return watch.follow(fix, nowMilliseconds: now, canAlert: options.canAlert)
  }

  /// Fetches the stories around the phone, unless it has not moved by a significant change since.
  private func fetchStories() {
    guard let fetch, fetching == nil, let here = watch.lastFix?.coordinate, isFar(here) else {
      return
    }
    fetching = Task {
      do {
        let stories = try await fetch(here, options.watch.monitoring.limit ?? options.regionLimit)
        let index = try PlaceIndex(stories)
        fetched = .init(stories, around: here)
        replaceStories(index)
        save()
      } catch {
        report(.storiesNotFetched(reason: "\(error)"))
      }
      fetching = nil
    }
  }

  private func isFar(_ here: Coordinate) -> Bool {
    guard let fetched else { return true }
    return Geodesic.distanceMeters(here, fetched.here)
      >= options.watch.monitoring.significantChangeMeters
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
    report(.regionFailed(identifier: identifier, reason: reason))
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
      if entry.isAlert {
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
  public nonisolated static let requestPrefix = "story."

  private static func identifier(of entry: StoryEntry) -> String {
    "\(requestPrefix)\(entry.story.id)@\(entry.timeMilliseconds)"
  }

  private func followRegions() {
    guard let held = phone.regions, phone.permission.problem == nil else { return }
    guard phone.greatestRadiusMeters > 0 else { return }
    let wanted = watch.regions
    let hasRoom = wanted.isEmpty || mirror.room(beside: held) > 0
    if hadRoom, !hasRoom { report(.noRegionLeft(foreign: RegionMirror.foreignCount(of: held))) }
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
      if !hasRefusedToSave { report(.stateNotSaved(reason: "the saved one was not read yet")) }
      hasRefusedToSave = true
      return
    }
    let state = StoryState(watch: watch.snapshot, waiting: waiting, fetched: fetched)
    do {
      try store.save(state)
      lastSaved = state
      lastSavedMilliseconds = state.watch.lastFix?.timeMilliseconds
    } catch {
      report(.stateNotSaved(reason: "\(error)"))
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

  /// Waits until stories were fetched and all alerts handed over, or the attempt has failed.
  ///
  /// In the background, end your background task only after this.
  public func finishHandover() async {
    while let task = fetching ?? handover.task { await task.value }
  }
}

/// The rules for watching, alerts and notifications.
///
/// The defaults are those of a phone: 20 regions, a lookup every 500 m, a cooldown of 7 days.
public struct StoryAlertsOptions: Sendable {
  /// Which circles to watch, and which entries alert.
  public var watch = StoryWatchOptions()
  /// The maximum number of regions for the whole app; a phone monitors 20.
  public var regionLimit = 20
  /// The app's own condition before a story alerts; one that it refuses uses up no cooldown.
  public var canAlert: @Sendable (Place) -> Bool = { _ in true }
  /// Makes the notification for an entry.
  public var content: @Sendable (StoryEntry) -> NotificationContent = { .init($0.story) }

  /// Creates the default options.
  public init() {}
}

extension StoryAlerts {
  /// The former name of ``StoryAlertsOptions``.
  @available(*, deprecated, renamed: "StoryAlertsOptions")
  public typealias Options = StoryAlertsOptions
}
