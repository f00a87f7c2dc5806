/// What a notification says.
public struct NotificationContent: Hashable, Codable, Sendable {
  /// The first line.
  public var title: String
  /// The second line; empty for none.
  public var subtitle: String
  /// The text below; empty for none.
  public var body: String
  /// The category, which decides about the actions that are offered; empty for none.
  public var category: String

  /// Makes a content of its parts.
  public init(title: String, subtitle: String = "", body: String = "", category: String = "") {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.category = category
  }
}
