package import FencepostTime

/// Reads the times of a table's rows, and decides what only several rows together show.
///
/// Most times are clear by themselves. The column as a whole decides whether 3/4/2026 is in March or April, by
/// the first number above 12; whether numbers count from 1970 or are Excel's days; and whether it has
/// readable times at all. While ``isUndecided`` is true, rows must be held back.
package struct CSVClock: Sendable {
  /// What the columns of a clock hold.
  package enum Contents: Sendable {
    /// The times of a track.
    ///
    /// - Parameters:
    ///   - hasDateColumn: Whether the date may be in a column of its own.
    ///   - namesDate: Whether a column's name suggests dates, which Excel may have written as numbers.
    case times(hasDateColumn: Bool, namesDate: Bool)
    /// Dates of the calendar, typed by people: each number shows by itself whether it is of Excel or counts
    /// from 1970, and one that would mean 1970 is no date.
    case dates
  }

  /// The time of a row.
  package enum Reading {
    /// The row has no time.
    case empty
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case moment(Int64)
    /// The text is not a readable time.
    case unreadable
    /// Later rows decide it; ``resolve(_:)`` then returns it.
    case waiting(Waiting)
  }

  /// A time that is not decided yet.
  package enum Waiting: Sendable {
    /// A date in an unknown order, and the milliseconds since its midnight.
    case ordered(first: Int, second: Int, year: Int, milliseconds: Int64)
    /// A number of days or of seconds.
    case number(Double)
  }

  /// Why the rows are held back.
  package enum Doubt: Sendable {
    case order(isShortYear: Bool)
    case number
    /// No time was readable so far; `lacksDate` if the first was a time of day without a date.
    case unreadable(lacksDate: Bool)
  }

  private enum NumberKind { case sinceEpoch, excelDays, digits }

  private let hasDateColumn: Bool
  private let namesDate: Bool
  private let hasDatesOnly: Bool
  /// Whether the day or the month comes first, once known.
  package private(set) var order: DateOrder?
  private var numberKind: NumberKind?
  private var firstNumber: Double?
  /// The day of times of day without a date, in days since 1970; nil if unknown.
  private var day: Int?
  private var lastTimeOfDayMilliseconds: Int64 = 0
  package private(set) var doubt: Doubt?
  /// Whether a time has been read.
  package private(set) var hasRead = false
  /// Whether a row has had something in place of its time.
  package private(set) var hasSeen = false
  /// Whether the first number is so small that it means 1970.
  package private(set) var countsFrom1970 = false

  /// Days from Excel's 1899-12-30 to 1970-01-01.
  private static let excelEpochDays = 25569.0
  /// Excel's days for 1970 … 2099.
  private static let excelDays = 25569.0..<73051.0
  /// Numbers below it, a year of seconds, mean 1970.
  private static let secondsOf1970 = 31_536_000.0

  /// Makes a clock for a table.
  ///
  /// - Parameters:
  ///   - contents: What its columns hold.
  ///   - order: The order of days and months, if known.
  ///   - startDay: The day of the first time, in days since 1970, if known.
  package init(_ contents: Contents, order: DateOrder?, startDay: Int? = nil) {
    switch contents {
    case .times(let hasDateColumn, let namesDate):
      (self.hasDateColumn, self.namesDate, hasDatesOnly) = (hasDateColumn, namesDate, false)
    case .dates: (hasDateColumn, namesDate, hasDatesOnly) = (false, true, true)
    }
    self.order = order
    day = startDay
  }

  /// Whether rows are waiting for a decision.
  package var isUndecided: Bool { doubt != nil }
  /// Whether it is not known yet if the day or the month comes first in a date that has been read.
  package var awaitsOrder: Bool { if case .order = doubt { true } else { false } }

  /// Reads a row's time.
  ///
  /// - Parameters:
  ///   - time: The field of the time, without blanks around it.
  ///   - date: The field of the date; empty without such a column.
  /// - Returns: The time, as far as it is decided.
  package mutating func read(time: Span<UInt8>, date: Span<UInt8>) -> Reading {
    if time.isEmpty, date.isEmpty { return .empty }
    hasSeen = true
    let reading = !hasDateColumn ? read(time) : read(time, date)
    switch reading {
    case .moment:
      hasRead = true
      if case .unreadable = doubt { doubt = nil }
    case .unreadable where !hasRead && doubt == nil:
      doubt = .unreadable(lacksDate: CivilText(time).map { $0.day == nil } ?? false)
    case .waiting, .empty, .unreadable: break
    }
    return reading
  }

  /// Takes the order of days and months that another column of the table has shown.
  package mutating func adopt(_ other: DateOrder?) {
    guard order == nil, let other else { return }
    order = other
    if case .order = doubt { doubt = nil }
  }

  /// The time of a row that had to wait, once it is decided; nil if there is no such time.
  package func resolve(_ waiting: Waiting) -> Int64? {
    switch waiting {
    case .ordered(let first, let second, let year, let milliseconds):
      guard let day = day(first, second, year) else { return nil }
      return Int64(day) * 86_400_000 + milliseconds
    case .number(let number): return moment(of: number)
    }
  }

  // MARK: One column

  private mutating func read(_ text: Span<UInt8>) -> Reading {
    if let milliseconds = ISO8601.milliseconds(parsing: text) { return .moment(milliseconds) }
    if let number = CSVNumber.double(parsing: text) { return read(number, text) }
    guard let civil = CivilText(text) else { return .unreadable }
    return read(civil, timeOfDay: civil)
  }

  /// Combines a date and a time of day, which may come from the same text.
  private mutating func read(_ date: CivilText, timeOfDay: CivilText) -> Reading {
    let timeOfDayMilliseconds = timeOfDay.timeOfDayMilliseconds ?? 0
    let offset = timeOfDay.offsetMilliseconds ?? date.offsetMilliseconds ?? 0
    let milliseconds = timeOfDayMilliseconds - offset
    switch date.day {
    case .since1970(let day): return .moment(Int64(day) * 86_400_000 + milliseconds)
    case .ordered(let first, let second, let year, let isShortYear):
      return read(first, second, year, isShortYear: isShortYear, milliseconds)
    case nil:
      guard var day else { return .unreadable }
      // The clock going back by more than half a day means that midnight has passed.
      if timeOfDayMilliseconds + 43_200_000 < lastTimeOfDayMilliseconds { day += 1 }
      self.day = day
      lastTimeOfDayMilliseconds = timeOfDayMilliseconds
      return .moment(Int64(day) * 86_400_000 + milliseconds)
    }
  }

  private mutating func read(
    _ first: Int, _ second: Int, _ year: Int, isShortYear: Bool, _ milliseconds: Int64
  ) -> Reading {
    if order == nil, !isShortYear { order = order(first, second, year) }
    if order == nil, first != second || isShortYear {
      guard 1...31 ~= first, 1...31 ~= second, min(first, second) <= 12 else { return .unreadable }
      doubt = .order(isShortYear: isShortYear)
      return .waiting(
        .ordered(first: first, second: second, year: year, milliseconds: milliseconds))
    }
    if case .order = doubt, order != nil { doubt = nil }
    guard let day = day(first, second, year) else { return .unreadable }
    return .moment(Int64(day) * 86_400_000 + milliseconds)
  }

  /// The order that a date shows, by a number above 12 or by the known day of the first fix.
  private func order(_ first: Int, _ second: Int, _ year: Int) -> DateOrder? {
    let dayFirst = CivilDate(year: year, month: second, day: first)
    let monthFirst = CivilDate(year: year, month: first, day: second)
    if dayFirst.isValid != monthFirst.isValid { return dayFirst.isValid ? .dayFirst : .monthFirst }
    guard let day, dayFirst.isValid, first != second else { return nil }
    if dayFirst.daysSince1970 == day { return .dayFirst }
    return monthFirst.daysSince1970 == day ? .monthFirst : nil
  }

  private func day(_ first: Int, _ second: Int, _ year: Int) -> Int? {
    let isDayFirst = order == .dayFirst
    let date = CivilDate(
      year: year, month: isDayFirst ? second : first, day: isDayFirst ? first : second)
    return date.isValid ? date.daysSince1970 : nil
  }

  // MARK: Numbers

  private mutating func read(_ number: Double, _ text: Span<UInt8>) -> Reading {
    let isOf1970 = abs(number) < Self.secondsOf1970
    if hasDatesOnly {
      numberKind = kind(of: number, text)
      if numberKind == .sinceEpoch, isOf1970 { return .unreadable }
    }
    // After times in other forms, so small a number is not a time.
    if numberKind == nil, hasRead, isOf1970 { return .unreadable }
    if numberKind == nil { numberKind = kind(of: number, text) }
    guard let numberKind else {
      doubt = .number
      firstNumber = firstNumber ?? number
      return .waiting(.number(number))
    }
    if case .number = doubt { doubt = nil }
    if numberKind == .digits {
      guard let civil = CivilText(text), civil.day != nil else { return .unreadable }
      return read(civil, timeOfDay: civil)
    }
    if !hasRead, numberKind == .sinceEpoch, isOf1970 { countsFrom1970 = true }
    return moment(of: number).map { .moment($0) } ?? .unreadable
  }

  /// The kind of a column's first numbers; nil if it is not clear yet.
  private func kind(of number: Double, _ text: Span<UInt8>) -> NumberKind? {
    if text.count == 14 || (text.count == 8 && namesDate),
      case .since1970(let day)? = CivilText(text)?.day, 3652..<47482 ~= day
    {
      return .digits
    }
    guard Self.excelDays ~= number else { return .sinceEpoch }
    if namesDate { return .excelDays }
    // Seconds hardly ever have so many decimals, and never 200 rows within one second.
    if let firstNumber {
      return number == firstNumber
        ? nil : abs(number - firstNumber) < 0.005 ? .excelDays : .sinceEpoch
    }
    let point =
      text.firstIndex(of: UInt8(ascii: "."), from: 0)
      ?? text.firstIndex(of: UInt8(ascii: ","), from: 0)
    return (point.map { text.count - $0 } ?? 0) > 4 ? nil : .sinceEpoch
  }

  private func moment(of number: Double) -> Int64? {
    numberKind == .excelDays
      ? EpochTime.milliseconds(rounding: (number - Self.excelEpochDays) * 86_400_000)
      : EpochTime.milliseconds(inAnyUnit: number)
  }

  // MARK: Date and time apart

  private mutating func read(_ time: Span<UInt8>, _ date: Span<UInt8>) -> Reading {
    if time.isEmpty { return read(dateAlone: date) }
    // A time may contain its own date.
    if let milliseconds = ISO8601.milliseconds(parsing: time) { return .moment(milliseconds) }
    var timeOfDay = CivilText(time)
    if let timeOfDay, timeOfDay.day != nil { return read(timeOfDay, timeOfDay: timeOfDay) }
    if timeOfDay == nil {
      guard let number = CSVNumber.double(parsing: time) else { return .unreadable }
      if number >= 1e8 { return read(number, time) }
      // A fraction of a day, as in Excel; or not a time, next to a date that contains one.
      timeOfDay = CivilText(fractionOfDay: number)
    }
    guard let civil = day(in: date) else { return .unreadable }
    guard let timeOfDay = timeOfDay ?? (civil.timeOfDayMilliseconds == nil ? nil : civil) else {
      return .unreadable
    }
    return read(civil, timeOfDay: timeOfDay)
  }

  /// Reads a date as its midnight, unless it contains a time of day.
  private mutating func read(dateAlone text: Span<UInt8>) -> Reading {
    if let milliseconds = ISO8601.milliseconds(parsing: text) { return .moment(milliseconds) }
    guard let civil = day(in: text) else { return .unreadable }
    return read(civil, timeOfDay: civil)
  }

  /// The date in a text, or nil.
  private func day(in text: Span<UInt8>) -> CivilText? {
    if text.count == 6, let number = DecimalNumber.double(parsing: text),
      let number = Int(exactly: number), number >= 0
    {
      return CivilText(sixDigits: number, order: order)
    }
    if let civil = CivilText(text), civil.day != nil { return civil }
    guard let number = CSVNumber.double(parsing: text), Self.excelDays ~= number else { return nil }
    return CivilText(excelDays: number)
  }
}

