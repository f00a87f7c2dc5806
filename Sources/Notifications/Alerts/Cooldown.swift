/// How long a place that has alerted stays silent.
public enum Cooldown: Hashable, Codable, Sendable {
  /// A place may alert at every entry.
  case none
  /// A place alerts again when this many seconds have passed since its last alert.
  ///
  /// A period has no meaning without time: it does not apply to entries that have none.
  case seconds(Int64)
  /// A place alerts once for as long as the policy's state is kept, also where entries have no time.
  ///
  /// With a fresh state for each track that is once a track.
  case forever

  /// A cool-down of whole days of 86,400 seconds.
  public static func days(_ count: Int64) -> Cooldown {
    .seconds(count * 86_400)
  }
}
