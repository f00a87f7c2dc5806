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
  /// The name of the track in every event.
  public let name: String
  /// The device, if the stream carries several.
  public let device: String?
  /// The number of fixes followed so far.
  public var fixCount: Int { run.engine.fixCount }
  /// The summary so far; ``finish(rejected:error:emit:)`` completes it.
  public package(set) var summary: TrackSummary

  /// The kinds of events to emit.
  ///
  /// Leaving out kinds saves their cost. The summary counts all kinds.
  public var selection = EventSelection.all
  /// Receives what the engine finds, before it becomes events.
  package var observer: (any SessionObserver)?

  var run: PathRun
  let source: any PlaceSource
  var batch = PathBatch()
  let showsCrossed: Bool
  var alertedWithoutTime: Set<Int64> = []
  var everMonitored: Set<Int64> = []
  private var drift = EdgeDrift()
  /// The breaks before the session was restored.
  var earlierBreaks = BreakCounts()
  /// Finds missed entries; nil unless ``watchForMisses(in:collects:)`` was called.
  var missCounter: MissCounter?
  /// The saved state of ``missCounter``, until ``watchForMisses(in:collects:)`` restores it.
  var savedMisses: MissCounter.Snapshot?

  /// Creates a session at the start of a track.
  public init(
    name: String, device: String? = nil, source: any PlaceSource,
    options: TrackSessionOptions = TrackSessionOptions()
  ) {
    self.name = name
    self.device = device
    self.source = source
    run = options.run()
    showsCrossed = options.showsCrossed
    summary = TrackSummary(track: name, device: device)
    summary.alertsOn = options.alertsOn
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
    // An observer and a rule on speed need every fix, even one without events.
    let needsEach = observer != nil || run.watchesSpeed
    // The vertex before these, as the start of a path.
    let before = batch.before.map { PathPoint($0, after: $0) }
    var start = 0
    while start < fixes.count {
      let end = needsEach ? start + 1 : fixes.count
      let passed = start..<start + run.follow(batch.points[start..<end], from: source)
      start = passed.upperBound
      count(batch.points[passed])
      let steps = steps(speed: run.speed(at: start - 1, of: batch))
      missCounter?.follow(batch.points[passed], noticed: steps, after: before)
      report(steps, emit: emit)
      run.pass(start - 1, of: batch)
      observer?.followed(fixes[start - 1])
      if observer?.takeFreedRegion() == true { refresh(emit: emit) }
    }
  }

  /// How many fixes become vertices at once: a file may hand on half a million.
  private static let mostAtOnce = 1 << 16

  /// Follows the next fix of the track, already filtered, and emits events in path order.
  public mutating func follow(_ fix: Fix, emit: (Event) -> Void) { follow([fix], emit: emit) }

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
    run.finish()
    let engine = run.engine
    summary.fixes = engine.fixCount
    summary.rejected = rejected
    summary.lengthMeters = engine.lengthMeters
    summary.certified = engine.isCertified
    summary.uncertified = engine.uncertified
    summary.error = error
    summary.misses = missCounter?.counts
    if engine.fixCount > 0, engine.options.limit == nil {
      summary.neverMonitored = 0
    } else if let count = try? source.placeCount {
      // A failing store was already reported by the lookup that failed.
      summary.neverMonitored = max(0, count - everMonitored.count)
    }
    summary.remarks.breaks = breaks
    summary.remarks.drift = drift.found { (try? source.place(forKey: $0))?.title }
    observer?.finish(&summary)
    emit(.summary(summary))
  }

  /// Where the path was not followed.
  var breaks: BreakCounts {
    var breaks = run.engine.breaks
    breaks += earlierBreaks
    return breaks
  }

  /// Whether a crossing without a time could not be held for as long as the rules require.
  package var lacksTimesToHold: Bool { run.engine.lacksTimesToHold }

  /// The message for ``lacksTimesToHold``, without a period.
  package static let untimedNotice =
    "entries and exits without a time cannot be held: only fixes confirm them, and they have no dwell"

  /// The last fix that was followed; nil before the first.
  package var lastFix: Fix? { batch.fixes.last ?? batch.before }

  /// The watched circles, sorted by key, and whether the device is inside each.
  package var monitoredRegions: [(region: Region, isInside: Bool)] {
    run.engine.monitoredRegions
  }

  /// Looks up the nearest places again at the last fix, for example after the store was edited.
  public mutating func refresh(emit: (Event) -> Void) {
    guard let lastFix else { return }
    run.refresh(from: source)
    let steps = steps(speed: Double(lastFix.speedMetersPerSecond))
    missCounter?.refresh()
    report(steps, emit: emit)
  }

  // MARK: Misses

  /// Starts counting the entries missed because of the limit on watched circles.
  ///
  /// Call this before the first fix. If `collects` is true, ``takeMisses()`` returns each miss. A
  /// second run begins once there are more places than can be watched.
  public mutating func watchForMisses(in source: any PlaceSource, collects: Bool) {
    var counter = MissCounter(
      run.engine.options, alertsOn: run.alertsOn, source: source, wantsMisses: collects)
    if fixCount > 0 { counter?.restore(savedMisses) }
    savedMisses = nil
    missCounter = counter
  }

  /// Returns and forgets the misses since the last call, in path order.
  public mutating func takeMisses() -> [Miss] {
    guard let misses = missCounter?.misses, !misses.isEmpty else { return [] }
    missCounter?.misses.removeAll()
    return misses
  }

  // MARK: Events

  /// Decides on everything on the way to a fix, with its speed in meters per second or NaN.
  private mutating func steps(speed: Double) -> [PathRun.Step] {
    guard run.hasFound else { return [] }
    guard let observer else { return run.steps(from: source, speedMetersPerSecond: speed) }
    for event in run.events { observer.found(event) }
    // A reminder of the next minute can share its second with a delayed alert.
    if let time = run.latestMilliseconds {
      run.reserve(
        deliveriesAtMilliseconds: observer.showTimes(beforeMilliseconds: time + 60_000))
    }
    return run.steps(
      from: source, speedMetersPerSecond: speed, idOfOther: observer.reminderID(ofCircle:))
  }

  private mutating func report(_ steps: [PathRun.Step], emit: (Event) -> Void) {
    for step in steps {
      switch step {
      case .notice(let notice): report(notice, emit: emit)
      case .refresh(let refresh): report(refresh, emit: emit)
      }
    }
  }

  private mutating func report(_ notice: PathRun.Notice, emit: (Event) -> Void) {
    if notice.kind == .exit, run.alertsOn != .exit, !selection.contains(.exit),
      source.hasPlace(forKey: notice.key)
    {
      summary.exits += 1
      return
    }
    // Taken once, because an entry is large to copy.
    let decided = notice.decided
    guard let place = decided?.place ?? (try? source.place(forKey: notice.key)) else {
      // The place was deleted, or it is the circle of a reminder.
      return reportReminder(notice, emit: emit)
    }
    switch notice.kind {
    case .enter:
      summary.enters += 1
      drift.enter(notice.key, atMilliseconds: notice.edgeMilliseconds)
      if selection.contains(.enter) { emit(.enter(encounter(notice, place))) }
    case .dwell:
      summary.dwells = (summary.dwells ?? 0) + 1
      if selection.contains(.dwell) { emit(.dwell(encounter(notice, place))) }
    case .exit:
      summary.exits += 1
      if selection.contains(.exit) { emit(.exit(encounter(notice, place))) }
    }
    guard let decided else { return }
    noteRulesWithoutTime(decided)
    switch decided.decision {
    case .alert(let deliveryMilliseconds, let group):
      summary.alerts += 1
      if let deliveryMilliseconds {
        observer?.alerted(placeID: place.id, atMilliseconds: deliveryMilliseconds)
      }
      guard selection.contains(.alert) else { return }
      emit(
        .alert(
          encounter(notice, place),
          Alert(deliveryMilliseconds: deliveryMilliseconds, group: group)))
    case .suppressed(let reason):
      summary.suppressed[reason.rawValue, default: 0] += 1
      guard selection.contains(.suppressed) else { return }
      emit(.suppressed(encounter(notice, place), reason: reason.rawValue))
    }
  }

  private mutating func reportReminder(_ notice: PathRun.Notice, emit: (Event) -> Void) {
    guard notice.kind != .dwell, let reminder = observer?.reminder(firedBy: notice.crossing),
      selection.contains(.reminder)
    else { return }
    let standIn = Place(
      id: reminder.id, title: reminder.title, coordinate: notice.crossing.coordinate)
    var encounter = encounter(notice, standIn)
    encounter.displacedBy = reminder.displacedBy
    emit(.reminder(encounter, edge: notice.crossing.isEntry ? .enter : .exit))
  }

  private mutating func noteRulesWithoutTime(_ entry: AlertEntry) {
    guard entry.crossing.timeMilliseconds == nil else { return }
    let options = run.alerts
    summary.rulesWithoutTime.formUnion(RulesWithoutTime(options, place: entry.place))
    if case .seconds = options.cooldown, entry.isAlert,
      !alertedWithoutTime.insert(entry.place.key).inserted
    {
      summary.rulesWithoutTime.insert(.cooldown)
    }
  }

  private func encounter(_ notice: PathRun.Notice, _ place: Place) -> Encounter {
    let crossing = notice.crossing
    return Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: place.id, title: place.title,
      distanceMeters: crossing.distanceMeters, isAcrossBreak: crossing.isAcrossBreak,
      crossed: showsCrossed
        ? Encounter.Crossed(timeMilliseconds: crossing.crossedMilliseconds) : nil,
      url: place.url, blurb: place.blurb, category: place.category)
  }

  private mutating func report(_ refresh: Refresh, emit: (Event) -> Void) {
    summary.refreshes += 1
    everMonitored.formUnion(refresh.added)
    guard selection.contains(.refresh) else { return }
    let failure = source.lastFailure ?? "the store did not answer"
    // Without a limit, the engine keeps only the circles that it is inside.
    let isOfAll = run.engine.options.limit == nil && !refresh.hasFailed
    let all = isOfAll ? try? source.placeCount : nil
    emit(
      .refresh(
        RefreshEvent(
          track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
          fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
          coordinate: refresh.coordinate, monitored: all ?? refresh.monitoredCount,
          added: all ?? refresh.added.count, removed: refresh.removed.count,
          radiusMeters: refresh.radiusMeters, reachMeters: refresh.reachMeters,
          failure: refresh.hasFailed ? failure : nil)))
  }
}

