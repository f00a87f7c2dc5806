public import FencepostMonitoring
public import FencepostNotifications

/// Story alerts as an app runs them: a ``StoryWatch`` between a phone, a notification scheduler and a state that
/// survives the app.
///
/// Make one at every launch and call ``start()`` at once: the system launches a terminated app to deliver a region's
/// crossing or a significant change, and drops the event if no delegate takes it.
///
/// Each event is one synchronous step: the watch decides, the phone's regions follow the engine's, and the state is
/// saved together with the new alerts. Only then are the alerts handed to the scheduler. An app that is terminated at
/// any moment therefore loses no alert and shows none twice; the next launch hands over what was on its way.
@MainActor
public final class StoryAlerts {
  /// The rules.
  public struct Options: Sendable {
    /// Which circles are monitored and which entries alert.
    public var watch = StoryWatch.Options()
    /// How many regions the app may have in all; a phone monitors 20.
    public var regionLimit = 20
    /// What a notification says about an entry.
    public var content: @Sendable (StoryEntry) -> NotificationContent = { .init($0.story) }

    /// Makes the defaults.
    public init() {}
  }

  /// Receives every problem; set it before ``start()``.
  public var onProblem: (PhoneProblem) -> Void = { _ in }
  /// Receives every entry and what the policy made of it, alerts and suppressed ones.
  public var onEntry: (StoryEntry) -> Void = { _ in }
  /// What is known now.
  public internal(set) var watch: StoryWatch

  let options: Options
  let phone: any LocationPhone
  let centre: any NotificationCentre
  let scheduler: NotificationScheduler
  let now: @Sendable () -> Int64
  private let store: any StoryStateStore
  private var mirror: RegionMirror
  private var permission: LocationPermission?
  private var hadRoom = true
  private var lastSaved: StoryState?
  private var lastSavedMilliseconds: Int64?
  /// Whether a saved state could not be read yet; it must not be overwritten then.
  private var isStateUnread = false
  private var hasRefusedToSave = false
  var waiting: [StoryState.WaitingAlert] = []
  var handover = Handover()

  /// Makes story alerts, which do nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - stories: The stories; they may be others than at the last launch.
  ///   - phone: Where the phone is.
  ///   - centre: The notification centre that the scheduler adds to.
  ///   - scheduler: Adds the notifications, with a budget for all of the app's.
  ///   - store: Keeps the state.
  ///   - options: The rules.
  ///   - now: The time in milliseconds since 1970.
  public init(
    stories: PlaceIndex, phone: any LocationPhone, centre: any NotificationCentre,
    scheduler: NotificationScheduler, store: any StoryStateStore, options: Options = Options(),
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds }
  ) {
    watch = StoryWatch(stories: stories, options: options.watch)
    self.options = options
    self.phone = phone
    self.centre = centre
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

  /// Gives up a saved state that cannot be read, such as a damaged one: it is put aside, and what is known now is
  /// saved in its place.
  ///
  /// Until this is called, or the state can be read, nothing is saved. What had alerted before may then alert again.
  /// - Throws: The store's error; nothing has changed then.
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

  /// Tries again to read a state that could not be read, as after the phone was locked.
  private func retryLoad() {
    guard isStateUnread else { return }
    do {
      try load()
      isStateUnread = false
    } catch {
      // It has been reported, and the next event tries again.
    }
  }

  /// Stops listening; the phone's regions stay, for the next start.
  public func stop() {
    phone.stop()
    phone.onEvent = nil
  }

  /// Follows other stories from now on.
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
      finishStep(entries: watch.take(fix, nowMilliseconds: now()))
    case .entered(let identifier, let time):
      crossed(identifier, isEnter: true, atMilliseconds: time)
    case .left(let identifier, let time):
      crossed(identifier, isEnter: false, atMilliseconds: time)
    case .found(let identifier, let isInside, let time):
      guard let story = StoryWatch.storyID(ofRegion: identifier) else {
        // The phone left the tripwire while the app was not running.
        if identifier == StoryWatch.tripwireIdentifier, !isInside { phone.requestFix() }
        return
      }
      finishStep(
        entries: watch.phoneFound(storyID: story, isInside: isInside, atMilliseconds: time))
    case .regionFailed(let identifier, let reason):
      noteFailure(ofRegion: identifier, reason: reason)
    case .locationFailed(let reason):
      onProblem(.locationFailed(reason: reason))
    case .permissionChanged(let permission):
      // Phones report it at each launch, too.
      guard permission != self.permission else { return }
      self.permission = permission
      if let problem = permission.problem { onProblem(problem) }
      if permission.givesFixes { resume() }
    case .regionsKnown:
      followRegions()
      askForLostCrossings()
    }
  }

  /// One of the phone's regions was crossed: where the phone is now goes to the path first.
  private func crossed(_ identifier: String, isEnter: Bool, atMilliseconds time: Int64) {
    guard identifier.hasPrefix(RegionMirror.prefix) else { return }
    var entries: [StoryEntry] = []
    let fix = phone.latestFix
    if let fix, fix.timeMilliseconds > watch.lastFix?.timeMilliseconds ?? .min {
      entries += watch.take(fix, nowMilliseconds: now())
    }
    if let story = StoryWatch.storyID(ofRegion: identifier) {
      if isEnter {
        entries += watch.phoneEntered(storyID: story, atMilliseconds: time)
      } else {
        watch.phoneLeft(storyID: story, atMilliseconds: time)
      }
    }
    finishStep(entries: entries)
    if time - (fix?.timeMilliseconds ?? .min / 2) > Self.freshMilliseconds { phone.requestFix() }
  }

  /// A fix that is older than this says little about where a region was crossed.
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

  /// The user has allowed what was missing.
  private func resume() {
    mirror.retryFailures()
    phone.start()
    followRegions()
    phone.requestFix()
  }

  /// A crossing that came while the app was ended may never have been delivered.
  private func askForLostCrossings() {
    for region in phone.regions ?? [] where region.identifier.hasPrefix(RegionMirror.prefix) {
      phone.askSide(identifier: region.identifier)
    }
  }

  // MARK: After each event

  /// Saves what came of an event before anything else is done about it.
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

  /// Requests of alerts begin with this; register a `NotificationKind` for it to give them a priority.
  public nonisolated static let requestPrefix = "story."

  private static func identifier(of entry: StoryEntry) -> String {
    "\(requestPrefix)\(entry.story.id)@\(entry.timeMilliseconds)"
  }

  /// Makes the phone monitor what the engine does.
  private func followRegions() {
    guard let held = phone.regions, phone.permission.problem == nil else { return }
    guard phone.greatestRadiusMeters > 0 else { return }
    let wanted = watch.regions
    let hasRoom = wanted.isEmpty || mirror.room(beside: held) > 0
    if hadRoom, !hasRoom {
      onProblem(.noRegionLeft(foreign: RegionMirror.foreignCount(of: held)))
    }
    hadRoom = hasRoom
    let change = mirror.follow(
      wanted, held: held, greatestRadiusMeters: phone.greatestRadiusMeters)
    for identifier in change.stopped { phone.stopMonitoring(identifier: identifier) }
    for identifier in change.stopped + change.started.map(\.identifier) {
      watch.phoneStopped(regionIdentifier: identifier)
    }
    for region in change.started { phone.monitor(region) }
  }

  /// Between alerts and changes of regions, fixes a second apart need not be saved each.
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
}
