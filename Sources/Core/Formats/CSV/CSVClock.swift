package import FencepostTime

/// Parses the times of a table's rows; some formats become clear only from several rows.
///
/// The first number above 12 shows whether 3/4/2026 is in March or April. The spread of the numbers
/// shows whether they are Unix times or Excel days. Hold rows back while ``isUndecided`` is true.
@usableFromInline
package struct CSVClock: Sendable {
  /// What the time columns hold.
  ///
  /// It decides what a number can mean.
  package enum Contents: Sendable {
    /// Times of a track; with `namesDate`, a column name suggests dates, perhaps Excel days.
    case times(hasDateColumn: Bool, namesDate: Bool)
    /// Calendar dates typed by hand.
    ///
    /// Each number is judged alone: an Excel day or a Unix time. Unix times in 1970 are rejected.
    case dates
  }

  /// What the time of a row is, as far as it is known.
  ///
  /// ``CSVClock/read(time:date:isUTC:)`` returns one for each row.
  package enum Reading {
    /// The row has no time.
    case empty
    /// Milliseconds since 1970-01-01T00:00:00Z.
    case moment(Int64)
    /// The text is not a time that is understood.
    case unreadable
    /// Later rows must decide; then ask ``resolve(_:)``.
    case waiting(Waiting)
  }

  /// A time that can mean several moments until later rows decide.
  ///
  /// Keep it with its row until ``CSVClock/isUndecided`` is false, then
  /// ``CSVClock/resolve(_:)`` it.
  package enum Waiting: Sendable {
    /// A date whose order is unknown, plus milliseconds since midnight.
    case ordered(first: Int, second: Int, year: Int, TimeOfDay)
    /// A number that may be a Unix time or Excel days.
    case number(Double)
  }

  /// Why rows are held back.
  ///
  /// A row that shows what the times mean ends the doubt.
  @usableFromInline
  package enum Doubt: Sendable {
    /// The day and the month cannot be told apart; with `isShortYear`, years have two digits.
    case order(isShortYear: Bool)
    /// Numbers may be Unix times or Excel days.
    case number
    /// No time could be read yet; with `lacksDate`, the first was a time of day alone.
    case unreadable(lacksDate: Bool)
  }

  /// Milliseconds after midnight, in UTC or, if the row states no zone, by the local clock.
  package struct TimeOfDay: Sendable {
    fileprivate var milliseconds: Int64
    fileprivate var isLocal: Bool
  }

  private enum NumberKind { case sinceEpoch, excelDays, digits }

  private let hasDateColumn: Bool
  private let namesDate: Bool
  private let hasDatesOnly: Bool
  /// The clock of times that state no zone; nil for UTC.
  private var local: ClockZone?
  /// Whether the day or the month comes first; nil until known.
  package private(set) var order: DateOrder?
  private var numberKind: NumberKind?
  private var firstNumber: Double?
  /// The date for times without one, in days since 1970; nil if unknown.
  private var day: Int?
  private var lastTimeOfDayMilliseconds: Int64 = 0
  /// Why rows are held back; nil if they are not.
  @usableFromInline package private(set) var doubt: Doubt?
  /// Whether any time has been read.
  package private(set) var hasRead = false
  /// Whether any row had text in its time field.
  package private(set) var hasSeen = false
  /// The year of the first number, as a Unix time, if hardly any track is from then.
  package private(set) var doubtfulYear: Int?
  /// Whether numbers of twelve digits are dates and times, such as 260304170000.
  package private(set) var readsTwelveDigits = false

  /// Days from Excel's epoch, 1899-12-30, to 1970-01-01.
  private static let excelEpochDays = 25569.0
  /// Excel days for 1970 … 2099.
  package static let excelDays = 25569.0..<73051.0
  /// January 1, 1980, in days since 1970.
  private static let day1980 = 3652
  /// One year in seconds: smaller numbers lie in 1970.
  private static let secondsOf1970 = 31_536_000.0

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - contents: What the columns hold.
  ///   - order: Whether the day or the month comes first; nil if unknown.
  ///   - startDay: The date of the first time, in days since 1970; nil if unknown.
  ///   - local: The clock of times that state no zone; nil for UTC.
  package init(
    _ contents: Contents, order: DateOrder?, startDay: Int? = nil, local: ClockZone? = nil
  ) {
    self.local = local
    switch contents {
    case .times(let hasDateColumn, let namesDate):
      (self.hasDateColumn, self.namesDate, hasDatesOnly) = (hasDateColumn, namesDate, false)
    case .dates: (hasDateColumn, namesDate, hasDatesOnly) = (false, true, true)
    }
    self.order = order
    day = startDay
  }

  /// Whether rows must still be held back.
  @inlinable
  package var isUndecided: Bool { doubt != nil }
  /// Whether a date has been read whose day and month cannot be told apart yet.
  package var awaitsOrder: Bool { if case .order = doubt { true } else { false } }

  /// Parses a row's trimmed fields; `date` is empty if there is no date column.
  ///
  /// With `isUTC`, a time that states no zone is in UTC, whatever the clock.
  package mutating func read(
    time: Span<UInt8>, date: Span<UInt8>, isUTC: Bool = false
  ) -> Reading {
    if isUTC, let clock = local {
      local = nil
      defer { local = clock }
      return read(time: time, date: date)
    }
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

  /// Adopts the order of day and month that another column has shown.
  package mutating func adopt(_ other: DateOrder?) {
    guard order == nil, let other else { return }
    order = other
    if case .order = doubt { doubt = nil }
  }

  /// Returns a held-back time once the format is known; nil if it turns out invalid.
  package func resolve(_ waiting: Waiting) -> Int64? {
    switch waiting {
    case .ordered(let first, let second, let year, let time):
      return day(first, second, year).map { moment(day: $0, time) }
    case .number(let number): return moment(of: number)
    }
  }

  // MARK: One column

  private mutating func read(_ text: Span<UInt8>) -> Reading {
    if let milliseconds = ISO8601.milliseconds(parsing: text, by: local) {
      return .moment(milliseconds)
    }
    if let number = CSVNumber.double(parsing: text) { return read(number, text) }
    guard let civil = CivilText(text) else { return .unreadable }
    return read(civil, timeOfDay: civil)
  }

  private mutating func read(_ date: CivilText, timeOfDay: CivilText) -> Reading {
    let timeOfDayMilliseconds = timeOfDay.timeOfDayMilliseconds ?? 0
    let offset = timeOfDay.offsetMilliseconds ?? date.offsetMilliseconds
    let time = TimeOfDay(
      milliseconds: timeOfDayMilliseconds - (offset ?? 0), isLocal: offset == nil)
    switch date.day {
    case .since1970(let day): return .moment(moment(day: day, time))
    case .ordered(let first, let second, let year, let isShortYear):
      return read(first, second, year, isShortYear: isShortYear, time)
    case nil:
      guard var day else { return .unreadable }
      // Going back by more than half a day means that midnight has passed.
      if timeOfDayMilliseconds + 43_200_000 < lastTimeOfDayMilliseconds { day += 1 }
      self.day = day
      lastTimeOfDayMilliseconds = timeOfDayMilliseconds
      return .moment(moment(day: day, time))
    }
  }

  private func moment(day: Int, _ time: TimeOfDay) -> Int64 {
    let milliseconds = Int64(day) * 86_400_000 + time.milliseconds
    guard let local, time.isLocal else { return milliseconds }
    return local.milliseconds(readInUTC: milliseconds)
  }

  private mutating func read(
    _ first: Int, _ second: Int, _ year: Int, isShortYear: Bool, _ time: TimeOfDay
  ) -> Reading {
    if order == nil, !isShortYear { order = order(first, second, year) }
    if order == nil, first != second || isShortYear {
      guard 1...31 ~= first, 1...31 ~= second, min(first, second) <= 12 else { return .unreadable }
      doubt = .order(isShortYear: isShortYear)
      return .waiting(.ordered(first: first, second: second, year: year, time))
    }
    if case .order = doubt, order != nil { doubt = nil }
    guard let day = day(first, second, year) else { return .unreadable }
    return .moment(moment(day: day, time))
  }

  /// The order a date reveals: by a number above 12, or by matching the known first day.
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
      if Self.isCompact(text) {
        guard let civil = CivilText(text), case .since1970(let day)? = civil.day,
          day >= Self.day1980
        else { return .unreadable }
        return read(civil, timeOfDay: civil)
      }
      numberKind = kind(of: number, text)
      if numberKind == .sinceEpoch, isOf1970 { return .unreadable }
    }
    // A column with other formats would not hold a number this small as a time.
    if numberKind == nil, hasRead, isOf1970 { return .unreadable }
    if numberKind == nil {
      numberKind = kind(of: number, text)
      readsTwelveDigits = numberKind == .digits && text.count == 12
    }
    guard let numberKind else {
      doubt = .number
      firstNumber = firstNumber ?? number
      return .waiting(.number(number))
    }
    if case .number = doubt { doubt = nil }
    if numberKind == .digits {
      let civil =
        readsTwelveDigits ? CivilText(twelveDigits: text, order: order) : CivilText(text)
      guard let civil, civil.day != nil else { return .unreadable }
      return read(civil, timeOfDay: civil)
    }
    guard let moment = moment(of: number) else { return .unreadable }
    if !hasRead, numberKind == .sinceEpoch {
      let year = isOf1970 ? 1970 : CivilDate(daysSince1970: Int(moment / 86_400_000)).year
      if !(1990...2040 ~= year) { doubtfulYear = year }
    }
    return .moment(moment)
  }

  /// Guesses what a column's numbers mean; nil if not clear yet.
  private func kind(of number: Double, _ text: Span<UInt8>) -> NumberKind? {
    if text.count == 14 || (text.count == 8 && namesDate),
      case .since1970(let day)? = CivilText(text)?.day, Self.day1980..<47482 ~= day
    {
      return .digits
    }
    if !hasDatesOnly, let civil = CivilText(twelveDigits: text, order: order),
      case .since1970(let day)? = civil.day, 10957..<40177 ~= day
    {
      // As milliseconds since 1970, such numbers would be before the year 1996.
      return .digits
    }
    guard Self.excelDays ~= number else { return .sinceEpoch }
    if namesDate { return .excelDays }
    // Unix times rarely have so many decimals, and 200 rows never fall within one second.
    if let firstNumber {
      return number == firstNumber
        ? nil : abs(number - firstNumber) < 0.005 ? .excelDays : .sinceEpoch
    }
    let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.firstIndex(of: UInt8(ascii: ","))
    return (point.map { text.count - $0 } ?? 0) > 4 ? nil : .sinceEpoch
  }

  /// Whether a calendar date can only be digits of a date, such as 20260304 or 20260304170000.
  ///
  /// As a time since 1970, such a number would be in a year that nobody means. Of twelve digits, those
  /// from 6 on are milliseconds since 1970 in 1989 … 2001.
  package static func isCompact(_ text: Span<UInt8>) -> Bool {
    let end = text.indices.first { text[$0] &- 0x30 > 9 } ?? text.count
    return end == 8 || end == 14 || end == 12 && text[0] < UInt8(ascii: "6")
  }

  // Inlined, because a call from what changes the clock would copy all of it for each row.
  @inline(__always)
  private func moment(of number: Double) -> Int64? {
    guard numberKind == .excelDays else { return EpochTime.milliseconds(inAnyUnit: number) }
    let milliseconds = EpochTime.milliseconds(
      rounding: (number - Self.excelEpochDays) * 86_400_000)
    guard let local else { return milliseconds }
    return milliseconds.map { local.milliseconds(readInUTC: $0) }
  }

  // MARK: Date and time apart

  private mutating func read(_ time: Span<UInt8>, _ date: Span<UInt8>) -> Reading {
    if time.isEmpty {
      if let milliseconds = ISO8601.milliseconds(parsing: date, by: local) {
        return .moment(milliseconds)
      }
      // A date without a time of day means midnight.
      return day(in: date).map { read($0, timeOfDay: $0) } ?? .unreadable
    }
    // The time field may include a date.
    if let milliseconds = ISO8601.milliseconds(parsing: time, by: local) {
      return .moment(milliseconds)
    }
    var timeOfDay = CivilText(time)
    if let timeOfDay, timeOfDay.day != nil { return read(timeOfDay, timeOfDay: timeOfDay) }
    if timeOfDay == nil {
      guard let number = CSVNumber.double(parsing: time) else { return .unreadable }
      if number >= 1e8 { return read(number, time) }
      // A fraction of a day, as in Excel. Otherwise the date field may hold the time too.
      timeOfDay = CivilText(fractionOfDay: number)
    }
    guard let civil = day(in: date) else { return .unreadable }
    guard let timeOfDay = timeOfDay ?? (civil.timeOfDayMilliseconds == nil ? nil : civil) else {
      return .unreadable
    }
    return read(civil, timeOfDay: timeOfDay)
  }

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
  /// Parses six digits as yymmdd, unless the day or the month is known to come first.
  fileprivate init?(sixDigits number: Int, order: DateOrder?) {
    let (first, second, third) = (number / 10_000, number / 100 % 100, number % 100)
    let (year, month, day) =
      switch order {
      case nil: (first, second, third)
      case .dayFirst?: (third, second, first)
      case .monthFirst?: (third, first, second)
      }
    // GPS time began in 1980.
    let date = CivilDate(year: year + (year < 80 ? 2000 : 1900), month: month, day: day)
    guard date.isValid else { return nil }
    self.init(day: .since1970(date.daysSince1970), timeOfDayMilliseconds: nil)
  }

  /// Parses yymmddhhmmss, unless the day or the month is known to come first.
  fileprivate init?(twelveDigits text: Span<UInt8>, order: DateOrder?) {
    guard text.count == 12, !text.indices.contains(where: { text[$0] &- 0x30 > 9 }),
      let date = DecimalNumber.double(parsing: text.extracting(0..<6)),
      let day = CivilText(sixDigits: Int(date), order: order),
      let time = CivilText(text.extracting(6..<12))?.timeOfDayMilliseconds
    else { return nil }
    self.init(day: day.day, timeOfDayMilliseconds: time)
  }

  /// Converts Excel days; the fraction is the time of day.
  fileprivate init(excelDays number: Double) {
    let days = number.rounded(.down)
    self.init(
      day: .since1970(Int(days) - 25569),
      timeOfDayMilliseconds: days == number ? nil : Int64(((number - days) * 86_400_000).rounded()))
  }

  /// Converts Excel's fraction of a day to a time of day; nil unless in 0 ..< 1.
  fileprivate init?(fractionOfDay number: Double) {
    guard 0..<1 ~= number else { return nil }
    self.init(day: nil, timeOfDayMilliseconds: Int64((number * 86_400_000).rounded()))
  }
}

