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
