import FencepostFormats

/// Reads places of JSON: GeoJSON (RFC 7946), feature by feature, and what Overpass answers, element by element.
///
/// GeoJSON is a FeatureCollection, one Feature, or features one behind another: each on a line, or each behind a record
/// separator (RFC 8142). Of these a bad one does not stop the others.
struct JSONPlaces: PlaceDecoder {
  /// What the elements of the document's array are.
  private enum Items { case features, elements }

  private let file: String
  private var features: GeoJSONFeatures
  private var elements: OverpassElements
  private var reader = JSONReader()
  private var lines = LineCounter()
  private var builder = JSONTreeBuilder()
  private var itemLine = 1
  private var items: Items?
  /// Whether the array of items is open.
  private var isInItems = false
  private var lastKey = ""
  /// The members that make the document itself a feature, and what Overpass has to say.
  private var document: [JSONValue.Member] = []
  private static let documentMembers: Set<String> = [
    "type", "id", "geometry", "properties", "remark",
  ]
  private var isDocumentTooLong = false
  private var hasFailed = false
  /// The offset behind the first document, once that has ended.
  private var endOfDocument: Int?
  /// What follows the first document, or a text that begins with a record separator.
  private var records: JSONRecords?
  private var hasBegun = false
  /// How many bytes came before the current chunk.
  private var chunkOffset = 0

  init(file: String) {
    self.file = file
    features = GeoJSONFeatures(file: file)
    elements = OverpassElements(file: file)
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    // After a fault in a document nothing more is read or kept.
    guard !hasFailed else { return }
    guard records == nil else { return try readRecords(chunk.span, into: &staging) }
    lines.push(chunk.span)
    if !hasBegun, let start = firstRecord(in: chunk.span) {
      records = JSONRecords(
        separator: JSONReader.recordSeparator, line: lines.line(at: chunkOffset + start))
      return try readRecords(chunk.span.extracting(start..<chunk.count), into: &staging)
    }
    reader.push(chunk.span)
    try readEvents(into: &staging)
    if let end = endOfDocument {
      try finishDocument(into: &staging)
      records = JSONRecords(separator: UInt8(ascii: "\n"), line: lines.line(at: end))
      try readRecords(chunk.span.extracting((end - chunkOffset)..<chunk.count), into: &staging)
    }
    chunkOffset += chunk.count
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
    if records == nil {
      reader.finish()
      try readEvents(into: &staging)
      if !hasFailed { try finishDocument(into: &staging) }
    } else {
      try readRecords(nil, into: &staging)
    }
    elements.finish(into: &staging)
  }

  // MARK: The first document

  /// Finds the first byte that is not white space; its index if it separates records.
  private mutating func firstRecord(in chunk: Span<UInt8>) -> Int? {
    let hasMark =
      chunkOffset == 0 && chunk.count >= 3 && chunk[0] == 0xEF && chunk[1] == 0xBB
      && chunk[2] == 0xBF
    var index = hasMark ? 3 : 0
    while index < chunk.count, [0x20, 0x09, 0x0A, 0x0D].contains(chunk[index]) { index += 1 }
    guard index < chunk.count else { return nil }
    hasBegun = true
    return chunk[index] == JSONReader.recordSeparator ? index : nil
  }

  private mutating func readEvents(into staging: inout PlaceStaging) throws(PlaceImportError) {
    while !hasFailed, endOfDocument == nil {
      let event: JSONReader.Event?
      do throws(JSONError) {
        event = try reader.next()
      } catch {
        hasFailed = true
        return try staging.refuseMalformed(
          error.sentence, file: file, line: error.line, isWholeFile: items == nil)
      }
      guard let event else { return }
      let item = take(event)
      if reader.depth == 0, event == .endObject || event == .endArray {
        endOfDocument = reader.byteOffset + 1
      }
      guard let item else { continue }
      if builder.isTooLong {
        try refuseTooLong(line: itemLine, into: &staging)
      } else if items == .elements {
        try elements.add(item, line: itemLine, into: &staging)
      } else {
        try features.add(item, line: itemLine, into: &staging)
      }
    }
  }

  /// Follows the document's outline and returns a feature or an element when it is complete.
  private mutating func take(_ event: JSONReader.Event) -> JSONValue? {
    if builder.isBuilding {
      guard let value = builder.take(event, reader) else { return nil }
      if isInItems { return value }
      keep(value)
      return nil
    }
    if isInItems {
      if event == .endArray {
        isInItems = false
        return nil
      }
      itemLine = lines.line(at: reader.byteOffset)
      return builder.take(event, reader)
    }
    switch event {
    case .key:
      lastKey = reader.string
    case .beginArray where reader.depth == 2 && begins(.features):
      (isInItems, items) = (true, .features)
    case .beginArray where reader.depth == 2 && begins(.elements):
      (isInItems, items) = (true, .elements)
    case .beginObject where reader.depth == 1, .endObject, .endArray:
      break
    default:
      if let value = builder.take(event, reader) { keep(value) }
    }
    return nil
  }

