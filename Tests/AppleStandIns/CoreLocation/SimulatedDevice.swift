// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The phone behind the stand-ins: it is carried along a track, and calls the app's delegates as a phone would.
///
/// Everything but its clock belongs to the main thread. What the system keeps outlives the app: regions, conditions
/// and the wish for significant changes.
public final class SimulatedDevice: @unchecked Sendable {
  /// The one phone of the process.
  public static let current = SimulatedDevice()

  /// How the phone notices what happens.
  public struct Behavior: Sendable {
    public var significantChangeMeters = 500.0
    /// By how much more a significant change may be noticed too late.
    public var significantChangeScatterMeters = 200.0
    public var significantChangeSeconds = 300.0
    public var hasSignificantChanges = true
    /// Whether crossings of regions are reported.
    public var reportsRegions = true
    /// Smaller circles are treated as circles of this radius.
    public var leastRadiusMeters = 100.0
    public var greatestRadiusMeters = 1_000_000.0
    /// How long the phone must have been on the other side.
    public var crossingSeconds = 20.0
    public var regionLimit = 20
    public var accuracyMeters = 10.0
    public var seed: UInt64 = 1

    public init() {}
  }

  /// What systems do wrong with regions, as apps reported in 2026.
  public struct Faults: Sendable {
    /// How often a crossing is delivered again, at most; some come two minutes late.
    ///
    /// Two or three times: customerio-ios, pull requests 1258 and 1269.
    public var repeats = 0
    /// How many conditions 1 km away or farther claim to be satisfied after a launch.
    ///
    /// Corrected at the next position: customerio-ios, pull requests 1220 and 1274.
    public var replays = 0
    /// When nothing is noticed of regions.
    ///
    /// 39 and 66 minutes: customerio-ios, pull requests 1274 and 1296.
    public var silences: [ClosedRange<Date>] = []
    /// Whether removed conditions stay, such as those of another city.
    ///
    /// customerio-ios, pull request 1296.
    public var keepsRemoved = false
    public var seed: UInt64 = 1

    public init() {}
  }

  /// A callback, before it is made.
  public enum Callback: Equatable, Sendable {
    case location, entered(String), left(String), determined(String), failed(String), other
  }

  public struct Monitored {
    public let region: CLRegion
    /// The side that was reported last.
    var isInside: Bool?
    /// Since when the phone has been on the other side.
    var otherSince: Date?
  }

  struct Condition {
    let condition: any CLCondition
    var lastEvent: CLMonitor.Event
  }

  public var behavior = Behavior()
  public var faults = Faults() { didSet { faultRandom = faults.seed } }
  /// The stories that the system said were entered, rightly and after it had known the phone outside.
  public internal(set) var deliveredEntries: [String] = []
  /// How many events were delivered again, and how many were made up.
  public internal(set) var (repeatedEvents, replayedEvents) = (0, 0)
  public internal(set) var authorizationStatus = CLAuthorizationStatus.authorizedAlways
  public internal(set) var accuracyAuthorization = CLAccuracyAuthorization.fullAccuracy
  public internal(set) var regions: [String: Monitored] = [:]
  var conditions: [String: Condition] = [:]
  /// The names of the monitors that the app has opened since its launch.
  var openMonitors: Set<String> = []
  public internal(set) var watchesSignificantChanges = false
  /// The most regions that were monitored at a time.
  public internal(set) var mostRegions = 0
  /// How often monitoring of a region still fails, by identifier.
  public var failingRegions: [String: Int] = [:]
  /// What the app does when the system launches it.
  public var launch: (() -> Void)?
  /// Whether the app runs.
  public internal(set) var isRunning = false
  /// Called before and after each callback, with its number from 0; either may end the app.
  public var beforeCallback: ((Int, Callback) -> Void)?
  public var afterCallback: ((Int, Callback) -> Void)?
  /// The fixes that the app got.
  public internal(set) var delivered: [CLLocation] = []
  /// The location that the system has.
  public internal(set) var latestDelivered: CLLocation?

