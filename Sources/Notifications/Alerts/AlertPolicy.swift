public import Geodesy

/// Decides which enters alert: a value, fed with enters in path order, that knows no clock.
///
/// Each enter passes these checks in this order, and the first that refuses it gives the reason:
/// the place is valid at that time; quiet hours; driving; cool-down; places at one spot become one
/// alert; the same-second limit, which delays and never refuses; the notification budget.
/// A suppressed enter does not use up the place's cool-down, except one that is carried in the
/// group of an alert that is shown.
///
/// Rules about time do not apply to enters without time: validity, quiet hours, the two minutes
/// after driving, cool-downs of a length, and the same-second limit. A speed that is known counts
/// nevertheless, and ``Cooldown/forever`` still means once.
public struct AlertPolicy: Sendable {
  /// The rules in force.
  public let options: Options
  /// What the policy remembers; it can be saved and given to another policy, which then continues.
  public internal(set) var state: State

  /// Makes a policy of its rules, and of what an earlier one remembered.
  public init(options: Options = Options(), state: State = State()) {
    self.options = options
    self.state = state
  }

  /// One crossing into a place's circle, with what the checks need to know.
  public struct Enter: Equatable, Sendable {
    /// The place's id.
    public var placeID: String
    /// When the place's validity begins, in milliseconds since 1970, or nil for always.
    public var publishedMilliseconds: Int64?
    /// The first instant at which the place is not valid any more, or nil for never.
    public var expiresMilliseconds: Int64?
    /// The place's priority: of enters at one moment the lowest number goes first.
    public var priority: Int
    /// The centre of the place's circle.
    public var center: Coordinate
    /// When the path entered, in milliseconds since 1970, or nil where that is not known.
    public var timeMilliseconds: Int64?
    /// The speed at that moment in metres a second, NaN where it is not known.
    public var speedMetersPerSecond: Double

    /// Makes an enter of its parts.
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

  /// Takes note of a speed, so that enters of the next two minutes can be refused as driving.
  ///
  /// To be called in path order with the enters: after ``decide(_:)->[AlertDecision]`` for those before this
  /// instant. It does nothing without a speed limit.
  ///
  /// - Parameters:
  ///   - speedMetersPerSecond: The speed in metres a second; NaN is unknown and says nothing.
  ///   - milliseconds: When, since 1970-01-01T00:00:00Z.
  public mutating func observe(speedMetersPerSecond: Double, atMilliseconds milliseconds: Int64) {
    guard let limit = options.maxAlertSpeedMetersPerSecond, speedMetersPerSecond > limit else {
      return
    }
    state.drivingMilliseconds = milliseconds
  }

  /// Decides about enters in path order.
  ///
  /// Enters that follow one another with the same time are one moment; so are those without time
  /// that come in one call. All enters of a moment must come in one call.
  ///
  /// - Returns: One decision for each enter, in the same order.
  /// - Complexity: O(n log n), and O(m²) in the m places that alert at one moment.
  public mutating func decide(_ enters: [Enter]) -> [AlertDecision] {
    evaluate(enters, explaining: false).map(\.decision)
  }

  /// Decides about an enter that is alone at its moment, as most are: the same as
  /// ``decide(_:)->[AlertDecision]`` of just this one, at a third of the cost.
  public mutating func decide(_ enter: Enter) -> AlertDecision {
    decideLone(enter)
  }

  /// Explains how ``decide(_:)->[AlertDecision]`` would decide now, without deciding.
  ///
  /// - Returns: One explanation for each enter, in the same order.
  public func explain(_ enters: [Enter]) -> [AlertExplanation] {
    var copy = self
    return copy.evaluate(enters, explaining: true)
  }
}
