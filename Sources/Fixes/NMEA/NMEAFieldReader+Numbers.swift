import Formats

// Decimal fields.
extension NMEAFieldReader {
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
    return value / Float(Int32(truncatingIfNeeded: EightDigits.powerOfTen(count &- point)))
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
