import FencepostTime
import FencepostFormats

/// A date, a time of day, or both, as people and spreadsheets write them.
///
/// Dates are `2026-03-04`, `2026/3/4`, `20260304`, `4.3.2026`, `4-Mar-2026`, and `3/4/2026` or
/// `3-4-2026`, which may mean two days. Times of day have hours and minutes, then perhaps seconds and
/// a fraction, AM or PM, and a zone: `Z`, `UTC`, `GMT` or an offset. `T`, a comma or blanks stand
/// between the two; digits alone are `170000` or `20260304170000`.
struct CivilText {
  /// A day, as far as the text tells it.
  enum Day: Equatable {
    /// Days since 1970-01-01.
    case since1970(Int)
    /// Day and month in one order or the other, of a year that may have two digits only.
    case ordered(first: Int, second: Int, year: Int, isShortYear: Bool)
  }

  /// Nil where the text tells no date.
  private(set) var day: Day?
  /// Since midnight, 0 … 86,400,000; nil where the text tells no time of day.
  private(set) var timeOfDayMilliseconds: Int64?
  /// How far the zone is east of Greenwich; nil where the text tells none.
  private(set) var offsetMilliseconds: Int64?

  /// Makes one of its parts.
  init(day: Day?, timeOfDayMilliseconds: Int64?) {
    self.day = day
    self.timeOfDayMilliseconds = timeOfDayMilliseconds
  }

  /// Reads a text without blanks about it; nil where it is neither date nor time.
  init?(_ text: Span<UInt8>) {
    guard text.count > 0, text.count <= 64 else { return nil }
    var scanner = Scanner()
    if scanner.isTimeOfDay(text) {
      guard scanTimeOfDay(&scanner, text) else { return nil }
    } else {
      guard let digits = scanner.digits(text) else { return nil }
      guard scanDate(digits, &scanner, text) else { return nil }
    }
    guard scanner.index == text.count else { return nil }
  }

  // MARK: Dates

  private mutating func scanDate(
    _ first: Scanner.Digits, _ scanner: inout Scanner, _ text: Span<UInt8>
  ) -> Bool {
    if first.count == 14 || first.count == 8 {
      let rest = first.count == 14 ? 1_000_000 : 1
      let date = first.value / rest
      guard setDay(year: date / 10_000, month: date / 100 % 100, day: date % 100) else {
        return false
      }
      if first.count == 14 {
        guard setCompactTime(first.value % rest) else { return false }
        return scanFraction(&scanner, text) && scanZone(&scanner, text)
      }
    } else {
      guard scanDividedDate(first, &scanner, text) else { return false }
    }
    guard scanner.index < text.count else { return true }
    let start = scanner.index
    if !scanner.skip(text, anyOf: "Tt") {
      _ = scanner.skip(text, anyOf: ",")
      scanner.skipBlanks(text)
    }
    return scanner.index > start && scanTimeOfDay(&scanner, text)
  }

