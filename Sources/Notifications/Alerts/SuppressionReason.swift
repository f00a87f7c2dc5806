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
