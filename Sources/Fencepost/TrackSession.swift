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
    // An observer and a rule on speed need every fix, even one without events.
    let needsEach = observer != nil || follower.watchesSpeed
    // The vertex before these, as the start of a path.
    let before = batch.before.map { PathPoint($0, after: $0) }
    var start = 0
    while start < fixes.count {
      let end = needsEach ? start + 1 : fixes.count
      let passed = start..<start + follower.follow(batch, start..<end)
      start = passed.upperBound
      let points = batch.points[passed]
      count(points)
      missWatch?.follow(points, noticed: follower.found, after: before)
      if !follower.found.isEmpty {
        report(speed: follower.speed(at: start - 1, of: batch), emit: emit)
      }
      follower.pass(start - 1, of: batch)
      observer?.followed(fixes[start - 1])
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

  // MARK: Events

  private struct Reportable {
    /// The number of lookups before it on the way to the fix.
    var stretch: Int
    var crossing: Crossing
    var kind: AlertTrigger
    /// The place, or a stand-in with the reminder's id and title.
    var place: Place
    var isReminder = false
    /// What was shown instead of a reminder.
    var displacedBy: String?
    /// The decision of the policy; nil if this cannot alert.
    var decision: AlertDecision?
  }

  /// Reports everything on the way to a fix, with its speed in meters per second or NaN.
  ///
  /// The policy decides on all entries together. Events between two lookups that tie along the path
  /// are sorted by place id.
  private mutating func report(speed: Double, emit: (Event) -> Void) {
    if let observer {
      for event in follower.found { observer.found(event) }
      // A reminder of the next minute can share its second with a delayed alert.
      if let time = follower.found.compactMap({ $0.encounter?.0.timeMilliseconds }).max() {
        follower.policy.reserve(
          deliveriesAtMilliseconds: observer.showTimes(beforeMilliseconds: time + 60_000))
      }
    }
    var reportables: [Reportable] = []
    var refreshes: [Refresh] = []
    for event in follower.found {
      if case .refresh(let refresh) = event { refreshes.append(refresh) }
      guard let (crossing, kind) = event.encounter,
        let one = reportable(crossing, kind, on: refreshes.count)
      else { continue }
      reportables.append(one)
    }
    decide(&reportables, speed: speed)
    // The engine breaks ties by key, but users see ids.
    reportables.sort {
      ($0.stretch, $0.crossing.fraction, $0.place.id, $0.kind.order)
        < ($1.stretch, $1.crossing.fraction, $1.place.id, $1.kind.order)
    }
    var rest = reportables[...]
    for (stretch, refresh) in refreshes.enumerated() {
      while let one = rest.first, one.stretch == stretch { report(rest.removeFirst(), emit: emit) }
      report(refresh, emit: emit)
    }
    for one in rest { report(one, emit: emit) }
  }

  /// A crossing with its place; nil if it is only counted or its place was deleted.
  private mutating func reportable(
    _ crossing: Crossing, _ kind: AlertTrigger, on stretch: Int
  ) -> Reportable? {
    let source = follower.source
    if kind == .exit, alertsOn != .exit, !selection.contains(.exit),
      source.hasPlace(forKey: crossing.key)
    {
      summary.exits += 1
      return nil
    }
    if let place = try? source.place(forKey: crossing.key) {
      return Reportable(stretch: stretch, crossing: crossing, kind: kind, place: place)
    }
    guard kind != .dwell, let reminder = observer?.reminder(firedBy: crossing) else { return nil }
    return Reportable(
      stretch: stretch, crossing: crossing, kind: kind,
      place: Place(id: reminder.id, title: reminder.title, coordinate: crossing.coordinate),
      isReminder: true, displacedBy: reminder.displacedBy)
  }

  private mutating func decide(_ reportables: inout [Reportable], speed: Double) {
    let asked = reportables.indices.filter {
      reportables[$0].kind == alertsOn && !reportables[$0].isReminder
    }
    let options = follower.policy.options
    let entries = follower.decide(
      asked.map { (reportables[$0].place, reportables[$0].crossing) }, speed: speed)
    for (index, entry) in zip(asked, entries) {
      reportables[index].decision = entry.decision
      guard entry.crossing.timeMilliseconds == nil else { continue }
      summary.rulesWithoutTime.formUnion(RulesWithoutTime(options, place: entry.place))
      if case .seconds = options.cooldown, entry.isAlert,
        !alertedWithoutTime.insert(entry.place.key).inserted
      {
        summary.rulesWithoutTime.insert(.cooldown)
      }
    }
  }

  private mutating func report(_ one: Reportable, emit: (Event) -> Void) {
    guard !one.isReminder else {
      guard selection.contains(.reminder) else { return }
      return emit(.reminder(encounter(one), edge: one.crossing.isEnter ? .enter : .exit))
    }
    switch one.kind {
    case .enter:
      summary.enters += 1
      if selection.contains(.enter) { emit(.enter(encounter(one))) }
    case .dwell:
      summary.dwells = (summary.dwells ?? 0) + 1
      if selection.contains(.dwell) { emit(.dwell(encounter(one))) }
    case .exit:
      summary.exits += 1
      if selection.contains(.exit) { emit(.exit(encounter(one))) }
    }
    switch one.decision {
    case nil: return
    case .alert(let deliveryMilliseconds, let group)?:
      summary.alerts += 1
      if let deliveryMilliseconds {
        observer?.alerted(placeID: one.place.id, atMilliseconds: deliveryMilliseconds)
      }
      guard selection.contains(.alert) else { return }
      emit(.alert(encounter(one), Alert(deliveryMilliseconds: deliveryMilliseconds, group: group)))
    case .suppressed(let reason)?:
      summary.suppressed[reason.rawValue, default: 0] += 1
      guard selection.contains(.suppressed) else { return }
      emit(.suppressed(encounter(one), reason: reason.rawValue))
    }
  }

  private func encounter(_ one: Reportable) -> Encounter {
    let (crossing, place) = (one.crossing, one.place)
    var encounter = Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: place.id, title: place.title,
      distanceMeters: crossing.distanceMeters, acrossBreak: crossing.isAcrossBreak,
      crossed: showsCrossed
        ? Encounter.Crossed(timeMilliseconds: crossing.crossedMilliseconds) : nil,
      url: place.url, blurb: place.blurb, category: place.category)
    encounter.displacedBy = one.displacedBy
    return encounter
  }

  private mutating func report(_ refresh: Refresh, emit: (Event) -> Void) {
    summary.refreshes += 1
    everMonitored.formUnion(refresh.added)
    guard selection.contains(.refresh) else { return }
    let failure = follower.source.lastFailure ?? "the store did not answer"
    // Without a limit, the engine keeps only the circles that it is inside.
    let isOfAll = follower.engine.options.limit == nil && !refresh.hasFailed
    let all = isOfAll ? try? follower.source.placeCount : nil
    emit(
      .refresh(
        RefreshEvent(
          track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
          fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
          coordinate: refresh.coordinate, monitored: all ?? refresh.monitored,
          added: all ?? refresh.added.count, removed: refresh.removed.count,
          radiusMeters: refresh.radiusMeters, reachMeters: refresh.reachMeters,
          failure: refresh.hasFailed ? failure : nil)))
  }
}
