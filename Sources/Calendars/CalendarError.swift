/// The reason a calendar file cannot be read.
package enum CalendarError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The bytes have no calendar.
  case notCalendar
  /// Components are nested more deeply than any calendar needs.
  case nestedTooDeep
  /// An event has no time, or one that is not a time.
  case badTime(uid: String, property: String, value: String)
  /// A recurrence rule is not a rule, or needs too many steps.
  case badRule(uid: String, rule: String)
  /// There are more reminders in the period than a report could show.
  case tooMany(Int)

  /// libical cannot be opened; the sentence names the package to install.
  case libraryMissing(String)

  private static func event(_ uid: String) -> String {
    uid.isEmpty ? "an event without a UID" : "event \(uid)"
  }

  /// The error as one sentence.
  package var description: String {
    switch self {
    case .notCalendar: "the file has no calendar; expected BEGIN:VCALENDAR"
    case .nestedTooDeep: "components are nested too deeply"
    case .badTime(let uid, let property, ""): "\(Self.event(uid)): no \(property) that is a time"
    case .badTime(let uid, let property, let value):
      "\(Self.event(uid)): \(property) must be a time, not \"\(value)\""
    case .badRule(let uid, let rule):
      "\(Self.event(uid)): the rule \"\(rule)\" cannot be followed"
    case .tooMany(let most):
      "more than \(most) reminders fall into the period; choose a shorter one"
    case .libraryMissing(let sentence): sentence
    }
  }
}
