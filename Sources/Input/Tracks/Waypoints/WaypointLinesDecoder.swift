package import FencepostFixes
package import FencepostFormats
import FencepostGeodesy

/// Decodes lines of `lat,lon`, as `xcrun simctl location` reads them: waypoints without times.
///
/// A line may hold several positions separated by spaces, as on simctl's command line. One number
/// must then have a decimal point, since `48,85 2,35` could be one position with decimal commas.
/// Empty lines and those that begin with `#` are skipped. Anything else is rejected as `malformed`.
package struct WaypointLinesDecoder: LineDecoder, Sendable {
  // A command line can hold a whole path.
  /// Cuts the source into lines.
  package var scanner = LineScanner(maximumLineBytes: 1 << 20)

  /// Creates a decoder; waypoints have neither times nor dates.
  package init() {}

  /// Whether a line is a valid position or begins with two; its end may be cut off.
  static func isWaypoint(_ line: Span<UInt8>) -> Bool {
    if let only = waypoint(line) { return only.isValid }
    guard hasPoint(line), let first = word(in: line, from: 0),
      let second = word(in: line, from: first.upperBound)
    else { return false }
    return [first, second].allSatisfy { waypoint(line.extracting($0))?.isValid ?? false }
  }

  /// Parses two numbers separated by a comma; not range-checked.
  private static func waypoint(_ text: Span<UInt8>) -> Coordinate? {
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let latitude = number(text.extracting(0..<comma))
    let longitude = number(text.extracting((comma + 1)..<text.count))
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// The number in text without the blanks around it; nil for anything else.
  private static func number(_ text: Span<UInt8>) -> Double? {
    DecimalNumber.double(parsing: text.extracting(text.trimmedRange))
  }

  /// Whether a line has a decimal point, so that its commas divide numbers.
  private static func hasPoint(_ line: Span<UInt8>) -> Bool {
    line.firstIndex(of: UInt8(ascii: ".")) != nil
  }

  /// The next word; nil after the last.
  private static func word(in line: Span<UInt8>, from start: Int) -> Range<Int>? {
    var start = start
    while start < line.count, FormatDetector.isWhiteSpace(line[start]) { start += 1 }
    var end = start
    while end < line.count, !FormatDetector.isWhiteSpace(line[end]) { end += 1 }
    return end > start ? start..<end : nil
  }

  /// Decodes the position or positions on a line.
  package mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    let text = line.trimmedRange
    guard !text.isEmpty, line[text.lowerBound] != UInt8(ascii: "#") else { return }
    if let only = Self.waypoint(line) { return Self.take(only, position.number, into: &batch) }
    guard Self.hasPoint(line), let first = Self.word(in: line, from: 0),
      first.upperBound < text.upperBound, Self.waypoint(line.extracting(first)) != nil
    else { return Self.rejectMalformed(position.number, &batch) }
    var next: Range<Int>? = first
    while let word = next {
      if let coordinate = Self.waypoint(line.extracting(word)) {
        Self.take(coordinate, position.number, into: &batch)
      } else {
        Self.rejectMalformed(position.number, &batch)
      }
      next = Self.word(in: line, from: word.upperBound)
    }
  }

  /// Makes a fix of a position, or rejects one that is not on the map.
  private static func take(_ coordinate: Coordinate, _ line: Int, into batch: inout FixBatch) {
    guard coordinate.isValid else {
      return batch.reject(
        .coordinate, line: line,
        detail: "\(coordinate.latitudeDegrees),\(coordinate.longitudeDegrees)")
    }
    batch.append(Fix(coordinate: coordinate), line: line)
  }

  private static func rejectMalformed(_ line: Int, _ batch: inout FixBatch) {
    batch.reject(.malformed, line: line, detail: "expected latitude,longitude")
  }
}
