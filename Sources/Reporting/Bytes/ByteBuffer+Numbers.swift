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
    switch decimals {
    // What events have, with divisors that are known to the compiler.
    case 1: append(value, decimals: 1, scale: 10)
    case 2: append(value, decimals: 2, scale: 100)
    case 7: append(value, decimals: 7, scale: 10_000_000)
    default: append(value, decimals: decimals, scale: Self.powersOfTen[decimals])
    }
  }

  @inline(__always)
  private mutating func append(_ value: Double, decimals: Int, scale: UInt64) {
    let scaled = value.magnitude * Double(scale)
    // From 2^53 on a double has no digits after the point that would be worth rounding.
    guard scaled < 9_007_199_254_740_992 else { return append(coarse: value) }
    let truncated = Int64(scaled)
    let rest = scaled - Double(truncated)
    // Halves away from zero.
    let units = UInt64(truncated) &+ (rest >= 0.5 ? 1 : 0)
    if value < 0 && units > 0 { append(UInt8(ascii: "-")) }
    let whole = units / scale
    append(digits: whole, atLeast: 1)
    append(UInt8(ascii: "."))
    appendFixed(digits: units &- whole &* scale, width: decimals)
    dropZeros(atMost: decimals &- 1)
  }

  /// Appends a number that is large, or is none.
  @inline(never)
  private mutating func append(coarse value: Double) {
    if value.isFinite { append(verbatim: value.description) } else { append("null") }
  }

  private static var powersOfTen: InlineArray<10, UInt64> {
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
  }
}