/// The rules of a session.
///
/// The defaults are those of a phone: 20 circles, a lookup every 500 m, a cooldown of 7 days.
public struct TrackSessionOptions: Sendable {
  /// The rules of the engine.
  public var monitoring = MonitoringOptions()
  /// The rules that decide whether an event becomes an alert.
  public var alerts = AlertOptions()

  /// The kind of event that can become an alert.
  public var alertsOn = AlertTrigger.enter

  /// The worst stated accuracy of a fix that counts, in meters; nil for any.
  ///
  /// A session follows every fix that it is given. The `FixFilter` before it obeys this rule.
  package var maxAccuracyMeters: Double?

  /// Creates the default options.
  public init() {}

  /// A run under these rules, with the policy's memory of earlier paths.
  package func run(memory: AlertPolicy.State = AlertPolicy.State()) -> PathRun {
    PathRun(monitoring, alerts, alertsOn: alertsOn, memory: memory)
  }

  /// The same without a limit on watched circles.
  package var withoutLimit: TrackSessionOptions {
    var options = self
    options.monitoring = monitoring.withoutLimit
    return options
  }

  /// Whether events include the time at the edge, because they may be reported later than that.
  package var showsCrossed: Bool {
    monitoring.confirmation.isNeeded || monitoring.test != .path || alertsOn != .enter
  }
}

extension TrackSession {
  /// The former name of ``TrackSessionOptions``.
  @available(*, deprecated, renamed: "TrackSessionOptions")
  public typealias Options = TrackSessionOptions
}
