import FencepostFormats
import FencepostTime

/// The fields of a sentence, as ranges of its text.
///
/// One pass over the text finds the commas, the end and the checksum. Values are parsed when asked
/// for, as most sentences have fields that nothing needs. Field 0 is the address, such as `GPRMC`.
struct NMEAFields {
  /// How many field positions are kept; no value used is beyond the tenth field.
  private static var mostStarts: Int { 12 }

  /// The number of fields, including the address.
  private(set) var count = 1
  /// Where each field begins.
  private var starts: [12 of UInt16] = .init(repeating: 0)
  /// Where the text ends: at the first `*`, `$` or line end, or after the bytes scanned.
  private(set) var end = 0
  /// The XOR of the text's bytes.
  private(set) var sum: UInt8 = 0

  /// Scans the text after `$`, at most 65,535 bytes, up to its end; O(n), eight bytes per step.
  init(scanning text: Span<UInt8>) {
    // Any eight bytes form a valid integer, and the loop stays within the text.
    let bytes = unsafe text.bytes
    var lanes: UInt64 = 0
    var isOpen = true
    while isOpen, end + 8 <= text.count {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self))
      var marks = Self.bytesBelowHyphen(word)
      var length = 8
      while marks != 0, isOpen {
        let offset = marks.trailingZeroBitCount / 8
        isOpen = take(text[end + offset], at: end + offset)
        if !isOpen { length = offset }
        marks &= marks - 1
      }
      lanes ^= length == 8 ? word : word & (1 << UInt64(8 * length) - 1)
      end += length
    }
    while isOpen, end < text.count, take(text[end], at: end) {
      lanes ^= UInt64(text[end])
      end += 1
    }
    lanes ^= lanes >> 32
    lanes ^= lanes >> 16
    sum = UInt8(truncatingIfNeeded: lanes ^ lanes >> 8)
  }

  /// Records the field after a comma; false if the byte ends the text.
  @inline(__always)
  private mutating func take(_ byte: UInt8, at index: Int) -> Bool {
    switch byte {
    case UInt8(ascii: ","):
      if count < Self.mostStarts { starts[count] = UInt16(index + 1) }
      count += 1
      return true
    case UInt8(ascii: "*"), UInt8(ascii: "$"), 0x0D, 0x0A: return false
    default: return true
    }
  }

  /// Sets the top bit of each ASCII byte below `-`: commas and everything that can end a text.
  @inline(__always)
  private static func bytesBelowHyphen(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Each byte's top bit is left out, so that no carry reaches the next byte.
    let sums = (word & ~(ones << 7)) &+ ones &* (0x80 - 0x2D)
    return ~(sums | word) & ones << 7
  }

  /// The range of a field, which must exist and be among the first eleven.
  @inline(__always)
  subscript(index: Int) -> Range<Int> {
    let next = index + 1 < count ? Int(starts[index + 1]) - 1 : end
    return Int(starts[index])..<next
  }

  /// Whether a field exists; false for an empty last one, where the sentence may be cut off.
  func continues(with index: Int) -> Bool {
    count > index + 1 || (count == index + 1 && !self[index].isEmpty)
  }

  /// The first byte of a field; nil if it is empty.
  func first(_ index: Int, _ text: Span<UInt8>) -> UInt8? { self[index].first.map { text[$0] } }

  /// A position in decimal degrees, and how precisely it was written.
  struct Position {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// The decimals in the minutes of latitude.
    var decimals: Int
  }

  /// Parses four fields `ddmm.mmm,N,dddmm.mmm,E`; nil unless the position is valid.
  func position(from index: Int, _ text: Span<UInt8>) -> Position? {
    guard count >= index + 4, self[index + 1].count == 1, self[index + 3].count == 1,
      let latitude = Self.angle(text.extracting(self[index]), mostDigits: 4),
      let longitude = Self.angle(text.extracting(self[index + 2]), mostDigits: 5),
      latitude.degrees <= 90, longitude.degrees <= 180
    else { return nil }
    let (northOrSouth, eastOrWest) = (
      text[self[index + 1].lowerBound], text[self[index + 3].lowerBound]
    )
    let (isSouth, isWest) = (northOrSouth == UInt8(ascii: "S"), eastOrWest == UInt8(ascii: "W"))
    guard isSouth || northOrSouth == UInt8(ascii: "N"), isWest || eastOrWest == UInt8(ascii: "E")
    else { return nil }
    return Position(
      latitudeDegrees: isSouth ? -latitude.degrees : latitude.degrees,
      longitudeDegrees: isWest ? -longitude.degrees : longitude.degrees, decimals: latitude.decimals
    )
  }

  /// Parses degrees and minutes as degrees, correctly rounded; nil for other text.
  private static func angle(
    _ text: Span<UInt8>, mostDigits: Int
  ) -> (degrees: Double, decimals: Int)? {
    var index = 0
    // Accepts missing leading zeros, which some receivers omit.
    guard let whole = digits(text, &index, most: mostDigits), whole % 100 < 60 else { return nil }
    var minutes = whole / 100 * 60 + whole % 100
    var unit = 60
    var decimals = 0
    if index < text.count {
      guard text[index] == UInt8(ascii: ".") else { return nil }
      index += 1
      while index < text.count {
        let digit = text[index] &- 0x30
        guard digit <= 9 else { return nil }
        index += 1
        // One unit in the twelfth decimal of a minute is 2 nm.
        guard decimals < 11 else { continue }
        minutes = minutes * 10 + Int(digit)
        unit *= 10
        decimals += 1
      }
    }
    // Both are integers below 2^53, so one division rounds only once.
    return (Double(minutes) / Double(unit), decimals)
  }

  /// Parses 1 to `most` digits; nil for no digit or more.
  private static func digits(_ text: Span<UInt8>, _ index: inout Int, most: Int) -> Int? {
    let start = index
    var value = 0
    while index < text.count {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { break }
      guard index - start < most else { return nil }
      value = value * 10 + Int(digit)
      index += 1
    }
    return index > start ? value : nil
  }

  /// Parses a field that has only digits, in the number required; otherwise nil.
  func wholeNumber(_ index: Int, _ text: Span<UInt8>, digits: ClosedRange<Int> = 1...7) -> Int? {
    let field = text.extracting(self[index])
    var end = 0
    guard digits ~= field.count,
      let number = Self.digits(field, &end, most: digits.upperBound), end == field.count
    else { return nil }
    return number
  }

  /// Parses an unsigned decimal; NaN for an empty field, nil if invalid.
  func number(_ index: Int, _ text: Span<UInt8>) -> Float? {
    let field = text.extracting(self[index])
    guard !field.isEmpty else { return .nan }
    var value = 0.0
    var unit = 0.0
    var digits = 0
    for index in field.indices {
      let digit = field[index] &- 0x30
      if digit <= 9 {
        value = value * 10 + Double(digit)
        unit *= 10
        digits += 1
      } else {
        guard field[index] == UInt8(ascii: "."), unit == 0 else { return nil }
        unit = 1
      }
    }
    guard 1...30 ~= digits else { return nil }
    if unit == 0 { return Float(value) }
    // Few digits are exact in single precision, so one division rounds only once.
    return field.count < 8 ? Float(value) / Float(unit) : Float(value / unit)
  }

  /// Parses `hhmmss[.fff]` as milliseconds since midnight; drops further digits.
  ///
  /// Some receivers add leading spaces, or text after the fraction; both are ignored.
  func timeOfDay(_ index: Int, _ text: Span<UInt8>) -> Int32? {
    let field = text.extracting(self[index])
    var index = 0
    while index < field.count, field[index] == UInt8(ascii: " ") { index += 1 }
    let start = index
    guard let time = Self.digits(field, &index, most: 6), index == start + 6 else { return nil }
    let (hours, minutes, seconds) = (time / 10_000, time / 100 % 100, time % 100)
    // Second 60 is a leap second.
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    var milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000
    guard index < field.count, field[index] == UInt8(ascii: ".") else { return Int32(milliseconds) }
    var unit = 100
    for index in (index + 1)..<field.count where unit > 0 {
      let digit = field[index] &- 0x30
      guard digit <= 9 else { break }
      milliseconds += Int(digit) * unit
      unit /= 10
    }
    return Int32(milliseconds)
  }

  /// Parses `ddmmyy` as days since 1970-01-01; nil if invalid.
  ///
  /// Some receivers leave out the first zero, write the year in four digits, or divide the parts:
  /// `40526`, `14052026`, `14/05/2026`. The year or month comes first where no other order is a
  /// date. After a week number rollover, some send nonsense dates with good positions.
  func day(_ index: Int, _ text: Span<UInt8>) -> Int32? {
    guard let date = wholeNumber(index, text, digits: 5...8) else {
      return Self.day(divided: text.extracting(self[index]))
    }
    guard self[index].count > 6 else {
      return NMEACalendar.day(
        shortYear: date % 100, month: date / 100 % 100, dayOfMonth: date / 10_000)
    }
    return NMEACalendar.day(
      year: date % 10_000, month: date / 10_000 % 100, dayOfMonth: date / 1_000_000)
      ?? NMEACalendar.day(year: date / 10_000, month: date / 100 % 100, dayOfMonth: date % 100)
  }

  /// Parses a date with separators as days since 1970; the day comes first if it can.
  private static func day(divided text: Span<UInt8>) -> Int32? {
    let date = CivilText(text)
    switch date?.day {
    case .since1970(let day) where date?.timeOfDayMilliseconds == nil:
      return day >= NMEACalendar.firstDay ? Int32(clamping: day) : nil
    case .ordered(let first, let second, let year, _) where date?.timeOfDayMilliseconds == nil:
      return NMEACalendar.day(year: year, month: second, dayOfMonth: first)
        ?? NMEACalendar.day(year: year, month: first, dayOfMonth: second)
    default: return nil
    }
  }
}
