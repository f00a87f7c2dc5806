/// The characters of Windows-1252, which old spreadsheet programs write.
enum Windows1252 {
  /// The characters at 0x80 … 0x9F; unassigned ones as they are.
  private static let special: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// The character of a byte; a control character where none is assigned.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(special[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// Appends the character of a byte as UTF-8; U+FFFD where none is assigned.
  static func append(_ byte: UInt8, to text: inout [UInt8]) {
    let scalar = scalar(byte)
    let isAssigned = !(0x80...0x9F ~= scalar.value)
    text.append(contentsOf: String(isAssigned ? scalar : "\u{FFFD}").utf8)
  }
}
