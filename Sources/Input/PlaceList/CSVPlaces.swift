import FencepostFormats
import FencepostTime

/// Reads places from delimited text with a header line.
///
/// `CSVDialect` finds the separator and ``CSVPlaceColumns`` the columns. A decimal comma works in
/// quotes, or if the comma is not the separator. After the header, a line that begins with `#` is a
/// comment unless it is a row with a position. Empty rows are skipped. A row with an ambiguous
/// radius or date is held, with all rows after it, until another row settles it.
package struct CSVPlaces: PlaceDecoder {
  /// Limits on held rows: their number and, approximately, their bytes.
  static let mostHeldRows = 10_000
  private static let mostHeldBytes = 1 << 24

  /// Receives the rows and the refusals.
  package let staging: PlaceStaging

  /// A row that waits until earlier doubts are settled, so that rows keep their order.
  private enum HeldRow {
    case place(PlaceDraft, [CSVPlaceValues.Doubt])
    case refusal(PlaceRefusal)
  }

  /// Nil once the dialect is known.
  private var head: CSVHead? = CSVHead()
  private var reader = CSVReader()
  private var columns: CSVPlaceColumns?
  /// What the rows so far tell about decimal marks, and about the order of days and months.
  private var values: CSVPlaceValues
  private var draft = PlaceDraft()
  private var held: [HeldRow] = []
  private var heldBytes = 0

  /// Begins a table; the options of the staging say how dates are written, if that is known.
  package init(_ staging: PlaceStaging) {
    self.staging = staging
    values = CSVPlaceValues(order: staging.options.dateOrder, zone: staging.options.zone)
  }

  /// Whether text begins with the header of a table of places: one that names a position.
  package static func isTable(_ beginning: Span<UInt8>) -> Bool {
    CSVDialect.recognize(beginning, isWhole: true, namesColumns: namesColumns)?.namesColumns
      ?? false
  }

  /// Whether a record is a header with a position.
  private static func namesColumns(_ header: borrowing CSVReader) -> Bool {
    CSVPlaceColumns(header: header).tellPosition
  }

  /// Reads the rows that the next bytes complete.
  package mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError) {
    guard reader.push(chunk, after: &head, namesColumns: Self.namesColumns) else { return }
    try readRecords()
  }

  /// Reads the last row, and the rows that waited for a doubt to be settled.
  package mutating func finish() throws(PlaceListError) {
    reader.finish(after: &head, namesColumns: Self.namesColumns)
    try readRecords()
    try release()
    guard columns != nil else {
      throw staging.fault("the file is empty; it must begin with a header")
    }
  }

  /// Reads all complete records; damage before the header ends the import.
  private mutating func readRecords() throws(PlaceListError) {
    while true {
      do throws(CSVError) {
        guard try reader.next() else { return }
      } catch {
        guard columns != nil else { throw staging.fault(error.sentence, line: error.line) }
        try refuse(
          PlaceRefusal(
            file: staging.file, line: error.line, reason: .malformed, sentence: error.sentence))
        continue
      }
      if let columns { try readRow(columns) } else { try readHeader() }
    }
  }

  // MARK: Header

  /// Finds the columns, and warns of those that are ignored or easily misread.
  private mutating func readHeader() throws(PlaceListError) {
    let header = CSVPlaceColumns(header: reader)
    guard header.tellPosition else {
      throw staging.fault(headerFault(header.titles), line: reader.line)
    }
    columns = header
    let unused = header.unusedTitles
    if !unused.isEmpty {
      staging.warn(
        .unusedColumns(file: staging.file, names: unused, hasRadius: header.isRadiusUnread))
    }
    let priority = header.title(of: .priority)
    if CSVPlaceColumns.isImportance(priority) {
      staging.warn(.importance(file: staging.file, name: priority))
    }
  }

  /// Says why a first line is not a header of places, as precisely as it can be guessed.
  private func headerFault(_ names: [String]) -> String {
    let header =
      reader.fieldRange(0).lowerBound..<reader.fieldRange(reader.fieldCount - 1).upperBound
    if reader.bytes[header].contains(0) {
      return "the file is not UTF-8 text; save it as “CSV UTF-8”"
    }
    // A list of saved places from Google Takeout.
    if Set(names).isSuperset(of: ["Title", "Note", "URL"]) {
      return "this list from Google Maps has links but no positions;"
        + " import Saved Places.json from Google Takeout instead"
    }
    guard names.count > 1, Set(names).count == names.count,
      names.allSatisfy({ $0.contains(where: \.isLetter) })
    else {
      return "the first line must be a header that names the columns lat and lon"
        + " (and id, title, radius, …)"
    }
    return "the header has no columns lat and lon, only \(names.joined(separator: ", "));"
      + " a table of addresses must be geocoded first"
  }

  // MARK: Rows

  /// Reads a row: skips a comment or blank row, refuses one without a position, or stages a draft.
  private mutating func readRow(_ columns: CSVPlaceColumns) throws(PlaceListError) {
    draft.line = reader.line
    draft.row = reader.row
    let fieldCount = reader.fieldCount
    if reader.beginsWithHash, fieldCount < columns.neededCount || columns.isPosition(0) { return }
    // A row that reaches its position can lack only optional fields.
    fillDraft(columns)
    if hasMoreCells(than: columns.fields.count) { staging.noteLongRow(draft) }
    guard fieldCount >= columns.neededCount else {
      if isBlank { return }
      return try refuse(.shortRow, "the row has \(fieldCount) of \(columns.fields.count) fields")
    }
    if let position = columns.position {
      let coordinate = PositionText.coordinate(
        parsing: reader.string(position.index), isLongitudeFirst: position.isLongitudeFirst)
      guard let coordinate else {
        if isBlank { return }
        return try refuse(
          .missingPosition, fault(of: position, title: columns.titles[position.index]))
      }
      draft.set(coordinate)
    } else {
      draft.readDecimalComma(.latitude)
      draft.readDecimalComma(.longitude)
      if draft.isEmpty(.latitude), draft.isEmpty(.longitude), isBlank { return }
    }
    let doubts = values.read(&draft)
    if doubts.isEmpty, held.isEmpty { return try staging.add(&draft) }
    heldBytes += draft.bytes.count
    try hold(.place(draft, doubts))
  }

  /// Whether cells behind the last column have text, as where a text contains the separator.
  private func hasMoreCells(than columns: Int) -> Bool {
    guard reader.fieldCount > columns else { return false }
    return (columns..<reader.fieldCount).contains { index in
      reader.bytes[reader.fieldRange(index)].contains { $0 > 0x20 }
    }
  }

  /// Whether all fields are empty, as in the rows that spreadsheets leave at the end of a table.
  private var isBlank: Bool {
    (0..<reader.fieldCount).allSatisfy { index in
      reader.bytes[reader.fieldRange(index)].allSatisfy { $0 <= 0x20 }
    }
  }

  /// Copies the fields that are used from the reader into the draft.
  private mutating func fillDraft(_ columns: CSVPlaceColumns) {
    let start = reader.fieldRange(0).lowerBound
    let end = reader.fieldRange(reader.fieldCount - 1).upperBound
    draft.begin(start..<end, of: reader.bytes)
    draft.radiusUnitMeters = columns.radiusUnitMeters
    for index in 0..<min(columns.fields.count, reader.fieldCount) {
      guard let field = columns.fields[index] else { continue }
      let range = reader.fieldRange(index)
      draft.set(field, range: (range.lowerBound - start)..<(range.upperBound - start))
    }
    if let unit = columns.radiusUnit, unit < reader.fieldCount {
      draft.setRadiusUnit(reader.string(unit).trimmed)
    }
  }

  /// Says what is wrong with a column of whole positions, and how to write it.
  private func fault(of position: CSVPlaceColumns.Position, title: String) -> String {
    let text = reader.string(position.index)
    if text.trimmed.isEmpty { return "no coordinates" }
    let order =
      position.isLongitudeFirst
      ? "a longitude and a latitude; write them as -75.16, 39.95"
      : "a latitude and a longitude; write them as 39.95, -75.16"
    let quotes = reader.separator == UInt8(ascii: ",") ? " in quotes" : ""
    return "“\(text)” in the column “\(title)” is not \(order)\(quotes)"
  }

  // MARK: Rows held back

  private mutating func refuse(
    _ reason: PlaceRefusal.Reason, _ sentence: String
  ) throws(PlaceListError) {
    try refuse(PlaceRefusal(draft, file: staging.file, reason: reason, sentence: sentence))
  }

  /// Refuses a row, or holds the refusal behind rows that wait.
  private mutating func refuse(_ refusal: PlaceRefusal) throws(PlaceListError) {
    if held.isEmpty { try staging.refuse(refusal) } else { try hold(.refusal(refusal)) }
  }

  /// Holds a row, and releases all if there are too many or nothing is doubtful any more.
  private mutating func hold(_ row: HeldRow) throws(PlaceListError) {
    held.append(row)
    let isFull = held.count >= Self.mostHeldRows || heldBytes >= Self.mostHeldBytes
    if isFull || !values.isUndecided { try release() }
  }

  /// Stages or refuses the rows that wait, in their order; those still in doubt are refused.
  private mutating func release() throws(PlaceListError) {
    for row in held {
      switch row {
      case .refusal(let refusal): try staging.refuse(refusal)
      case .place(var draft, let doubts):
        if let doubt = doubts.first(where: { !values.settle($0, in: &draft) }) {
          try refuse(draft, for: doubt)
        } else {
          try staging.add(&draft)
        }
      }
    }
    held.removeAll()
    heldBytes = 0
    values.endWaiting()
  }

  /// Refuses a row because of a doubt, and says how to resolve it.
  private func refuse(
    _ draft: PlaceDraft, for doubt: CSVPlaceValues.Doubt
  ) throws(PlaceListError) {
    switch doubt {
    case .radius(let radius):
      try staging.refuse(.badRadius, radius.doubt(about: draft.text(.radius)), draft: draft)
    case .date(let field, _):
      let title = columns?.title(of: field) ?? ""
      try staging.refuse(
        .badTime,
        "“\(draft.text(field))” in the column “\(title)” may have the day or the month first;"
          + " say which with --date-order dmy or mdy", draft: draft)
    }
  }
}

