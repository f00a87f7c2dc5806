package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostTime

/// Decodes delimited text with a header.
///
/// The columns are `time,lat,lon` and optionally `accuracy`, `speed_mps` and `course`, in any order
/// and among others. `CSVDialect` detects the separator, `CSVFixColumns` the columns. Positions are
/// decimal degrees, optionally with a hemisphere, in the same column or its own, or a decimal comma;
/// units of 10⁻⁷ degrees, in columns such as `latitudeE7`; or well-known text. A bad row is rejected.
/// One without a position is `void`, and so is one that says itself that it is not a fix.
///
/// If a comment names the columns and a row begins with its first word, only such rows count.
///
/// Times are:
/// - ISO 8601,
/// - dates and times of day in any form of `CivilText`, in one or two columns; without a zone, by the
///   clock that was given, or else in UTC,
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
  /// How many lines of a title may precede the header.
  static var titleLines: Int { 10 }
  /// How many rows are held while no time is readable.
  private static var mostUnreadableRows: Int { 100 }

  /// Nil once the dialect is known.
  private var head: CSVHead? = CSVHead(titleLines: Self.titleLines)
  private var reader = CSVReader()
  private var columns: CSVFixColumns?
  /// Whether a column tells fixes from other rows.
  private var hasStates = false
  private let order: DateOrder?
  private let startDay: Int32?
  /// The clock of times that state no zone; nil for UTC.
  private let local: ClockZone?
  /// Replaced when the header is read.
  private var clock = CSVClock(.times(hasDateColumn: false, namesDate: false), order: nil)
  private var held: [HeldRow] = []
  private var rowCount = 0
  private var fixCount = 0
  private var coordinates = CSVCoordinates()
  private var hemispheres = CSVHemisphereSearch()
  private var kinds = CSVRowKinds()
  private var zones = CSVZoneColumn()

  /// A row that waits until it is known how times are written.
  private enum HeldRow {
    case fix(Fix)
    case waiting(Fix, CSVClock.Waiting, text: String)
    case unreadable(Fix, text: String)
    case rejection(Rejection)
  }

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - order: Whether the day or the month comes first in dates; nil to detect it.
  ///   - startDay: The date of the first fix, for tables with only times of day.
  ///   - clock: The clock of times that state no zone; nil for UTC.
  package init(order: DateOrder? = nil, startDay: Int32? = nil, clock: ClockZone? = nil) {
    self.order = order
    self.startDay = startDay
    local = clock
  }

  /// Warnings about the whole table, without final periods; complete at the end.
  package var notices: [String] {
    guard let columns, rowCount > 0 else { return [] }
    return [coordinates.notice(besides: fixCount), kinds.notice].compactMap(\.self)
      + columns.states.compactMap(\.notice) + timeNotices(columns)
  }

  private func timeNotices(_ columns: CSVFixColumns) -> [String] {
    guard fixCount > 0 else { return [] }
    guard columns.fields.hasTime else {
      return ["no time column found, so the fixes have no times"]
    }
    let name = columns.timeName
    let isLocal = local != nil && !columns.isUTC
    var notices: [String] = []
    if !clock.hasSeen {
      notices.append("the column “\(name)” is empty, so the fixes have no times")
    }
    if let year = clock.doubtfulYear {
      notices.append("the times in the column “\(name)” are in \(year), which is probably wrong")
    }
    if clock.readsTwelveDigits, order == nil {
      notices.append(
        "the column “\(name)” is read as yymmddhhmmss; if the day comes first, set --date-order dmy"
      )
    }
    if let unread = zones.unread, let zone = columns.fields.zone {
      notices.append(
        "the column “\(columns.titles[zone])” has “\(unread)”, which Fencepost does not read; "
          + (isLocal
            ? "times without a zone follow --time-zone"
            : "times without a zone count as UTC, or follow --time-zone"))
    }
    if clock.hasRead, columns.isLocalTime, columns.fields.offset == nil, !isLocal {
      notices.append(
        "the column “\(name)” has no time zone, so Fencepost assumes UTC; to name it: --time-zone")
    }
    return notices
  }

  /// Decodes the rows that the next bytes complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard reader.push(bytes, after: &head, namesColumns: Self.namesColumns) else { return }
    try takeRows(into: &batch)
  }

  /// Ends the table; throws if its times or hemispheres stay ambiguous.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    reader.finish(after: &head, namesColumns: Self.namesColumns)
    try takeRows(into: &batch)
    if let doubt = clock.doubt { throw sentence(of: doubt) }
    if let fault = columns.flatMap({ hemispheres.fault($0.titles) }) { throw DecodeError(fault) }
  }

  // MARK: Header

  /// The offset of a table's header in its first bytes; nil if none is found.
  package static func headerOffset(in bytes: Span<UInt8>) -> Int? {
    CSVDialect.recognize(
      bytes, isWhole: false, titleLines: titleLines, namesColumns: namesColumns)?.headerOffset
  }

  private static func namesColumns(_ reader: borrowing CSVReader) -> Bool {
    CSVFixColumns(header: reader) != nil
  }

  private static let headerRule =
    "the first line must name the columns lat and lon, as in time,lat,lon"

  /// Finds the columns, and prepares for their forms of times and positions.
  private mutating func takeHeader() throws(DecodeError) {
    guard let header = CSVFixColumns(header: reader) else {
      throw DecodeError(Self.headerRule, line: reader.line)
    }
    columns = header
    hasStates = !header.states.isEmpty
    coordinates.meaningOfO = header.meaningOfO
    let hasDate = header.fields.date != nil || header.fields.calendar != nil
    clock = CSVClock(
      .times(hasDateColumn: hasDate, namesDate: header.namesDate), order: order,
      startDay: startDay.map { Int($0) }, local: header.isUTC ? nil : local)
    if header.fields.positions != .degrees || header.endFields != nil { hemispheres.skip() }
    if reader.headerIsComment, !header.fields.uses(0) { kinds = CSVRowKinds(header.names[0]) }
  }

  // MARK: Rows

  /// Reads the rows that are complete, the first with a position more closely than the others.
  private mutating func takeRows(into batch: inout FixBatch) throws(DecodeError) {
    if columns == nil {
      guard try nextRow(into: &batch) else { return }
      try takeHeader()
    }
    while !hemispheres.isDone {
      guard try nextRow(into: &batch) else { return }
      findHemispheres()
      if let columns { try takeFixes(columns.fields, columns.endFields, into: &batch) }
    }
    guard let columns else { return }
    // Constants, so that they are copied once instead of for each row.
    let (fields, end) = (columns.fields, columns.endFields)
    while try nextRow(into: &batch) { try takeFixes(fields, end, into: &batch) }
  }

  /// Takes a row's fix, or its two fixes if there are columns of an end.
  private mutating func takeFixes(
    _ fields: CSVFixColumns.Fields, _ end: CSVFixColumns.Fields?, into batch: inout FixBatch
  ) throws(DecodeError) {
    takeFix(fields, into: &batch)
    if let end { takeFix(end, into: &batch) }
    if let doubt = clock.doubt { try limit(doubt) } else { release(into: &batch) }
  }

  /// Whether there is a next row of the header's kind; rejects those that are malformed.
  private mutating func nextRow(into batch: inout FixBatch) throws(DecodeError) -> Bool {
    while true {
      do throws(CSVError) {
        guard try reader.next() else { return false }
      } catch {
        guard columns != nil else {
          throw DecodeError("\(Self.headerRule); \(Self.sentence(error))", line: error.line)
        }
        reject(.malformed, line: error.line, Self.sentence(error), into: &batch)
        continue
      }
      if try !kinds.skips(reader) { return true }
    }
  }

  private static func sentence(_ error: CSVError) -> String {
    switch error.reason {
    case .unclosedQuote: "a quote is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }

  /// Makes a fix of some of the row's columns, or rejects the row.
  private mutating func takeFix(_ columns: CSVFixColumns.Fields, into batch: inout FixBatch) {
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
    if hasStates, let column = self.columns?.voidColumn(in: reader) {
      return reject(.void, line: line, "not a fix, as the column “\(column)” says", into: &batch)
    }
    guard let coordinate = coordinates.read(reader, columns), coordinate.isValid else {
      if isEmpty(columns.latitude), isEmpty(columns.longitude) {
        return reject(.void, line: line, "no coordinates", into: &batch)
      }
      if rowCount == 1, repeatsHeader(columns) { return }
      let detail = coordinates.fault(in: reader, columns)
      return reject(.coordinate, line: line, detail, into: &batch)
    }
    hemispheres.check(reader, coordinate)
    fixCount += 1
    var fix = Fix(coordinate: coordinate, line: Int32(clamping: line))
    if let column = columns.accuracy, let accuracy = number(column) { fix.setAccuracy(accuracy) }
    if let column = columns.speed, let speed = number(column) { fix.setSpeed(speed) }
    if let column = columns.course, let course = number(column) { fix.setCourse(course) }
    takeTime(columns, &fix, into: &batch)
  }

  /// Whether the row names the columns again, as under a header of two lines.
  private func repeatsHeader(_ columns: CSVFixColumns.Fields) -> Bool {
    reader.withTrimmedField(columns.latitude) { !$0.isEmpty && $0[0] | 0x20 >= 0x61 }
      && CSVFixColumns(header: reader)?.fields.isAlike(columns) ?? false
  }

  /// Gives a fix its time, and appends or holds it.
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

  /// Reads a row's time, from as many columns as the table spreads it over.
  private mutating func readTime(_ columns: CSVFixColumns.Fields) -> CSVClock.Reading {
    if let calendar = columns.calendar {
      guard !calendar.columns.allSatisfy(isEmpty) else { return .empty }
      guard let date = joined(calendar.columns, by: "-") else { return .unreadable }
      var time = Array(reader.bytes[text(columns.time)])
      if let parts = columns.clock {
        guard let clock = joined(parts.columns, by: ":") else { return .unreadable }
        time = Array(clock.utf8)
      }
      let isUTC = saysUTC(columns, time: time.span)
      if !isUTC, let whole = withOffset(time, columns) { time = whole }
      return clock.read(time: time.span, date: Array(date.utf8).span, isUTC: isUTC)
    }
    guard let column = columns.time else { return .empty }
    let (date, text) = (text(columns.date), text(column))
    if columns.zone != nil {
      // Copied, because what is known of zones in `self` changes.
      let bytes = reader.bytes
      if saysUTC(columns, time: bytes.span.extracting(text)) {
        return clock.read(time: text, date: date, in: reader, isUTC: true)
      }
    }
    guard columns.offset != nil, let time = withOffset(Array(reader.bytes[text]), columns) else {
      return clock.read(time: text, date: date, in: reader)
    }
    return clock.read(time: time.span, date: Array(reader.bytes[date]).span)
  }

  /// Whether the row's zone says that its time is in UTC.
  @inline(__always)
  private mutating func saysUTC(_ columns: CSVFixColumns.Fields, time: Span<UInt8>) -> Bool {
    guard let zone = columns.zone, !isEmpty(zone) else { return false }
    return reader.withTrimmedField(zone) { zones.saysUTC($0, time: time) }
  }

  /// A time with the row's UTC offset behind it; nil if the row lacks either.
  private func withOffset(_ time: [UInt8], _ columns: CSVFixColumns.Fields) -> [UInt8]? {
    guard let offset = columns.offset, !time.isEmpty, !isEmpty(offset) else { return nil }
    let zone = reader.bytes[text(offset)]
    let hasSign = zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-")
    return time + (hasSign ? [] : [UInt8(ascii: "+")]) + zone
  }

  /// Whole numbers with at least two digits; a last one may have a fraction.
  private func joined(_ columns: [Int], by separator: String) -> String? {
    var parts: [String] = []
    for column in columns {
      guard let number = number(column), 0..<10_000 ~= number else { return nil }
      let isLast = columns.count == 3 && column == columns.last
      guard isLast || number == number.rounded() else { return nil }
      let milliseconds = Int((number * 1000).rounded())
      let whole = String(milliseconds / 1000)
      let fraction = milliseconds % 1000
      parts.append(
        (whole.count < 2 ? "0" : "") + whole
          + (fraction == 0 ? "" : "." + String(1000 + fraction).dropFirst()))
    }
    if separator == "-", parts[0].count == 2 { parts[0] = "20" + parts[0] }
    return parts.joined(separator: separator)
  }

  private static func rejectTime(_ text: String, of fix: Fix, into batch: inout FixBatch) {
    batch.reject(
      .time, line: Int(fix.line), detail: "\(text) is not a time; the fix is kept without one")
  }

  // MARK: Fields

  // Inlined, because a call from what changes the decoder would copy all of it for each field.
  @inline(__always)
  private func text(_ column: Int?) -> Range<Int> { reader.trimmedRange(column) }

  @inline(__always)
  private func isEmpty(_ column: Int) -> Bool { text(column).isEmpty }

  @inline(__always)
  private func number(_ column: Int) -> Double? { reader.number(column) }

  /// Finds columns of hemispheres in the first row with a position.
  private mutating func findHemispheres() {
    guard let columns, coordinates.read(reader, columns.fields)?.isValid ?? false else { return }
    self.columns?.take(
      hemispheres: hemispheres.look(at: reader, columns.fields, names: columns.names))
  }

  /// The row's date and time as written, for messages.
  private func timeText(_ columns: CSVFixColumns.Fields) -> String {
    let parts = [columns.calendar, columns.clock].flatMap { $0?.columns ?? [] }
    return (parts + [columns.date, columns.time].compactMap(\.self)).compactMap { column in
      guard column < reader.fieldCount, !isEmpty(column) else { return nil }
      return reader.string(column)
    }.joined(separator: " ")
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

  /// Appends the rows that wait, in the order of the table.
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

  /// Throws if as many rows wait as may wait for a doubt to be settled.
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

  /// The time and the line of the first row that shows the doubt.
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

extension CSVClock {
  /// Reads a time from a row without a copy of its bytes.
  fileprivate mutating func read(
    time: Range<Int>, date: Range<Int>, in row: borrowing CSVReader, isUTC: Bool = false
  ) -> Reading {
    read(
      time: row.bytes.span.extracting(time), date: row.bytes.span.extracting(date), isUTC: isUTC)
  }
}
