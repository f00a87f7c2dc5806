/// Parses numbers as tables write them: with a decimal point or comma, or with a hemisphere.
package enum CSVNumber {
  /// Parses a number; a single comma counts as the decimal separator.
  package static func double(parsing text: Span<UInt8>) -> Double? {
    DecimalNumber.double(parsing: text) ?? doubleWithComma(parsing: text)
  }

  private static func doubleWithComma(parsing text: Span<UInt8>) -> Double? {
    guard let comma = text.firstIndex(of: UInt8(ascii: ","), from: 0), text.count <= 64 else {
      return nil
    }
    var bytes: ContiguousArray<UInt8> = []
    for index in text.indices { bytes.append(index == comma ? UInt8(ascii: ".") : text[index]) }
    return DecimalNumber.double(parsing: bytes.span)
  }

  /// Parses degrees, optionally with a hemisphere before or after: `39.5 N`.
  ///
  /// - Parameters:
  ///   - text: The text, trimmed.
  ///   - negative: The letter of the negative hemisphere, `S` or `W`.
  ///   - positive: The letter of the positive hemisphere, `N` or `E`.
  /// - Returns: The degrees, or nil if the text is not such a number.
  package static func degrees(
    parsing text: Span<UInt8>, negative: UInt8, positive: UInt8
  ) -> Double? {
    if let number = double(parsing: text) { return number }
    guard text.count >= 2, text.count <= 64 else { return nil }
    var (start, end) = (0, text.count)
    var letter: UInt8 = 0
    for (index, isFirst) in [(0, true), (text.count - 1, false)] {
      let capital = text[index] & 0xDF
      guard letter == 0, capital == negative || capital == positive else { continue }
      letter = capital
      if isFirst { start = 1 } else { end -= 1 }
    }
    // A degree sign and spaces may separate number and letter.
    while start < end, text[start] == 0x20 { start += 1 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    if end - start > 2, text[end - 2] == 0xC2, text[end - 1] == 0xB0 { end -= 2 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    guard start < end, let number = double(parsing: text.extracting(start..<end)) else {
      return nil
    }
    return letter == negative ? -abs(number) : number
  }
}
