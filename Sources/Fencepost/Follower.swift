package import FencepostMonitoring
package import FencepostNotifications

/// Follows one path under one set of rules: the engine finds events, the policy decides on alerts.
package struct Follower {
  package private(set) var engine: Engine
  package private(set) var policy: AlertPolicy
  package private(set) var found: [EngineEvent] = []
  package let source: any PlaceSource
  /// Whether a rule depends on the speed at every fix.
  package let watchesSpeed: Bool

  package init(
    _ rule: MonitoringOptions, _ alerts: AlertPolicy.Options, source: any PlaceSource,
    memory: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.init(Engine(options: rule), alerts, source: source, memory: memory)
  }

  /// Continues with a given engine and the policy's saved state.
  package init(
    _ engine: Engine, _ alerts: AlertPolicy.Options, source: any PlaceSource,
    memory: AlertPolicy.State
  ) {
    self.engine = engine
    self.source = source
    policy = AlertPolicy(options: alerts, state: memory)
    watchesSpeed = alerts.maxAlertSpeedMetersPerSecond != nil
  }

  /// Follows the path up to the first fix with events, or to the last of the offsets.
  ///
  /// - Returns: The number of fixes followed.
  package mutating func follow(_ batch: PathBatch, _ offsets: Range<Int>) -> Int {
    found.removeAll(keepingCapacity: true)
    return engine.advance(along: batch.points[offsets], from: source, into: &found)
  }

  /// Looks up the nearest places again, for example after the store was edited.
  package mutating func refresh() {
    found.removeAll(keepingCapacity: true)
    engine.refresh(from: source, into: &found)
  }

  package mutating func finish() { engine.finish() }

  /// Decides which of the entries on the way to one fix alert.
  ///
  /// The policy sees them together, in path order and then by id, even if lookups lie between them.
  /// The speed is in meters per second; NaN if unknown. The result is in the order given.
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

  /// Keeps alerts out of seconds that other notifications fill, in milliseconds since 1970.
  package mutating func reserve(deliveriesAtMilliseconds times: [Int64]) {
    policy.reserve(deliveriesAtMilliseconds: times)
  }

  /// The speed on the way to a fix in meters per second; NaN if unknown or unused.
  package func speed(at offset: Int, of batch: PathBatch) -> Double {
    watchesSpeed ? batch.speedMetersPerSecond(at: offset) : .nan
  }

  /// Tells the policy the speed at a fix, after ``decide(_:speed:)`` for that fix.
  package mutating func pass(_ offset: Int, of batch: PathBatch) {
    guard watchesSpeed, let time = batch.points[offset].timeMilliseconds else { return }
    policy.observe(speedMetersPerSecond: speed(at: offset, of: batch), atMilliseconds: time)
  }
}
