import FencepostTime
import FencepostFormats

/// Reads dates of RSS and mail, such as `Wed, 04 Mar 2026 17:00:00 -0500`.
///
/// RFC 822, with the four-digit years of RFC 2822.
enum MailDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// The named zones of RFC 822, in hours.
  private static let zones = [
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  /// Parses text that is exactly one date, to milliseconds since 1970-01-01T00:00:00Z.
  static func milliseconds(parsing text: String) -> Int64? {
    var words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," })
    // The weekday is optional.
    if let first = words.first, Int(first) == nil { words.removeFirst() }
    guard words.count >= 4, let day = Int(words[0]),
      let month = months.firstIndex(of: String(words[1])), var year = Int(words[2]), year >= 0
    else { return nil }
    if words[2].count == 2 { year += year < 50 ? 2000 : 1900 }
    let date = CivilDate(year: year, month: month + 1, day: day)
    let clock = words[3].split(separator: ":").map { Int($0) ?? -1 }
    guard (0...9999).contains(year), date.isValid, clock.count == 2 || clock.count == 3,
      (0...23).contains(clock[0]),
      (0...59).contains(clock[1]), clock.count == 2 || (0...60).contains(clock[2]),
      let offset = words.count > 4 ? offsetMinutes(String(words[4])) : 0
    else { return nil }
    let minutes = date.daysSince1970 * 1440 + clock[0] * 60 + clock[1] - offset
    return Int64(minutes * 60 + (clock.count == 3 ? clock[2] : 0)) * 1000
  }

  private static func offsetMinutes(_ zone: String) -> Int? {
    if let hours = zones[zone] { return hours * 60 }
    guard zone.count == 5, let sign = zone.first, sign == "+" || sign == "-",
      let digits = Int(zone.dropFirst())
    else { return nil }
    let minutes = digits / 100 * 60 + digits % 100
    return sign == "-" ? -minutes : minutes
  }
}
