/// Which event about a place's circle can become an alert.
public enum AlertTrigger: String, CaseIterable, Sendable {
  /// The path came in.
  case enter
  /// The device stayed for as long as a dwell takes.
  case dwell
  /// The path left.
  case exit
}
