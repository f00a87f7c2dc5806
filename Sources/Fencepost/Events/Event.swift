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
  /// The path crossed the circle of a reminder, whose id and title stand for the place's, and it fired.
  case reminder(Encounter, edge: Edge)
  /// The store was asked for the nearest places.
  case refresh(RefreshEvent)
  /// The account of a whole track, at its end.
  case summary(TrackSummary)

  /// Which way a path crossed an edge.
  public enum Edge: String, Sendable {
    /// It came into the circle.
    case enter
    /// It left the circle.
    case exit
  }
}
