/// The result of one rule for one entry, with what the rule looked at.
package struct AlertCheck: Hashable, Sendable {
  /// The rules, in the order in which they apply.
  package enum Rule: String, CaseIterable, Codable, Sendable {
    case validity
    /// The time of day is outside the quiet hours.
    case quietHours = "quiet-hours"
    /// The device is not driving and was not within the last two minutes.
    case driving
    /// The place has not alerted within the cooldown.
    case cooldown
    /// No other place at the same position stands for this one.
    case spot
    /// The second has room for another alert.
    case sameSecond = "same-second"
    /// A notification slot is free.
    case budget
  }

  package enum Outcome: String, Codable, Sendable {
    case passed
    case refused
    case delayed
    /// The rule is off, or lacks a value that it needs.
    case notApplied = "not-applied"
    /// An earlier rule held the alert back.
    case notReached = "not-reached"
  }

  package struct Input: Hashable, Sendable {
    package let name: String
    package let value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  package enum Value: Hashable, Sendable {
    /// A time in milliseconds since 1970-01-01T00:00:00Z.
    case instant(Int64)
    case seconds(Double)
    case metersPerSecond(Double)
    case meters(Double)
    case count(Int)
    case timeOfDay(TimeOfDay)
    case place(String)
    /// No limit or no end.
    case unlimited
    /// Unknown, or never.
    case unknown
  }

  package let rule: Rule
  package let outcome: Outcome
  /// What the rule looked at, in the order to report it; empty if the rule was not reached.
  package let inputs: [Input]
  /// The reason for holding back; nil if the rule did not.
  let reason: SuppressionReason?

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
