import FencepostFormats
import FencepostGeodesy

/// Latitude and longitude in one text, as maps show and copy them: `39.95, -75.16`.
///
/// Between the two are a semicolon, a comma or blanks, around them perhaps parentheses. Each may have a decimal
/// comma where that leaves no doubt, a degree sign, and N, S, E or W.
enum PositionText {
  /// Reads a text; nil if it is anything but two numbers that can be told apart.
  static func coordinate(parsing text: String, isLongitudeFirst: Bool) -> Coordinate? {
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

  /// The text before and behind the likeliest separator that it has once.
  private static func halves(of text: Substring) -> (Substring, Substring)? {
    // One number with a decimal comma is half a position.
    guard CSVNumber.double(parsing: Array(text.utf8).span) == nil else { return nil }
    for separator in [";", ", ", ",", " "] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      return (trimmed(parts[0]), trimmed(parts[1]))
    }
    return nil
  }

  private static func degrees(
    _ text: Substring, negative: Unicode.Scalar, positive: Unicode.Scalar
  ) -> Double? {
    CSVNumber.degrees(
      parsing: Array(text.utf8).span, negative: UInt8(ascii: negative),
      positive: UInt8(ascii: positive))
  }
}