  /// Whether the array that begins holds such items; GeoJSON may have an array named `elements` of its own.
  private func begins(_ items: Items) -> Bool {
    switch items {
    case .features: lastKey == "features"
    case .elements: lastKey == "elements" && !document.contains { $0.key == "type" }
    }
  }

  /// Keeps a member of the document that matters, the first of each name.
  private mutating func keep(_ value: JSONValue) {
    guard Self.documentMembers.contains(lastKey), !document.contains(where: { $0.key == lastKey })
    else { return }
    document.append(JSONValue.Member(key: lastKey, value: value))
    if builder.isTooLong { isDocumentTooLong = true }
  }

  private mutating func finishDocument(
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    let value = JSONValue.object(document)
    if items == .elements {
      return try elements.report(remark: value.member("remark")?.plainText, into: &staging)
    }
    guard items == nil else { return }
    guard value.member("type")?.plainText == "Feature" else {
      throw .format(
        file: file, line: 1, sentence: "a GeoJSON FeatureCollection or Feature is needed")
    }
    guard !isDocumentTooLong else { return try refuseTooLong(line: 1, into: &staging) }
    try features.add(value, line: 1, into: &staging)
  }

  private func refuseTooLong(
    line: Int, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    let most = JSONTreeBuilder.mostBytes >> 20
    try staging.refuse(
      .malformed, "the feature takes more than \(most) MiB", file: file, line: line)
  }

  // MARK: Records

  /// Reads the records that these bytes complete; without bytes, the last record.
  private mutating func readRecords(
    _ bytes: Span<UInt8>?, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    // Taken out of `self`, which changes with each record.
    guard var records = records.take() else { return }
    if let bytes {
      try records.split(bytes) { (record, position) throws(PlaceImportError) in
        try add(record, position, into: &staging)
      }
    } else {
      try records.finish { (record, position) throws(PlaceImportError) in
        try add(record, position, into: &staging)
      }
    }
    self.records = records
  }

  private mutating func add(
    _ record: [UInt8], _ position: JSONRecords.Position, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    guard let start = record.firstIndex(where: { $0 > 0x20 }) else { return }
    let line = position.line + record[..<start].count { $0 == UInt8(ascii: "\n") }
    guard !position.isCut else { return try refuseTooLong(line: line, into: &staging) }
    let value: JSONValue
    do throws(JSONError) {
      value = try parse(record.span)
    } catch {
      return try staging.refuse(
        .malformed, error.sentence, file: file, line: position.line + error.line - 1)
    }
    guard !builder.isTooLong else { return try refuseTooLong(line: line, into: &staging) }
    switch (value.member("type")?.plainText, value.member("features")) {
    case ("Feature", _): try features.add(value, line: line, into: &staging)
    case (_, .array(let members)?):
      for feature in members { try features.add(feature, line: line, into: &staging) }
    default: try staging.refuse(.malformed, "no GeoJSON Feature", file: file, line: line)
    }
  }

  /// Reads a record that is one value, which may have record separators in front.
  private mutating func parse(_ record: Span<UInt8>) throws(JSONError) -> JSONValue {
    builder = JSONTreeBuilder()
    reader.reset()
    var start = 0
    while start < record.count, record[start] == JSONReader.recordSeparator { start += 1 }
    reader.push(record.extracting(start..<record.count))
    reader.finish()
    var value = JSONValue.null
    while let event = try reader.next() {
      if let whole = builder.take(event, reader) { value = whole }
    }
    return value
  }
}

/// Finds the line of each offset in a text, for growing offsets.
struct LineCounter {
  private var ends: [Int] = []
  private var next = 0
  private var line = 1
  private var offset = 0

  /// Takes the next bytes of the text.
  mutating func push(_ chunk: Span<UInt8>) {
    ends.removeFirst(next)
    next = 0
    var index = 0
    while let end = chunk.firstIndex(of: UInt8(ascii: "\n"), from: index) {
      ends.append(offset + end)
      index = end + 1
    }
    offset += chunk.count
  }

  /// The line, from 1, of an offset not less than the last one.
  mutating func line(at offset: Int) -> Int {
    while next < ends.count, ends[next] < offset {
      next += 1
      line += 1
    }
    return line
  }
}
