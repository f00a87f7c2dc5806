import FencepostFormats

// Decimal fields.
extension NMEAFieldReader {
  /// Reads an unsigned decimal field and its comma: `Number.absent` when the field is empty,
  /// `Number.unreadable` when it holds anything else or no comma follows.
  @inline(__always)
  mutating func number() -> Float {
    let text = word(0)
    let others = text.nonDigits
    guard others != 0 else { return longNumber() }
    let point = EightBytes.firstIndex(in: others)
    if text[point] == UInt8(ascii: ",") {
      advance(point &+ 1)
      return point == 0 ? Number.absent : Self.float(text.number(digits: point))
    }
    let behindPoint = others & (others &- 1)
    guard behindPoint != 0 else { return longNumber() }
    let end = EightBytes.firstIndex(in: behindPoint)
    guard text[point] == UInt8(ascii: "."), text[end] == UInt8(ascii: ","), end > 1 else {
      return Number.unreadable
    }
    advance(end &+ 1)
    // The digits without the point between them.
    let digits = EightBytes(
      bits: text.prefix(point) | (text.bits &>> 8) & ~EightBytes(bits: .max).prefix(point))
    return Self.float(digits.number(digits: end &- 1))
      / Self.float(EightDigits.powerOfTen(end &- 1 &- point))
  }

  /// A whole number of at most eight digits.
  @inline(__always)
  private static func float(_ number: UInt64) -> Float {
    Float(Int32(truncatingIfNeeded: number))
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
