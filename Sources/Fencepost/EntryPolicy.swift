package import Fixes
import Geodesy
package import Monitoring
package import Notifications
package import Places

/// The notification policy as every session asks it: replay, live and analysis.
///
/// All entries on the way to one fix are decided in one call, in order along the path, whatever else
/// happens on the way, a refresh for instance: so that all of one moment are, as the policy demands,
/// and a phone that refreshes more often decides as one that does not.
package struct EntryPolicy {
  /// An entry that is to be decided.
  package struct Entry {
    /// How far along the path's last segment.
    package let fraction: Double
    /// What the policy is told, but for the speed.
    fileprivate let enter: AlertPolicy.Enter

    package init(place: Place, crossing: Crossing) {
      fraction = crossing.fraction
      enter = AlertPolicy.Enter(
        placeID: place.id, center: place.coordinate, timeMilliseconds: crossing.timeMilliseconds,
        priority: place.priority, publishedMilliseconds: place.publishedMilliseconds,
        expiresMilliseconds: place.expiresMilliseconds)
    }
  }

  package private(set) var policy: AlertPolicy
  /// Whether any rule asks how fast the device is.
  package let watchesSpeed: Bool

  package init(options: AlertPolicy.Options, state: AlertPolicy.State = AlertPolicy.State()) {
    policy = AlertPolicy(options: options, state: state)
    watchesSpeed = options.maxAlertSpeedMetersPerSecond != nil
  }

  /// Decides about all entries on the way to one fix.
  ///
  /// - Parameters:
  ///   - entries: The entries, in any order; ties along the path are decided by id.
  ///   - speed: The speed on the way in metres a second, NaN where it is not known.
  /// - Returns: A decision for each, in the order given.
  package mutating func decide(_ entries: [Entry], speed: Double) -> [AlertDecision] {
    guard entries.count > 1 else { return entries.map { decide($0, speed: speed) } }
    let order = Self.pathOrder(of: entries)
    let decisions = policy.decide(enters(order.map { entries[$0] }, speed))
    return Self.reordered(decisions, by: order)
  }

  /// Decides about the only entry on the way to one fix.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - speed: The speed on the way in metres a second, NaN where it is not known.
  /// - Returns: The decision.
  package mutating func decide(_ entry: Entry, speed: Double) -> AlertDecision {
    var enter = entry.enter
    enter.speedMetersPerSecond = speed
    return policy.decide(enter)
  }

  /// How ``decide(_:speed:)-([Entry],_)`` would decide now.
  package func explain(_ entries: [Entry], speed: Double) -> [AlertExplanation] {
    let order = Self.pathOrder(of: entries)
    let explanations = policy.explain(enters(order.map { entries[$0] }, speed))
    return Self.reordered(explanations, by: order)
  }

  /// Takes note of the speed at a fix, after the entries before it.
  package mutating func observe(speed: Double, atMilliseconds time: Int64?) {
    guard watchesSpeed, let time else { return }
    policy.observe(speedMetersPerSecond: speed, atMilliseconds: time)
  }

  private static func pathOrder(of entries: [Entry]) -> [Int] {
    entries.indices.sorted { one, other in
      let (a, b) = (entries[one], entries[other])
      if a.fraction != b.fraction { return a.fraction < b.fraction }
      return a.enter.placeID == b.enter.placeID ? one < other : a.enter.placeID < b.enter.placeID
    }
  }

  /// Puts what came of entries in path order back into the order in which they were given.
  private static func reordered<Value>(_ values: [Value], by order: [Int]) -> [Value] {
    zip(order, values).sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func enters(_ entries: [Entry], _ speed: Double) -> [AlertPolicy.Enter] {
    entries.map { entry in
      var enter = entry.enter
      enter.speedMetersPerSecond = speed
      return enter
    }
  }
}

extension Fix {
  /// The speed on the way here: what the receiver said, else what the path implies.
  ///
  /// - Parameter last: The fix before, nil at the first.
  /// - Returns: Metres a second, NaN where neither is known.
  package func arrivalSpeedMetersPerSecond(from last: Fix?) -> Double {
    if !speedMetersPerSecond.isNaN { return Double(speedMetersPerSecond) }
    guard let last, let start = last.timeMilliseconds, let end = timeMilliseconds, end > start
    else { return .nan }
    return Geodesic.distanceMeters(last.coordinate, coordinate) * 1000 / Double(end - start)
  }
}
