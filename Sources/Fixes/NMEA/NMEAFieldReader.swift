/// Reads the comma-separated fields of one framed NMEA sentence, from left to right.
///
/// Safe to use on a sentence that `NMEADecoder` framed: the byte at `end` is no digit and no comma
/// and at least ``slackBytes`` bytes from `end` on are readable, so that a scan that only goes past
/// digits and commas stops there, and a read of eight bytes anywhere in the sentence is allowed.
@safe
struct NMEAFieldReader {
  /// How many bytes behind the end of a sentence must be readable.
  static var slackBytes: Int { 16 }

  /// What a number field held.
  enum Number {
    static var absent: Float { .nan }
    static var unreadable: Float { -.infinity }
  }

  /// What a time or date field held when it held no time or date.
  static var none: Int32 { -1 }

  private var address: UnsafeRawPointer
  private let end: UnsafeRawPointer

  @inline(__always)
  init(from address: UnsafeRawPointer, to end: UnsafeRawPointer) {
    unsafe self.address = address
    unsafe self.end = end
  }

  /// Bytes of the sentence not read yet.
  @inline(__always)
  var remainingCount: Int { unsafe end - address }

  /// The first eight bytes not read yet.
  @inline(__always)
  var head: EightBytes { word(0) }

  /// Goes behind the next `count` bytes, which the sentence must have.
  @inline(__always)
  mutating func skipBytes(_ count: Int) { advance(count) }

  /// The byte to be read next; the terminator when all are read.
  @inline(__always)
  var next: UInt8 { unsafe address.load(as: UInt8.self) }

  @inline(__always)
  private func byte(_ offset: Int) -> UInt8 {
    unsafe address.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  private func word(_ offset: Int) -> EightBytes { unsafe EightBytes(at: address + offset) }

  @inline(__always)
  private mutating func advance(_ count: Int) { unsafe address += count }

  /// Goes behind the comma that stands here; false, without a step, when none does.
  @inline(__always)
  mutating func skipComma() -> Bool {
    guard next == UInt8(ascii: ",") else { return false }
    advance(1)
    return true
  }

  /// Goes behind the next comma; false, at the end, when there is none.
  mutating func skipField() -> Bool {
    while unsafe address < end {
      if skipComma() { return true }
      advance(1)
    }
    return false
  }

  /// Whether the whole sentence is read.
  @inline(__always)
  var isAtEnd: Bool { remainingCount <= 0 }

  /// Whether an address stands here as the standard forms it: letters and digits, then a comma.
  var startsWithAddress: Bool {
    let letters: ClosedRange<UInt8> = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard remainingCount >= 6, letters.contains(next) else { return false }
    for offset in 1..<min(remainingCount, 9) {
      let byte = byte(offset)
      if byte == UInt8(ascii: ",") { return offset >= 4 }
      guard letters.contains(byte) || digit(offset) != nil else { return false }
    }
    return false
  }

  /// Goes behind the next `count` commas; false when there are fewer.
  mutating func skipFields(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard skipField() else { return false }
    }
    return true
  }

  /// Whether a field ends here.
  @inline(__always)
  var isAtFieldEnd: Bool { unsafe address >= end || next == UInt8(ascii: ",") }

  /// Commas between here and the end of the sentence.
  var remainingCommaCount: Int {
    var count = 0
    for offset in 0..<remainingCount where byte(offset) == UInt8(ascii: ",") { count += 1 }
    return count
  }
}

// MARK: Times and dates

extension NMEAFieldReader {
  /// A time of day as it was read last, with its bytes and the comma behind them.
  ///
  /// Most sentences repeat the time of the one before.
  struct TimeText {
    /// 8 ... 15.
    fileprivate var length = 8
    /// All ones, which no text is, while nothing is kept.
    fileprivate var first = UInt64.max
    fileprivate var last = UInt64.max
    fileprivate var milliseconds = none
  }

  /// Reads `hhmmss[.fff]` and the comma behind it, if any: milliseconds since midnight, or `none`.
  ///
  /// Digits beyond the millisecond are dropped. Blanks around the time and anything behind its
  /// fraction are passed over: receivers are known that write them.
  @inline(__always)
  mutating func timeOfDay(_ text: inout TimeText) -> Int32 {
    let length = text.length
    let difference = (word(0).bits ^ text.first) | (word(length &- 8).bits ^ text.last)
    if difference == 0 {
      advance(length)
      return text.milliseconds
    }
    return newTimeOfDay(&text)
  }

  @inline(__always)
  private mutating func newTimeOfDay(_ text: inout TimeText) -> Int32 {
    let start = self
    let time = word(0)
    let digits = EightBytes.firstIndex(in: time.nonDigits)
    guard digits == 6 else { return oddTimeOfDay() }
    let whole = Self.milliseconds(hhmmss: time)
    if time[6] == UInt8(ascii: ",") {
      advance(7)
      return whole
    }
    guard time[6] == UInt8(ascii: ".") else { return oddTimeOfDay() }
    let fraction = word(7)
    let count = EightBytes.firstIndex(in: fraction.nonDigits)
    guard count < 8, fraction[count] == UInt8(ascii: ",") else { return oddTimeOfDay() }
    advance(8 &+ count)
    guard whole >= 0, count > 0 else { return whole }
    let kept = min(count, 3)
    let value = Int32(truncatingIfNeeded: fraction.number(digits: kept))
    let milliseconds = whole &+ (kept == 3 ? value : kept == 2 ? value &* 10 : value &* 100)
    text.length = 8 &+ count
    text.first = time.bits
    text.last = start.word(count).bits
    text.milliseconds = milliseconds
    return milliseconds
  }

