import Formats

/// Places of comma-separated values with a header line.
///
/// The header names the columns, in any order and case: `lat` and `lon` must be there; `id`,
/// `title`, `radius`, `blurb`, `url`, `category`, `priority`, `published` and `expires` may be;
/// others are ignored.
struct CSVPlaces: PlaceDecoder {
  private static let names: [String: PlaceDraft.Field] = [
    "id": .id, "title": .title, "name": .title, "blurb": .blurb, "description": .blurb,
    "url": .url, "link": .url, "category": .category, "priority": .priority,
    "published": .published, "expires": .expires, "lat": .latitude, "latitude": .latitude,
    "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
    "radius": .radius,
  ]

  private let file: String
  private var reader = CSVReader()
  /// For each column the field it fills; nil is ignored.
  private var columns: [PlaceDraft.Field?] = []
  /// How many fields a row has at least, so that nothing of a position is missing.
  private var hasHeader = false
  private var draft = PlaceDraft()

  init(file: String) {
    self.file = file
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    reader.push(chunk.span)
    try readRecords(into: &staging)
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
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
        guard hasHeader else {
          throw .format(file: file, line: error.line, sentence: error.sentence)
        }
        try staging.refuse(.malformed, error.sentence, file: file, line: error.line)
        continue
      }
      if hasHeader { try readRow(into: &staging) } else { try readHeader() }
    }
  }

  private mutating func readHeader() throws(PlaceImportError) {
    hasHeader = true
    var seen: Set<PlaceDraft.Field> = []
    for index in 0..<reader.fieldCount {
      let name = reader.string(index).lowercased().filter { !$0.isWhitespace }
      let field = CSVPlaces.names[name]
      // Of two columns of one meaning the first counts.
      columns.append(field.flatMap { seen.insert($0).inserted ? $0 : nil })
    }
    guard seen.contains(.latitude), seen.contains(.longitude) else {
      throw .format(file: file, line: reader.line, sentence: headerFault())
    }
  }

  private func headerFault() -> String {
    let first = reader.string(0)
    if reader.fieldCount == 1, let separator = first.first(where: { $0 == ";" || $0 == "\t" }) {
      let name = separator == ";" ? "semicolons" : "tabs"
      return "the columns are separated by \(name); commas, and points in numbers, are needed"
    }
    let header =
      reader.fieldRange(0).lowerBound..<reader.fieldRange(reader.fieldCount - 1).upperBound
    if reader.bytes[header].contains(0) {
      return "the file is no text in UTF-8"
    }
    return "the first line must be a header that names the columns lat and lon"
      + " (and id, title, radius, …)"
  }

  private mutating func readRow(into staging: inout PlaceStaging) throws(PlaceImportError) {
    draft.line = reader.line
    let fieldCount = reader.fieldCount
    guard fieldCount >= columns.count || hasPosition else {
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
    try staging.add(&draft, file: file)
  }

  /// Whether the row is long enough to have a position, so that only optional fields are missing.
  private var hasPosition: Bool {
    let needed = columns.indices.filter {
      columns[$0] == .latitude || columns[$0] == .longitude
    }
    return reader.fieldCount > needed.max() ?? 0
  }
}

extension CSVError {
  /// The fault without its place.
  var sentence: String {
    switch reason {
    case .unclosedQuote: "the quote that opens here is not closed"
    case .textAfterQuote: "text follows a closing quote"
    case .recordTooLong: "the row is longer than 1 MiB"
    }
  }
}
