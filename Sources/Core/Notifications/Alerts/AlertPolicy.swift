public import FencepostMonitoring
import FencepostTime

/// Decides which entries become alerts.
///
/// The policy has no clock; it takes entries in path order. The rules apply in the order of
/// ``SuppressionReason``, and the first refusal gives the reason. A held-back entry does not start a
/// cooldown, unless an alert that is shown stands for it.
///
/// Rules that need a time ignore entries without one. A known speed and ``Cooldown/forever`` count.
public struct AlertPolicy: Sendable {
  /// The rules.
  public let options: AlertOptions
  /// What the policy remembers; save it to continue with another policy.
  public internal(set) var state: State
  /// Whether entries keep the results of the rules, which takes longer than deciding.
  package var explains = false

  /// Creates a policy that continues from a state.
  public init(options: AlertOptions = AlertOptions(), state: State = State()) {
    self.options = options
    self.state = state
  }

  /// Records a speed, so that entries of the next two minutes can be held back as driving.
  ///
  /// Call this in path order, after ``decide(_:)`` for earlier entries. NaN means unknown.
  package mutating func observe(speedMetersPerSecond: Double, atMilliseconds milliseconds: Int64) {
    guard let limit = options.maxAlertSpeedMetersPerSecond, speedMetersPerSecond > limit else {
      return
    }
    state.drivingMilliseconds = milliseconds
  }

  /// Counts notifications of others, such as reminders, toward the limit of their seconds.
  ///
  /// Call this before ``decide(_:)``, once for each notification that can fire within a minute. The
  /// times are in milliseconds since 1970, in any order.
  package mutating func reserve(deliveriesAtMilliseconds times: [Int64]) {
    for time in times { state.insert(.init(enteredMilliseconds: time, deliveryMilliseconds: time)) }
  }

  /// Decides on entries in path order.
  ///
  /// Consecutive entries with the same time are decided together, and so are those without a time.
  /// Pass all entries with the same time in one call.
  ///
  /// - Parameter entries: The entries.
  /// - Returns: The entries with their decisions, in the same order.
  /// - Complexity: O(n log n), and O(m²) for m places that alert at the same time.
  public mutating func decide(_ entries: [AlertEntry]) -> [AlertEntry] {
    var entries = entries
    var start = 0
    while start < entries.count {
      let time = entries[start].timeMilliseconds
      let end = entries[start...].firstIndex { $0.timeMilliseconds != time } ?? entries.count
      decide(start..<end, of: &entries)
      start = end
    }
    return entries
  }

  /// What a policy remembers between entries; it can be saved as JSON.
  ///
  /// It holds the last alert of each place, the last time above the speed limit, and the deliveries
  /// of the current second and later. It grows with the number of places that have alerted.
  public struct State: Hashable, Sendable {
    /// The time of each place's last alert by place id; nil if that alert had no time.
    var alerted: [String: Int64?] = [:]
    /// When the speed was last above the limit.
    var drivingMilliseconds: Int64?
    /// The deliveries of the current second and later, sorted by delivery time.
    var deliveries: [Delivery] = []

    struct Delivery: Codable, Hashable, Sendable {
      var enteredMilliseconds: Int64
      var deliveryMilliseconds: Int64
    }

    /// Creates an empty state.
    public init() {}

    /// This state plus the alerts of a later one.
    ///
    /// Of a place in both, the later state's alert counts, and so do its speed and deliveries.
    package func merging(_ later: Self) -> Self {
      var merged = later
      for (id, last) in alerted where merged.alerted[id] == nil { merged.alerted[id] = .some(last) }
      return merged
    }

    /// The time of a place's last alert in milliseconds since 1970; nil if none or without a time.
    package func lastAlertMilliseconds(placeID: String) -> Int64? { alerted[placeID] ?? nil }

    /// The first time with room in its second, whole seconds after `milliseconds`.
    func deliveryMilliseconds(from milliseconds: Int64, limit: Int?) -> Int64 {
      guard let limit else { return milliseconds }
      var delivery = milliseconds
      var index = firstDelivery(atOrAfter: delivery.dividedDown(by: 1000) * 1000)
      while true {
        let secondEnd = (delivery.dividedDown(by: 1000) + 1) * 1000
        let first = index
        while index < deliveries.count, deliveries[index].deliveryMilliseconds < secondEnd {
          index += 1
        }
        if index - first < max(limit, 1) { return delivery }
        delivery += 1000
      }
    }

