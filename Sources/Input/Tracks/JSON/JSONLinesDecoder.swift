package import FencepostFixes
package import FencepostTime
package import FencepostFormats
import FencepostGeodesy

/// Decodes JSON Lines in which each line is an object with `time`, `lat` and `lon`.
///
/// ``JSONFixReader`` lists all names. A line that is not an object is rejected as `malformed`; an
/// object without a valid position, as `coordinate`. A fix with an unreadable time is kept without
/// it and reported as `time`.
package struct JSONLinesDecoder: LineDecoder, Sendable {
  /// Cuts the source into lines.
  package var scanner = LineScanner()
  private var reader = JSONFixReader()
  private let clock: ClockZone?

  /// Creates a decoder; times that state no zone follow the clock, or else are in UTC.
  package init(clock: ClockZone? = nil) { self.clock = clock }

  /// Decodes the object on a line; blank lines and reports of other kinds are skipped.
  package mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    var object = JSONFix()
    guard !JSONFixReader.isBlank(line),
      reader.read(line, position, into: &object, rejecting: &batch)
    else { return }
    let line = position.number
    guard object.isObject else {
      return batch.reject(.malformed, line: line, detail: JSONFix.notAnObject)
    }
    guard !object.isOther else { return }
    if object.isVoid { return batch.reject(.void, line: line) }
    if object.latitude.isNaN || object.longitude.isNaN {
      // Written out, because a text made for each of a million such lines costs more than reading them.
      let detail =
        object.latitude.isNaN
        ? "lat is missing or not a number" : "lon is missing or not a number"
      return batch.reject(.coordinate, line: line, detail: detail)
    }
    if let clock { object.follow(clock) }
    var fix = object.fix
    fix.coordinate = Coordinate(
      latitudeDegrees: object.latitude, longitudeDegrees: object.longitude)
    guard fix.coordinate.isValid else {
      return batch.reject(.coordinate, line: line, detail: "\(object.latitude),\(object.longitude)")
    }
    if object.hasTimeFault {
      batch.reject(.time, line: line, detail: "invalid time; the fix is kept without a time")
    }
    batch.append(fix, line: line)
  }
}
