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
    _ points: ArraySlice<PathPoint>, from source: any PlaceSource
  ) -> Int {
    found.removeAll(keepingCapacity: true)
    return engine.advance(along: points, from: source, into: &found)
  }

  /// Looks up the nearest places again, for example after the store was edited.
  package mutating func refresh(from source: any PlaceSource) {
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
    from source: any PlaceSource, speedMetersPerSecond speed: Double = .nan,
    idOfOther id: (Int64) -> String? = { _ in nil }, asks: (Crossing) -> Bool = { _ in true }
  ) -> [Step] {
    var steps = found.map { event -> Step in
      switch event {
      case .crossing(let crossing):
        .notice(Notice(crossing: crossing, kind: crossing.isEnter ? .enter : .exit))
      case .dwell(let crossing): .notice(Notice(crossing: crossing, kind: .dwell))
      case .refresh(let refresh): .refresh(refresh)
      }
    }
    decide(&steps, from: source, speed: speed, asks: asks)
    guard steps.count > 1 else { return steps }
    // Where each step stands: after how many refreshes, how far along, and then by name and kind.
    var places: [(stretch: Int, fraction: Double, kind: Int)] = []
    var stretch = 0
    for step in steps {
      if case .refresh = step { stretch += 1 }
      let kind = step.notice?.kind.order ?? -1
      // A refresh comes before what follows it, wherever that is.
      places.append((stretch, kind < 0 ? -1 : step.fraction, kind))
    }
    func name(_ index: Int) -> String {
      guard case .notice(let notice) = steps[index] else { return "" }
      if let place = notice.decided?.place { return place.id }
      return (try? source.place(forKey: notice.key))?.id ?? id(notice.key) ?? ""
    }
    let order = steps.indices.sorted { one, other in
      let (here, there) = (places[one], places[other])
      if here.stretch != there.stretch { return here.stretch < there.stretch }
      if here.fraction != there.fraction { return here.fraction < there.fraction }
      // The engine orders by key what happens at one point.
      let (mine, others) = (name(one), name(other))
      return mine != others ? mine < others : here.kind < there.kind
    }
    return order.map { steps[$0] }
  }

  private mutating func decide(
    _ steps: inout [Step], from source: any PlaceSource, speed: Double, asks: (Crossing) -> Bool
  ) {
    var entries: [AlertPolicy.Entry] = []
    var numbers: [Int] = []
    for (number, step) in steps.enumerated() {
      guard let notice = step.notice, notice.kind == alertsOn, asks(notice.crossing),
        let place = try? source.place(forKey: notice.key)
      else { continue }
      entries.append(
        AlertPolicy.Entry(place, notice.crossing, speedMetersPerSecond: speed))
      numbers.append(number)
    }
    guard !entries.isEmpty else { return }
    let order = entries.indices.sorted { one, other in
      let (here, there) = (entries[one].crossing.fraction, entries[other].crossing.fraction)
      guard here == there else { return here < there }
      let (mine, others) = (entries[one].place.id, entries[other].place.id)
      return mine != others ? mine < others : one < other
    }
    for (index, entry) in zip(order, policy.decide(order.map { entries[$0] })) {
      guard var notice = steps[numbers[index]].notice else { continue }
      notice.decided = entry
      steps[numbers[index]] = .notice(notice)
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
