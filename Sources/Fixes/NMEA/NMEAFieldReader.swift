/// Reads the comma-separated fields of one framed NMEA sentence, from left to right.
///
/// Safe to use on a sentence that `NMEADecoder` framed: the byte at `end` is no digit and no comma
/// and at least ``slackBytes`` bytes from `end` on are readable, so that a scan that only goes past
/// digits and commas stops there, and a read of eight bytes anywhere in the sentence is allowed.
@safe
struct NMEAFieldReader {
  /// How many bytes behind the end of a sentence must be readable.
  static let slackBytes = 16

  /// What a number field held.
  enum Number {
    static let absent = Float.nan
    static let unreadable = -Float.infinity
  }

  /// What a time or date field held when it held no time or date.
  static let none: Int32 = -1

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
  /// Reads `hhmmss[.fff]` and the comma behind it, if any: milliseconds since midnight, or `none`.
  ///
  /// Digits beyond the millisecond are dropped. Blanks around the time and anything behind its
  /// fraction are passed over: receivers are known that write them.
  @inline(__always)
  mutating func timeOfDay() -> Int32 {
    let text = word(0)
    let digits = EightBytes.firstIndex(in: text.nonDigits)
    guard digits == 6 else { return oddTimeOfDay() }
    let whole = Self.milliseconds(hhmmss: text)
    if text[6] == UInt8(ascii: ",") {
      advance(7)
      return whole
    }
    guard text[6] == UInt8(ascii: ".") else { return oddTimeOfDay() }
    let fraction = word(7)
    let count = EightBytes.firstIndex(in: fraction.nonDigits)
    guard count < 8, fraction[count] == UInt8(ascii: ",") else { return oddTimeOfDay() }
    advance(8 &+ count)
    guard whole >= 0, count > 0 else { return whole }
    let kept = min(count, 3)
    let value = Int32(truncatingIfNeeded: fraction.number(digits: kept))
    return whole &+ (kept == 3 ? value : kept == 2 ? value &* 10 : value &* 100)
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

// MARK: Numbers and positions

extension NMEAFieldReader {
  private static let powersOfTen: InlineArray<12, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  ]
  private static let powersOfTenAsFloat: InlineArray<8, Float> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
  ]

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
    let value = Float(digits.number(digits: count))
    return point < length ? value / Self.powersOfTenAsFloat[count &- point] : value
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

  /// A position, and how finely it was written.
  struct Position {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// Decimals of the minutes of latitude.
    var decimals: Int
  }

  /// The bytes of a position of 24 ... 32 bytes; of length 0 when there are none.
  struct PositionText {
    fileprivate(set) var length = 0
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  }

  /// The bytes from `start` to here.
  @inline(__always)
  func positionText(from start: NMEAFieldReader) -> PositionText {
    let length = unsafe address - start.address
    guard 24...32 ~= length else { return PositionText() }
    return PositionText(
      length: length,
      words: (start.word(0).bits, start.word(8).bits, start.word(16).bits, word(-8).bits))
  }

  /// Goes behind `text` if it stands here.
  @inline(__always)
  mutating func skip(_ text: PositionText) -> Bool {
    guard text.length > 0, remainingCount >= text.length,
      word(0).bits == text.words.0, word(8).bits == text.words.1,
      word(16).bits == text.words.2, word(text.length &- 8).bits == text.words.3
    else { return false }
    advance(text.length)
    return true
  }

  /// Reads `ddmm.mmm,N,dddmm.mmm,E` without what follows; nil when it is no position on Earth.
  @inline(__always)
  mutating func position() -> Position? {
    guard
      let latitude = angle(
        degreeDigits: 2, maximum: 90, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S")),
      skipComma(),
      let longitude = angle(
        degreeDigits: 3, maximum: 180, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
    else { return nil }
    return Position(
      latitudeDegrees: latitude.degrees, longitudeDegrees: longitude.degrees,
      decimals: latitude.decimals)
  }

  /// Reads degrees and minutes, the comma and the letter of the hemisphere.
  @inline(__always)
  private mutating func angle(
    degreeDigits: Int, maximum: Double, positive: UInt8, negative: UInt8
  ) -> (degrees: Double, decimals: Int)? {
    let text = word(0)
    let wholeDigits = EightBytes.firstIndex(in: text.nonDigits)
    // Receivers that leave out leading zeros are read, more digits than there can be are not.
    guard 1...(degreeDigits &+ 2) ~= wholeDigits else { return nil }
    let whole = text.number(digits: wholeDigits)
    advance(wholeDigits)
    var mantissa = (whole / 100) &* 60 &+ whole % 100
    guard whole % 100 < 60 else { return nil }
    var decimals = 0
    if text[wholeDigits] == UInt8(ascii: ".") {
      advance(1)
      let fraction = word(0)
      decimals = EightBytes.firstIndex(in: fraction.nonDigits)
      advance(decimals)
      if decimals > 0 {
        mantissa = mantissa &* UInt64(Self.powersOfTen[decimals])
        mantissa = mantissa &+ fraction.number(digits: decimals)
      }
      while decimals >= 8, let digit = digit(0) {
        advance(1)
        // What an eleventh decimal of a minute adds is less than a nanometre.
        guard decimals < 11 else { continue }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        decimals &+= 1
      }
    }
    guard skipComma() else { return nil }
    // Both sides are whole numbers below 2^53, so that one division rounds once.
    let degrees = Double(mantissa) / (60 * Self.powersOfTen[decimals])
    let hemisphere = next
    guard hemisphere == positive || hemisphere == negative, degrees <= maximum else { return nil }
    advance(1)
    return (hemisphere == negative ? -degrees : degrees, decimals)
  }
}
