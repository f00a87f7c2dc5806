/// A day of the proleptic Gregorian calendar, without a time zone.
///
/// It names no moment until a ``ClockZone`` says when its clocks show it.
public struct CivilDate: Hashable, Sendable {
  /// The astronomical year: 0 is 1 BC.
  public var year: Int
  /// The month, 1 … 12.
  public var month: Int
  /// The day of the month, 1 … 31.
  public var day: Int

  /// Creates a date without checking it.
  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date this many days after 1970-01-01; before it if negative.
  ///
  /// Eras of 400 years begin on March 1, so the leap day is the last of its year.
  ///
  /// The formulas here and in ``daysSince1970`` are Howard Hinnant's (chrono-Compatible Low-Level
  /// Date Algorithms).
  public init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01; negative before it.
  package var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Whether the month exists and has this day.
  package var isValid: Bool {
    (1...12).contains(month) && day >= 1 && day <= CivilDate.days(inMonth: month, ofYear: year)
  }

  /// Whether a year has 366 days.
  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days in a month; 31 if the month does not exist.
  public static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A number below 100 with a leading zero, as dates and times have it.
package func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
