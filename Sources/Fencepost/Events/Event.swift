/// Something that happened along a track.
public enum Event: Sendable {
  /// The path came into a monitored circle.
  case enter(Encounter)
  /// The path left a monitored circle.
  case exit(Encounter)
  /// The device stayed inside a monitored circle for as long as a dwell takes.
  case dwell(Encounter)
  /// An event that passed the notification policy, an enter unless another is chosen.
  case alert(Encounter, Alert)
  /// Such an event that the notification policy suppressed, and the name of the rule.
  case suppressed(Encounter, reason: String)
  /// A reminder whose circle was crossed fired; its id and title stand for a place's.
  case reminder(Encounter, edge: Edge)
  /// The store was asked for the nearest places.
  case refresh(RefreshEvent)
  /// The summary of a track, at its end.
  case summary(TrackSummary)

  /// Which way a path crossed an edge.
  public enum Edge: String, Sendable {
    /// It came into the circle.
    case enter
    /// It left the circle.
    case exit
  }
}
