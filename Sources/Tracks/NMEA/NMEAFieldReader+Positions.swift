import FencepostFormats

// Latitudes and longitudes.
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

  /// The bytes of a position of 24 … 32 bytes; of length 0 when there are none.
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
    // Both stand in one sentence, and no more is read than lies between them.
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
    if let plain = plainPosition() { return plain }
    return anyPosition()
  }

  /// As ``position()`` for the form that nearly all positions have, without a step for any other:
  /// all digits of degrees and minutes, and four to seven decimals.
  @inline(__always)
  private mutating func plainPosition() -> Position? {
    // As long as the shortest of that form: what is read below lies within the sentence and its slack.
    guard remainingCount >= 24 else { return nil }
    var reader = self
    guard
      let latitude = reader.plainAngle(
        degreeDigits: 2, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S")),
      latitude.degrees <= 90, reader.skipComma(),
      let longitude = reader.plainAngle(
        degreeDigits: 3, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W")),
      longitude.degrees <= 180
    else { return nil }
    self = reader
    return Position(
      latitudeDegrees: latitude.signedDegrees, longitudeDegrees: longitude.signedDegrees,
      decimals: latitude.decimals)
  }

  /// Reads degrees and minutes in the plain form, the comma and the letter of the hemisphere.
  @inline(__always)
  private mutating func plainAngle(
    degreeDigits: Int, positive: UInt8, negative: UInt8
  ) -> Angle? {
    let point = degreeDigits &+ 2
    let front = word(0)
    guard front[point] == UInt8(ascii: ".") else { return nil }
    // The last four digits before the point and the first four behind it.
    let frontBits = front.bits &>> UInt64(truncatingIfNeeded: (point &- 4) &* 8)
    let digits = EightBytes(bits: frontBits & 0xFFFF_FFFF | word(point &+ 1).bits &<< 32)
    guard digits.nonDigits == 0 else { return nil }
    let number = digits.number(digits: 8)
    var degrees = number / 1_000_000
    let minutes = number &- degrees &* 1_000_000
    guard minutes < 600_000 else { return nil }
    if degreeDigits == 3 {
      let hundreds = front[0] &- 0x30
      guard hundreds <= 1 else { return nil }
      degrees &+= UInt64(hundreds) &* 100
    }
    // What follows: no further decimals or up to three, the comma, the hemisphere.
    let rest = word(point &+ 5)
    let comma = UInt8(ascii: ",")
    let further = rest[1] == comma ? 1 : rest[0] == comma ? 0 : rest[2] == comma ? 2 : 3
    let tail = EightBytes(bits: rest.bits &>> UInt64(truncatingIfNeeded: further &* 8))
    let hemisphere = tail[1]
    guard tail[0] == comma, hemisphere == positive || hemisphere == negative else { return nil }
    var mantissa = degrees &* 600_000 &+ minutes
    var divisor = 600_000.0
    switch further {
    case 0: break
    case 1:
      let digit = rest[0] &- 0x30
      guard digit <= 9 else { return nil }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      divisor = 6_000_000
    default:
      guard EightBytes(bits: rest.nonDigits).prefix(further) == 0 else { return nil }
      mantissa = mantissa &* (further == 2 ? 100 : 1000) &+ rest.number(digits: further)
      divisor = further == 2 ? 60_000_000 : 600_000_000
    }
    advance(point &+ 7 &+ further)
    return Angle(
      // As below: of whole numbers, rounded once.
      degrees: Double(Int64(truncatingIfNeeded: mantissa)) / divisor,
      isNegative: hemisphere == negative, decimals: further &+ 4)
  }

  private mutating func anyPosition() -> Position {
    let latitude = angle(degreeDigits: 2, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"))
    guard latitude.decimals >= 0, latitude.degrees <= 90, skipComma() else { return .none }
    let longitude = angle(degreeDigits: 3, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
    guard longitude.decimals >= 0, longitude.degrees <= 180 else { return .none }
    return Position(
      latitudeDegrees: latitude.signedDegrees, longitudeDegrees: longitude.signedDegrees,
      decimals: latitude.decimals)
  }

  private struct Angle {
    var degrees: Double
    var isNegative: Bool
    /// -1 where there is no angle.
    var decimals: Int

    static var none: Angle { Angle(degrees: 0, isNegative: false, decimals: -1) }

    @inline(__always)
    var signedDegrees: Double { isNegative ? -degrees : degrees }
  }

  /// Reads degrees and minutes, the comma and the letter of the hemisphere.
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
        mantissa = mantissa &* EightDigits.powerOfTen(decimals) &+ fraction.number(digits: decimals)
        if decimals == 8 { decimals &+= furtherDecimals(&mantissa) }
      }
    }
    guard skipComma() else { return .none }
    // Both sides are whole numbers below 2^53, so that one division rounds once.
    let divisor = 60 &* EightDigits.powerOfTen(decimals)
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
