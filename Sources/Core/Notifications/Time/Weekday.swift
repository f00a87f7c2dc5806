/// A day of the week, numbered from 1 for Sunday, as in calendar components.
///
/// The numbers do not depend on the language or on the first day of the week.
public enum Weekday: Int, CaseIterable, Codable, Sendable, Comparable {
  /// Number 1.
  case sunday = 1
  /// Number 2.
  case monday
  /// Number 3.
  case tuesday
  /// Number 4.
  case wednesday
  /// Number 5.
  case thursday
  /// Number 6.
  case friday
  /// Number 7.
  case saturday

  /// The English name in lowercase, such as `monday`.
  public var name: String { "\(self)" }

  /// Reads an English name or its first three letters, ignoring case.
  public init?(_ text: String) {
    let word = text.lowercased()
    let match = Weekday.allCases.first { word == $0.name || word == $0.name.prefix(3) }
    guard let match else { return nil }
    self = match
  }

  /// The weekday of a day given as days since 1970-01-01.
  package init(daysSince1970 days: Int) { self = Weekday.thursday.advanced(byDays: days) }

  func advanced(byDays days: Int) -> Weekday {
    Weekday.allCases[(rawValue - 1 + days).remainderDown(by: 7)]
  }

  /// Whether the first day is earlier in a week that starts on Sunday.
  public static func < (first: Weekday, second: Weekday) -> Bool {
    first.rawValue < second.rawValue
  }
}
