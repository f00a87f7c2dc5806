public import FencepostFixes
public import FencepostMonitoring
public import FencepostNotifications

/// Turns the fixes of one track into events.
///
/// Replay and live runs both use this type, so the same fixes give the same events.
///
/// ```swift
/// var session = TrackSession(name: "walk.gpx", source: source)
/// while try reader.read(into: &batch) {
///   session.follow(batch.fixes) { event in print(event) }
/// }
/// session.finish(rejected: [:]) { event in print(event) }
/// ```
public struct TrackSession {
  /// The rules of a session.
  public struct Options: Sendable {
    /// The rules of the engine.
    public var monitoring = MonitoringOptions()
    /// The rules that decide whether an event becomes an alert.
    public var alerts = AlertPolicy.Options()

    /// The kind of event that can become an alert.
    public var alertsOn = AlertTrigger.enter

    /// Creates the default options.
    public init() {}

    /// Whether events include the time at the edge, because they may be reported later than that.
    package var showsCrossed: Bool {
      monitoring.confirmation.isNeeded || monitoring.test != .path || alertsOn != .enter
    }
  }

  /// The name of the track in every event.
  public let name: String
  /// The device, if the stream carries several.
  public let device: String?
  /// The number of fixes followed so far.
  public var fixCount: Int { follower.engine.fixCount }
  /// The summary so far; ``finish(rejected:error:emit:)`` completes it.
  public package(set) var summary: TrackSummary

  /// The kinds of events to emit.
  ///
  /// Leaving out kinds saves their cost. The summary counts all kinds.
  public var selection = EventSelection.all
  /// Receives what the engine finds, before it becomes events.
  package var observer: (any SessionObserver)?

  var follower: Follower
  var batch = PathBatch()
  let alertsOn: AlertTrigger
  let showsCrossed: Bool
  var alertedWithoutTime: Set<Int64> = []
  var everMonitored: Set<Int64> = []
  /// Finds missed entries; nil unless ``watchForMisses(in:collects:)`` was called.
  var missWatch: MissWatch?
  /// The saved state of ``missWatch``, until ``watchForMisses(in:collects:)`` restores it.
  var savedMisses: MissWatch.Snapshot?

  /// Creates a session at the start of a track.
  public init(
    name: String, device: String? = nil, source: any PlaceSource, options: Options = Options()
  ) {
    self.name = name
    self.device = device
    follower = Follower(options.monitoring, options.alerts, source: source)
    alertsOn = options.alertsOn
    showsCrossed = options.showsCrossed
    summary = TrackSummary(track: name, device: device)
    if options.monitoring.confirmation.dwellMilliseconds != nil { summary.dwells = 0 }
  }

  /// Follows the next fixes of the track, already filtered, and emits events in path order.
  public mutating func follow(_ fixes: [Fix], emit: (Event) -> Void) {
    guard fixes.count <= Self.mostAtOnce else {
      for start in stride(from: 0, to: fixes.count, by: Self.mostAtOnce) {
        follow(Array(fixes[start..<min(fixes.count, start + Self.mostAtOnce)]), emit: emit)
      }
      return
    }
    batch.prepare(fixes)
    var start = 0
    while start < fixes.count {
      let end = noticesEachFix ? start + 1 : fixes.count
      let passed = start..<start + follower.follow(batch, start..<end)
      start = passed.upperBound
      let points = batch.points[passed]
      count(points)
      missWatch?.follow(points, noticed: follower.found, after: batch.pointBefore)
      if !follower.found.isEmpty {
        if let observer { inform(observer) }
        report(speed: follower.speed(at: start - 1, of: batch), emit: emit)
      }
      follower.pass(start - 1, of: batch)
      observer?.followed(fixes[start - 1])
    }
  }

