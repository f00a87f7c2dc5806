/// The kind of event that can cause an alert, in the order of events at one point of the path.
public enum AlertTrigger: String, CaseIterable, Sendable {
  /// The path entered the circle.
  case enter
  /// The device stayed inside for the dwell time.
  case dwell
  /// The path left the circle.
  case exit

  package var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension AlertTrigger: Codable {}