extension PlaceDraft {
  /// Replaces the only comma of a number with a point.
  fileprivate mutating func readDecimalComma(_ field: Field) {
    trim(field)
    let range = range(field)
    guard let comma = bytes[range].firstIndex(of: UInt8(ascii: ",")) else { return }
    var number = ContiguousArray(bytes[range])
    number[comma - range.lowerBound] = UInt8(ascii: ".")
    guard DecimalNumber.double(parsing: number.span) != nil else { return }
    set(field, String(decoding: number, as: UTF8.self))
  }
}

/// What is wrong with a record, as a sentence without a period.
extension CSVError {
  var sentence: String {
    switch reason {
    case .unclosedQuote: "the quote that opens here is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }
}

/// Reads radii and dates, using the other rows of the table to resolve ambiguous ones.
///
/// 3/4/2026 is ambiguous until another date has a number above 12; 1.500 until another radius has a
/// point not followed by exactly three digits. The caller must hold a row until its doubts are
/// settled.
struct CSVPlaceValues {
  /// A value that can be read in two ways.
  enum Doubt {
    case date(PlaceDraft.Field, CSVClock.Waiting)
    case radius(RadiusText)
  }

  private let zone: ClockZone
  private var published: CSVClock
  private var expires: CSVClock
  /// The marks known to be decimal in radii, and those that held rows are waiting for.
  private var decimalMarks: Set<UInt8> = []
  private var awaitedMarks: Set<UInt8> = []

  /// A nil order infers from the table whether days or months come first.
  ///
  /// Times without an offset are those of `zone`.
  init(order: DateOrder?, zone: ClockZone) {
    self.zone = zone
    published = CSVClock(.dates, order: order)
    expires = CSVClock(.dates, order: order)
  }

  /// Whether a row that waits could still be settled by a later one.
  var isUndecided: Bool {
    published.awaitsOrder || expires.awaitsOrder || !awaitedMarks.isSubset(of: decimalMarks)
  }

  /// Converts the radius and dates of a row for staging, and returns the doubts.
  ///
  /// Leaves unreadable values as they are, for the staging to refuse.
  mutating func read(_ draft: inout PlaceDraft) -> [Doubt] {
    var doubts: [Doubt] = []
    if let radius = readRadius(&draft) { doubts.append(.radius(radius)) }
    if draft.isEmpty(.published), draft.isEmpty(.expires) { return doubts }
    if let waiting = readDate(.published, of: &draft, by: &published) {
      doubts.append(.date(.published, waiting))
    }
    expires.adopt(published.order)
    if let waiting = readDate(.expires, of: &draft, by: &expires) {
      doubts.append(.date(.expires, waiting))
    }
    published.adopt(expires.order)
    return doubts
  }

  /// Writes the settled value into a held draft, or returns false if it is still ambiguous.
  func settle(_ doubt: Doubt, in draft: inout PlaceDraft) -> Bool {
    switch doubt {
    case .radius(let radius):
      guard let mark = radius.mark, decimalMarks.contains(mark) else { return false }
      draft.set(radiusMeters: radius.meters)
    case .date(let field, let waiting):
      let clock = field == .published ? published : expires
      guard clock.order != nil else { return false }
      // The order may give no valid day. The staging then refuses the text.
      if let milliseconds = clock.resolve(waiting) {
        draft.set(field, written: milliseconds, in: zone)
      }
    }
    return true
  }

  /// Forgets the marks that released rows were waiting for.
  mutating func endWaiting() { awaitedMarks = [] }

  // MARK: Values

  /// Reads a radius with a point or comma, and returns it if it is ambiguous.
  private mutating func readRadius(_ draft: inout PlaceDraft) -> RadiusText? {
    draft.trim(.radius)
    let range = draft.range(.radius)
    var index = range.lowerBound
    while index < range.upperBound, !RadiusText.isMark(draft.bytes[index]) { index += 1 }
    guard index < range.upperBound else { return nil }
    let mark = draft.bytes[index]
    let isDecimal = decimalMarks.contains(mark)
    let isPlain = mark == UInt8(ascii: ".") && draft.bytes[range.upperBound - 1] &- 0x30 <= 9
    if isDecimal, isPlain { return nil }
    guard
      let radius = RadiusText(
        draft.bytes.span.extracting(range), bareUnitMeters: draft.radiusUnitMeters)
    else { return nil }
    if !isDecimal, radius.isAmbiguous {
      awaitedMarks.insert(mark)
      return radius
    }
    decimalMarks.insert(mark)
    if !isPlain { draft.set(radiusMeters: radius.meters) }
    return nil
  }

  /// Reads a date, and returns it if the day and the month could be exchanged.
  private func readDate(
    _ field: PlaceDraft.Field, of draft: inout PlaceDraft, by clock: inout CSVClock
  ) -> CSVClock.Waiting? {
    draft.trim(field)
    guard !draft.isEmpty(field) else { return nil }
    let reading = clock.read(time: draft.bytes.span.extracting(draft.range(field)), date: Span())
    switch reading {
    case .moment(let milliseconds): draft.set(field, written: milliseconds, in: zone)
    case .waiting(let waiting): return waiting
    // The staging also reads mail dates.
    case .empty, .unreadable: break
    }
    return nil
  }
}
