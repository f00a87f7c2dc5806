/// An event along a track.
public enum Event: Codable, Equatable, Sendable {
  /// The path entered a watched circle.
  case enter(Encounter)
  /// The path left a watched circle.
  case exit(Encounter)
  /// The device stayed inside a watched circle for the dwell time.
  case dwell(Encounter)
  /// An event that caused an alert: an entry, unless another ``AlertTrigger`` is chosen.
  case alert(Encounter, Alert)
  /// An event that the alert rules held back, with the name of the rule.
  case suppressed(Encounter, reason: String)
  /// A reminder fired because its circle was crossed. The encounter has the reminder's id and
  /// title.
  case reminder(Encounter, edge: Edge)
  /// A lookup of the nearest places.
  case refresh(RefreshEvent)
  /// The summary at the end of a track.
  case summary(TrackSummary)

  /// The direction of a crossing.
  public enum Edge: String, Codable, Sendable {
    /// Into the circle.
    case enter
    /// Out of the circle.
    case exit
  }
}