  /// Milliseconds of the six digits at the front of `text`; `none` when out of range.
  @inline(__always)
  private static func milliseconds(hhmmss text: EightBytes) -> Int32 {
    let values = text.bits & 0x0F0F_0F0F_0F0F
    let pairs = values &* 10 &+ (values &>> 8)
    let hours = Int32(truncatingIfNeeded: pairs & 0xFF)
    let minutes = Int32(truncatingIfNeeded: (pairs &>> 16) & 0xFF)
    let seconds = Int32(truncatingIfNeeded: (pairs &>> 32) & 0xFF)
    // A leap second is written as second 60.
    guard hours < 24, minutes < 60, seconds <= 60 else { return none }
    return ((hours &* 60 &+ minutes) &* 60 &+ seconds) &* 1000
  }

  private mutating func oddTimeOfDay() -> Int32 {
    defer { _ = skipField() }
    while next == UInt8(ascii: " ") { advance(1) }
    let text = word(0)
    guard EightBytes.firstIndex(in: text.nonDigits) == 6 else { return Self.none }
    var milliseconds = Self.milliseconds(hhmmss: text)
    advance(6)
    if milliseconds >= 0, next == UInt8(ascii: ".") {
      advance(1)
      var unit: Int32 = 100
      while let digit = digit(0), unit > 0 {
        milliseconds += Int32(digit) * unit
        unit /= 10
        advance(1)
      }
    }
    return milliseconds
  }

  /// The value of the digit `offset` bytes on, nil when none stands there.
  @inline(__always)
  fileprivate func digit(_ offset: Int) -> UInt8? {
    let value = byte(offset) &- 0x30
    return value < 10 ? value : nil
  }

  /// Goes behind the date of these six digits, as ``dateDigits()`` gave them, if it stands here and
  /// ends its field.
  @inline(__always)
  mutating func skipDate(_ digits: UInt64) -> Bool {
    let text = word(0)
    guard text.prefix(7) == digits | UInt64(UInt8(ascii: ",")) &<< 48 else { return false }
    advance(6)
    return true
  }

  /// Reads `ddmmyy` without what follows: the six digits as they stand, or nil.
  @inline(__always)
  mutating func dateDigits() -> UInt64? {
    let text = word(0)
    guard EightBytes.firstIndex(in: text.nonDigits) == 6 else { return nil }
    advance(6)
    return text.prefix(6)
  }

  /// Reads a whole number of 1 to 7 digits and what follows it up to the next field; nil when the
  /// field holds anything else.
  mutating func wholeNumber() -> Int? {
    let text = word(0)
    let count = EightBytes.firstIndex(in: text.nonDigits)
    guard 1...7 ~= count else { return nil }
    advance(count)
    guard isAtFieldEnd else { return nil }
    _ = skipComma()
    return Int(text.number(digits: count))
  }
}

// MARK: Numbers

extension NMEAFieldReader {
  /// 10 to the power of 0 ... 11. A switch and no table, as a table would be initialised lazily and
  /// asked for that each time; the optimiser makes one of it.
  @inline(__always)
  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    default: 100_000_000_000
    }
  }

  /// Reads an unsigned decimal field and its comma: `Number.absent` when the field is empty,
  /// `Number.unreadable` when it holds anything else or no comma follows.
  @inline(__always)
  mutating func number() -> Float {
    let text = word(0)
    let length = EightBytes.firstIndex(in: text.equal(to: UInt8(ascii: ",")))
    guard length < 8 else { return longNumber() }
    if length == 0 {
      advance(1)
      return Number.absent
    }
    let point = EightBytes.firstIndex(in: text.equal(to: UInt8(ascii: ".")))
    // The digits without the point between them, then the rest.
    var digits = text
    var count = length
    if point < length {
      digits.bits = text.prefix(point) | ((text.bits &>> 8) & ~EightBytes(bits: .max).prefix(point))
      count &-= 1
    }
    guard count > 0, EightBytes.firstIndex(in: digits.nonDigits) >= count else {
      return Number.unreadable
    }
    advance(length &+ 1)
    let value = Float(Int32(truncatingIfNeeded: digits.number(digits: count)))
    guard point < length else { return value }
    return value / Float(Int32(truncatingIfNeeded: Self.powerOfTen(count &- point)))
  }

  /// As ``number()`` for fields that eight bytes do not hold.
  private mutating func longNumber() -> Float {
    var value = 0.0
    var scale = 0.0
    var digits = 0
    while true {
      if let digit = digit(0) {
        value = value * 10 + Double(digit)
        scale *= 10
        digits += 1
      } else if next == UInt8(ascii: "."), scale == 0 {
        scale = 1
      } else {
        break
      }
      advance(1)
    }
    guard 1...30 ~= digits, skipComma() else { return Number.unreadable }
    return Float(scale == 0 ? value : value / scale)
  }
}

