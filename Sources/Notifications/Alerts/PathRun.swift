package import FencepostMonitoring

/// One rule along one path: the engine finds what happens, and the policy decides what alerts.
///
/// Every path is followed by one: of a file or a receiver, in an analysis, for reminders, in an app.
/// It is a value without a clock, files or a store. Give it vertices, then ask for the steps:
///
/// ```swift
/// let count = run.follow(points, from: places)
/// if run.hasFound { for step in run.steps(from: places) { … } }
/// ```
package struct PathRun: Sendable {
  /// Something that happens at a point of the path.
  package enum Step: Sendable {
    case notice(Notice)
    case refresh(Refresh)

    /// The crossing or dwell; nil for a refresh.
    package var notice: Notice? {
      guard case .notice(let notice) = self else { return nil }
      return notice
    }

    /// Where it happens on the way to the vertex, 0 to 1.
    package var fraction: Double {
      switch self {
      case .notice(let notice): notice.crossing.fraction
      case .refresh(let refresh): refresh.fraction
      }
    }
  }

  /// A crossing of a circle's edge, or a dwell inside it.
  package struct Notice: Sendable {
    package let crossing: Crossing
    package let kind: AlertTrigger
    /// The place and the policy's decision.
    ///
    /// Nil if this kind cannot alert, if nobody asked, or if no place has the circle.
    package fileprivate(set) var decided: AlertPolicy.Entry?
    /// The number of refreshes before it on the way to the vertex.
    fileprivate var stretch: Int

    package var key: Int64 { crossing.key }
    /// When the path met the edge, in milliseconds since 1970; nil if unknown.
    package var edgeMilliseconds: Int64? {
      crossing.crossedMilliseconds ?? crossing.timeMilliseconds
    }
  }

  package private(set) var engine: Engine
  /// The kind of notice that can become an alert.
  package let alertsOn: AlertTrigger
  private var policy: AlertPolicy
  private var found: [EngineEvent] = []

  /// Starts a path with the policy's memory of earlier ones.
  package init(
    _ rule: MonitoringOptions, _ alerts: AlertPolicy.Options = AlertPolicy.Options(),
    alertsOn: AlertTrigger = .enter, memory: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.init(Engine(options: rule), alerts, alertsOn, memory)
  }

  /// Continues a path; nil if the snapshot contradicts itself.
  package init?(
    _ rule: MonitoringOptions, _ alerts: AlertPolicy.Options = AlertPolicy.Options(),
    alertsOn: AlertTrigger = .enter, memory: AlertPolicy.State = AlertPolicy.State(),
    continuing snapshot: Engine.Snapshot
  ) {
    guard let engine = Engine(options: rule, snapshot: snapshot) else { return nil }
    self.init(engine, alerts, alertsOn, memory)
  }

  private init(
    _ engine: Engine, _ alerts: AlertPolicy.Options, _ alertsOn: AlertTrigger,
    _ memory: AlertPolicy.State
  ) {
    (self.engine, self.alertsOn) = (engine, alertsOn)
    policy = AlertPolicy(options: alerts, state: memory)
  }

  // MARK: Following

  /// Follows the path up to the first vertex with something to report, or to the last one.
  ///
  /// - Returns: The number of vertices followed.
  package mutating func follow(
    _ points: ArraySlice<PathPoint>, from source: some PlaceSource
  ) -> Int {
    found.removeAll(keepingCapacity: true)
    return engine.advance(along: points, from: source, into: &found)
  }

  /// Looks up the nearest places again, for example after the store was edited.
  package mutating func refresh(from source: some PlaceSource) {
    found.removeAll(keepingCapacity: true)
    engine.refresh(from: source, into: &found)
  }

  package mutating func finish() { engine.finish() }

  /// Whether the last call found anything.
  package var hasFound: Bool { !found.isEmpty }

  /// What the last call found, before any decision, in the engine's order.
  package var events: [EngineEvent] { found }

  /// The latest time of a crossing or dwell that the last call found; nil without one.
  package var latestMilliseconds: Int64? {
    found.compactMap { event in
      switch event {
      case .crossing(let crossing), .dwell(let crossing): crossing.timeMilliseconds
      case .refresh: nil
      }
    }.max()
  }

  // MARK: Deciding

  /// Decides which notices of the last call alert; call it once.
  ///
  /// The policy sees them together, in path order and then by id, even if refreshes lie between them.
  ///
  /// - Parameters:
  ///   - source: Finds the places.
  ///   - speed: The speed on the way to the vertex in meters per second; NaN if unknown.
  ///   - id: The id of a circle that no place has, for the order of notices at one point.
  ///   - asks: Whether to ask the policy about a crossing.
  /// - Returns: The notices and refreshes in path order; those at one point by id.
  package mutating func steps(
    from source: some PlaceSource, speedMetersPerSecond speed: Double = .nan,
    idOfOther id: (Int64) -> String? = { _ in nil }, asks: (Crossing) -> Bool = { _ in true }
  ) -> [Step] {
    var notices: [Notice] = []
    var refreshes: [Refresh] = []
    for event in found {
      switch event {
      case .crossing(let crossing):
        let kind = crossing.isEnter ? AlertTrigger.enter : .exit
        notices.append(Notice(crossing: crossing, kind: kind, stretch: refreshes.count))
      case .dwell(let crossing):
        notices.append(Notice(crossing: crossing, kind: .dwell, stretch: refreshes.count))
      case .refresh(let refresh): refreshes.append(refresh)
      }
    }
    decide(&notices, from: source, speed: speed, asks: asks)
    if notices.count > 1 {
      func name(of notice: Notice) -> String {
        notice.decided?.place.id ?? (try? source.place(forKey: notice.key))?.id
          ?? id(notice.key) ?? ""
      }
      notices.sort { one, other in
        let (a, b) = (
          (one.stretch, one.crossing.fraction), (other.stretch, other.crossing.fraction)
        )
        guard a == b else { return a < b }
        let (name, otherName) = (name(of: one), name(of: other))
        return (name, one.kind.order) < (otherName, other.kind.order)
      }
    }
    guard !refreshes.isEmpty else { return notices.map { .notice($0) } }
    var steps: [Step] = []
    var rest = notices[...]
    for (stretch, refresh) in refreshes.enumerated() {
      while let notice = rest.first, notice.stretch == stretch {
        steps.append(.notice(rest.removeFirst()))
      }
      steps.append(.refresh(refresh))
    }
    return steps + rest.map { .notice($0) }
  }

  private mutating func decide(
    _ notices: inout [Notice], from source: some PlaceSource, speed: Double,
    asks: (Crossing) -> Bool
  ) {
    var entries: [(index: Int, entry: AlertPolicy.Entry)] = []
    for (index, notice) in notices.enumerated()
    where notice.kind == alertsOn && asks(notice.crossing) {
      guard let place = try? source.place(forKey: notice.key) else { continue }
      entries.append(
        (index, AlertPolicy.Entry(place, notice.crossing, speedMetersPerSecond: speed)))
    }
    if entries.count > 1 {
      entries.sort { one, other in
        (one.entry.crossing.fraction, one.entry.place.id, one.index)
          < (other.entry.crossing.fraction, other.entry.place.id, other.index)
      }
    }
    for ((index, _), decided) in zip(entries, policy.decide(entries.map { $0.entry })) {
      notices[index].decided = decided
    }
  }

  /// Decides on entries that somebody else reports, all with the same time.
  package mutating func decide(_ entries: [AlertPolicy.Entry]) -> [AlertPolicy.Entry] {
    policy.decide(entries)
  }

  // MARK: The policy's memory

  /// What the policy remembers; give it to the next path of the same person.
  package var memory: AlertPolicy.State {
    get { policy.state }
    set { policy.state = newValue }
  }

  /// The rules that decide what alerts.
  package var alerts: AlertPolicy.Options { policy.options }

  /// Whether a rule depends on the speed at every fix.
  package var watchesSpeed: Bool { policy.options.maxAlertSpeedMetersPerSecond != nil }

  /// Tells the policy the speed at a vertex, after the decisions there.
  package mutating func pass(speedMetersPerSecond speed: Double, atMilliseconds time: Int64) {
    policy.observe(speedMetersPerSecond: speed, atMilliseconds: time)
  }

  /// Counts notifications of others, such as reminders, toward the limit of their seconds.
  package mutating func reserve(deliveriesAtMilliseconds times: [Int64]) {
    policy.reserve(deliveriesAtMilliseconds: times)
  }
}
