/// What the notification policy made of an enter that it let pass.
public struct Alert: Sendable {
  /// When the notification is delivered, in milliseconds since 1970-01-01T00:00:00Z: the enter's
  /// time, or later when it was staggered; nil when the track has no time.
  public var deliveryMilliseconds: Int64?
  /// Ids of the other places at the same spot that this alert speaks for.
  public var group: [String]

  /// Makes an alert of its delivery time and the places that it speaks for besides its own.
  public init(deliveryMilliseconds: Int64?, group: [String] = []) {
    self.deliveryMilliseconds = deliveryMilliseconds
    self.group = group
  }
}
