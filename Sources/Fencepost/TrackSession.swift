public import FencepostFixes
public import FencepostMonitoring
public import FencepostNotifications

/// Turns the fixes of one track into the events that reports are written from.
///
/// Replay and live runs are this value with different shells: same fixes in, same events out.
///
/// ```swift
/// var session = TrackSession(name: "walk.gpx", source: source)
/// while try reader.read(into: &batch) {
///   session.take(batch.fixes) { event in print(event) }
/// }
/// session.finish(rejected: [:]) { event in print(event) }
/// ```
public struct TrackSession {
  /// What a session does with the path.
  public struct Options: Sendable {
    /// The engine's rule.
    public var monitoring = MonitoringOptions()
    /// When such an event becomes an alert.
    public var alerts = AlertPolicy.Options()

    /// Which event can become an alert.
    public var alertsOn = AlertTrigger.enter

    /// Makes the defaults.
    public init() {}

    /// Whether events say when the path crossed the edge: if any option may report it elsewhere.
    public var showsCrossed: Bool {
      monitoring.confirmation.isNeeded || monitoring.test != .path || alertsOn != .enter
    }
  }

  /// Name of the track in every event.
  public let name: String
  /// The device within the stream, if the stream carries several.
  public let device: String?
  /// Number of fixes taken so far.
  public var fixCount: Int { follower.engine.fixCount }
  /// The summary so far; complete after ``finish(rejected:error:emit:)``.
  public package(set) var summary: TrackSummary

  /// The kinds of events to make; the others are only counted.
  ///
  /// Leave out unused kinds to save their cost. The summary is always made.
  public var selection = EventSelection.all
  /// Sees what the engine finds before it becomes events.
  public var observer: (any SessionObserver)?

  var follower: Follower
  var batch = PathBatch()
  let alertsOn: AlertTrigger
  let showsCrossed: Bool
  /// The places that alerted without a time.
  var alertedWithoutTime: Set<Int64> = []
  var everMonitored: Set<Int64> = []
  /// Finds the entries that the limit of watched places costs; nil unless they are wanted.
  var missWatch: MissWatch?
  /// What a snapshot held for ``missWatch``, until ``watchForMisses(in:collects:)`` takes it.
  var savedMisses: MissWatch.Snapshot?

  /// Makes a session at the beginning of a track.
  ///
  /// - Parameters:
  ///   - name: The track's name in every event.
  ///   - device: The device within the stream, if the stream carries several.
  ///   - source: Finds the places.
  ///   - options: The rules.
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

  /// Takes the next fixes of the track, in order, after hygiene.
  ///
  /// - Parameters:
  ///   - fixes: The fixes.
  ///   - emit: Receives the events, in order along the path.
  public mutating func take(_ fixes: [Fix], emit: (Event) -> Void) {
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
        if let observer { for event in follower.found { observer.found(event) } }
        report(speed: follower.speed(at: start - 1, of: batch), emit: emit)
      }
      follower.pass(start - 1, of: batch)
      observer?.took(fixes[start - 1])
    }
  }

  /// Takes the next fix of the track, after hygiene.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - emit: Receives the events, in order along the path.
  public mutating func take(_ fix: Fix, emit: (Event) -> Void) { take([fix], emit: emit) }

  /// Whether something depends on every fix, even if nothing happens on the way to it.
  private var noticesEachFix: Bool { observer != nil || follower.watchesSpeed }

  /// Counts the segments and the times of vertices.
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
  ///   - rejected: The number of rejected fixes by reason.
  ///   - error: The sentence that ended the track early, if one did.
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
      // A store that fails here has said so already, at the refresh that failed.
      summary.neverMonitored = max(0, count - everMonitored.count)
    }
    observer?.finish(&summary)
    emit(.summary(summary))
  }

  /// Whether a crossing without time could not be held as long as the rule wants.
  public var lacksTimesToHold: Bool { follower.engine.lacksTimesToHold }

  /// What to say of a track once ``lacksTimesToHold`` is true, without a full stop.
  public static let untimedNotice =
    "crossings without a time cannot be held: they count by fixes alone, and have no dwell"

  /// The last fix that was taken.
  package var lastFix: Fix? { batch.fixes.last ?? batch.before }

  // MARK: Misses

  /// Follows all places beside the watched ones from here on, and counts the entries that are missed.
  ///
  /// The summary then has the counts. It costs a second engine once there are more places than can be watched.
  /// Call this before the first fix.
  ///
  /// - Parameters:
  ///   - source: Finds the places; may be that of the session.
  ///   - collects: Whether to keep each miss for ``takeMisses()``.
  public mutating func watchForMisses(in source: any PlaceSource, collects: Bool) {
    var watch = MissWatch(options: follower.engine.options, alertsOn: alertsOn, source: source)
    watch?.wantsMisses = collects
    if fixCount > 0 { watch?.restore(savedMisses) }
    savedMisses = nil
    missWatch = watch
  }

  /// The misses since the last call, in order along the path.
  public mutating func takeMisses() -> [Miss] {
    guard let misses = missWatch?.misses, !misses.isEmpty else { return [] }
    missWatch?.misses.removeAll()
    return misses
  }
}
