extension ByteBuffer {
  /// Appends a whole number in decimal.
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(value.magnitude), atLeast: 1)
  }

  /// Appends a number rounded to so many decimals, without trailing zeros but with one decimal at
  /// least (`100.0`, `39.949612`), so that a reader sees that it is not a count.
  ///
  /// - Parameters:
  ///   - value: the number. What is not finite is written as `null`, which JSON has for it.
  ///   - decimals: most digits after the point, 1 … 9.
  public mutating func append(_ value: Double, decimals: Int) {
    guard value.isFinite else {
      append("null")
      return
    }
    let scale = Self.powersOfTen[decimals]
    let scaled = (value.magnitude * Double(scale)).rounded()
    // From 2^53 on a double has no digits after the point that would be worth rounding.
    guard scaled < 9_007_199_254_740_992 else {
      append(verbatim: value.description)
      return
    }
    let units = UInt64(scaled)
    if value < 0 && units > 0 { append(UInt8(ascii: "-")) }
    append(digits: units / scale, atLeast: 1)
    append(UInt8(ascii: "."))
    var rest = units % scale
    var places = decimals
    while places > 1 && rest % 10 == 0 {
      rest /= 10
      places -= 1
    }
    append(digits: rest, atLeast: places)
  }

  private static var powersOfTen: InlineArray<10, UInt64> {
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
  }
}
