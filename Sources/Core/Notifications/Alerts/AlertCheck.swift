/// The result of one rule for one entry, with what the rule looked at.
///
/// An ``AlertPolicy`` with ``AlertPolicy/explains`` makes one for each rule and keeps them in
/// ``AlertEntry/checks``. Reports that explain an alert print them.
package struct AlertCheck: Hashable, Sendable {
  /// The rules, in the order in which they apply.
  ///
  /// The first rule that refuses an entry decides. The raw value is the name in reports.
  package enum Rule: String, CaseIterable, Codable, Sendable {
    /// The story is published and has not expired.
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

  /// What a rule did to an entry; the raw value is the name in reports.
  package enum Outcome: String, Codable, Sendable {
    /// The rule let the entry through.
    case passed
    /// The rule held the alert back.
    case refused
    /// The alert is shown some seconds later; only the limit of a second delays.
    case delayed
    /// The rule is off, or lacks a value that it needs.
    case notApplied = "not-applied"
    /// An earlier rule held the alert back.
    case notReached = "not-reached"
  }

  /// One value that a rule looked at, such as the time of the last alert.
  ///
  /// A reader who compares the inputs of a rule can follow how it decided.
  package struct Input: Hashable, Sendable {
    /// The name in reports, in lowercase with hyphens, such as `last-alert`.
    package let name: String
    /// The value with its unit.
    package let value: Value

    /// Creates an input.
    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// A value that a rule looked at; its case says what the number or text means.
  package enum Value: Hashable, Sendable {
    /// A time in milliseconds since 1970-01-01T00:00:00Z.
    case instant(Int64)
    /// A duration in seconds.
    case seconds(Double)
    /// A speed in meters per second.
    case metersPerSecond(Double)
    /// A distance in meters.
    case meters(Double)
    /// A number of places or alerts.
    case count(Int)
    /// A time on the clock of the quiet hours.
    case timeOfDay(TimeOfDay)
    /// A place, by its id.
    case place(String)
    /// No limit or no end.
    case unlimited
    /// Unknown, or never.
    case unknown
  }

  /// The rule that was applied.
  package let rule: Rule
  /// What the rule did.
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
