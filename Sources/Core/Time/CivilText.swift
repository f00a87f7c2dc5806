/// A date, a time of day, or both, as people and spreadsheets write them.
///
/// Reads the dates `2026-03-04`, `2026/3/4`, `20260304`, `4.3.2026` and `4-Mar-2026`, and the
/// ambiguous `3/4/2026` and `3-4-2026`. A time of day has hours and minutes, optionally seconds, a
/// fraction, AM or PM, and a zone: `Z`, `UTC`, `GMT` or an offset. `T`, a comma or blanks come
/// between the two. Also reads `170000` and `20260304170000`, and a day of the week before a date.
package struct CivilText {
  /// The day, if the order of its numbers is known.
  ///
  /// In a table, other rows can decide the order.
  package enum Day: Equatable {
    /// Days since 1970-01-01.
    case since1970(Int)
    /// Day and month in unknown order, with two-digit years expanded to four.
    case ordered(first: Int, second: Int, year: Int, isShortYear: Bool)
  }

  /// The day; nil for a time of day alone.
  package private(set) var day: Day?
  /// Milliseconds since midnight, 0 … 86,400,000.
  package private(set) var timeOfDayMilliseconds: Int64?
  /// The offset east of UTC, or nil if the text has no zone.
  package private(set) var offsetMilliseconds: Int64?

  /// Creates a text that has been read already, without a zone.
  package init(day: Day?, timeOfDayMilliseconds: Int64?) {
    self.day = day
    self.timeOfDayMilliseconds = timeOfDayMilliseconds
  }

  /// Reads text without surrounding blanks, or returns nil if it is neither a date nor a time.
  package init?(_ text: Span<UInt8>) {
    guard text.count > 0, var cursor = CivilTextCursor(text) else { return nil }
    cursor.skipWeekday()
    let isRead = cursor.isAtTimeOfDay ? scanTimeOfDay(&cursor) : scanDate(&cursor)
    guard isRead, cursor.isAtEnd else { return nil }
  }

  // MARK: Dates

  private mutating func scanDate(_ cursor: inout CivilTextCursor) -> Bool {
    guard let first = cursor.digits() else { return false }
    if first.count == 14 || first.count == 8 {
      let rest = first.count == 14 ? 1_000_000 : 1
      let date = first.value / rest
      guard setDay(year: date / 10_000, month: date / 100 % 100, day: date % 100) else {
        return false
      }
      if first.count == 14 {
        guard setCompactTime(first.value % rest), scanFraction(&cursor) else { return false }
        return scanZone(&cursor) && isTimeOfDay
      }
    } else {
      guard scanDividedDate(first, &cursor) else { return false }
    }
    guard !cursor.isAtEnd else { return true }
    let start = cursor.index
    if !cursor.skip(anyOf: "Tt") {
      _ = cursor.skip(anyOf: ",")
      cursor.skipBlanks()
    }
    return cursor.index > start && scanTimeOfDay(&cursor)
  }

  /// Reads what follows the first number of a date such as `2026-03-04`.
  private mutating func scanDividedDate(
    _ first: (value: Int, count: Int), _ cursor: inout CivilTextCursor
  ) -> Bool {
    let mark = cursor.next
    guard first.count <= 4, cursor.skip(anyOf: "-/. ") else { return false }
    if let month = cursor.month() {
      guard first.count <= 2, cursor.skip(anyOf: "-/. "), let year = cursor.digits(),
        year.count == 4
      else { return false }
      return setDay(year: year.value, month: month, day: first.value)
    }
    guard mark != 0x20, let second = cursor.digits(), second.count <= 2,
      cursor.next == mark
    else { return false }
    cursor.index += 1
    guard let third = cursor.digits() else { return false }
    if first.count == 4 {
      return third.count <= 2
        && setDay(year: first.value, month: second.value, day: third.value)
    }
    guard first.count <= 2, third.count == 4 || third.count == 2 else { return false }
    // Two-digit years start in 1980, when GPS began.
    let year = third.value + (third.count == 4 ? 0 : third.value < 80 ? 2000 : 1900)
    if mark == UInt8(ascii: ".") {
      return setDay(year: year, month: second.value, day: first.value)
    }
    day = .ordered(
      first: first.value, second: second.value, year: year, isShortYear: third.count == 2)
    return true
  }

  private mutating func setDay(year: Int, month: Int, day: Int) -> Bool {
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid else { return false }
    self.day = .since1970(date.daysSince1970)
    return true
  }

  // MARK: Times of day

  private mutating func scanTimeOfDay(_ cursor: inout CivilTextCursor) -> Bool {
    guard let hours = cursor.digits() else { return false }
    var hasSeconds = hours.count == 6
    if hours.count == 6 {
      guard setCompactTime(hours.value) else { return false }
    } else {
      guard hours.count <= 2, cursor.skip(anyOf: ":"), let minutes = cursor.digits(),
        minutes.count == 2, minutes.value < 60
      else { return false }
      var seconds = 0
      if cursor.skip(anyOf: ":") {
        guard let digits = cursor.digits(), digits.count == 2, digits.value <= 60 else {
          return false
        }
        seconds = digits.value
        hasSeconds = true
      }
      timeOfDayMilliseconds = Int64(((hours.value * 60 + minutes.value) * 60 + seconds) * 1000)
    }
    return (!hasSeconds || scanFraction(&cursor))
      && scanHalf(&cursor, hour: hours) && scanZone(&cursor)
      && isTimeOfDay
  }

  private var isTimeOfDay: Bool { 0...86_400_000 ~= timeOfDayMilliseconds ?? 0 }

  private mutating func setCompactTime(_ value: Int) -> Bool {
    let (hours, minutes, seconds) = (value / 10_000, value / 100 % 100, value % 100)
    guard hours <= 24, minutes < 60, seconds <= 60 else { return false }
    timeOfDayMilliseconds = Int64(((hours * 60 + minutes) * 60 + seconds) * 1000)
    return true
  }

  /// Truncates the fraction to milliseconds.
  private mutating func scanFraction(_ cursor: inout CivilTextCursor) -> Bool {
    guard cursor.skip(anyOf: ".,") else { return true }
    let start = cursor.index
    var weight: Int64 = 100
    while cursor.next &- 0x30 <= 9 {
      timeOfDayMilliseconds? += Int64(cursor.next - 0x30) * weight
      weight /= 10
      cursor.index += 1
    }
    return cursor.index > start
  }

  /// Reads AM or PM, if it is there; 12 AM is midnight.
  private mutating func scanHalf(
    _ cursor: inout CivilTextCursor, hour: (value: Int, count: Int)
  ) -> Bool {
    let start = cursor.index
    cursor.skipBlanks()
    let letter = cursor.next
    guard cursor.skip(anyOf: "aApP") else {
      cursor.index = start
      return true
    }
    _ = cursor.skip(anyOf: ".")
    guard cursor.skip(anyOf: "mM"), hour.count <= 2, hour.value <= 12 else { return false }
    _ = cursor.skip(anyOf: ".")
    let isAfternoon = letter | 0x20 == UInt8(ascii: "p")
    if isAfternoon, hour.value < 12 { timeOfDayMilliseconds? += 43_200_000 }
    if !isAfternoon, hour.value == 12 { timeOfDayMilliseconds? -= 43_200_000 }
    return true
  }

  /// Reads a zone up to the end of the text; none at all is fine.
  private mutating func scanZone(_ cursor: inout CivilTextCursor) -> Bool {
    cursor.skipBlanks()
    guard !cursor.isAtEnd else { return true }
    let isNamed =
      cursor.skip(word: "utc") || cursor.skip(word: "gmt")
      || cursor.skip(word: "ut") || cursor.skip(word: "z")
    if isNamed { offsetMilliseconds = 0 }
    guard !cursor.isAtEnd else { return isNamed }
    let sign = cursor.next
    guard cursor.skip(anyOf: "+-"), let digits = cursor.digits() else { return false }
    var (hours, minutes) = (digits.value, 0)
    if digits.count == 4 {
      (hours, minutes) = (digits.value / 100, digits.value % 100)
    } else if cursor.skip(anyOf: ":") {
      guard let rest = cursor.digits(), rest.count == 2 else { return false }
      minutes = rest.value
    }
    guard digits.count <= 2 || digits.count == 4, hours <= 23, minutes <= 59 else { return false }
    let offset = Int64((hours * 60 + minutes) * 60_000)
    offsetMilliseconds = sign == UInt8(ascii: "-") ? -offset : offset
    return true
  }
}
