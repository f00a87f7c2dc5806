public import Fixes
import Geodesy
public import Monitoring
public import Notifications
import Places

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
  /// Whoever does not pass all of them on saves what they cost by saying so. The summary is always
  /// made.
  public var selection = EventSelection.all
  /// Hears what the engine finds, before it becomes events; nobody at first.
  public var witness: (any TrackWitness)?

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
    var start = 0
    while start < fixes.count {
      start += glide(along: fixes, from: start)
      guard start < fixes.count else { return }
      take(fixes[start], emit: emit)
      start += 1
    }
  }

  /// Takes as many fixes as nothing can have happened on the way to, as ``take(_:emit:)-(Fix,_)``
  /// does, a run at a time.
  ///
  /// - Parameters:
  ///   - fixes: Some fixes.
  ///   - start: The first of them that was not taken.
  /// - Returns: How many were taken.
  private mutating func glide(along fixes: [Fix], from start: Int) -> Int {
    // Whoever listens, or asks for the speed, is told of each fix.
    guard let segment = lastFix?.segmentIndex, witness == nil, !policy.watchesSpeed else {
      return 0
    }
    let count = engine.glide(along: fixes.count - start) { number in
      let fix = fixes[start + number]
      guard fix.segmentIndex == segment else { return nil }
      return PathPoint(coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds)
    }
    guard count > 0 else { return 0 }
    noteTimes(of: fixes, start..<start + count)
    lastFix = fixes[start + count - 1]
    return count
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
      if let witness { for event in found { witness.found(event) } }
      report(at: fix, emit: emit)
      found.removeAll(keepingCapacity: true)
    }
    if policy.watchesSpeed {
      policy.observe(speed: speed(at: fix), atMilliseconds: fix.timeMilliseconds)
    }
    noteTime(of: fix)
    witness?.took(fix)
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
    witness?.finish(&summary)
    emit(.summary(summary))
  }

  private mutating func noteTime(of fix: Fix) {
    guard let time = fix.timeMilliseconds else { return }
    noteTimes(from: time, to: time)
  }

  private mutating func noteTimes(of fixes: [Fix], _ range: Range<Int>) {
    var (first, last) = (Int64.max, Int64.min)
    for index in range {
      guard let time = fixes[index].timeMilliseconds else { continue }
      first = min(first, time)
      last = max(last, time)
    }
    if first <= last { noteTimes(from: first, to: last) }
  }

  private mutating func noteTimes(from first: Int64, to last: Int64) {
    summary.firstMilliseconds = min(summary.firstMilliseconds ?? first, first)
    summary.lastMilliseconds = max(summary.lastMilliseconds ?? last, last)
  }

  /// The speed on the way to a fix, where a rule asks for it.
  func speed(at fix: Fix) -> Double {
    policy.watchesSpeed ? fix.arrivalSpeedMetersPerSecond(from: lastFix) : .nan
  }
}
