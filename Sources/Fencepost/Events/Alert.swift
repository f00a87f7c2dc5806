/// How an enter alerts.
public struct Alert: Sendable {
  /// When the notification is delivered, in milliseconds since 1970-01-01T00:00:00Z: the enter's
  /// time, or later if it was staggered; nil if the track has no times.
  public var deliveryMilliseconds: Int64?
  /// Ids of the other places at the same spot that this alert covers.
  public var group: [String]

  /// Makes an alert of its delivery time and the other places that it covers.
  public init(deliveryMilliseconds: Int64?, group: [String] = []) {
    self.deliveryMilliseconds = deliveryMilliseconds
    self.group = group
  }
}