  /// Reads what follows the first number of `2026-03-04` and the like.
  private mutating func scanDividedDate(
    _ first: Scanner.Digits, _ scanner: inout Scanner, _ text: Span<UInt8>
  ) -> Bool {
    guard first.count <= 4, let mark = scanner.byte(text), "-/. ".utf8.contains(mark) else {
      return false
    }
    scanner.index += 1
    if let month = scanner.month(text) {
      guard first.count <= 2, scanner.skip(text, anyOf: "-/. "), let year = scanner.digits(text),
        year.count == 4
      else { return false }
      return setDay(year: year.value, month: month, day: first.value)
    }
    guard mark != 0x20, let second = scanner.digits(text), second.count <= 2,
      scanner.byte(text) == mark
    else { return false }
    scanner.index += 1
    guard let third = scanner.digits(text) else { return false }
    if first.count == 4 {
      return third.count <= 2
        && setDay(year: first.value, month: second.value, day: third.value)
    }
    guard first.count <= 2, third.count == 4 || third.count == 2 else { return false }
    // Receivers of GPS tell no earlier year.
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

  private mutating func scanTimeOfDay(_ scanner: inout Scanner, _ text: Span<UInt8>) -> Bool {
    guard let hours = scanner.digits(text) else { return false }
    var hasSeconds = hours.count == 6
    if hours.count == 6 {
      guard setCompactTime(hours.value) else { return false }
    } else {
      guard hours.count <= 2, scanner.skip(text, anyOf: ":"), let minutes = scanner.digits(text),
        minutes.count == 2, minutes.value < 60
      else { return false }
      var seconds = 0
      if scanner.skip(text, anyOf: ":") {
        guard let digits = scanner.digits(text), digits.count == 2, digits.value <= 60 else {
          return false
        }
        seconds = digits.value
        hasSeconds = true
      }
      timeOfDayMilliseconds = Int64(((hours.value * 60 + minutes.value) * 60 + seconds) * 1000)
    }
    return (!hasSeconds || scanFraction(&scanner, text))
      && scanHalf(&scanner, text, hour: hours) && scanZone(&scanner, text)
      && 0...86_400_000 ~= (timeOfDayMilliseconds ?? 0)
  }

  private mutating func setCompactTime(_ value: Int) -> Bool {
    let (hours, minutes, seconds) = (value / 10_000, value / 100 % 100, value % 100)
    guard hours <= 24, minutes < 60, seconds <= 60 else { return false }
    timeOfDayMilliseconds = Int64(((hours * 60 + minutes) * 60 + seconds) * 1000)
    return true
  }

  /// Reads a fraction of seconds, if there is one; what is finer than a millisecond is cut off.
  private mutating func scanFraction(_ scanner: inout Scanner, _ text: Span<UInt8>) -> Bool {
    guard scanner.skip(text, anyOf: ".,") else { return true }
    let start = scanner.index
    var weight: Int64 = 100
    while let byte = scanner.byte(text), byte &- 0x30 <= 9 {
      timeOfDayMilliseconds? += Int64(byte - 0x30) * weight
      weight /= 10
      scanner.index += 1
    }
    return scanner.index > start
  }

  /// Reads AM or PM, if it is there.
  private mutating func scanHalf(
    _ scanner: inout Scanner, _ text: Span<UInt8>, hour: Scanner.Digits
  ) -> Bool {
    let start = scanner.index
    scanner.skipBlanks(text)
    guard let letter = scanner.byte(text), "aApP".utf8.contains(letter) else {
      scanner.index = start
      return true
    }
    scanner.index += 1
    _ = scanner.skip(text, anyOf: ".")
    guard scanner.skip(text, anyOf: "mM"), hour.count <= 2, hour.value <= 12 else { return false }
    _ = scanner.skip(text, anyOf: ".")
    let isAfternoon = letter | 0x20 == UInt8(ascii: "p")
    if isAfternoon, hour.value < 12 { timeOfDayMilliseconds? += 43_200_000 }
    if !isAfternoon, hour.value == 12 { timeOfDayMilliseconds? -= 43_200_000 }
    return true
  }

  /// Reads a zone, if there is one.
  private mutating func scanZone(_ scanner: inout Scanner, _ text: Span<UInt8>) -> Bool {
    scanner.skipBlanks(text)
    guard scanner.index < text.count else { return true }
    let isNamed =
      scanner.skip(text, word: "utc") || scanner.skip(text, word: "gmt")
      || scanner.skip(text, word: "ut") || scanner.skip(text, word: "z")
    if isNamed { offsetMilliseconds = 0 }
    guard let sign = scanner.byte(text) else { return isNamed }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    scanner.index += 1
    guard let digits = scanner.digits(text) else { return false }
    var (hours, minutes) = (digits.value, 0)
    if digits.count == 4 {
      (hours, minutes) = (digits.value / 100, digits.value % 100)
    } else if scanner.skip(text, anyOf: ":") {
      guard let rest = scanner.digits(text), rest.count == 2 else { return false }
      minutes = rest.value
    }
    guard digits.count <= 2 || digits.count == 4, hours <= 23, minutes <= 59 else { return false }
    let offset = Int64((hours * 60 + minutes) * 60_000)
    offsetMilliseconds = sign == UInt8(ascii: "-") ? -offset : offset
    return true
  }
}

extension CivilText {
  /// A place in a text, which is handed to every step.
  fileprivate struct Scanner {
    /// A run of digits.
    struct Digits {
      var value: Int
      var count: Int
    }

    var index = 0

    func byte(_ text: Span<UInt8>) -> UInt8? { index < text.count ? text[index] : nil }

    /// Reads one to eighteen digits; nil where there are none, or more.
    mutating func digits(_ text: Span<UInt8>) -> Digits? {
      var digits = Digits(value: 0, count: 0)
      while let byte = byte(text), byte &- 0x30 <= 9 {
        guard digits.count < 18 else { return nil }
        digits.value = digits.value * 10 + Int(byte - 0x30)
        digits.count += 1
        index += 1
      }
      return digits.count > 0 ? digits : nil
    }

    /// Whether a time of day begins the text: digits and a colon, or six digits.
    func isTimeOfDay(_ text: Span<UInt8>) -> Bool {
      var ahead = self
      guard let digits = ahead.digits(text) else { return false }
      return ahead.byte(text) == UInt8(ascii: ":") || digits.count == 6
    }

    /// Skips a byte if it is one of these.
    mutating func skip(_ text: Span<UInt8>, anyOf bytes: String) -> Bool {
      guard let byte = byte(text), bytes.utf8.contains(byte) else { return false }
      index += 1
      return true
    }

    /// Skips a word in whatever case.
    mutating func skip(_ text: Span<UInt8>, word: String) -> Bool {
      let length = word.utf8.count
      guard index + length <= text.count else { return false }
      for (offset, letter) in word.utf8.enumerated() where text[index + offset] | 0x20 != letter {
        return false
      }
      index += length
      return true
    }

    /// Skips blanks, also those that do not break and the narrow ones that browsers set before AM.
    mutating func skipBlanks(_ text: Span<UInt8>) {
      while let byte = byte(text) {
        if byte == 0x20 || byte == 0x09 {
          index += 1
        } else if byte == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 {
          index += 2
        } else if byte == 0xE2, index + 2 < text.count, text[index + 1] == 0x80,
          text[index + 2] == 0xAF
        {
          index += 3
        } else {
          return
        }
      }
    }

    private static let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]

    /// Reads the name of a month in English, whole or its first three letters.
    mutating func month(_ text: Span<UInt8>) -> Int? {
      var name = ""
      var end = index
      while end < text.count, 0x61...0x7A ~= text[end] | 0x20 {
        name.unicodeScalars.append(Unicode.Scalar(text[end] | 0x20))
        end += 1
      }
      let month = Self.months.firstIndex { $0 == name || $0.prefix(3) == name }
      guard let month else { return nil }
      index = end
      return month + 1
    }
  }
}
