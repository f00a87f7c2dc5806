public import Fixes
import Geodesy
public import Monitoring
public import Notifications
import Places
public import Reporting

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
  /// The account so far; complete after ``finish(rejected:error:emit:)``.
  public internal(set) var summary: TrackSummary

  /// Hears what the engine finds, before it becomes events; nobody at first.
  public var witness: (any TrackWitness)?

  var engine: Engine
  var policy: EntryPolicy
  let source: any PlaceSource
  var found: [EngineEvent] = []
  var lastFix: Fix?
  var everMonitored: Set<Int64> = []

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
    summary.firstMilliseconds = min(summary.firstMilliseconds ?? time, time)
    summary.lastMilliseconds = max(summary.lastMilliseconds ?? time, time)
  }

  /// The speed on the way to a fix, where a rule asks for it.
  private func speed(at fix: Fix) -> Double {
    policy.watchesSpeed ? fix.arrivalSpeedMetersPerSecond(from: lastFix) : .nan
  }
}

// MARK: - From what the engine found to what a report shows

extension TrackSession {
  /// A crossing as reports show it.
  private struct Met {
    var encounter: Encounter
    /// Which way, where a reminder's circle was crossed and not a place's.
    var reminderEdge: Event.Edge?
    /// What the policy is asked, for an enter into a place's circle.
    var entry: EntryPolicy.Entry?
    /// What it said.
    var decision: AlertDecision?
  }

  mutating func report(at fix: Fix, emit: (Event) -> Void) {
    var met: [Met] = []
    met.reserveCapacity(found.count)
    var refreshes: [(met: Int, refresh: Refresh)] = []
    for event in found {
      switch event {
      case .enter(let crossing): note(crossing, isEnter: true, in: &met)
      case .exit(let crossing): note(crossing, isEnter: false, in: &met)
      case .refresh(let refresh): refreshes.append((met.count, refresh))
      }
    }
    decide(&met, at: fix)
    // What was met before a refresh stands before it.
    var begin = 0
    for (end, refresh) in refreshes {
      emitAll(&met, begin..<end, emit: emit)
      report(refresh, emit: emit)
      begin = end
    }
    emitAll(&met, begin..<met.count, emit: emit)
  }

  private mutating func note(_ crossing: Crossing, isEnter: Bool, in met: inout [Met]) {
    if let place = try? source.place(forKey: crossing.key) {
      let encounter = encounter(
        crossing, id: place.id, title: place.title, url: place.url, blurb: place.blurb,
        category: place.category)
      let entry = isEnter ? EntryPolicy.Entry(place: place, crossing: crossing) : nil
      met.append(Met(encounter: encounter, entry: entry))
    } else if let reminder = witness?.reminder(firedBy: crossing, entering: isEnter) {
      let encounter = encounter(crossing, id: reminder.id, title: reminder.title)
      met.append(Met(encounter: encounter, reminderEdge: isEnter ? .enter : .exit))
    }
    // A place that vanished from the store since it was monitored has no story to tell.
  }

  private func encounter(
    _ crossing: Crossing, id: String, title: String, url: String = "", blurb: String = "",
    category: String = ""
  ) -> Encounter {
    Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: engine.fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: id, title: title,
      distanceMeters: crossing.distanceMeters, acrossBreak: crossing.isAcrossBreak, url: url,
      blurb: blurb, category: category)
  }

  /// Has the policy decide about all enters on the way to the fix.
  private mutating func decide(_ met: inout [Met], at fix: Fix) {
    let entries = met.compactMap(\.entry)
    guard !entries.isEmpty else { return }
    var decisions = policy.decide(entries, speed: speed(at: fix)).makeIterator()
    for index in met.indices where met[index].entry != nil {
      met[index].decision = decisions.next()
    }
  }

  private mutating func emitAll(
    _ met: inout [Met], _ range: Range<Int>, emit: (Event) -> Void
  ) {
    if range.count > 1 {
      // Ties in the engine's order are by key; users know ids.
      met[range].sort {
        ($0.encounter.fraction, $0.encounter.placeID) < (
          $1.encounter.fraction, $1.encounter.placeID
        )
      }
    }
    for one in met[range] {
      if let edge = one.reminderEdge {
        emit(.reminder(one.encounter, edge: edge))
        continue
      }
      guard let decision = one.decision else {
        summary.exits += 1
        emit(.exit(one.encounter))
        continue
      }
      summary.enters += 1
      emit(.enter(one.encounter))
      emit(event(decision, one.encounter))
    }
  }

  private mutating func event(_ decision: AlertDecision, _ encounter: Encounter) -> Event {
    switch decision {
    case .alert(let deliveryMilliseconds, let group):
      summary.alerts += 1
      return .alert(encounter, Alert(deliveryMilliseconds: deliveryMilliseconds, group: group))
    case .suppressed(let reason):
      summary.suppressed[reason.rawValue, default: 0] += 1
      return .suppressed(encounter, reason: reason.rawValue)
    }
  }

  private mutating func report(_ refresh: Refresh, emit: (Event) -> Void) {
    summary.refreshes += 1
    everMonitored.formUnion(refresh.added)
    emit(
      .refresh(
        RefreshEvent(
          track: name, device: device, segment: summary.segments - 1,
          fix: engine.fixCount - 1, fraction: refresh.fraction,
          timeMilliseconds: refresh.timeMilliseconds, coordinate: refresh.coordinate,
          monitored: refresh.monitored, added: refresh.added.count,
          removed: refresh.removed.count, radiusMeters: refresh.radiusMeters,
          reachMeters: refresh.reachMeters,
          failure: refresh.hasFailed ? source.lastFailure ?? "the store did not answer" : nil)))
  }
}