  var managers: [CLLocationManager] = []
  var waiting: [(callback: Callback, make: (CLLocationManager) -> Void)] = []
  var continuation: AsyncStream<CLMonitor.Event>.Continuation?
  /// Events for an app that is being launched.
  var undelivered: [CLMonitor.Event] = []
  /// Events to deliver again at a time.
  var late: [(date: Date, event: CLMonitor.Event)] = []
  private var faultRandom: UInt64 = 1
  /// How many callbacks there were.
  public internal(set) var callbackCount = 0
  var position: CLLocationCoordinate2D?
  private var lastSignificant: (position: CLLocationCoordinate2D, date: Date)?
  private var nextSignificantMeters = 0.0
  private var random: UInt64 = 1
  let clock = Clock()

  final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var date = Date(timeIntervalSince1970: 0)
    private var listeners: [@Sendable (Date) -> Void] = []

    var now: Date {
      get { lock.withLock { date } }
      set { lock.withLock { date = newValue } }
    }

    /// The launch that has the monitor, its events so far, and how often it asked for one.
    private var events = (launch: 0, yielded: 0, asked: 0)

    func beginLaunch() -> Int {
      lock.withLock {
        events = (events.launch + 1, 0, 0)
        return events.launch
      }
    }

    func noteEvent() { lock.withLock { events.yielded += 1 } }

    func noteAsking(inLaunch launch: Int) {
      lock.withLock { if launch == events.launch { events.asked += 1 } }
    }

    var hasHandledEvents: Bool { lock.withLock { events.asked > events.yielded } }

    func listen(_ listener: @escaping @Sendable (Date) -> Void) {
      lock.withLock { listeners.append(listener) }
    }

