import FencepostFormats
package import FencepostGeodesy
import FencepostTime

/// A radius as people write it: `100`, `1,5 km`, `300ft`.
///
/// A lone point or comma is read as the decimal mark, but is ambiguous before three digits.
struct RadiusText {
  /// The number with a decimal point, and the unit with any space before it.
  private let number: String
  private let unit: String
  /// The radius in meters, if the mark is decimal.
  let meters: Double
  /// Whether the number has no unit and means meters.
  private let isInMeters: Bool
  /// The point or comma in the number, if any.
  let mark: UInt8?

  /// Parses text without surrounding spaces; nil if it is not a number or the unit is unknown.
  init?(_ text: Span<UInt8>, bareUnitMeters: Double = 1) {
    guard text.count > 0, text.count <= 64 else { return nil }
    var digits: ContiguousArray<UInt8> = []
    var mark: UInt8?
    while digits.count < text.count {
      let byte = text[digits.count]
      if Self.isMark(byte) {
        guard mark == nil else { return nil }
        mark = byte
        digits.append(UInt8(ascii: "."))
      } else if byte &- 0x30 <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        digits.append(byte)
      } else {
        break
      }
    }
    unit = String(utf8: text.extracting(digits.count..<text.count))
    guard let factor = unit.isEmpty ? bareUnitMeters : LengthUnit.meters(unit),
      let value = DecimalNumber.double(parsing: digits.span)
    else { return nil }
    number = String(utf8: digits.span)
    meters = value * factor
    self.mark = mark
    isInMeters = unit.isEmpty && bareUnitMeters == 1
  }

  static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
  }

  /// Whether the mark may divide thousands, as in `1.500`.
  var isAmbiguous: Bool {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts[1].utf8.count == 3 && 1...3 ~= parts[0].utf8.count
      && ("1"..."9").contains(parts[0].prefix(1))
  }

  /// Explains the doubt and how to resolve it, as a sentence without a period.
  func doubt(about text: String) -> String {
    let digits = number.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()
    let (grouped, decimal) = (number.filter { $0 != "." } + unit, String(digits) + unit)
    let meters = isInMeters ? " m" : ""
    return "the radius “\(text)” may be \(grouped)\(meters) or \(decimal)\(meters);"
      + " write \(grouped) or \(decimal)"
  }
}

/// Units of length that people write after a number or in a column heading.
///
/// Names in English, German, French, Spanish and Italian are known, and common abbreviations.
package enum LengthUnit {
  /// The lengths of units by name, in meters.
  private static let meters = [
    "m": 1, "meter": 1, "meters": 1, "metern": 1, "metre": 1, "metres": 1, "mètre": 1, "mètres": 1,
    "metro": 1, "metros": 1, "metri": 1, "km": 1000, "kilometer": 1000, "kilometers": 1000,
    "kilometern": 1000, "kilometre": 1000, "kilometres": 1000, "kilomètres": 1000, "ft": 0.3048,
    "foot": 0.3048, "feet": 0.3048, "fuß": 0.3048, "fuss": 0.3048, "pieds": 0.3048,
    "'": 0.3048, "′": 0.3048, "yd": 0.9144, "yds": 0.9144, "yard": 0.9144, "yards": 0.9144,
    "mi": 1609.344, "mile": 1609.344, "miles": 1609.344, "meile": 1609.344, "meilen": 1609.344,
    "nmi": 1852, "seemeilen": 1852, "nauticalmile": 1852, "nauticalmiles": 1852,
  ]

  /// The length of a unit in meters, or nil if unknown; ignores case and spaces.
  package static func meters(_ name: some StringProtocol) -> Double? {
    meters[String(name.lowercased().filter { !$0.isWhitespace })]
  }
}

/// Reads latitude and longitude from one text, as maps show and copy them: `39.95, -75.16`.
///
/// The separator is a semicolon, a comma or spaces; parentheses around both are optional. Each
/// number may have a degree sign, N, S, E or W, and a decimal comma if that is unambiguous.
package enum PositionText {
  /// Parses text, or returns nil if it is not two numbers that can be told apart.
  package static func coordinate(parsing text: String, isLongitudeFirst: Bool) -> Coordinate? {
    var text = trimmed(text[...])
    if text.first == "(", text.last == ")" { text = trimmed(text.dropFirst().dropLast()) }
    guard let (first, second) = halves(of: text) else { return nil }
    let (latitude, longitude) = isLongitudeFirst ? (second, first) : (first, second)
    guard let latitude = degrees(latitude, negative: "S", positive: "N"),
      let longitude = degrees(longitude, negative: "W", positive: "E")
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0.isWhitespace }
    return start.dropLast(start.reversed().prefix { $0.isWhitespace }.count)
  }

  /// The text on both sides of the most likely separator that occurs exactly once.
  private static func halves(of text: Substring) -> (Substring, Substring)? {
    // A single number with a decimal comma is half a position.
    guard CSVNumber.double(parsing: ContiguousArray(text.utf8).span) == nil else { return nil }
    for separator in [";", ", ", ",", " "] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      return (trimmed(parts[0]), trimmed(parts[1]))
    }
    return nil
  }

  /// One coordinate, negative with the first letter or a minus sign; nil if it is not a number.
  private static func degrees(
    _ text: Substring, negative: Unicode.Scalar, positive: Unicode.Scalar
  ) -> Double? {
    CSVNumber.degrees(
      parsing: ContiguousArray(text.utf8).span, negative: UInt8(ascii: negative),
      positive: UInt8(ascii: positive))
  }
}

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

  /// The offset of a zone from UTC, by name or in signed hours and minutes; nil for other text.
  private static func offsetMinutes(_ zone: String) -> Int? {
    if let hours = zones[zone] { return hours * 60 }
    guard zone.count == 5, let sign = zone.first, sign == "+" || sign == "-",
      let digits = Int(zone.dropFirst())
    else { return nil }
    let minutes = digits / 100 * 60 + digits % 100
    return sign == "-" ? -minutes : minutes
  }
}
