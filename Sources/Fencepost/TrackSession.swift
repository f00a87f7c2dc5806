public import FencepostFixes
import FencepostGeodesy
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
  public var fixCount: Int { engine.fixCount }
  /// The summary so far; complete after ``finish(rejected:error:emit:)``.
  public package(set) var summary: TrackSummary

  /// The kinds of events to make; the others are only counted.
  ///
  /// Leave out unused kinds to save their cost. The summary is always made.
  public var selection = EventSelection.all
  /// Sees what the engine finds before it becomes events.
  public var observer: (any SessionObserver)?

  var engine: Engine
  var policy: EntryPolicy
  let source: any PlaceSource
  let alertsOn: AlertTrigger
  let showsCrossed: Bool
  var found: [EngineEvent] = []
  package internal(set) var lastFix: Fix?
  /// The places that alerted without a time.
  var alertedWithoutTime: Set<Int64> = []
  var everMonitored = PlaceKeySet()
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
    self.source = source
    engine = Engine(options: options.monitoring)
    policy = EntryPolicy(options: options.alerts)
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
    let points = vertices(of: fixes)
    var start = 0
    while start < points.count {
      let end = noticesEachFix ? start + 1 : points.count
      var (count, request) = engine.advance(along: points[start..<end], into: &found)
      note(points[start..<start + count])
      start += count
      while let asked = request {
        request = engine.resume(with: source.answer(asked), into: &found)
      }
      let last = missWatchStart
      missWatch?.follow(points[start - count..<start], noticed: found, after: last)
      finish(fixes[start - 1], emit: emit)
    }
  }

  /// Takes the next fix of the track, after hygiene.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - emit: Receives the events, in order along the path.
  public mutating func take(_ fix: Fix, emit: (Event) -> Void) { take([fix], emit: emit) }

  /// Whether something depends on every fix, even if nothing happens on the way to it.
  private var noticesEachFix: Bool { observer != nil || policy.watchesSpeed }

  /// The last fix as a vertex, from which a watch for misses begins after a restart.
  private var missWatchStart: PathPoint? {
    guard missWatch?.isResumed == true, let lastFix else { return nil }
    return PathPoint(
      coordinate: lastFix.coordinate, timeMilliseconds: lastFix.timeMilliseconds,
      accuracyMeters: lastFix.knownAccuracyMeters)
  }

  private func vertices(of fixes: [Fix]) -> [PathPoint] {
    var segment = lastFix?.segmentIndex
    return fixes.map { fix in
      defer { segment = fix.segmentIndex }
      return PathPoint(
        coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
        startsSegment: fix.segmentIndex != segment,
        accuracyMeters: fix.knownAccuracyMeters)
    }
  }

  /// Counts the segments and the times of vertices.
  private mutating func note(_ points: ArraySlice<PathPoint>) {
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

  /// Reports what was found on the way to a fix that the engine has taken.
  private mutating func finish(_ fix: Fix, emit: (Event) -> Void) {
    if !found.isEmpty {
      if let observer { for event in found { observer.found(event) } }
      report(at: fix, emit: emit)
      found.removeAll(keepingCapacity: true)
    }
    if policy.watchesSpeed {
      policy.observe(speed: speed(at: fix), atMilliseconds: fix.timeMilliseconds)
    }
    observer?.took(fix)
    lastFix = fix
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
    engine.finish()
    summary.fixes = engine.fixCount
    summary.rejected = rejected
    summary.lengthMeters = engine.lengthMeters
    summary.certified = engine.isCertified
    summary.uncertified = engine.uncertified
    summary.error = error
    summary.misses = missWatch?.counts
    if engine.fixCount > 0, engine.options.limit == nil {
      summary.neverMonitored = 0
    } else if let count = try? source.placeCount {
      // A store that fails here has said so already, at the refresh that failed.
      summary.neverMonitored = max(0, count - everMonitored.count)
    }
    observer?.finish(&summary)
    emit(.summary(summary))
  }

  /// Whether a crossing without time could not be held as long as the rule wants.
  public var lacksTimesToHold: Bool { engine.lacksTimesToHold }

  /// What to say of a track once ``lacksTimesToHold`` is true, without a full stop.
  public static let untimedNotice =
    "crossings without a time cannot be held: they count by fixes alone, and have no dwell"

  /// The speed on the way to a fix in metres a second; NaN if no rule needs it or it is unknown.
  func speed(at fix: Fix) -> Double {
    policy.watchesSpeed ? fix.arrivalSpeedMetersPerSecond(from: lastFix) : .nan
  }
}
