package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// The notification policy as replay, live and analysis use it.
///
/// All entries on the way to one fix are decided in one call, in order along the path, even if a
/// refresh comes between them. So the policy sees all entries of a moment together, however often the
/// phone refreshes.
package struct EntryPolicy {
  /// A crossing into a place's circle, or whatever else alerts.
  package typealias Entry = (place: Place, crossing: Crossing)

  package private(set) var policy: AlertPolicy
  /// Whether any rule depends on the speed.
  package let watchesSpeed: Bool

  package init(options: AlertPolicy.Options, state: AlertPolicy.State = AlertPolicy.State()) {
    policy = AlertPolicy(options: options, state: state)
    watchesSpeed = options.maxAlertSpeedMetersPerSecond != nil
  }

  /// Decides about all entries on the way to one fix.
  ///
  /// - Parameters:
  ///   - entries: The entries, in any order; ties along the path are decided by id.
  ///   - speed: The speed on the way in metres a second, NaN if unknown.
  /// - Returns: A decision for each, in the order given.
  package mutating func decide(_ entries: [Entry], speed: Double) -> [AlertDecision] {
    Self.results(for: entries, speed: speed) { policy.decide($0) }
  }

  /// Explains how ``decide(_:speed:)`` would decide now.
  package func explain(_ entries: [Entry], speed: Double) -> [AlertExplanation] {
    Self.results(for: entries, speed: speed) { policy.explain($0) }
  }

  /// Observes the speed at a fix, after the entries on the way to it.
  package mutating func observe(speed: Double, atMilliseconds time: Int64?) {
    guard watchesSpeed, let time else { return }
    policy.observe(speedMetersPerSecond: speed, atMilliseconds: time)
  }

  /// Evaluates entries in order along the path, and returns the results in the order given.
  private static func results<Value>(
    for entries: [Entry], speed: Double, _ evaluate: ([AlertPolicy.Entry]) -> [Value]
  ) -> [Value] {
    guard entries.count > 1 else {
      return evaluate(entries.map { AlertPolicy.Entry($0, speed: speed) })
    }
    let order = entries.indices.sorted { one, other in
      let (a, b) = (entries[one], entries[other])
      return (a.crossing.fraction, a.place.id, one) < (b.crossing.fraction, b.place.id, other)
    }
    let values = evaluate(order.map { AlertPolicy.Entry(entries[$0], speed: speed) })
    return zip(order, values).sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension AlertPolicy.Entry {
  fileprivate init(_ entry: EntryPolicy.Entry, speed: Double) {
    self.init(
      entry.place, timeMilliseconds: entry.crossing.timeMilliseconds, speedMetersPerSecond: speed)
  }
}

extension Fix {
  /// The accuracy in metres as the engine takes it: 0 if it is not stated or makes no sense.
  package var knownAccuracyMeters: Float {
    accuracyMeters > 0 && accuracyMeters.isFinite ? accuracyMeters : 0
  }

  /// The speed on the way here: the receiver's, else the one that the path implies.
  ///
  /// - Parameter last: The fix before, nil at the first.
  /// - Returns: Metres a second, NaN if neither is known.
  package func arrivalSpeedMetersPerSecond(from last: Fix?) -> Double {
    if !speedMetersPerSecond.isNaN { return Double(speedMetersPerSecond) }
    guard let last, let start = last.timeMilliseconds, let end = timeMilliseconds, end > start
    else { return .nan }
    return Geodesic.distanceMeters(last.coordinate, coordinate) * 1000 / Double(end - start)
  }
}
