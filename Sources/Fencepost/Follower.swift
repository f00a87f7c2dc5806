package import FencepostMonitoring
package import FencepostNotifications

/// Follows one path under one rule: the engine finds what happens, and the policy decides on the entries.
///
/// A session, the device of an analysis and its oracle are each a follower with rules of their own.
package struct Follower {
  package private(set) var engine: Engine
  package private(set) var policy: AlertPolicy
  /// What the engine found on the way to the last fix.
  package private(set) var found: [EngineEvent] = []
  /// Finds the places.
  package let source: any PlaceSource
  /// Whether any rule depends on the speed, and so on every fix.
  package let watchesSpeed: Bool

  /// Begins a path.
  package init(
    _ rule: MonitoringOptions, _ alerts: AlertPolicy.Options, source: any PlaceSource,
    memory: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.init(Engine(options: rule), alerts, source: source, memory: memory)
  }

  /// Goes on with an engine and what a policy remembers.
  package init(
    _ engine: Engine, _ alerts: AlertPolicy.Options, source: any PlaceSource,
    memory: AlertPolicy.State
  ) {
    self.engine = engine
    self.source = source
    policy = AlertPolicy(options: alerts, state: memory)
    watchesSpeed = alerts.maxAlertSpeedMetersPerSecond != nil
  }

  /// Follows the path until something happens on the way to a fix, and at most to the last one.
  ///
  /// - Parameters:
  ///   - batch: The fixes.
  ///   - offsets: Which of them come next, at least one.
  /// - Returns: How many it has followed.
  package mutating func follow(_ batch: PathBatch, _ offsets: Range<Int>) -> Int {
    found.removeAll(keepingCapacity: true)
    return engine.advance(along: batch.points[offsets], from: source, into: &found)
  }

  /// Asks anew which places are near, as after an edit of the store.
  package mutating func renew() {
    found.removeAll(keepingCapacity: true)
    engine.renew(from: source, into: &found)
  }

  /// Ends the path.
  package mutating func finish() { engine.finish() }

  /// Decides about all entries on the way to one fix.
  ///
  /// The policy sees them together and in order along the path, ties by id, however often the set was refreshed
  /// in between.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - speed: The speed on the way to the fix in metres a second, NaN if unknown.
  /// - Returns: The entries with their decisions, in the order given.
  package mutating func decide(
    _ entries: [(place: Place, crossing: Crossing)], speed: Double
  ) -> [AlertPolicy.Entry] {
    var decided = entries.map {
      AlertPolicy.Entry($0.place, $0.crossing, speedMetersPerSecond: speed)
    }
    guard decided.count > 1 else { return policy.decide(decided) }
    let order = entries.indices.sorted { one, other in
      let (a, b) = (entries[one], entries[other])
      return (a.crossing.fraction, a.place.id, one) < (b.crossing.fraction, b.place.id, other)
    }
    for (index, entry) in zip(order, policy.decide(order.map { decided[$0] })) {
      decided[index] = entry
    }
    return decided
  }

  /// The speed on the way to a fix in metres a second; NaN if unknown or of no interest.
  package func speed(at offset: Int, of batch: PathBatch) -> Double {
    watchesSpeed ? batch.speedMetersPerSecond(at: offset) : .nan
  }

  /// Observes the speed at a fix, after the entries on the way to it.
  package mutating func pass(_ offset: Int, of batch: PathBatch) {
    guard watchesSpeed, let time = batch.points[offset].timeMilliseconds else { return }
    policy.observe(speedMetersPerSecond: speed(at: offset, of: batch), atMilliseconds: time)
  }
}
