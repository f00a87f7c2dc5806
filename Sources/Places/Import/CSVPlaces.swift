import FencepostFormats

/// Reads places of delimited text, such as comma-separated values, with a header line.
///
/// `CSVDialect` finds the separator; numbers may have a decimal comma if it is another character, or
/// in quotes. The header names the columns in any order and case: `lat` and `lon` (or `latitude` and
/// `longitude`, or `y` and `x`) are required, `id`, `title`, `radius`, `blurb`, `url`, `category`,
/// `priority`, `published` and `expires` optional; others are left out and named in a warning. A later
/// line that begins with `#` is a comment, unless it is a row with a position.
struct CSVPlaces: PlaceDecoder {
  static let names: [String: PlaceDraft.Field] = [
    "id": .id, "title": .title, "name": .title, "blurb": .blurb, "description": .blurb,
    "url": .url, "link": .url, "category": .category, "priority": .priority,
    "published": .published, "expires": .expires, "lat": .latitude, "latitude": .latitude,
    "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
    "radius": .radius, "latitudedeg": .latitude, "latdeg": .latitude, "breite": .latitude,
    "breitengrad": .latitude, "longitudedeg": .longitude, "londeg": .longitude,
    "länge": .longitude, "laenge": .longitude, "längengrad": .longitude,
    "laengengrad": .longitude,
  ]
  /// Names that count only if no column has a clearer one.
  static let likelyNames: [String: PlaceDraft.Field] = [
    "y": .latitude, "x": .longitude, "storyid": .id, "placeid": .id, "headline": .title,
    "titel": .title, "überschrift": .title, "titre": .title, "título": .title, "titolo": .title,
    "teaser": .blurb, "summary": .blurb, "weblink": .url, "website": .url, "section": .category,
    "ressort": .category, "kategorie": .category, "catégorie": .category, "categoría": .category,
    "radiusm": .radius, "radiusmeters": .radius, "radiusmetres": .radius, "radiusinm": .radius,
  ]

  private let file: String
  /// Nil once the dialect is known.
  private var head: CSVHead? = CSVHead()
  private var reader = CSVReader()
  /// The field that each column fills; nil if ignored.
  private var columns: [PlaceDraft.Field?] = []
  private var hasHeader = false
  /// How many fields a row must have to contain its position.
  private var neededCount = 0
  private var draft = PlaceDraft()

  init(file: String) {
    self.file = file
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    if head == nil {
      reader.push(chunk.span)
    } else {
      guard let reader = head?.push(chunk.span, namesColumns: CSVPlaces.namesColumns) else {
        return
      }
      self.reader = reader
      head = nil
    }
    try readRecords(into: &staging)
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
    if let reader = head?.finish(namesColumns: CSVPlaces.namesColumns) { self.reader = reader }
    head = nil
    reader.finish()
    try readRecords(into: &staging)
    guard hasHeader else {
      throw .format(file: file, line: 1, sentence: "the file is empty; a header is needed")
    }
  }

  private mutating func readRecords(
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    while true {
      do throws(CSVError) {
        guard try reader.next() else { return }
      } catch {
        try staging.refuseMalformed(
          error.sentence, file: file, line: error.line, isWholeFile: !hasHeader)
        continue
      }
      if hasHeader { try readRow(into: &staging) } else { try readHeader(into: &staging) }
    }
  }

  /// The field of each column of a header; nil if ignored.
  private static func columns(_ header: borrowing CSVReader) -> [PlaceDraft.Field?] {
    var names: [String] = []
    for index in 0..<header.fieldCount {
      names.append(header.string(index).lowercased().filter { $0.isLetter || $0.isNumber })
    }
    var seen: Set<PlaceDraft.Field> = []
    // The first of two columns with one meaning counts.
    var columns = names.map { name in
      CSVPlaces.names[name].flatMap { seen.insert($0).inserted ? $0 : nil }
    }
    for (index, name) in names.enumerated() {
      guard let field = likelyNames[name], seen.insert(field).inserted else { continue }
      columns[index] = field
    }
    return columns
  }

