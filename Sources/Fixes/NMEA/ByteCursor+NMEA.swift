import FencepostFormats

/// The comma-separated fields of an NMEA sentence, read from left to right.
extension ByteCursor {
  /// Goes behind the next comma; false, at the end, when there is none.
  mutating func skipField() -> Bool {
    skip(to: ",")
    return skip(",")
  }

  /// Goes behind the next `count` commas; false when there are fewer.
  mutating func skipFields(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard skipField() else { return false }
    }
    return true
  }

  /// Whether a field ends here.
  var isAtFieldEnd: Bool { isAtEnd || next == UInt8(ascii: ",") }

  /// Whether a sentence begins here with an address as the standard forms it: letters and digits, then a
  /// comma.
  var startsWithAddress: Bool {
    let letters: ClosedRange<UInt8> = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard count - index >= 6, letters.contains(next) else { return false }
    for offset in 1..<9 {
      let byte = self[index + offset]
      if byte == UInt8(ascii: ",") { return offset >= 4 }
      guard letters.contains(byte) || byte &- 0x30 <= 9 else { return false }
    }
    return false
  }

  // MARK: Numbers

  /// Reads an unsigned decimal field and its comma: NaN when the field is empty, nil when it holds
  /// anything else or no comma follows.
  mutating func number() -> Float? {
    if skip(",") { return .nan }
    guard next != UInt8(ascii: "-") else { return nil }
    let start = index
    if let value = decimal(), skip(",") { return Float(value) }
    index = start
    return longNumber()
  }

  /// As ``number()`` for fields of more than fifteen digits.
  private mutating func longNumber() -> Float? {
    let start = index
    while next &- 0x30 <= 9 || next == UInt8(ascii: ".") { index += 1 }
    let end = index
    guard end - start <= 31, skip(",") else { return nil }
    return withSpan(start..<end) { DecimalNumber.double(parsing: $0) }.map { Float($0) }
  }

  /// Reads a whole number of 1 to 7 digits and the comma behind it, if any; nil when the field holds
  /// anything else.
  mutating func wholeNumber() -> Int? {
    guard let number = digits(limit: 7), isAtFieldEnd else { return nil }
    _ = skip(",")
    return number.value
  }

  // MARK: Times

  /// Reads `hhmmss[.fff]` and the comma behind it, if any.
  ///
  /// Digits beyond the millisecond are dropped. Blanks before the time and anything behind its fraction
  /// are passed over, because some receivers write them.
  ///
  /// - Returns: Milliseconds since midnight; nil where the field holds no time.
  mutating func timeOfDay() -> Int32? {
    defer { _ = skipField() }
    while skip(" ") {}
    guard let time = digits(limit: 6), time.count == 6 else { return nil }
    let (hours, minutes, seconds) = (
      time.value / 10_000, time.value / 100 % 100, time.value % 100
    )
    // A leap second is written as second 60.
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    var milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000
    if skip(".") {
      var weight = 100
      while next &- 0x30 <= 9, weight > 0 {
        milliseconds += Int(next &- 0x30) * weight
        weight /= 10
        index += 1
      }
    }
    return Int32(milliseconds)
  }

  /// Reads `ddmmyy` without the comma behind it.
  ///
  /// - Returns: Days since 1970-01-01; nil where the field holds no day: receivers with a rolled-over week
  ///   number are known to write nonsense here beside a good position.
  mutating func date() -> Int32? {
    guard let date = digits(limit: 6), date.count == 6, isAtFieldEnd else { return nil }
    let year = date.value % 100
    return NMEACalendar.day(
      year: year < 80 ? 2000 + year : 1900 + year, month: date.value / 100 % 100,
      dayOfMonth: date.value / 10_000)
  }

  // MARK: Positions

  /// A position, and how finely it was written.
  struct Position {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// Decimals of the minutes of latitude.
    var decimals: Int
  }

  /// Reads the four fields of a position and the comma behind them, if any; passes over them where they
  /// hold no position.
  mutating func positionFields() -> Position? {
    let start = index
    if let position = position(), isAtFieldEnd {
      _ = skip(",")
      return position
    }
    index = start
    _ = skipFields(4)
    return nil
  }

  /// Reads `ddmm.mmm,N,dddmm.mmm,E` without what follows; nil where that is no position on Earth.
  mutating func position() -> Position? {
    guard let latitude = angle(degreeDigits: 2, positive: "N", negative: "S"),
      abs(latitude.degrees) <= 90, skip(","),
      let longitude = angle(degreeDigits: 3, positive: "E", negative: "W"),
      abs(longitude.degrees) <= 180
    else { return nil }
    return Position(
      latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees,
      decimals: latitude.decimals)
  }

  /// Reads degrees and minutes, the comma and the letter of the hemisphere.
  private mutating func angle(
    degreeDigits: Int, positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> (degrees: Double, decimals: Int)? {
    // Some receivers leave out leading zeros.
    guard let whole = digits(limit: degreeDigits + 2), whole.value % 100 < 60 else { return nil }
    var minutes = UInt64(whole.value / 100 * 60 + whole.value % 100)
    let decimals = skip(".") ? decimals(of: &minutes) : 0
    guard skip(",") else { return nil }
    // Both sides are whole numbers below 2^53, so that one division rounds once.
    let divisor = Int64(truncatingIfNeeded: 60 &* EightDigits.powerOfTen(decimals))
    let degrees = Double(Int64(truncatingIfNeeded: minutes)) / Double(divisor)
    if skip(positive) { return (degrees, decimals) }
    return skip(negative) ? (-degrees, decimals) : nil
  }

  /// Appends the digits that follow to a number, and returns how many these are; what a twelfth decimal of
  /// a minute adds is less than a nanometre, and is left out.
  private mutating func decimals(of number: inout UInt64) -> Int {
    let fraction = word(at: index)
    var count = EightDigits.leadingCount(fraction)
    guard count > 0 else { return 0 }
    number =
      number &* EightDigits.powerOfTen(count)
      &+ EightDigits.joined(EightDigits.values(fraction), length: count)
    index += count
    guard count == 8 else { return count }
    while next &- 0x30 <= 9 {
      if count < 11 {
        number = number &* 10 &+ UInt64(next &- 0x30)
        count += 1
      }
      index += 1
    }
    return count
  }
}
