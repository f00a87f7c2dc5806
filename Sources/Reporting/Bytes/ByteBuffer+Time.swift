import Formats

extension ByteBuffer {
  /// A day and its text, `2026-03-04T`.
  struct WrittenDay {
    /// Milliseconds of the day's beginning since 1970; nil before the first.
    var midnight: Int64?
    /// The day as text.
    var text = ""
  }

  /// Appends an instant as ISO 8601 in UTC (`2026-03-04T17:00:12.250Z`), without quotes and, at
  /// whole seconds, without the fraction: as `ISO8601.string(milliseconds:)` writes it.
  ///
  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
  public mutating func append(instant milliseconds: Int64) {
    var rest = milliseconds % 86_400_000
    if rest < 0 { rest += 86_400_000 }
    // Within a day of the ends of the range the beginning of the day may be out of it; there,
    // as in any other day, the text itself is right.
    let (midnight, overflow) = milliseconds.subtractingReportingOverflow(rest)
    if overflow || midnight != lastDay.midnight {
      let text = ISO8601.string(milliseconds: milliseconds)
      guard let endOfDay = text.firstIndex(of: "T") else { return append(verbatim: text) }
      lastDay.midnight = overflow ? nil : midnight
      lastDay.text = String(text[...endOfDay])
    }
    append(verbatim: lastDay.text)
    append(timeOfDay: UInt64(rest))
  }

  private mutating func append(timeOfDay milliseconds: UInt64) {
    let seconds = milliseconds / 1000
    appendFixed(digits: seconds / 3600, width: 2)
    append(UInt8(ascii: ":"))
    appendFixed(digits: seconds / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    appendFixed(digits: seconds % 60, width: 2)
    if milliseconds % 1000 != 0 {
      append(UInt8(ascii: "."))
      appendFixed(digits: milliseconds % 1000, width: 3)
    }
    append(UInt8(ascii: "Z"))
  }
}