extension CivilText {
  /// Reads a date of six digits: yymmdd as loggers write it, unless the day or the month is known to come first.
  fileprivate init?(sixDigits number: Int, order: DateOrder?) {
    let (first, second, third) = (number / 10_000, number / 100 % 100, number % 100)
    let (year, month, day) =
      switch order {
      case nil: (first, second, third)
      case .dayFirst?: (third, second, first)
      case .monthFirst?: (third, first, second)
      }
    // GPS began in 1980.
    let date = CivilDate(year: year + (year < 80 ? 2000 : 1900), month: month, day: day)
    guard date.isValid else { return nil }
    self.init(day: .since1970(date.daysSince1970), timeOfDayMilliseconds: nil)
  }

  /// Reads Excel's number of days, whose fraction is the time of day.
  fileprivate init(excelDays number: Double) {
    let days = number.rounded(.down)
    self.init(
      day: .since1970(Int(days) - 25569),
      timeOfDayMilliseconds: days == number ? nil : Int64(((number - days) * 86_400_000).rounded()))
  }

  /// Reads Excel's fraction of a day as a time of day; nil unless 0 ..< 1.
  fileprivate init?(fractionOfDay number: Double) {
    guard 0..<1 ~= number else { return nil }
    self.init(day: nil, timeOfDayMilliseconds: Int64((number * 86_400_000).rounded()))
  }
}
