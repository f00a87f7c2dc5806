public import FencepostFixes
import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

/// Turns the fixes of one track into the events that reports are written from.
///
/// Replay, live and analysis are this value with different shells: same fixes in, same events out.
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
    /// When an enter becomes an alert.
    public var alerts = AlertPolicy.Options()

    /// Makes the defaults.
    public init() {}
  }

  /// Name of the track in every event.
  public let name: String
  /// The device within the stream, where the stream carries several.
  public let device: String?
  /// Number of fixes taken so far.
  public var fixCount: Int { engine.fixCount }
  /// The account so far; complete after ``finish(rejected:error:emit:)``.
  public internal(set) var summary: TrackSummary

  /// The kinds of events that are made; the others are only counted.
  ///
  /// Leaving out kinds that nobody reads saves their cost. The summary is always made.
  public var selection = EventSelection.all
  /// Sees what the engine finds before it becomes events; nil at first.
  public var observer: (any SessionObserver)?

  var engine: Engine
  var policy: EntryPolicy
  let source: any PlaceSource
  var found: [EngineEvent] = []
  package internal(set) var lastFix: Fix?
  var everMonitored = PlaceKeySet()

  /// Makes a session that has seen no fix.
  ///
  /// - Parameters:
  ///   - name: The track's name in every event.
  ///   - device: The device within the stream, where the stream carries several.
  ///   - source: Where the places are.
  ///   - options: The rules.
  public init(
    name: String, device: String? = nil, source: any PlaceSource, options: Options = Options()
  ) {
    self.name = name
    self.device = device
    self.source = source
    engine = Engine(options: options.monitoring)
    policy = EntryPolicy(options: options.alerts)
    summary = TrackSummary(track: name, device: device)
  }

  /// Takes the next fixes of the track, in order, after hygiene.
  ///
  /// - Parameters:
  ///   - fixes: The fixes.
  ///   - emit: Receives the events, in order along the path.
  public mutating func take(_ fixes: [Fix], emit: (Event) -> Void) {
    for fix in fixes { take(fix, emit: emit) }
  }

  /// Takes the next fix of the track, after hygiene.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - emit: Receives the events, in order along the path.
  public mutating func take(_ fix: Fix, emit: (Event) -> Void) {
    let startsSegment = lastFix.map { $0.segmentIndex != fix.segmentIndex } ?? true
    if startsSegment { summary.segments += 1 }
    let point = PathPoint(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: startsSegment && lastFix != nil)
    var request = engine.advance(to: point, into: &found)
    while let asked = request {
      request = engine.resume(with: source.answer(asked), into: &found)
    }
    if !found.isEmpty {
      if let observer { for event in found { observer.found(event) } }
      report(at: fix, emit: emit)
      found.removeAll(keepingCapacity: true)
    }
    if policy.watchesSpeed {
      policy.observe(speed: speed(at: fix), atMilliseconds: fix.timeMilliseconds)
    }
    noteTime(of: fix)
    observer?.took(fix)
    lastFix = fix
  }

  /// Ends the track: completes the summary and emits it.
  ///
  /// - Parameters:
  ///   - rejected: What was refused on the way here, by reason.
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
    if engine.fixCount > 0, engine.options.limit == nil {
      summary.neverMonitored = 0
    } else if let count = try? source.placeCount {
      // A store that fails here has said so already, at the refresh that failed.
      summary.neverMonitored = max(0, count - everMonitored.count)
    }
    observer?.finish(&summary)
    emit(.summary(summary))
  }

  private mutating func noteTime(of fix: Fix) {
    guard let time = fix.timeMilliseconds else { return }
    summary.firstMilliseconds = min(summary.firstMilliseconds ?? time, time)
    summary.lastMilliseconds = max(summary.lastMilliseconds ?? time, time)
  }

  /// The speed on the way to a fix in metres a second; NaN if no rule needs it or it is unknown.
  func speed(at fix: Fix) -> Double {
    policy.watchesSpeed ? fix.arrivalSpeedMetersPerSecond(from: lastFix) : .nan
  }
}
