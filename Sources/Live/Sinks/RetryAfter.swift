import FencepostTime
import FencepostFormats

/// Parses the HTTP header `Retry-After`: seconds or a date (RFC 9110, sections 5.6.7 and 10.2.3).
package enum RetryAfter {
  /// Parses the header.
  ///
  /// - Parameters:
  ///   - value: The value of the header.
  ///   - date: The `Date` header of the same response, so that wrong clocks do no harm; nil if missing.
  ///   - epochNow: This machine's time in milliseconds since 1970, in case `date` is unusable.
  /// - Returns: The pause in milliseconds, 0 or more; nil if malformed.
  package static func milliseconds(_ value: String, date: String?, epochNow: Int64) -> Int64? {
    if !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      // A number that overflows exceeds every bound.
      guard let seconds = Int64(value), seconds < Int64.max / 1000 else { return Int64.max }
      return seconds * 1000
    }
    guard let then = instant(value) else { return nil }
    return max(0, then - (date.flatMap(instant) ?? epochNow))
  }

  /// An HTTP date in any of its three forms, in milliseconds since 1970.
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT
  ///     Sunday, 06-Nov-94 08:49:37 GMT
  ///     Sun Nov  6 08:49:37 1994
  package static func instant(_ text: String) -> Int64? {
    // The weekday is redundant.
    let words = text.split { $0 == " " || $0 == "-" || $0 == "," }.dropFirst().map(String.init)
    let parts: (day: String, month: String, time: String, year: String)
    switch words.count {
    case 5 where words[4] == "GMT": parts = (words[0], words[1], words[3], words[2])
    case 4: parts = (words[1], words[0], words[2], words[3])
    default: return nil
    }
    guard let month = months.firstIndex(of: parts.month), let day = number(parts.day, 1...2),
      let year = year(parts.year), let second = secondOfDay(parts.time)
    else { return nil }
    let date = CivilDate(year: year, month: month + 1, day: day)
    guard date.isValid else { return nil }
    return (Int64(date.daysSince1970) * 86_400 + Int64(second)) * 1000
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String, _ digits: ClosedRange<Int>) -> Int? {
    guard digits ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
  }

  /// A year of four digits, or of two for 1970 to 2069.
  private static func year(_ text: String) -> Int? {
    if let year = number(text, 4...4) { return year }
    return number(text, 2...2).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
  }

  private static func secondOfDay(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      .compactMap { number(String($0), 2...2) }
    // 60 is a leap second.
    guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }
}
