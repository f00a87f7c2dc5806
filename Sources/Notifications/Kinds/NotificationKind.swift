/// A kind of notification, known by the prefix of its identifiers.
public struct NotificationKind: Hashable, Sendable {
  /// What it is called in reports, such as `habit`.
  public let name: String
  /// What all its identifiers begin with, such as `habit.`.
  public let prefix: String
  /// How important it is: the lower, the more.
  public let priority: Int

  /// Makes a kind of its parts.
  public init(name: String, prefix: String, priority: Int) {
    self.name = name
    self.prefix = prefix
    self.priority = priority
  }

  /// Priority of what a user has set up: dropping it breaks trust.
  public static let userSetPriority = 0
  /// Priority of what keeps new users.
  public static let retentionPriority = 1
  /// Priority of what keeps users active.
  public static let engagementPriority = 2
  /// Priority of what calls users back.
  public static let reengagementPriority = 3

  /// What identifiers without a registered prefix are: less important than anything known.
  public static let unknown = NotificationKind(name: "unknown", prefix: "", priority: 99)
}
