public import FencepostMonitoring

/// Decides which entries alert: a value without a clock that takes entries in path order.
///
/// Each entry passes these checks in this order, and the first one that refuses gives the reason:
/// the place is valid at that time; quiet hours; driving; cool-down; places at one spot become one
/// alert; the same-second limit, which delays and never refuses; the notification budget.
/// A suppressed entry does not use up the place's cool-down, except one that is carried in the
/// group of an alert that is shown.
///
/// Rules about time do not apply to entries without time: validity, quiet hours, the two minutes
/// after driving, cool-downs of a length, and the same-second limit. A known speed counts all the
/// same, and ``Cooldown/forever`` still means once.
public struct AlertPolicy: Sendable {
  /// The rules in force.
  public let options: Options
  /// What the policy remembers; it can be saved and given to another policy, which then continues.
  public internal(set) var state: State

  /// Makes a policy from its rules and what an earlier one remembered.
  public init(options: Options = Options(), state: State = State()) {
    self.options = options
    self.state = state
  }

  /// A crossing with its place, what the policy decided about it, and by which checks.
  public struct Entry: Hashable, Sendable {
    /// The place, of which the id, position, priority and validity count.
    public var place: Place
    /// The crossing, of which the time counts.
    public var crossing: Crossing
    /// The speed at that moment in metres a second, NaN if unknown.
    public var speedMetersPerSecond: Double
    /// The decision; before there is one, an alert at the time of the crossing.
    public internal(set) var decision: AlertDecision
    /// Every rule in order, once each; empty before the decision.
    public internal(set) var checks: [AlertCheck] = []

    /// Makes an entry to be decided about.
    public init(_ place: Place, _ crossing: Crossing, speedMetersPerSecond: Double = .nan) {
      self.place = place
      self.crossing = crossing
      self.speedMetersPerSecond = speedMetersPerSecond
      decision = .alert(deliveryMilliseconds: crossing.timeMilliseconds, group: [])
    }

    /// Makes an entry of which only the time is known, in milliseconds since 1970, if that.
    public init(_ place: Place, timeMilliseconds: Int64?, speedMetersPerSecond: Double = .nan) {
      let crossing = Crossing(
        key: place.key, isEnter: true, coordinate: place.coordinate,
        timeMilliseconds: timeMilliseconds, fraction: 1, distanceMeters: 0)
      self.init(place, crossing, speedMetersPerSecond: speedMetersPerSecond)
    }

    /// Whether it alerts.
    public var isAlert: Bool { decision.suppressionReason == nil }

    /// When the path entered, in milliseconds since 1970; nil if unknown.
    var timeMilliseconds: Int64? { crossing.timeMilliseconds }
  }

  /// Takes note of a speed, so that entries of the next two minutes can be refused as driving.
  ///
  /// Call it in path order with the entries: after ``decide(_:)`` for those before this instant. It
  /// does nothing without a speed limit.
  ///
  /// - Parameters:
  ///   - speedMetersPerSecond: The speed in metres a second; NaN, for unknown, changes nothing.
  ///   - milliseconds: When, since 1970-01-01T00:00:00Z.
  public mutating func observe(speedMetersPerSecond: Double, atMilliseconds milliseconds: Int64) {
    guard let limit = options.maxAlertSpeedMetersPerSecond, speedMetersPerSecond > limit else {
      return
    }
    state.drivingMilliseconds = milliseconds
  }

  /// Decides about entries in path order.
  ///
  /// Consecutive entries with the same time are one moment; so are those without time that come in
  /// one call. All entries of a moment must come in one call.
  ///
  /// - Parameter entries: The entries.
  /// - Returns: The entries with their decisions, in the same order.
  /// - Complexity: O(n log n), and O(m²) in the m places that alert at one moment.
  public mutating func decide(_ entries: [Entry]) -> [Entry] {
    var entries = entries
    var start = 0
    while start < entries.count {
      let time = entries[start].timeMilliseconds
      let end = entries[start...].firstIndex { $0.timeMilliseconds != time } ?? entries.count
      decideMoment(start..<end, of: &entries)
      start = end
    }
    return entries
  }
}

/// What became of one entry.
public enum AlertDecision: Hashable, Sendable {
  /// The entry alerts.
  ///
  /// - Parameters:
  ///   - deliveryMilliseconds: When the alert is shown: the entry's own time, or whole seconds
  ///     later where too many fell into one second; nil where the entry has no time.
  ///   - group: The ids of the other places at the same spot that this alert stands for too.
  case alert(deliveryMilliseconds: Int64?, group: [String])
  /// The entry does not alert, for the reason given.
  case suppressed(SuppressionReason)

  /// The reason of a suppressed entry, nil for an alert.
  public var suppressionReason: SuppressionReason? {
    switch self {
    case .alert: nil
    case .suppressed(let reason): reason
    }
  }
}

/// Why an entry did not become an alert of its own; the raw value is the word in event lines.
public enum SuppressionReason: String, CaseIterable, Codable, Sendable {
  /// The place's validity period had not begun.
  case notPublished = "not-published"
  /// The place's validity period was over.
  case expired
  /// The local time of day lay in the quiet hours.
  case quietHours = "quiet-hours"
  /// The speed was, or had been within the last two minutes, above the limit.
  case driving
  /// The place had alerted within the cool-down.
  case cooldown
  /// Another place at the same spot alerted at that moment and carries this one in its group.
  case grouped
  /// No notification slot was free.
  case budget
}
