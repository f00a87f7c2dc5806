/// A position in a short text; copy it to be able to go back.
///
/// ``CivilText`` reads with it. The text lies in a vector of 64 bytes, so a copy allocates nothing.
struct CivilTextCursor {
  /// Longer texts are neither dates nor times.
  private static var mostBytes: Int { 64 }

  private var bytes = SIMD64<UInt8>()
  private let count: Int
  var index = 0

  /// Begins at the first byte; nil if the text is too long.
  init?(_ text: Span<UInt8>) {
    guard text.count <= Self.mostBytes else { return nil }
    count = text.count
    for index in text.indices { bytes[index] = text[index] }
  }

  var isAtEnd: Bool { index >= count }

  /// The byte at the position; zero at the end.
  var next: UInt8 { self[index] }

  /// Zero past the end.
  subscript(index: Int) -> UInt8 { index < count ? bytes[index] : 0 }

  /// Reads a run of ASCII digits; nil, without moving, for no digit or too many.
  mutating func digits() -> (value: Int, count: Int)? {
    var end = index
    var value = 0
    while self[end] &- 0x30 <= 9 {
      // Ten digits may be too many for a 32-bit integer.
      let (tenfold, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = tenfold.addingReportingOverflow(Int(self[end] - 0x30))
      guard end - index < 18, !overflows, !isOver else { return nil }
      value = sum
      end += 1
    }
    guard end > index else { return nil }
    defer { index = end }
    return (value, end - index)
  }

  /// Skips a text, byte by byte; false, without moving, if something else comes.
  mutating func skip(_ text: String) -> Bool {
    for (offset, byte) in text.utf8.enumerated() where self[index + offset] != byte {
      return false
    }
    index += text.utf8.count
    return true
  }

  /// Whether digits and a colon, or six digits, come next.
  var isAtTimeOfDay: Bool {
    var ahead = self
    guard let digits = ahead.digits() else { return false }
    return ahead.next == UInt8(ascii: ":") || digits.count == 6
  }

  /// Skips one of these ASCII characters; false, without moving, if another comes.
  mutating func skip(anyOf bytes: String) -> Bool {
    guard !isAtEnd, bytes.utf8.contains(next) else { return false }
    index += 1
    return true
  }

  /// Skips a word, ignoring case.
  mutating func skip(word: String) -> Bool {
    for (offset, letter) in word.utf8.enumerated() where self[index + offset] | 0x20 != letter {
      return false
    }
    index += word.utf8.count
    return true
  }

  /// Skips blanks, including no-break spaces and the narrow ones that browsers write before AM.
  mutating func skipBlanks() {
    while skip(anyOf: " \t") || skip("\u{A0}") || skip("\u{202F}") {}
  }

  /// Skips the English name of a day of the week, or its first three letters.
  mutating func skipWeekday() {
    guard next | 0x20 >= 0x61 else { return }
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    guard days.contains(where: { skip(word: $0) }) else { return }
    while 0x61...0x7A ~= next | 0x20 { index += 1 }
    _ = skip(anyOf: ",.")
    skipBlanks()
  }

  /// Reads the English name of a month, or its first three letters.
  mutating func month() -> Int? {
    let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    let start = index
    var name = ""
    while 0x61...0x7A ~= next | 0x20 {
      name.unicodeScalars.append(Unicode.Scalar(next | 0x20))
      index += 1
    }
    let month = months.firstIndex { $0 == name || $0.prefix(3) == name }
    if month == nil { index = start }
    return month.map { $0 + 1 }
  }
}
