/// The alert of an entry.
public struct Alert: Codable, Equatable, Sendable {
  /// When the notification appears, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The time of the entry, or later if alerts are staggered; nil if the track has no times.
  public var deliveryMilliseconds: Int64?
  /// The ids of the other places at the same position that this alert covers.
  public var group: [String]

  /// Creates an alert.
  package init(deliveryMilliseconds: Int64?, group: [String] = []) {
    self.deliveryMilliseconds = deliveryMilliseconds
    self.group = group
  }
}
