public import FencepostGeodesy

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

  /// One crossing into a place's circle, with what the checks need to know.
  public struct Entry: Hashable, Sendable {
    /// The place's id.
    public var placeID: String
    /// When the place's validity begins, in milliseconds since 1970, or nil for always.
    public var publishedMilliseconds: Int64?
    /// The first instant at which the place is no longer valid, or nil for never.
    public var expiresMilliseconds: Int64?
    /// The place's priority: of entries at one moment the lowest number goes first.
    public var priority: Int
    /// The centre of the place's circle.
    public var center: Coordinate
    /// When the path entered, in milliseconds since 1970, or nil if unknown.
    public var timeMilliseconds: Int64?
    /// The speed at that moment in metres a second, NaN if unknown.
    public var speedMetersPerSecond: Double

    /// Makes an entry from its parts.
    public init(
      placeID: String, center: Coordinate, timeMilliseconds: Int64?,
      speedMetersPerSecond: Double = .nan, priority: Int = 0,
      publishedMilliseconds: Int64? = nil, expiresMilliseconds: Int64? = nil
    ) {
      self.placeID = placeID
      self.center = center
      self.timeMilliseconds = timeMilliseconds
      self.speedMetersPerSecond = speedMetersPerSecond
      self.priority = priority
      self.publishedMilliseconds = publishedMilliseconds
      self.expiresMilliseconds = expiresMilliseconds
    }
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
  /// - Returns: One decision for each entry, in the same order.
  /// - Complexity: O(n log n), and O(m²) in the m places that alert at one moment.
  public mutating func decide(_ entries: [Entry]) -> [AlertDecision] {
    evaluate(entries, explaining: false).map(\.decision)
  }

  /// Explains how ``decide(_:)`` would decide now, without deciding.
  ///
  /// - Returns: One explanation for each entry, in the same order.
  public func explain(_ entries: [Entry]) -> [AlertExplanation] {
    var copy = self
    return copy.evaluate(entries, explaining: true)
  }
}
