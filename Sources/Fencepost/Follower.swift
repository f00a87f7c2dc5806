package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// Follows one path under one set of rules: the engine finds events, the policy decides on alerts.
package struct Follower {
  package private(set) var engine: Engine
  package private(set) var found: [EngineEvent] = []
  package internal(set) var policy: AlertPolicy
  package let source: any PlaceSource
  /// Whether a rule depends on the speed at every fix.
  package let watchesSpeed: Bool

  /// Starts a path, or continues with a given engine and the policy's saved state.
  package init(
    _ rule: MonitoringOptions, _ alerts: AlertPolicy.Options, source: any PlaceSource,
    memory: AlertPolicy.State = AlertPolicy.State(), engine: Engine? = nil
  ) {
    self.engine = engine ?? Engine(options: rule)
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
    let order = entries.indices.sorted { one, other in
      let (a, b) = (entries[one], entries[other])
      return (a.crossing.fraction, a.place.id, one) < (b.crossing.fraction, b.place.id, other)
    }
    for (index, entry) in zip(order, policy.decide(order.map { decided[$0] })) {
      decided[index] = entry
    }
    return decided
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

/// Fixes of a track and the path vertices made from them, shared by all followers.
package struct PathBatch {
  package private(set) var fixes: [Fix] = []
  package private(set) var points: [PathPoint] = []
  /// The index of the first vertex within the track.
  package private(set) var firstFix = 0
  /// The fix before these; nil at the start of the track.
  package private(set) var before: Fix?

  package init(after last: Fix? = nil) { before = last }

  package mutating func prepare(_ next: [Fix]) {
    firstFix += fixes.count
    before = fixes.last ?? before
    fixes = next
    points.removeAll(keepingCapacity: true)
    var last = before
    for fix in next {
      points.append(PathPoint(fix, after: last))
      last = fix
    }
  }

  /// The receiver's speed in meters per second, or else that of the path; NaN if unknown.
  package func speedMetersPerSecond(at offset: Int) -> Double {
    let fix = fixes[offset]
    if !fix.speedMetersPerSecond.isNaN { return Double(fix.speedMetersPerSecond) }
    guard let last = offset > 0 ? fixes[offset - 1] : before, let start = last.timeMilliseconds,
      let end = fix.timeMilliseconds, end > start
    else { return .nan }
    return Geodesic.distanceMeters(last.coordinate, fix.coordinate) * 1000 / Double(end - start)
  }
}

extension PathPoint {
  init(_ fix: Fix, after last: Fix?) {
    // A missing or invalid accuracy counts as 0.
    let isAccuracyKnown = fix.accuracyMeters > 0 && fix.accuracyMeters.isFinite
    self.init(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: fix.segmentIndex != last?.segmentIndex,
      accuracyMeters: isAccuracyKnown ? fix.accuracyMeters : 0)
  }
}
