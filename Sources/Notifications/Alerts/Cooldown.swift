/// How long a place stays silent after it alerted.
public enum Cooldown: Hashable, Codable, Sendable {
  /// Every entry may alert.
  case none
  /// The place may alert again after this many seconds. Ignored for entries without a time.
  case seconds(Int64)
  /// The place alerts once for as long as the policy's state is kept, even without times.
  case forever

  /// A cooldown of days of 86,400 seconds.
  public static func days(_ count: Int64) -> Cooldown {
    .seconds(count * 86_400)
  }
}
