import FencepostFormats

/// The comma-separated fields of an NMEA sentence, read from left to right.
extension ByteCursor {
  /// Skips up to and including the next comma; false, at the end, if there is none.
  mutating func skipField() -> Bool {
    if next != UInt8(ascii: ",") { skip(to: ",") }
    return skip(",")
  }

  /// Skips as many fields with their commas; false if there are fewer.
  mutating func skipFields(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard skipField() else { return false }
    }
    return true
  }

  /// Whether a field ends here.
  var isAtFieldEnd: Bool { isAtEnd || next == UInt8(ascii: ",") }

  /// Whether a standard address follows: letters and digits, then a comma.
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

  /// Reads an unsigned decimal field and its comma: NaN if the field is empty, nil if it is not a number or
  /// no comma follows.
  @inline(__always)
  mutating func number() -> Float? {
    if skip(",") { return .nan }
    return usualNumber() ?? anyNumber()
  }

  /// A shortcut equal to ``anyNumber()`` for fields that fit into eight bytes with their comma; nil, without
  /// moving, for all others.
  @inline(__always)
  private mutating func usualNumber() -> Float? {
    let text = word(at: index)
    let point = EightDigits.leadingCount(text)
    var (digits, count, end) = (text, point, point)
    if byte(point, of: text) == UInt8(ascii: ".") {
      let front = (1 &<< UInt64(8 &* point)) &- 1 as UInt64
      digits = text & front | text &>> 8 & ~front
      count = EightDigits.leadingCount(digits)
      end = count &+ 1
    }
    guard count > 0, end < 8, byte(end, of: text) == UInt8(ascii: ",") else { return nil }
    index &+= end &+ 1
    let number = EightDigits.joined(EightDigits.values(digits), length: count)
    // Both are whole numbers below 2^24, so the division is the only rounding.
    return Float(Int32(truncatingIfNeeded: number))
      / Float(Int32(truncatingIfNeeded: EightDigits.powerOfTen(count &- point)))
  }

  private mutating func anyNumber() -> Float? {
    let start = index
    while next &- 0x30 <= 9 || next == UInt8(ascii: ".") { index += 1 }
    let end = index
    guard end - start <= 31, skip(",") else { return nil }
    return withSpan(start..<end) { DecimalNumber.double(parsing: $0) }.map { Float($0) }
  }

  /// Reads a whole number of 1 to 7 digits and the comma after it, if any; nil for any other field.
  mutating func wholeNumber() -> Int? {
    guard let number = digits(limit: 7), isAtFieldEnd else { return nil }
    _ = skip(",")
    return number.value
  }

  // MARK: Times

  /// Reads `hhmmss[.fff]` and the comma after it, if any.
  ///
  /// Digits beyond the millisecond are dropped. Blanks before the time and anything after its fraction are
  /// ignored, because some receivers write them.
  ///
  /// - Returns: Milliseconds since midnight, or nil if the field is not a time.
  @inline(__always)
  mutating func timeOfDay() -> Int32? {
    defer { _ = skipField() }
    while skip(" ") {}
    let text = word(at: index)
    guard EightDigits.leadingCount(text) == 6 else { return nil }
    index &+= 6
    let pairs = EightDigits.pairs(EightDigits.values(text))
    let (hours, minutes, seconds) = (Int32(pairs.0), Int32(pairs.1), Int32(pairs.2))
    // A leap second is written as second 60.
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    var milliseconds = ((hours &* 60 &+ minutes) &* 60 &+ seconds) &* 1000
    if skip(".") {
      var weight: Int32 = 100
      while next &- 0x30 <= 9, weight > 0 {
        milliseconds &+= Int32(next &- 0x30) &* weight
        weight /= 10
        index &+= 1
      }
    }
    return milliseconds
  }

  /// Reads `ddmmyy` without the comma after it.
  ///
  /// - Returns: Days since 1970-01-01, or nil if the field is not a date: after a week rollover, some
  ///   receivers write nonsense here next to a good position.
  mutating func date() -> Int32? {
    guard let date = digits(limit: 6), date.count == 6, isAtFieldEnd else { return nil }
    let year = date.value % 100
    return NMEACalendar.day(
      year: year < 80 ? 2000 + year : 1900 + year, month: date.value / 100 % 100,
      dayOfMonth: date.value / 10_000)
  }

  // MARK: Positions

  /// A position and its resolution.
  struct Position {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// How many decimals the minutes of latitude have.
    var decimals: Int
  }

  /// Reads the four fields of a position and the comma after them, if any; skips them if they are not a
  /// position.
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

  /// Reads `ddmm.mmm,N,dddmm.mmm,E`; nil if that is not a position on Earth.
  @inline(__always)
  mutating func position() -> Position? { usualPosition() ?? anyPosition() }

  private mutating func anyPosition() -> Position? {
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
    let degrees = Self.degrees(minutes, decimals: decimals)
    if skip(positive) { return (degrees, decimals) }
    return skip(negative) ? (-degrees, decimals) : nil
  }

  /// The degrees of a whole number of minutes and its decimals.
  @inline(__always)
  private static func degrees(_ minutes: UInt64, decimals: Int) -> Double {
    // Both are whole numbers below 2^53, so the division is the only rounding.
    let divisor = Int64(truncatingIfNeeded: 60 &* EightDigits.powerOfTen(decimals))
    return Double(Int64(truncatingIfNeeded: minutes)) / Double(divisor)
  }

  /// Appends the digits that follow to a number and returns their count, without those beyond the eleventh:
  /// a twelfth decimal of a minute is less than a nanometre.
  private mutating func decimals(of number: inout UInt64) -> Int {
    var count = 0
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

// MARK: The usual position

extension ByteCursor {
  /// A shortcut equal to ``anyPosition()`` for positions with all leading zeros and one to seven decimals, as
  /// nearly all receivers write them; nil, without moving, for all others.
  @inline(__always)
  private mutating func usualPosition() -> Position? {
    // The longest has 30 bytes, and eight are read from as far as its 28th on.
    guard count &- index >= 35,
      let latitude = usualAngle(
        at: index, degreeDigits: 2, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S")),
      abs(latitude.degrees) <= 90, self[latitude.end] == UInt8(ascii: ","),
      let longitude = usualAngle(
        at: latitude.end &+ 1, degreeDigits: 3, positive: UInt8(ascii: "E"),
        negative: UInt8(ascii: "W")),
      abs(longitude.degrees) <= 180
    else { return nil }
    index = longitude.end
    return Position(
      latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees,
      decimals: latitude.decimals)
  }

  @inline(__always)
  private func usualAngle(
    at start: Int, degreeDigits: Int, positive: UInt8, negative: UInt8
  ) -> (degrees: Double, decimals: Int, end: Int)? {
    let front = wholeWord(at: start)
    let point = degreeDigits &+ 2
    guard EightDigits.leadingCount(front) == point, byte(point, of: front) == UInt8(ascii: ".")
    else { return nil }
    let hundreds = degreeDigits == 3 ? front & 0xF : 0
    let pairs = EightDigits.pairs(EightDigits.values(front >> UInt64(8 &* (degreeDigits &- 2))))
    let fraction = wholeWord(at: start &+ point &+ 1)
    let decimals = EightDigits.leadingCount(fraction)
    guard pairs.1 < 60, 1...7 ~= decimals else { return nil }
    let minutes =
      ((hundreds &* 100 &+ UInt64(pairs.0)) &* 60 &+ UInt64(pairs.1))
      &* EightDigits.powerOfTen(decimals)
      &+ EightDigits.joined(EightDigits.values(fraction), length: decimals)
    let comma = start &+ point &+ 1 &+ decimals
    let hemisphere = self[comma &+ 1]
    let isNegative = hemisphere == negative
    guard self[comma] == UInt8(ascii: ","), isNegative || hemisphere == positive
    else { return nil }
    let degrees = Self.degrees(minutes, decimals: decimals)
    return (isNegative ? -degrees : degrees, decimals, comma &+ 2)
  }

  @inline(__always)
  private func byte(_ offset: Int, of word: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: word &>> UInt64(8 &* offset))
  }
}
