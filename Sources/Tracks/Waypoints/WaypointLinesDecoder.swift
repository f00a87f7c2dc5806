public import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes lines `lat,lon`, as `xcrun simctl location` takes them: a waypoint each, without times.
///
/// Empty lines and those that begin with `#` are comments. Any other line that is not two numbers is rejected as
/// `malformed`.
public struct WaypointLinesDecoder: FixDecoder, Sendable {
  private var scanner = LineScanner()

  /// Makes a decoder.
  public init() {}

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    scanner.scan(bytes) { line, position in Self.take(line, position, into: &batch) }
  }

  /// Ends the source and appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    scanner.finish { line, position in Self.take(line, position, into: &batch) }
  }

  /// Whether a line is a position in range; a table's columns have a header instead.
  static func isWaypoint(_ line: Span<UInt8>) -> Bool { waypoint(line)?.isValid ?? false }

  /// The position of a line; nil if it is not two numbers with a comma between them.
  private static func waypoint(_ line: Span<UInt8>) -> Coordinate? {
    guard let comma = line.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let latitude = number(line.extracting(0..<comma))
    let longitude = number(line.extracting((comma + 1)..<line.count))
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func number(_ text: Span<UInt8>) -> Double? {
    DecimalNumber.double(parsing: text.extracting(text.trimmedRange))
  }

  private static func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    let text = line.trimmedRange
    guard !text.isEmpty, line[text.lowerBound] != UInt8(ascii: "#") else { return }
    guard let coordinate = waypoint(line) else {
      return batch.reject(.malformed, line: position.number, detail: "no latitude,longitude")
    }
    guard coordinate.isValid else {
      return batch.reject(
        .coordinate, line: position.number,
        detail: "\(coordinate.latitudeDegrees),\(coordinate.longitudeDegrees)")
    }
    batch.append(Fix(coordinate: coordinate), line: position.number)
  }
}
