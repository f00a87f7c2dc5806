import FencepostFormats
import FencepostGeodesy

/// Reads latitude and longitude from one text, as maps show and copy them: `39.95, -75.16`.
///
/// The separator is a semicolon, a comma or spaces; parentheses around both are optional. Each
/// number may have a degree sign, N, S, E or W, and a decimal comma if that is unambiguous.
enum PositionText {
  /// Parses text, or returns nil if it is not two numbers that can be told apart.
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

  /// The text on both sides of the most likely separator that occurs exactly once.
  private static func halves(of text: Substring) -> (Substring, Substring)? {
    // A single number with a decimal comma is half a position.
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
