// Times of day and dates.
extension NMEAFieldReader {
  /// A time of day as it was read last, with its bytes and the comma behind them.
  ///
  /// Most sentences repeat the time of the one before.
  struct TimeText {
    /// 8 … 15.
    fileprivate var length = 8
    /// The same eight bytes as ``last`` where the length is 8: while nothing is kept the two differ,
    /// so that no text is like them.
    fileprivate var first = UInt64.min
    fileprivate var last = UInt64.max
    fileprivate var milliseconds = none
    /// The last fraction with its point and the comma behind it, 1 … 7 bytes; a comma alone is no
    /// fraction.
    fileprivate var tail = UInt64(UInt8(ascii: ","))
    fileprivate var tailLength = 1
    fileprivate var tailMilliseconds: Int32 = 0
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

  /// Reads a time that may be another than the last one, but ends like it: most receivers write the
  /// same fraction of a second always.
  @inline(__always)
  private mutating func newTimeOfDay(_ text: inout TimeText) -> Int32 {
    let time = word(0)
    let isLikeLast = word(6).prefix(text.tailLength) == text.tail
    guard isLikeLast, EightBytes(bits: time.nonDigits).prefix(6) == 0 else {
      return otherTimeOfDay(&text)
    }
    let start = self
    let length = text.tailLength &+ 6
    advance(length)
    let whole = Self.milliseconds(hhmmss: time)
    guard whole >= 0, length >= 8 else { return whole }
    text.length = length
    text.first = time.bits
    text.last = start.word(length &- 8).bits
    text.milliseconds = whole &+ text.tailMilliseconds
    return text.milliseconds
  }

  private mutating func otherTimeOfDay(_ text: inout TimeText) -> Int32 {
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
    let milliseconds = kept == 3 ? value : kept == 2 ? value &* 10 : value &* 100
    text.length = 8 &+ count
    text.first = time.bits
    text.last = start.word(count).bits
    text.milliseconds = whole &+ milliseconds
    if count < 6 {
      text.tailLength = count &+ 2
      text.tail = start.word(6).prefix(text.tailLength)
      text.tailMilliseconds = milliseconds
    }
    return text.milliseconds
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
}