  mutating func inform(_ observer: any SessionObserver) {
    for event in follower.found { observer.found(event) }
    // A reminder of the next minute can share its second with a delayed alert.
    guard let time = follower.found.compactMap({ $0.encounter?.0.timeMilliseconds }).max()
    else { return }
    follower.reserve(
      deliveriesAtMilliseconds: observer.showTimes(beforeMilliseconds: time + 60_000))
  }

  /// How many fixes become vertices at once: a file may hand on half a million.
  private static let mostAtOnce = 1 << 16

  /// Follows the next fix of the track, already filtered, and emits events in path order.
  public mutating func follow(_ fix: Fix, emit: (Event) -> Void) { follow([fix], emit: emit) }

  /// Whether every fix counts, even one without events.
  private var noticesEachFix: Bool { observer != nil || follower.watchesSpeed }

  private mutating func count(_ points: ArraySlice<PathPoint>) {
    var first = summary.firstMilliseconds ?? .max
    var last = summary.lastMilliseconds ?? .min
    for point in points {
      if point.startsSegment { summary.segments += 1 }
      guard let time = point.timeMilliseconds else { continue }
      first = min(first, time)
      last = max(last, time)
    }
    if first <= last { (summary.firstMilliseconds, summary.lastMilliseconds) = (first, last) }
  }

  /// Ends the track: completes the summary and emits it.
  ///
  /// - Parameters:
  ///   - rejected: The number of rejected fixes for each reason.
  ///   - error: The message of the error that ended the track early; nil if none did.
  ///   - emit: Receives the summary.
  public mutating func finish(
    rejected: [String: Int], error: String? = nil, emit: (Event) -> Void
  ) {
    follower.finish()
    let engine = follower.engine
    summary.fixes = engine.fixCount
    summary.rejected = rejected
    summary.lengthMeters = engine.lengthMeters
    summary.certified = engine.isCertified
    summary.uncertified = engine.uncertified
    summary.error = error
    summary.misses = missWatch?.counts
    if engine.fixCount > 0, engine.options.limit == nil {
      summary.neverMonitored = 0
    } else if let count = try? follower.source.placeCount {
      // A failing store was already reported by the lookup that failed.
      summary.neverMonitored = max(0, count - everMonitored.count)
    }
    observer?.finish(&summary)
    emit(.summary(summary))
  }

  /// Whether a crossing without a time could not be held for as long as the rules require.
  package var lacksTimesToHold: Bool { follower.engine.lacksTimesToHold }

  /// The message for ``lacksTimesToHold``, without a period.
  package static let untimedNotice =
    "entries and exits without a time cannot be held: only fixes confirm them, and they have no dwell"

  package var lastFix: Fix? { batch.fixes.last ?? batch.before }

  /// The watched circles, sorted by key, and whether the device is inside each.
  package var monitoredRegions: [(region: Region, isInside: Bool)] {
    follower.engine.monitoredRegions
  }

  /// Looks up the nearest places again at the last fix, for example after the store was edited.
  public mutating func refresh(emit: (Event) -> Void) {
    guard let lastFix else { return }
    follower.refresh()
    missWatch?.refresh()
    if let observer { inform(observer) }
    report(speed: Double(lastFix.speedMetersPerSecond), emit: emit)
  }

  // MARK: Misses

  /// Starts counting the entries missed because of the limit on watched circles.
  ///
  /// Call this before the first fix. If `collects` is true, ``takeMisses()`` returns each miss. A
  /// second engine runs once there are more places than can be watched.
  public mutating func watchForMisses(in source: any PlaceSource, collects: Bool) {
    var watch = MissWatch(options: follower.engine.options, alertsOn: alertsOn, source: source)
    watch?.wantsMisses = collects
    if fixCount > 0 { watch?.restore(savedMisses) }
    savedMisses = nil
    missWatch = watch
  }

  /// Returns and forgets the misses since the last call, in path order.
  public mutating func takeMisses() -> [Miss] {
    guard let misses = missWatch?.misses, !misses.isEmpty else { return [] }
    missWatch?.misses.removeAll()
    return misses
  }
}
