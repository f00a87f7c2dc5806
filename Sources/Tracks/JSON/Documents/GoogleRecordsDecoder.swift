import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes `Records.json` (formerly `Location History.json`) from Google Takeout.
///
/// Each element of `locations` is a fix: `latitudeE7` and `longitudeE7` in 10⁻⁷ degrees,
/// `timestamp` in ISO 8601 or `timestampMs`, `accuracy` in meters, `velocity` in m/s, `heading` in
/// degrees.
struct GoogleRecordsDecoder: JSONDocumentDecoder, Sendable {
  enum Place {
    case root, records, record, latitude, longitude, time, accuracy, speed, course
  }

  var document = JSONDocument<Place>(.root)
  private var fix = Fix.unplaced
  private var latitude = Double.nan
  private var longitude = Double.nan
  private var hasTimeFault = false

  func member(of place: Place, _ reader: borrowing JSONReader) -> Place? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch place {
    case .root: return named("locations") ? .records : nil
    case .record:
      if named("latitudeE7") { return .latitude }
      if named("longitudeE7") { return .longitude }
      if named("timestamp") || named("timestampMs") { return .time }
      if named("accuracy") { return .accuracy }
      if named("velocity") { return .speed }
      return named("heading") ? .course : nil
    default: return nil
    }
  }

  func element(of place: Place) -> Place? {
    if case .records = place { .record } else { nil }
  }

  mutating func begin(_ place: Place) {
    guard case .record = place else { return }
    fix = Fix.unplaced
    (latitude, longitude, hasTimeFault) = (.nan, .nan, false)
  }

  mutating func take(_ value: JSONReader.Event, at place: Place, _ reader: borrowing JSONReader) {
    switch place {
    case .latitude: latitude = reader.number(value)
    case .longitude: longitude = reader.number(value)
    case .time:
      fix.timeMilliseconds = reader.milliseconds(value)
      hasTimeFault = fix.timeMilliseconds == nil
    case .accuracy: fix.setAccuracy(reader.number(value))
    case .speed: fix.setSpeed(reader.number(value))
    case .course: fix.setCourse(reader.number(value))
    default: break
    }
  }

  mutating func end(
    _ place: Place, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard case .record = place else { return }
    fix.coordinate = Coordinate(
      latitudeDegrees: GooglePosition.degrees(e7: latitude, limit: 90),
      longitudeDegrees: GooglePosition.degrees(e7: longitude, limit: 180))
    guard fix.coordinate.isValid else {
      let detail = latitude.isNaN || longitude.isNaN ? "the record has no position" : nil
      return batch.rejections.append(position.rejection(.coordinate, detail))
    }
    if hasTimeFault {
      let detail = "invalid timestamp; the fix is kept without a time"
      batch.rejections.append(position.rejection(.time, detail))
    }
    batch.append(fix, line: position.line ?? 0)
  }

  mutating func release(into batch: inout FixBatch) {}
}