/// Parses numbers as tables write them: with a decimal point or comma, or with a hemisphere.
///
/// A separator between thousands is not recognized.
package enum CSVNumber {
  /// Parses a number; a single comma counts as the decimal separator.
  package static func double(parsing text: Span<UInt8>) -> Double? {
    if let number = DecimalNumber.double(parsing: text) { return number }
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")), text.count <= 64 else { return nil }
    var bytes: ContiguousArray<UInt8> = []
    for index in text.indices { bytes.append(index == comma ? UInt8(ascii: ".") : text[index]) }
    return DecimalNumber.double(parsing: bytes.span)
  }

  /// Parses degrees, optionally with a hemisphere before or after: `39.5 N`.
  ///
  /// - Parameters:
  ///   - text: The text, trimmed.
  ///   - negative: The letter of the negative hemisphere, `S` or `W`.
  ///   - positive: The letter of the positive hemisphere, `N` or `E`.
  /// - Returns: The degrees, or nil if the text is not such a number.
  package static func degrees(
    parsing text: Span<UInt8>, negative: UInt8, positive: UInt8
  ) -> Double? {
    if let number = double(parsing: text) { return number }
    guard text.count >= 2, text.count <= 64 else { return nil }
    var (start, end) = (0, text.count)
    var letter: UInt8 = 0
    for (index, isFirst) in [(0, true), (text.count - 1, false)] {
      let capital = text[index] & 0xDF
      guard letter == 0, capital == negative || capital == positive else { continue }
      letter = capital
      if isFirst { start = 1 } else { end -= 1 }
    }
    // A degree sign and spaces may separate number and letter.
    while start < end, text[start] == 0x20 { start += 1 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    if end - start > 2, text[end - 2] == 0xC2, text[end - 1] == 0xB0 { end -= 2 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    guard start < end, let number = double(parsing: text.extracting(start..<end)) else {
      return nil
    }
    return letter == negative ? -abs(number) : number
  }
}