// MARK: Positions

extension NMEAFieldReader {
  /// A position, and how finely it was written.
  struct Position {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// Decimals of the minutes of latitude; -1 where there is no position.
    var decimals: Int

    static var none: Position {
      Position(latitudeDegrees: 0, longitudeDegrees: 0, decimals: -1)
    }
  }

  /// The bytes of a position of 24 ... 32 bytes; of length 0 when there are none.
  struct PositionText {
    fileprivate(set) var length = 0
    fileprivate var first: UInt64 = 0
    fileprivate var second: UInt64 = 0
    fileprivate var third: UInt64 = 0
    fileprivate var last: UInt64 = 0

    /// Forgets the bytes.
    @inline(__always)
    mutating func clear() { length = 0 }
  }

  /// Keeps the bytes from here up to `other` in `text`.
  @inline(__always)
  func copy(upTo other: NMEAFieldReader, into text: inout PositionText) {
    let length = unsafe other.address - address
    guard 24...32 ~= length else { return text.clear() }
    text.length = length
    text.first = word(0).bits
    text.second = word(8).bits
    text.third = word(16).bits
    text.last = other.word(-8).bits
  }

  /// Goes behind `text` if it stands here.
  @inline(__always)
  mutating func skip(_ text: borrowing PositionText) -> Bool {
    let length = text.length
    guard length > 0, remainingCount >= length else { return false }
    let difference =
      (word(0).bits ^ text.first) | (word(8).bits ^ text.second) | (word(16).bits ^ text.third)
      | (word(length &- 8).bits ^ text.last)
    guard difference == 0 else { return false }
    advance(length)
    return true
  }

  /// Reads `ddmm.mmm,N,dddmm.mmm,E` without what follows; `Position.none` when it is no position on
  /// Earth.
  @inline(__always)
  mutating func position() -> Position {
    let latitude = angle(degreeDigits: 2, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"))
    guard latitude.decimals >= 0, latitude.degrees <= 90, skipComma() else { return .none }
    let northSouth = latitude.isNegative ? -latitude.degrees : latitude.degrees
    let longitude = angle(degreeDigits: 3, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
    guard longitude.decimals >= 0, longitude.degrees <= 180 else { return .none }
    let eastWest = longitude.isNegative ? -longitude.degrees : longitude.degrees
    return Position(
      latitudeDegrees: northSouth, longitudeDegrees: eastWest, decimals: latitude.decimals)
  }

  private struct Angle {
    var degrees: Double
    var isNegative: Bool
    /// -1 where there is no angle.
    var decimals: Int

    static var none: Angle { Angle(degrees: 0, isNegative: false, decimals: -1) }
  }

  /// Reads degrees and minutes, the comma and the letter of the hemisphere.
  @inline(__always)
  private mutating func angle(
    degreeDigits: Int, positive: UInt8, negative: UInt8
  ) -> Angle {
    let text = word(0)
    let wholeDigits = EightBytes.firstIndex(in: text.nonDigits)
    // Receivers that leave out leading zeros are read, more digits than there can be are not.
    guard wholeDigits &- 1 <= degreeDigits &+ 1, wholeDigits > 0 else { return .none }
    let whole = UInt32(truncatingIfNeeded: text.number(digits: wholeDigits))
    advance(wholeDigits)
    let degrees = whole / 100
    let minutes = whole &- degrees &* 100
    guard minutes < 60 else { return .none }
    var mantissa = UInt64(degrees &* 60 &+ minutes)
    var decimals = 0
    if next == UInt8(ascii: ".") {
      let fraction = word(1)
      decimals = EightBytes.firstIndex(in: fraction.nonDigits)
      advance(decimals &+ 1)
      if decimals > 0 {
        mantissa = mantissa &* Self.powerOfTen(decimals) &+ fraction.number(digits: decimals)
        if decimals == 8 { decimals &+= furtherDecimals(&mantissa) }
      }
    }
    guard skipComma() else { return .none }
    // Both sides are whole numbers below 2^53, so that one division rounds once.
    let divisor = 60 &* Self.powerOfTen(decimals)
    let angle =
      Double(Int64(truncatingIfNeeded: mantissa)) / Double(Int64(truncatingIfNeeded: divisor))
    let hemisphere = next
    guard hemisphere == positive || hemisphere == negative else { return .none }
    advance(1)
    return Angle(degrees: angle, isNegative: hemisphere == negative, decimals: decimals)
  }

  /// Reads the ninth decimal and on; what a twelfth of a minute adds is less than a nanometre.
  private mutating func furtherDecimals(_ mantissa: inout UInt64) -> Int {
    var count = 0
    while let digit = digit(0) {
      advance(1)
      guard count < 3 else { continue }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      count += 1
    }
    return count
  }
}