  private static func namesColumns(_ header: borrowing CSVReader) -> Bool {
    let columns = columns(header)
    return columns.contains(.latitude) && columns.contains(.longitude)
  }

  private mutating func readHeader(
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    hasHeader = true
    columns = CSVPlaces.columns(reader)
    guard let latitude = columns.firstIndex(of: .latitude),
      let longitude = columns.firstIndex(of: .longitude)
    else {
      throw .format(file: file, line: reader.line, sentence: headerFault())
    }
    neededCount = max(latitude, longitude) + 1
    let unused = columns.indices.filter { columns[$0] == nil }.map { reader.string($0) }
      .filter { name in name.contains { !$0.isWhitespace } }
    if !unused.isEmpty { staging.warn(.unusedColumns(file: file, names: unused)) }
  }

  private func headerFault() -> String {
    let header =
      reader.fieldRange(0).lowerBound..<reader.fieldRange(reader.fieldCount - 1).upperBound
    if reader.bytes[header].contains(0) {
      return "the file is no text in UTF-8"
    }
    if isGoogleList {
      return "a list of Google Maps, which has addresses of web pages but no positions;"
        + " import Saved Places.json of Google Takeout instead"
    }
    let names = (0..<reader.fieldCount).map { reader.string($0) }
    guard names.count > 1, Set(names).count == names.count,
      names.allSatisfy({ $0.contains(where: \.isLetter) })
    else {
      return "the first line must be a header that names the columns lat and lon"
        + " (and id, title, radius, …)"
    }
    return "the header names no columns lat and lon, but \(names.joined(separator: ", "));"
      + " a table of addresses has to be geocoded first"
  }

  /// Whether the header is that of a list of saved places in Google Takeout.
  private var isGoogleList: Bool {
    let names = Set((0..<reader.fieldCount).map { reader.string($0) })
    return names.isSuperset(of: ["Title", "Note", "URL"])
  }

  private mutating func readRow(into staging: inout PlaceStaging) throws(PlaceImportError) {
    draft.line = reader.line
    let fieldCount = reader.fieldCount
    if reader.beginsWithHash,
      fieldCount < neededCount || [.latitude, .longitude].contains(columns[0])
    {
      return
    }
    // A row with a position lacks optional fields only.
    guard fieldCount >= neededCount else {
      let sentence = "the row has \(fieldCount) of \(columns.count) fields"
      try staging.refuse(.shortRow, sentence, file: file, line: reader.line)
      return
    }
    let start = reader.fieldRange(0).lowerBound
    let end = reader.fieldRange(fieldCount - 1).upperBound
    draft.begin(start..<end, of: reader.bytes)
    for index in 0..<min(columns.count, fieldCount) {
      guard let field = columns[index] else { continue }
      let range = reader.fieldRange(index)
      draft.set(field, range: (range.lowerBound - start)..<(range.upperBound - start))
    }
    for field in [PlaceDraft.Field.latitude, .longitude, .radius] { draft.readDecimalComma(field) }
    try staging.add(&draft, file: file)
  }
}

extension PlaceDraft {
  /// Replaces a number's only comma with a point.
  fileprivate mutating func readDecimalComma(_ field: Field) {
    trim(field)
    let range = range(field)
    guard let comma = bytes[range].firstIndex(of: UInt8(ascii: ",")) else { return }
    var number = Array(bytes[range])
    number[comma - range.lowerBound] = UInt8(ascii: ".")
    guard DecimalNumber.double(parsing: number.span) != nil else { return }
    set(field, number.indices, of: number)
  }
}

extension CSVError {
  /// The fault without its position.
  var sentence: String {
    switch reason {
    case .unclosedQuote: "the quote that opens here is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }
}
