package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostTime

/// Decodes delimited text with a header.
///
/// The columns are `time,lat,lon` and optionally `accuracy`, `speed_mps` and `course`, in any order
/// and among others. `CSVDialect` detects the separator, `CSVFixColumns` the columns. Positions are
/// decimal degrees, optionally with a hemisphere or a decimal comma; units of 10⁻⁷ degrees, in
/// columns such as `latitudeE7`; or well-known text. A bad row is rejected; one without a position
/// is `void`.
///
/// Times are:
/// - ISO 8601,
/// - dates and times of day in any form of `CivilText`, in one or two columns, in UTC by default,
/// - numbers since 1970: seconds below 10^11, milliseconds below 10^14, microseconds below 10^17,
///   otherwise nanoseconds, or
/// - Excel days, if the column's name suggests dates or the spread of the numbers shows it.
///
/// In dates such as 3/4/2026, a `DateOrder`, the date of the first fix or the first
/// ``mostDoubtfulRows`` rows decide whether the day comes first. A fix with an unreadable time is
/// kept without it and reported as `time`. If no time in a column is readable, or its dates stay
/// ambiguous, decoding ends with an error that names the column.
package struct CSVFixDecoder: FixDecoder, Sendable {
  /// How many rows are held while the order of day and month is ambiguous.
  package static var mostDoubtfulRows: Int { 10_000 }
  /// How many rows are held while no time is readable.
  private static var mostUnreadableRows: Int { 100 }

  /// Nil once the dialect is known.
  private var head: CSVHead? = CSVHead()
  private var reader = CSVReader()
  private var columns: CSVFixColumns?
  private let order: DateOrder?
  private let startDay: Int32?
  /// Replaced when the header is read.
  private var clock = CSVClock(.times(hasDateColumn: false, namesDate: false), order: nil)
  private var held: [HeldRow] = []
  private var rowCount = 0

  private enum HeldRow {
    case fix(Fix)
    case waiting(Fix, CSVClock.Waiting, text: String)
    case unreadable(Fix, text: String)
    case rejection(Rejection)
  }

  /// Creates a decoder; `startDay` is the date of the first fix, for tables with only times of day.
  package init(order: DateOrder? = nil, startDay: Int32? = nil) {
    self.order = order
    self.startDay = startDay
  }

  /// Warnings about the whole table, without final periods; complete at the end.
  package var notices: [String] {
    guard let columns, rowCount > 0 else { return [] }
    guard columns.fields.time != nil else {
      return ["no time column found, so the fixes have no times"]
    }
    let name = columns.timeName
    var notices: [String] = []
    if !clock.hasSeen {
      notices.append("the column “\(name)” is empty, so the fixes have no times")
    }
    if clock.countsFrom1970 {
      notices.append("the times in the column “\(name)” are in 1970, which is probably wrong")
    }
    if clock.hasRead, columns.isLocalTime, columns.fields.offset == nil {
      notices.append("the column “\(name)” has no time zone, so Fencepost assumes UTC")
    }
    return notices
  }

  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard reader.push(bytes, after: &head, namesColumns: Self.namesColumns) else { return }
    try takeRows(into: &batch)
  }

  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    reader.finish(after: &head, namesColumns: Self.namesColumns)
    try takeRows(into: &batch)
    if let doubt = clock.doubt { throw sentence(of: doubt) }
  }

  // MARK: Header

  /// The offset of a table's header in its first bytes; nil if none is found.
  package static func headerOffset(in bytes: Span<UInt8>) -> Int? {
    CSVDialect.recognize(bytes, isWhole: false, namesColumns: namesColumns)?.headerOffset
  }

  private static func namesColumns(_ reader: borrowing CSVReader) -> Bool {
    CSVFixColumns(header: reader) != nil
  }

  private static let headerRule =
    "the first line must name the columns lat and lon, as in time,lat,lon"

  private mutating func takeHeader() throws(DecodeError) {
    guard let header = CSVFixColumns(header: reader) else {
      throw DecodeError(Self.headerRule, line: reader.line)
    }
    columns = header
    clock = CSVClock(
      .times(hasDateColumn: header.fields.date != nil, namesDate: header.namesDate), order: order,
      startDay: startDay.map { Int($0) })
  }

  // MARK: Rows

  private mutating func takeRows(into batch: inout FixBatch) throws(DecodeError) {
    // Copied once instead of for each row.
    var (fields, end) = (columns?.fields, columns?.endFields)
    while true {
      do throws(CSVError) {
        guard try reader.next() else { return }
      } catch {
        guard columns != nil else {
          throw DecodeError("\(Self.headerRule); \(Self.sentence(error))", line: error.line)
        }
        reject(.malformed, line: error.line, Self.sentence(error), into: &batch)
        continue
      }
      guard let fields else {
        try takeHeader()
        (fields, end) = (columns?.fields, columns?.endFields)
        continue
      }
      takeRow(fields, into: &batch)
      if let end { takeRow(end, into: &batch) }
      if let doubt = clock.doubt { try limit(doubt) } else { release(into: &batch) }
    }
  }

  private static func sentence(_ error: CSVError) -> String {
    switch error.reason {
    case .unclosedQuote: "a quote is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }

  private mutating func takeRow(_ columns: CSVFixColumns.Fields, into batch: inout FixBatch) {
    let line = reader.line
    let hasPosition = reader.fieldCount > max(columns.latitude, columns.longitude)
    // A comment, unless the row has a position and its first column may contain a `#`.
    if reader.beginsWithHash, !hasPosition || columns.uses(0) { return }
    rowCount += 1
    guard hasPosition else {
      // A literal allocates nothing, and 1 MiB can hold half a million such rows.
      let count = reader.fieldCount
      let fault = count == 1 ? "too few fields: 1" : "too few fields: \(count)"
      return reject(.malformed, line: line, fault, into: &batch)
    }
    guard let coordinate = coordinate(columns) else {
      if isEmpty(columns.latitude), isEmpty(columns.longitude) {
        return reject(.void, line: line, "no coordinates", into: &batch)
      }
      let fault =
        columns.positions == .wellKnownText
        ? "the position must be a POINT in well-known text"
        : "latitude or longitude is not a number"
      return reject(.coordinate, line: line, fault, into: &batch)
    }
    guard coordinate.isValid else {
      let text = "\(coordinate.latitudeDegrees),\(coordinate.longitudeDegrees)"
      return reject(.coordinate, line: line, text, into: &batch)
    }
    var fix = Fix(coordinate: coordinate, line: Int32(clamping: line))
    if let column = columns.accuracy, let accuracy = number(column) { fix.setAccuracy(accuracy) }
    if let column = columns.speed, let speed = number(column) { fix.setSpeed(speed) }
    if let column = columns.course, let course = number(column) { fix.setCourse(course) }
    takeTime(columns, &fix, into: &batch)
  }

  private mutating func takeTime(
    _ columns: CSVFixColumns.Fields, _ fix: inout Fix, into batch: inout FixBatch
  ) {
    let reading = readTime(columns)
    if case .moment(let milliseconds) = reading { fix.timeMilliseconds = milliseconds }
    if !clock.isUndecided, held.isEmpty {
      if case .unreadable = reading { Self.rejectTime(timeText(columns), of: fix, into: &batch) }
      return batch.append(fix)
    }
    switch reading {
    case .waiting(let waiting): held.append(.waiting(fix, waiting, text: timeText(columns)))
    case .unreadable: held.append(.unreadable(fix, text: timeText(columns)))
    case .empty, .moment: held.append(.fix(fix))
    }
  }

  private mutating func readTime(_ columns: CSVFixColumns.Fields) -> CSVClock.Reading {
    guard let column = columns.time else { return .empty }
    let (date, text) = (text(columns.date), text(column))
    // Copied, because the clock in `self` changes.
    let bytes = reader.bytes
    guard let offset = columns.offset, !text.isEmpty, !isEmpty(offset) else {
      return clock.read(time: bytes.span.extracting(text), date: bytes.span.extracting(date))
    }
    // Appends the UTC offset to the time.
    let zone = bytes[self.text(offset)]
    let hasSign = zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-")
    let time = bytes[text] + (hasSign ? [] : [UInt8(ascii: "+")]) + zone
    return clock.read(time: time.span, date: bytes.span.extracting(date))
  }

  private static func rejectTime(_ text: String, of fix: Fix, into batch: inout FixBatch) {
    batch.reject(
      .time, line: Int(fix.line), detail: "\(text) is not a time; the fix is kept without one")
  }

  // MARK: Fields

  /// The range of a field without the spaces and NUL bytes that loggers pad with; may be empty.
  private func text(_ column: Int?) -> Range<Int> {
    guard let column, column < reader.fieldCount else { return 0..<0 }
    let field = reader.fieldRange(column)
    var (start, end) = (field.lowerBound, field.upperBound)
    while start < end, Self.isPadding(reader.bytes[start]) { start += 1 }
    while end > start, Self.isPadding(reader.bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private func isEmpty(_ column: Int) -> Bool { text(column).isEmpty }

  private func number(_ column: Int) -> Double? {
    CSVNumber.double(parsing: reader.bytes.span.extracting(text(column)))
  }

  /// The row's position, not range-checked; nil if unreadable.
  private func coordinate(_ columns: CSVFixColumns.Fields) -> Coordinate? {
    switch columns.positions {
    case .wellKnownText:
      return Coordinate(wellKnownText: reader.bytes.span.extracting(text(columns.latitude)))
    case .e7:
      guard let latitude = number(columns.latitude), let longitude = number(columns.longitude)
      else { return nil }
      return Coordinate(
        latitudeDegrees: GooglePosition.degrees(e7: latitude, limit: 90),
        longitudeDegrees: GooglePosition.degrees(e7: longitude, limit: 180))
    case .degrees:
      guard let latitude = degrees(columns.latitude, columns.latitudeHemisphere, "S", "N"),
        let longitude = degrees(columns.longitude, columns.longitudeHemisphere, "W", "E")
      else { return nil }
      return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }
  }

  private func degrees(
    _ column: Int, _ hemisphere: Int?, _ negative: Unicode.Scalar, _ positive: Unicode.Scalar
  ) -> Double? {
    let (negative, positive) = (UInt8(ascii: negative), UInt8(ascii: positive))
    let degrees = CSVNumber.degrees(
      parsing: reader.bytes.span.extracting(text(column)), negative: negative, positive: positive)
    let letter = text(hemisphere).first.map { reader.bytes[$0] & 0xDF }
    let isNegative = letter == negative
    return isNegative ? degrees.map { -abs($0) } : degrees
  }

  /// The row's date and time as written, for messages.
  private func timeText(_ columns: CSVFixColumns.Fields) -> String {
    [columns.date, columns.time].compactMap { column in
      guard let column, column < reader.fieldCount, !isEmpty(column) else { return nil }
      return reader.string(column)
    }.joined(separator: " ")
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0 }
}

extension Coordinate {
  /// Parses `POINT (lon lat)`, optionally with an altitude or an `SRID=4326;` prefix.
  fileprivate init?(wellKnownText text: Span<UInt8>) {
    guard let open = text.firstIndex(of: UInt8(ascii: "("), from: 0),
      let close = text.firstIndex(of: UInt8(ascii: ")"), from: open)
    else { return nil }
    var kind: [UInt8] = []
    for index in 0..<open where text[index] != 0x20 {
      if text[index] == UInt8(ascii: ";") {
        kind.removeAll()
      } else {
        kind.append(text[index] & 0xDF)
      }
    }
    guard ["POINT", "POINTZ", "POINTM", "POINTZM"].contains(String(decoding: kind, as: UTF8.self))
    else { return nil }
    var numbers: [Double] = []
    var start = open + 1
    while start < close, numbers.count < 2 {
      let end = min(close, text.firstIndex(of: 0x20, from: start) ?? close)
      if end > start {
        guard let number = DecimalNumber.double(parsing: text.extracting(start..<end)) else {
          return nil
        }
        numbers.append(number)
      }
      start = end + 1
    }
    guard numbers.count == 2 else { return nil }
    self.init(latitudeDegrees: numbers[1], longitudeDegrees: numbers[0])
  }
}

// MARK: Rows held back

extension CSVFixDecoder {
  private mutating func reject(
    _ reason: Rejection.Reason, line: Int, _ detail: String, into batch: inout FixBatch
  ) {
    let rejection = Rejection(reason: reason, line: line, detail: detail)
    if held.isEmpty {
      batch.rejections.append(rejection)
    } else {
      held.append(.rejection(rejection))
    }
  }

  private mutating func release(into batch: inout FixBatch) {
    guard !held.isEmpty else { return }
    for row in held {
      switch row {
      case .fix(let fix): batch.append(fix)
      case .rejection(let rejection): batch.rejections.append(rejection)
      case .unreadable(let fix, let text):
        Self.rejectTime(text, of: fix, into: &batch)
        batch.append(fix)
      case .waiting(var fix, let waiting, let text):
        fix.timeMilliseconds = clock.resolve(waiting)
        if fix.timeMilliseconds == nil { Self.rejectTime(text, of: fix, into: &batch) }
        batch.append(fix)
      }
    }
    held.removeAll()
  }

  private func limit(_ doubt: CSVClock.Doubt) throws(DecodeError) {
    let most = if case .order = doubt { Self.mostDoubtfulRows } else { Self.mostUnreadableRows }
    if held.count >= most { throw sentence(of: doubt) }
  }

  /// The error if the times stay ambiguous.
  private func sentence(of doubt: CSVClock.Doubt) -> DecodeError {
    let (text, line) = firstDoubtful(doubt)
    let name = columns.map { $0.dateName.isEmpty ? $0.timeName : $0.dateName } ?? ""
    let field = "the column “\(name)” has “\(text)”"
    let sentence =
      switch doubt {
      case .order(isShortYear: false):
        "\(field): the day or the month could come first; set --date-order to dmy or mdy"
      case .order(isShortYear: true):
        "\(field), but the year has two digits; set --date-order to dmy or mdy"
      case .number: "\(field), which could be days or seconds; rename the column “date” or “unix”"
      case .unreadable(lacksDate: true):
        "\(field), a time without a date; give the date of the first fix with --date YYYY-MM-DD"
      case .unreadable(lacksDate: false):
        "\(field), and none of its times can be read; write them like 2026-03-04T17:00:00Z"
      }
    return DecodeError(sentence, line: line)
  }

  private func firstDoubtful(_ doubt: CSVClock.Doubt) -> (text: String, line: Int?) {
    for row in held {
      switch (row, doubt) {
      case (.waiting(let fix, _, let text), .order), (.waiting(let fix, _, let text), .number),
        (.unreadable(let fix, let text), .unreadable):
        return (text, Int(fix.line))
      default: continue
      }
    }
    return ("", nil)
  }
}
