/// A day of the week, numbered as calendar components number it: Sunday 1 to Saturday 7.
///
/// The numbers and the names are a fixed table. A table that is built from the names of the
/// current language knows no Monday where people say Montag or Pazartesi.
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

  /// The English name in lower case, such as `monday`.
  public var name: String {
    switch self {
    case .sunday: "sunday"
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    }
  }

  /// Reads an English name or its first three letters, in any letter case.
  public init?(_ text: String) {
    let word = text.lowercased()
    let match = Weekday.allCases.first { word == $0.name || word == $0.name.prefix(3) }
    guard let match else { return nil }
    self = match
  }

  /// The weekday of a day counted from 1970-01-01, which was a Thursday.
  public init(daysSince1970 days: Int) {
    // Sunday comes first in the table, and day 0 is its fifth entry.
    let index = ((days + 4) % 7 + 7) % 7
    self = Weekday.allCases[index]
  }

  /// Whether the first comes earlier in a week that begins on Sunday.
  public static func < (first: Weekday, second: Weekday) -> Bool {
    first.rawValue < second.rawValue
  }
}
