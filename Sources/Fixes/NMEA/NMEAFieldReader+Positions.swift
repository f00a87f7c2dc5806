import Formats

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
