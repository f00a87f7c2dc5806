/// Converts instants between ISO 8601 text and milliseconds since 1970-01-01T00:00:00Z.
///
/// It reads several forms and writes one, in UTC.
package enum ISO8601 {
  /// Parses an instant that takes up all of the bytes, as ASCII without surrounding blanks.
  ///
  /// The form is `YYYY-MM-DD`, optionally followed by `T`, `t` or one space and `hh:mm`, then
  /// seconds, a fraction of any length after `.` or `,`, and `Z`, `z` or an offset `±hh:mm`,
  /// `±hhmm` or `±hh`. Without an offset the time is UTC. A date alone means midnight. Fractions
  /// are rounded down to whole milliseconds. 24:00:00 is midnight of the next day, and second 60 is
  /// the start of the next minute.
  ///
  /// - Returns: Milliseconds since 1970-01-01T00:00:00Z, or nil for invalid text.
  package static func milliseconds(parsing bytes: Span<UInt8>) -> Int64? {
    var index = 0
    guard let days = scanDays(bytes, &index) else { return nil }
    let midnight = days * 86_400_000
    if index == bytes.count { return midnight }
    guard scanByte(bytes, &index, where: { $0 | 0x20 == UInt8(ascii: "t") || $0 == 0x20 }),
      let timeOfDay = scanTimeOfDay(bytes, &index),
      let offset = scanOffset(bytes, &index),
      index == bytes.count
    else { return nil }
    return midnight + timeOfDay - offset
  }

  /// Parses an instant; one that states no zone is a time on the clocks of a zone, if there is one.
  package static func milliseconds(parsing bytes: Span<UInt8>, by zone: ClockZone?) -> Int64? {
    guard let milliseconds = milliseconds(parsing: bytes) else { return nil }
    guard let zone, !statesZone(bytes) else { return milliseconds }
    return zone.milliseconds(readInUTC: milliseconds)
  }

  /// Whether a text that is an instant states a zone.
  package static func statesZone(_ bytes: Span<UInt8>) -> Bool {
    for index in 10..<max(10, bytes.count) {
      let byte = bytes[index]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      if isSign || byte | 0x20 == UInt8(ascii: "z") { return true }
    }
    return false
  }

  /// Parses an instant as ``milliseconds(parsing:)-(Span)`` does.
  package static func milliseconds(parsing text: String) -> Int64? {
    let bytes = ContiguousArray(text.utf8)
    return milliseconds(parsing: bytes.span)
  }

  /// Appends an instant in UTC, such as `2026-03-04T17:00:12.250Z`, in ASCII.
  ///
  /// Whole seconds have no fraction. Years outside 0 … 9999 have a sign and at least six digits.
  package static func append(milliseconds: Int64, to output: inout [UInt8]) {
    var (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    if rest < 0 {
      day -= 1
      rest += 86_400_000
    }
    let date = CivilDate(daysSince1970: Int(day))
    appendYear(date.year, to: &output)
    output.append(UInt8(ascii: "-"))
    append(twoDigits: date.month, to: &output)
    output.append(UInt8(ascii: "-"))
    append(twoDigits: date.day, to: &output)
    output.append(UInt8(ascii: "T"))
    let (seconds, fraction) = Int(rest).quotientAndRemainder(dividingBy: 1000)
    append(twoDigits: seconds / 3600, to: &output)
    output.append(UInt8(ascii: ":"))
    append(twoDigits: seconds / 60 % 60, to: &output)
    output.append(UInt8(ascii: ":"))
    append(twoDigits: seconds % 60, to: &output)
    if fraction != 0 {
      output += [UInt8(ascii: "."), UInt8(ascii: "0") + UInt8(fraction / 100)]
      append(twoDigits: fraction % 100, to: &output)
    }
    output.append(UInt8(ascii: "Z"))
  }

  /// Formats an instant as ``append(milliseconds:to:)`` does.
  package static func string(milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    append(milliseconds: milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func appendYear(_ year: Int, to output: inout [UInt8]) {
    let isLong = !(0...9999).contains(year)
    if isLong { output.append(UInt8(ascii: year < 0 ? "-" : "+")) }
    let digits = "\(abs(year))".utf8
    output += repeatElement(UInt8(ascii: "0"), count: max(0, (isLong ? 6 : 4) - digits.count))
    output += digits
  }

  private static func append(twoDigits value: Int, to output: inout [UInt8]) {
    output += [UInt8(ascii: "0") + UInt8(value / 10), UInt8(ascii: "0") + UInt8(value % 10)]
  }
}

// Each scanner reads one part at `index` and advances it, or returns nil if the part is invalid.
extension ISO8601 {
  /// `YYYY-MM-DD`, as days since 1970-01-01.
  private static func scanDays(_ bytes: Span<UInt8>, _ index: inout Int) -> Int64? {
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let century = scanTwoDigits(bytes, &index), let yearOfCentury = scanTwoDigits(bytes, &index)
    else { return nil }
    index = 5
    guard let month = scanTwoDigits(bytes, &index) else { return nil }
    index = 8
    guard let day = scanTwoDigits(bytes, &index) else { return nil }
    let date = CivilDate(year: century * 100 + yearOfCentury, month: month, day: day)
    return date.isValid ? Int64(date.daysSince1970) : nil
  }

  /// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff…`, as milliseconds since midnight.
  private static func scanTimeOfDay(_ bytes: Span<UInt8>, _ index: inout Int) -> Int64? {
    guard let hour = scanTwoDigits(bytes, &index), hour <= 24,
      scanByte(bytes, &index, where: { $0 == UInt8(ascii: ":") }),
      let minute = scanTwoDigits(bytes, &index), minute <= 59
    else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    if scanByte(bytes, &index, where: { $0 == UInt8(ascii: ":") }) {
      guard let second = scanTwoDigits(bytes, &index), second <= 60 else { return nil }
      milliseconds += second * 1000
      let isFraction = scanByte(
        bytes, &index, where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
      if isFraction {
        guard let fraction = scanFraction(bytes, &index) else { return nil }
        milliseconds += fraction
      }
    }
    return hour == 24 && milliseconds > 86_400_000 ? nil : Int64(milliseconds)
  }

  /// One or more digits after the decimal sign, as whole milliseconds.
  private static func scanFraction(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    var milliseconds = 0
    var weight = 100
    let start = index
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      milliseconds += Int(digit) * weight
      weight /= 10
      index += 1
    }
    return index > start ? milliseconds : nil
  }

  /// `Z`, `±hh:mm`, `±hhmm`, `±hh` or nothing, as milliseconds east of Greenwich.
  private static func scanOffset(_ bytes: Span<UInt8>, _ index: inout Int) -> Int64? {
    guard index < bytes.count else { return 0 }
    let sign = bytes[index]
    index += 1
    if sign | 0x20 == UInt8(ascii: "z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = scanTwoDigits(bytes, &index), hours <= 23
    else { return nil }
    var minutes = 0
    if index < bytes.count {
      _ = scanByte(bytes, &index, where: { $0 == UInt8(ascii: ":") })
      guard let scanned = scanTwoDigits(bytes, &index), scanned <= 59 else { return nil }
      minutes = scanned
    }
    let milliseconds = Int64((hours * 60 + minutes) * 60_000)
    return sign == UInt8(ascii: "-") ? -milliseconds : milliseconds
  }

  private static func scanTwoDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    guard index + 1 < bytes.count else { return nil }
    let tens = bytes[index] &- UInt8(ascii: "0")
    let ones = bytes[index + 1] &- UInt8(ascii: "0")
    guard tens <= 9, ones <= 9 else { return nil }
    index += 2
    return Int(tens) * 10 + Int(ones)
  }

  private static func scanByte(
    _ bytes: Span<UInt8>, _ index: inout Int, where isWanted: (UInt8) -> Bool
  ) -> Bool {
    guard index < bytes.count, isWanted(bytes[index]) else { return false }
    index += 1
    return true
  }
}
