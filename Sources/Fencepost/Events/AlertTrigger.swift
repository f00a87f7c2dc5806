/// Which event about a place's circle can become an alert; in the order in which one point of the path has them.
public enum AlertTrigger: String, CaseIterable, Sendable {
  /// The path came in.
  case enter
  /// The device stayed for as long as a dwell takes.
  case dwell
  /// The path left.
  case exit

  /// The order of what one region has at one point of the path.
  package var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
