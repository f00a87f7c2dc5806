import Formats
import Geodesy

/// Reads fixes from comma-separated values with a header: `time,lat,lon` and optionally `accuracy`,
/// in any order, among any other columns.
///
/// `CSVFixColumns` says which names are known. Times are ISO 8601 or a number since 1970: seconds
/// below 10^11, milliseconds below 10^14, microseconds below 10^17, else nanoseconds. An empty time
/// is none; one that is not readable is counted as `time` and its fix kept without one. Latitude and
/// longitude are decimal degrees. A row that is not good is rejected with its line.
public struct CSVFixDecoder: FixDecoder, Sendable {
  private var reader = CSVReader()
  private var columns: CSVFixColumns?
  private var plainRows: CSVPlainRows?
  private let readsPlainRows: Bool
  private var clock = DayClock()

  /// Makes a decoder.
  public init() {
    readsPlainRows = true
  }

  /// Makes a decoder that leaves also rows in their plain form to the reader of all CSV, for
  /// comparison.
  ///
  /// - Parameter usesOnlyCSVReader: Whether to do so.
  public init(usesOnlyCSVReader: Bool) {
    readsPlainRows = !usesOnlyCSVReader
  }

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    reader.push(bytes)
    try takeRows(into: &batch)
  }

  /// The source has ended: appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    reader.finish()
    try takeRows(into: &batch)
  }

  private mutating func takeRows(into batch: inout FixBatch) throws(DecodeError) {
    while true {
      takePlainRows(into: &batch)
      do throws(CSVError) {
        guard try reader.next() else { return }
      } catch {
        batch.reject(.malformed, line: error.line, detail: Self.sentence(error))
        continue
      }
      if let columns {
        takeRow(columns, into: &batch)
      } else {
        let header = try header()
        columns = header
        if readsPlainRows { plainRows = CSVPlainRows(header) }
      }
    }
  }

  private mutating func takePlainRows(into batch: inout FixBatch) {
    guard var rows = plainRows else { return }
    reader.readAhead { rows.read($0, line: $1, into: &batch) }
    plainRows = rows
  }

  private static func sentence(_ error: CSVError) -> String {
    switch error.reason {
    case .unclosedQuote: "a quote is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }

  private func header() throws(DecodeError) -> CSVFixColumns {
    guard let columns = CSVFixColumns(header: reader) else {
      throw DecodeError(
        "the first line must name the columns lat and lon, as in time,lat,lon", line: reader.line)
    }
    return columns
  }

  private mutating func takeRow(_ columns: CSVFixColumns, into batch: inout FixBatch) {
    let line = reader.line
    guard reader.fieldCount > max(columns.latitude, columns.longitude) else {
      return batch.reject(
        .malformed, line: line, detail: "\(reader.fieldCount) fields are too few")
    }
    guard let latitude = number(columns.latitude), let longitude = number(columns.longitude) else {
      return batch.reject(.coordinate, line: line, detail: "latitude or longitude is no number")
    }
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else {
      return batch.reject(.coordinate, line: line, detail: "\(latitude),\(longitude)")
    }
    var fix = Fix(coordinate: coordinate)
    if let column = columns.accuracy, let accuracy = number(column), accuracy >= 0 {
      fix.accuracyMeters = Float(accuracy)
    }
    takeTime(columns.time, &fix, line: line, into: &batch)
    batch.append(fix, line: line)
  }

  private mutating func takeTime(
    _ column: Int?, _ fix: inout Fix, line: Int, into batch: inout FixBatch
  ) {
    guard let column, column < reader.fieldCount else { return }
    // The field is lent by the reader, a part of this value too.
    var clock = clock
    let (isEmpty, milliseconds) = reader.withField(column) { field in
      let text = field.extracting(Self.contents(field))
      return (text.isEmpty, Self.milliseconds(text, by: &clock))
    }
    self.clock = clock
    if isEmpty { return }
    fix.timeMilliseconds = milliseconds
    if milliseconds == nil {
      let detail = "\(reader.string(column)) is no time; the fix is kept without it"
      batch.reject(.time, line: line, detail: detail)
    }
  }

  private func number(_ column: Int) -> Double? {
    guard column < reader.fieldCount else { return nil }
    return reader.withField(column) {
      DecimalNumber.double(parsing: $0.extracting(Self.contents($0)))
    }
  }

  /// The instant that a text without blanks about it tells, nil where it is no time.
  @inline(__always)
  static func milliseconds(_ text: Span<UInt8>, by clock: inout DayClock) -> Int64? {
    clock.milliseconds(text) ?? milliseconds(number: text)
  }

  /// The instant that a number of seconds, milliseconds and so on since 1970 tells by its size.
  private static func milliseconds(number text: Span<UInt8>) -> Int64? {
    guard let number = DecimalNumber.double(parsing: text) else { return nil }
    let milliseconds: Double =
      switch abs(number) {
      case ..<1e11: number * 1000
      case ..<1e14: number
      case ..<1e17: number / 1e3
      default: number / 1e6
      }
    return Fix.timeMilliseconds(of: milliseconds)
  }

  /// Where a field's contents stand without the blanks around them.
  private static func contents(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = text.count
    while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
    while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }
}