    func pendingCount(atMilliseconds milliseconds: Int64) -> Int {
      let first = firstDelivery(atOrAfter: milliseconds + 1)
      return deliveries[first...].count { $0.enteredMilliseconds <= milliseconds }
    }

    mutating func insert(_ delivery: Delivery) {
      deliveries.insert(delivery, at: firstDelivery(atOrAfter: delivery.deliveryMilliseconds + 1))
    }

    /// Forgets deliveries before the second of `milliseconds`.
    mutating func forgetDeliveries(before milliseconds: Int64) {
      let first = firstDelivery(atOrAfter: milliseconds.dividedDown(by: 1000) * 1000)
      if first > 0 { deliveries.removeFirst(first) }
    }

    private func firstDelivery(atOrAfter milliseconds: Int64) -> Int {
      deliveries.partitioningIndex { $0.deliveryMilliseconds >= milliseconds }
    }
  }
}

/// A crossing with its place, and the decision of the policy.
///
/// Create one for each crossing that may alert, and give it to ``AlertPolicy/decide(_:)``, which
/// returns it with its ``decision``.
public struct AlertEntry: Hashable, Sendable {
  /// The place; its id, position, priority and dates matter.
  public var place: Place
  /// The crossing; its time matters.
  public var crossing: Crossing
  /// The speed in meters per second; NaN if unknown.
  public var speedMetersPerSecond: Double
  /// The decision; before ``AlertPolicy/decide(_:)``, an alert at the time of the crossing.
  public internal(set) var decision: AlertDecision
  /// The result of every rule, in order; empty before the decision, and unless it is wanted.
  package internal(set) var checks: [AlertCheck] = []

  /// Creates an entry to decide on.
  public init(_ place: Place, _ crossing: Crossing, speedMetersPerSecond: Double = .nan) {
    self.place = place
    self.crossing = crossing
    self.speedMetersPerSecond = speedMetersPerSecond
    decision = .alert(deliveryMilliseconds: crossing.timeMilliseconds, group: [])
  }

  /// Creates an entry from its time in milliseconds since 1970; nil if unknown.
  public init(_ place: Place, timeMilliseconds: Int64?, speedMetersPerSecond: Double = .nan) {
    let crossing = Crossing(
      key: place.key, isEntry: true, coordinate: place.coordinate,
      timeMilliseconds: timeMilliseconds, fraction: 1, distanceMeters: 0)
    self.init(place, crossing, speedMetersPerSecond: speedMetersPerSecond)
  }

  /// Whether the entry alerts.
  public var isAlert: Bool { decision.suppressionReason == nil }

  var timeMilliseconds: Int64? { crossing.timeMilliseconds }
}

/// The decision on one entry.
///
/// An ``AlertPolicy`` makes it; reports and notifications show it.
public enum AlertDecision: Hashable, Sendable {
  /// The entry alerts.
  ///
  /// - Parameters:
  ///   - deliveryMilliseconds: When the alert appears: the time of the entry, or whole seconds
  ///     later if that second was full; nil if the entry has no time.
  ///   - group: The ids of the other places at the same position that this alert stands for.
  case alert(deliveryMilliseconds: Int64?, group: [String])
  /// The alert is held back.
  case suppressed(SuppressionReason)

  /// The reason for holding back; nil for an alert.
  public var suppressionReason: SuppressionReason? {
    switch self {
    case .alert: nil
    case .suppressed(let reason): reason
    }
  }
}

/// The reason an entry did not alert; event lines use the raw value.
public enum SuppressionReason: String, CaseIterable, Codable, Sendable {
  /// The story was not published yet.
  case notPublished = "not-published"
  /// The story had expired.
  case expired
  /// The time of day was within the quiet hours.
  case quietHours = "quiet-hours"
  /// The speed was above the limit, or had been within the last two minutes.
  case driving
  /// The place had alerted within the cooldown.
  case cooldown
  /// The alert of another place at the same position stands for this one.
  case grouped
  /// No notification slot was free.
  case budget
}
