import FencepostFormats
import FencepostGeodesy

enum GooglePosition {
  /// Parses `52.1°, 4.3°` (Android), `52.1, 4.3` or `geo:52.1,4.3` (iOS); latitude comes first.
  static func coordinate(_ text: Span<UInt8>) -> Coordinate? {
    var start = 0
    if text.count > 4, text.extracting(first: 4).equals("geo:") { start = 4 }
    guard let comma = text.firstIndex(of: UInt8(ascii: ","), from: start) else { return nil }
    // A geo URI may include an uncertainty.
    let end = text.firstIndex(of: UInt8(ascii: ";"), from: comma) ?? text.count
    guard let latitude = degrees(text, start..<comma),
      let longitude = degrees(text, (comma + 1)..<end)
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Converts units of 10⁻⁷ degrees; subtracts 2³² from values that overflowed in the export.
  static func degrees(e7: Double, limit: Double) -> Double {
    let units = 1e7
    var value = e7
    if value > limit * units, value <= 4_294_967_296 { value -= 4_294_967_296 }
    return value / units
  }

  /// Parses a number, optionally with spaces around it and a degree sign after it.
  private static func degrees(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] == 0x20 { start += 1 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    if end - start >= 2, text[end - 2] == 0xC2, text[end - 1] == 0xB0 { end -= 2 }
    return DecimalNumber.double(parsing: text.extracting(start..<end))
  }
}