    func call() {
      let listening = lock.withLock { listeners }
      for listener in listening { listener(now) }
    }
  }

  /// What is monitored for a `CLMonitor`.
  public var conditionIdentifiers: [String] { conditions.keys.sorted() }

  /// The phone's clock, which may be read anywhere.
  public var now: Date { clock.now }

  /// Calls a function whenever the clock has moved.
  package func onTime(_ listener: @escaping @Sendable (Date) -> Void) { clock.listen(listener) }

  /// Makes it a new phone at a time.
  public func reset(at date: Date, behavior: Behavior = Behavior()) {
    self.behavior = behavior
    (faults, deliveredEntries, undelivered, late) = (Faults(), [], [], [])
    (repeatedEvents, replayedEvents) = (0, 0)
    (authorizationStatus, accuracyAuthorization) = (.authorizedAlways, .fullAccuracy)
    (regions, conditions, failingRegions, openMonitors) = ([:], [:], [:], [])
    (watchesSignificantChanges, mostRegions, isRunning) = (false, 0, false)
    (launch, beforeCallback, afterCallback) = (nil, nil, nil)
    (delivered, latestDelivered, managers, waiting) = ([], nil, [], [])
    (continuation, callbackCount, position, lastSignificant) = (nil, 0, nil, nil)
    random = behavior.seed
    clock.now = date
    clock.call()
  }

  /// Launches the app, as the user does.
  public func open() {
    guard !isRunning else { return }
    isRunning = true
    launch?()
    settle()
  }

  /// Ends the app at once.
  public func terminate() {
    isRunning = false
    (managers, waiting, openMonitors) = ([], [], [])
    continuation = nil
  }

  /// Lets the user change what the app may do.
  public func permit(
    _ status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization = .fullAccuracy
  ) {
    (authorizationStatus, accuracyAuthorization) = (status, accuracy)
    post(.other) { $0.delegate?.locationManagerDidChangeAuthorization($0) }
    settle()
  }

  /// Makes the calls that wait.
  public func settle() {
    while !waiting.isEmpty {
      let (callback, make) = waiting.removeFirst()
      let number = callbackCount
      callbackCount += 1
      // The app may be ended here, and launched again for the call.
      beforeCallback?(number, callback)
      wake()
      for manager in managers { make(manager) }
      afterCallback?(number, callback)
    }
  }

  func wake() {
    guard !isRunning else { return }
    isRunning = true
    let calls = waiting
    waiting = []
    launch?()
    waiting = calls + waiting
  }

  func post(_ callback: Callback, _ make: @escaping (CLLocationManager) -> Void) {
    waiting.append((callback, make))
  }

  // MARK: Time and place

  /// Carries the phone to a point, to be there at a time.
  public func move(to position: CLLocationCoordinate2D, at date: Date) {
    clock.now = max(clock.now, date)
    clock.call()
    self.position = position
    if authorizationStatus == .authorizedWhenInUse, isRunning,
      managers.contains(where: \.isUpdating)
    {
      // Everything but updates in front needs Always.
      deliverLocation { $0.isUpdating }
    }
    guard authorizationStatus == .authorizedAlways else { return settle() }
    if isRunning, managers.contains(where: \.isUpdating) {
      deliverLocation { $0.isUpdating }
    } else if watchesSignificantChanges, behavior.hasSignificantChanges {
      noticeSignificantChange(to: position)
    }
    if behavior.reportsRegions, accuracyAuthorization == .fullAccuracy,
      !faults.silences.contains(where: { $0.contains(now) })
    {
      for (_, event) in late.filter({ $0.date <= now }) { yield(event) }
      late.removeAll { $0.date <= now }
      for identifier in regions.keys.sorted() { noticeCrossing(of: identifier) }
      for identifier in conditions.keys.sorted() { noticeCondition(identifier) }
    }
    settle()
  }

  private func noticeSignificantChange(to position: CLLocationCoordinate2D) {
    if let last = lastSignificant {
      guard now.timeIntervalSince(last.date) >= behavior.significantChangeSeconds,
        last.position.distanceMeters(to: position) >= nextSignificantMeters
      else { return }
    }
    lastSignificant = (position, now)
    nextSignificantMeters =
      behavior.significantChangeMeters + nextUnit() * behavior.significantChangeScatterMeters
    deliverLocation { _ in true }
  }

  func deliverLocation(to wants: @escaping (CLLocationManager) -> Bool) {
    guard let location = here() else { return }
    latestDelivered = location
    post(.location) { [self] manager in
      guard wants(manager) else { return }
      delivered.append(location)
      manager.delegate?.locationManager(manager, didUpdateLocations: [location])
    }
  }

  func here() -> CLLocation? {
    position.map {
      CLLocation(
        coordinate: $0, altitude: 0, horizontalAccuracy: behavior.accuracyMeters,
        verticalAccuracy: -1, course: -1, speed: -1, timestamp: now)
    }
  }

  func isInside(_ center: CLLocationCoordinate2D, _ radius: Double) -> Bool? {
    position.map {
      $0.distanceMeters(to: center) <= max(radius, behavior.leastRadiusMeters)
    }
  }

  private func noticeCrossing(of identifier: String) {
    guard let monitored = regions[identifier], let circle = monitored.region as? CLCircularRegion,
      let isInside = isInside(circle.center, circle.radius)
    else { return }
    guard let known = monitored.isInside else {
      // What is the case at first is no crossing.
      regions[identifier]?.isInside = isInside
      return
    }
    guard known != isInside else {
      regions[identifier]?.otherSince = nil
      return
    }
    let since = monitored.otherSince ?? now
    regions[identifier]?.otherSince = since
    guard now.timeIntervalSince(since) >= behavior.crossingSeconds else { return }
    regions[identifier]?.isInside = isInside
    regions[identifier]?.otherSince = nil
    post(.determined(identifier)) {
      $0.delegate?.locationManager(
        $0, didDetermineState: isInside ? .inside : .outside, for: circle)
    }
    if isInside { noteEntry(into: identifier) }
    for _ in 0..<deliveries() {
      if isInside {
        post(.entered(identifier)) { $0.delegate?.locationManager($0, didEnterRegion: circle) }
      } else {
        post(.left(identifier)) { $0.delegate?.locationManager($0, didExitRegion: circle) }
      }
    }
  }

  func noteEntry(into identifier: String) {
    let prefix = "fencepost.story."
    if identifier.hasPrefix(prefix) {
      deliveredEntries.append(String(identifier.dropFirst(prefix.count)))
    }
  }

  /// How often an event is delivered.
  func deliveries() -> Int {
    let again = faults.repeats == 0 ? 0 : Int(nextFault(below: UInt64(faults.repeats) + 1))
    repeatedEvents += again
    return 1 + again
  }

  func nextFault(below bound: UInt64) -> UInt64 {
    faultRandom = faultRandom &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (faultRandom >> 33) % bound
  }

  private func nextUnit() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(random >> 11) * 0x1p-53
  }
}
