/// One thing a session has to say about a track, in the order in which it happened.
public enum Event: Sendable {
  /// The path came into a monitored circle.
  case enter(Encounter)
  /// The path left a monitored circle.
  case exit(Encounter)
  /// An enter that passed the notification policy.
  case alert(Encounter, Alert)
  /// An enter that the notification policy held back, and the word that names the rule.
  case suppressed(Encounter, reason: String)
  /// The store was asked for the nearest places.
  case refresh(RefreshEvent)
  /// The account of a whole track, at its end.
  case summary(TrackSummary)
}
