/// The kind of event that can cause an alert, in the order of events at one point of the path.
///
/// A session chooses one of them; only events of that kind are given to the alert policy.
public enum AlertTrigger: String, CaseIterable, Sendable {
  /// The path entered the circle.
  case enter
  /// The device stayed inside for the dwell time.
  case dwell
  /// The path left the circle.
  case exit

  /// The place among events at one point: 0 for an entry, 1 for a dwell, 2 for an exit.
  package var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension AlertTrigger: Codable {}
