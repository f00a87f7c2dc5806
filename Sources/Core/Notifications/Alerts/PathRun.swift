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
  ///
  /// ``steps(from:speedMetersPerSecond:idOfOther:asks:)`` returns them in path order.
  package enum Step: Sendable {
    /// The path crossed an edge, or the device stayed inside for the dwell time.
    case notice(Notice)
    /// The nearest places were looked up, or the attempt failed.
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
  ///
  /// It adds the kind to a ``Crossing`` and, if the policy was asked, its decision.
  package struct Notice: Sendable {
    /// Where and when it happened, and the key of the circle.
    package let crossing: Crossing
    /// Whether the path entered, stayed or left.
    package let kind: AlertTrigger
    fileprivate var answer = Answer.none

    /// What the policy answered, kept apart so that a notice is cheap to copy.
    fileprivate enum Answer: Sendable {
      case none
      indirect case decided(AlertEntry)
    }

    /// The place and the policy's decision.
    ///
    /// Nil if this kind cannot alert, if nobody asked, or if no place has the circle.
    package var decided: AlertEntry? {
      guard case .decided(let entry) = answer else { return nil }
      return entry
    }

    /// The store's key of the place, or the key of another circle, such as a reminder's.
    package var key: Int64 { crossing.key }
    /// When the path met the edge, in milliseconds since 1970; nil if unknown.
    package var edgeMilliseconds: Int64? {
      crossing.crossedMilliseconds ?? crossing.timeMilliseconds
    }
  }

  /// The engine that follows the path; read its monitored regions and its snapshot here.
  package private(set) var engine: Engine
  /// The kind of notice that can become an alert.
  package let alertsOn: AlertTrigger
  private var policy: AlertPolicy
  private var found: [EngineEvent] = []

  /// Starts a path with the policy's memory of earlier ones.
  package init(
    _ rule: MonitoringOptions, _ alerts: AlertOptions = AlertOptions(),
    alertsOn: AlertTrigger = .enter, memory: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.init(Engine(options: rule), alerts, alertsOn, memory)
  }

  /// Continues a path; nil if the snapshot contradicts itself.
  package init?(
    _ rule: MonitoringOptions, _ alerts: AlertOptions = AlertOptions(),
    alertsOn: AlertTrigger = .enter, memory: AlertPolicy.State = AlertPolicy.State(),
    continuing snapshot: Engine.Snapshot
  ) {
    guard let engine = Engine(options: rule, snapshot: snapshot) else { return nil }
    self.init(engine, alerts, alertsOn, memory)
  }

  private init(
    _ engine: Engine, _ alerts: AlertOptions, _ alertsOn: AlertTrigger,
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
  ///
  /// It does nothing before the first vertex. What it finds replaces what the last call found.
  package mutating func refresh(from source: any PlaceSource) {
    found.removeAll(keepingCapacity: true)
    engine.refresh(from: source, into: &found)
  }

  /// Ends the path, so that the engine's uncertified stretches are complete.
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
    idOfOther id: @escaping (Int64) -> String? = { _ in nil },
    asks: (Crossing) -> Bool = { _ in true }
  ) -> [Step] {
    var steps = found.map { event -> Step in
      switch event {
      case .crossing(let crossing):
        .notice(Notice(crossing: crossing, kind: crossing.isEntry ? .enter : .exit))
      case .dwell(let crossing): .notice(Notice(crossing: crossing, kind: .dwell))
      case .refresh(let refresh): .refresh(refresh)
      }
    }
    // Most fixes have one step, which needs no order.
    let order =
      steps.count < 2 ? nil : Order(steps) { (try? source.place(forKey: $0))?.id ?? id($0) ?? "" }
    decide(&steps, in: order, from: source, speed: speed, asks: asks)
    guard let order else { return steps }
    return order.sorted(Array(steps.indices), acrossRefreshes: false).map { steps[$0] }
  }

  /// The order of steps along the path, and of those at one point by id, then by kind.
  private struct Order {
    private var spots: [(stretch: Int, fraction: Double, key: Int64, kind: Int)] = []
    private let id: (Int64) -> String

    /// `id` finds the id of a circle; the engine orders by key what happens at one point.
    init(_ steps: [Step], id: @escaping (Int64) -> String) {
      self.id = id
      var stretch = 0
      for step in steps {
        switch step {
        case .notice(let notice):
          spots.append((stretch, notice.crossing.fraction, notice.key, notice.kind.order))
        case .refresh:
          stretch += 1
          // Before everything that follows it.
          spots.append((stretch, -1, 0, 0))
        }
      }
    }

    /// Sorts the indices of steps; those that a refresh divides stay apart, unless it goes across.
    func sorted(_ indices: [Int], acrossRefreshes: Bool) -> [Int] {
      guard indices.count > 1 else { return indices }
      return indices.sorted { one, other in
        let (here, there) = (spots[one], spots[other])
        if !acrossRefreshes, here.stretch != there.stretch { return here.stretch < there.stretch }
        if here.fraction != there.fraction { return here.fraction < there.fraction }
        let (name, next) = (id(here.key), id(there.key))
        if name != next { return name < next }
        return here.kind != there.kind ? here.kind < there.kind : one < other
      }
    }
  }

  private mutating func decide(
    _ steps: inout [Step], in order: Order?, from source: any PlaceSource, speed: Double,
    asks: (Crossing) -> Bool
  ) {
    var asked: [Int] = []
    for (index, step) in steps.enumerated() {
      if case .notice(let notice) = step, notice.kind == alertsOn, asks(notice.crossing) {
        asked.append(index)
      }
    }
    if let order { asked = order.sorted(asked, acrossRefreshes: true) }
    var entries: [AlertEntry] = []
    asked.removeAll { index in
      guard case .notice(let notice) = steps[index],
        let place = try? source.place(forKey: notice.key)
      else { return true }
      entries.append(AlertEntry(place, notice.crossing, speedMetersPerSecond: speed))
      return false
    }
    guard !entries.isEmpty else { return }
    for (index, entry) in zip(asked, policy.decide(entries)) {
      guard case .notice(var notice) = steps[index] else { continue }
      notice.answer = .decided(entry)
      steps[index] = .notice(notice)
    }
  }

  /// Decides on entries that somebody else reports, all with the same time.
  ///
  /// They share the memory with the notices of the path.
  package mutating func decide(_ entries: [AlertEntry]) -> [AlertEntry] {
    policy.decide(entries)
  }

  // MARK: The policy's memory

  /// What the policy remembers; give it to the next path of the same person.
  package var memory: AlertPolicy.State {
    get { policy.state }
    set { policy.state = newValue }
  }

  /// The rules that decide what alerts.
  package var alerts: AlertOptions { policy.options }

  /// Whether entries keep the results of the alert rules.
  package var explains: Bool {
    get { policy.explains }
    set { policy.explains = newValue }
  }

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
