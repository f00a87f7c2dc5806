import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// A shortcut for plain rows, as nearly all are: no quotes, no blanks around values, coordinates of at most
/// fifteen digits, readable times.
///
/// `CSVFixDecoder` reads all other rows, and would read the plain ones with the same result.
struct CSVPlainRows: Sendable {
  private enum Column: Sendable {
    case time, latitude, longitude, accuracy, speed, course, other
  }

  /// The meaning of each column, up to the last that a fix needs.
  private let columns: [Column]
  private var clock = DayClock()
  /// Whether numbers count from 1970, so that they can be read here.
  var readsNumbers = false
  /// Longer rows are left to `CSVFixDecoder`.
  private static let greatestByteCount = 4096

  /// Makes a reader for the columns of a header.
  init(_ header: CSVFixColumns) {
    let known: [(Int?, Column)] = [
      (header.time, .time), (header.latitude, .latitude), (header.longitude, .longitude),
      (header.accuracy, .accuracy), (header.speed, .speed), (header.course, .course),
    ]
    let last = known.compactMap(\.0).max() ?? 0
    columns = (0...last).map { index in known.first { $0.0 == index }?.1 ?? .other }
  }

  /// Reads rows up to the first that is not plain or not complete.
  ///
  /// - Parameters:
  ///   - text: Bytes that start at the beginning of a row.
  ///   - line: The line of that row.
  ///   - batch: Receives the fixes.
  /// - Returns: How many bytes and lines were read.
  mutating func read(
    _ text: Span<UInt8>, line: Int, into batch: inout FixBatch
  ) -> (byteCount: Int, lineCount: Int) {
    ByteCursor.reading(text) { cursor in
      var end = 0
      var next = line
      var fix = Fix(coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
      while readRow(&cursor, into: &fix) {
        batch.append(fix, line: next)
        end = cursor.index
        next += 1
      }
      return (end, next - line)
    }
  }

  /// Reads a row into a fix, setting all fields of the header's columns; false if the row is not plain or
  /// not complete.
  private mutating func readRow(_ cursor: inout ByteCursor, into fix: inout Fix) -> Bool {
    let start = cursor.index
    for number in columns.indices {
      guard number == 0 || cursor.skip(",") else { return false }
      guard readField(columns[number], &cursor, into: &fix) else { return false }
    }
    while cursor.skip(",") {
      guard skipField(&cursor) else { return false }
    }
    _ = cursor.skip("\r")
    return cursor.skip("\n") && cursor.index - start <= Self.greatestByteCount
      && fix.coordinate.isValid
  }

  @inline(__always)
  private mutating func readField(
    _ column: Column, _ cursor: inout ByteCursor, into fix: inout Fix
  ) -> Bool {
    switch column {
    case .latitude:
      guard let latitude = cursor.decimal() else { return false }
      fix.coordinate.latitudeDegrees = latitude
    case .longitude:
      guard let longitude = cursor.decimal() else { return false }
      fix.coordinate.longitudeDegrees = longitude
    case .accuracy:
      guard let accuracy = cursor.decimal(), accuracy >= 0 else { return false }
      fix.accuracyMeters = Float(accuracy)
    case .speed:
      guard let speed = cursor.decimal(), speed >= 0 else { return false }
      fix.speedMetersPerSecond = Float(speed)
    case .course:
      guard let course = cursor.decimal(), 0..<360 ~= course else { return false }
      fix.courseDegrees = Float(course)
    case .time: return readTime(&cursor, into: &fix)
    case .other: return skipField(&cursor)
    }
    return true
  }

  /// Reads a time, which may be empty; false if it is unreadable.
  @inline(__always)
  private mutating func readTime(_ cursor: inout ByteCursor, into fix: inout Fix) -> Bool {
    let start = cursor.index
    // Most times have twenty bytes, the last of them `Z`.
    if cursor[start + 20] == UInt8(ascii: ","), cursor[start + 19] == UInt8(ascii: "Z") {
      cursor.index = start + 20
    } else if !skipField(&cursor) {
      return false
    }
    guard cursor.index > start else {
      fix.rawTimeMilliseconds = Fix.noTime
      return true
    }
    let milliseconds = cursor.withSpan(start..<cursor.index) { text in
      clock.milliseconds(text) ?? (readsNumbers ? instant(ofNumber: text) : nil)
    }
    guard let milliseconds else { return false }
    fix.rawTimeMilliseconds = milliseconds
    return true
  }

  private func instant(ofNumber text: Span<UInt8>) -> Int64? {
    DecimalNumber.double(parsing: text).flatMap { Fix.timeMilliseconds(sinceEpoch: $0) }
  }

  /// Moves to the end of a field without quotes; false if it has quotes or is incomplete.
  private func skipField(_ cursor: inout ByteCursor) -> Bool {
    let start = cursor.index
    guard cursor.next != UInt8(ascii: "\"") else { return false }
    let range = start..<min(cursor.count, start + Self.greatestByteCount)
    let length = cursor.withSpan(range) {
      $0.firstFieldEnd(in: 0..<$0.count, separator: UInt8(ascii: ","))
    }
    cursor.index = start + length
    return cursor.index < range.upperBound
  }
}
