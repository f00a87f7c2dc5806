/// One rule applied to one entry: what it looked at and what came of it.
public struct AlertCheck: Hashable, Sendable {
  /// The rules, in the order in which they are applied.
  public enum Rule: String, CaseIterable, Codable, Sendable {
    /// The place is valid at that time.
    case validity
    /// The time of day is not in the quiet hours.
    case quietHours = "quiet-hours"
    /// Nobody is driving, or was within the last two minutes.
    case driving
    /// The place has not alerted within the cool-down.
    case cooldown
    /// No other place at the same spot speaks for this one.
    case spot
    /// The second has room for another alert.
    case sameSecond = "same-second"
    /// A notification slot is free.
    case budget
  }

  /// What came of a rule.
  public enum Outcome: String, Codable, Sendable {
    /// The rule has nothing against the alert.
    case passed
    /// The rule suppressed the alert.
    case refused
    /// The rule has the alert shown later.
    case delayed
    /// The rule is off, or needs something that is not known.
    case notApplied = "not-applied"
    /// An earlier rule had refused.
    case notReached = "not-reached"
  }

  /// Something a rule looked at.
  public struct Input: Hashable, Sendable {
    /// What it is, in words of the glossary, such as `entered` or `last-alert`.
    public let name: String
    /// What it was.
    public let value: Value

    /// Makes an input of its name and value.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// A value a rule looked at, with its unit.
  public enum Value: Hashable, Sendable {
    /// An instant in milliseconds since 1970-01-01T00:00:00Z.
    case instant(Int64)
    /// A duration in seconds.
    case seconds(Double)
    /// A speed in metres a second.
    case metersPerSecond(Double)
    /// A distance in metres.
    case meters(Double)
    /// A number of things.
    case count(Int)
    /// A time on the local clock.
    case timeOfDay(TimeOfDay)
    /// The id of a place.
    case place(String)
    /// No limit, no end.
    case unlimited
    /// Not known, or never happened.
    case unknown
  }

  /// The rule.
  public let rule: Rule
  /// What came of it.
  public let outcome: Outcome
  /// What it looked at, in the order in which a sentence would name it; empty if not reached.
  public let inputs: [Input]
  /// Why it refused; nil if it did not.
  let reason: SuppressionReason?

  /// A rule that was applied, with the reason if it refused.
  init(
    _ rule: Rule, isApplied: Bool = true, refusing reason: SuppressionReason? = nil,
    inputs: [Input]
  ) {
    self.init(
      rule, reason != nil ? .refused : isApplied ? .passed : .notApplied, refusing: reason,
      inputs: inputs)
  }

  init(
    _ rule: Rule, _ outcome: Outcome, refusing reason: SuppressionReason? = nil,
    inputs: [Input] = []
  ) {
    self.rule = rule
    self.outcome = outcome
    self.reason = reason
    self.inputs = inputs
  }
}

extension AlertCheck.Value {
  static func instant(orUnknown milliseconds: Int64?) -> AlertCheck.Value {
    milliseconds.map { .instant($0) } ?? .unknown
  }

  static func instant(orUnlimited milliseconds: Int64?) -> AlertCheck.Value {
    milliseconds.map { .instant($0) } ?? .unlimited
  }
}
