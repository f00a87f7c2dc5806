/// A kind of notification, recognised by the prefix of its identifiers.
public struct NotificationKind: Hashable, Codable, Sendable {
  /// The name in reports, such as `habit`.
  public let name: String
  /// The beginning of its identifiers, such as `habit.`.
  public let prefix: String
  /// The importance; lower numbers are more important.
  public let priority: Int

  /// Makes a kind of its parts.
  public init(name: String, prefix: String, priority: Int) {
    self.name = name
    self.prefix = prefix
    self.priority = priority
  }

  /// For notifications that a user has set up: dropping them breaks trust.
  public static let userSetPriority = 0
  /// For notifications that keep new users.
  public static let retentionPriority = 1
  /// For notifications that keep users active.
  public static let engagementPriority = 2
  /// For notifications that bring users back.
  public static let reengagementPriority = 3

  /// The kind of identifiers without a registered prefix, less important than any other.
  public static let unknown = NotificationKind(name: "unknown", prefix: "", priority: 99)
}
