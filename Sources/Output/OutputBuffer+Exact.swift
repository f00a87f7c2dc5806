extension OutputBuffer {
  /// Appends the shortest decimal that reads back as the same number.
  ///
  /// It has no exponent, as XML's `decimal` and simulators require. The number must be finite and
  /// below 10^15 in magnitude.
  package mutating func append(exact value: Double) {
    let text = value.description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...])
    else { return append(verbatim: text) }
    // Below 0.0001: 5.25e-06 is 0.00000525.
    let digits = text[..<mark].filter { $0.isNumber }
    if value < 0 { append(UInt8(ascii: "-")) }
    append("0.")
    append(verbatim: String(repeating: "0", count: max(0, -exponent - 1)) + digits)
  }
}
