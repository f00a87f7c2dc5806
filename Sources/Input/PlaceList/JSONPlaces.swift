import FencepostFormats

/// Reads places from GeoJSON (RFC 7946) and an app's own objects.
///
/// GeoJSON may be a FeatureCollection, a Feature, or a sequence of features, one per line or each
/// after a record separator (RFC 8142). An app's objects may be in an array, which is the document
/// or a member at any depth, or in a sequence. An invalid item does not stop the others.
package struct JSONPlaces: PlaceDecoder {
  /// What the document's arrays hold: GeoJSON features, or an app's objects.
  private enum Items { case features, stories }

  /// An open array, which holds an app's objects if one of them has a position.
  private struct StoryArray {
    /// The name of the member, or nil if the array is the document.
    let name: String?
    /// Whether one of its elements has a position, so that all others are rows.
    var isDecided = false
    /// How many elements came before, and the lines of the first ones, to refuse them later.
    var count = 0
    var lines: [Int] = []
  }

  /// Receives the places and the refusals.
  package let staging: PlaceStaging
  private var features: GeoJSONFeatures
  private var stories: JSONStories
  /// The open array that may hold an app's objects; nil outside of one.
  private var array: StoryArray?
  /// The names of the arrays that were read, for a warning if there are several.
  private var arrays: [String] = []
  private var reader = JSONReader()
  private var builder = JSONTreeBuilder()
  /// The line where the current item begins.
  private var itemLine = 1
  /// What the items are; nil until an item is recognized.
  private var items: Items?
  private var isInItems = false
  private var lastKey = ""
  /// Members that make the document itself a feature or a place.
  private var document: [JSONValue.Member] = []
  private static let documentMembers: Set<String> = [
    "type", "id", "geometry", "properties",
    // Of a waypoint of OwnTracks.
    "_type", "desc", "rad", "rid", "tst",
  ]
  /// Limits the members to keep, including those of other names.
  private static let mostMembers = 100
  private var isDocumentTooLong = false
  /// Whether the document is damaged, so that the rest is ignored.
  private var hasFailed = false
  /// The byte after the first document; nil until it ends.
  private var endOfDocument: Int?
  /// Reads what follows the first document, or text that begins with a record separator.
  private var records: JSONRecords?
  private var hasBegun = false
  private var leadingLines = 1
  private var chunkOffset = 0

  /// Begins a file; whether it is GeoJSON shows as it is read.
  package init(_ staging: PlaceStaging) {
    self.staging = staging
    features = GeoJSONFeatures(staging)
    stories = JSONStories(staging)
  }

  /// Reads the items that the next bytes complete.
  package mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError) {
    // After a fault, the rest of the document is ignored.
    guard !hasFailed else { return }
    guard records == nil else { return try readRecords(chunk) }
    if !hasBegun, let start = firstRecord(in: chunk) {
      leadingLines += chunk.extracting(..<start).lineFeedCount
      records = JSONRecords(separator: JSONReader.recordSeparator, line: leadingLines)
      return try readRecords(chunk.extracting(start..<chunk.count))
    }
    if !hasBegun { leadingLines += chunk.lineFeedCount }
    reader.push(chunk)
    try readEvents()
    if let end = endOfDocument {
      try finishDocument()
      records = JSONRecords(separator: UInt8(ascii: "\n"), line: reader.currentLine())
      try readRecords(chunk.extracting((end - chunkOffset)..<chunk.count))
    }
    chunkOffset += chunk.count
  }

  /// Ends the document, and refuses it if it holds no places.
  package mutating func finish() throws(PlaceListError) {
    if records == nil {
      reader.finish()
      try readEvents()
      if !hasFailed { try finishDocument() }
    } else if let last = records?.last {
      try add(last)
    }
    stories.finish()
  }

  // MARK: The first document

  /// Skips white space, and returns the index of the first other byte if it is a record separator.
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

  /// Reads events up to the end of the first document or of the bytes.
  private mutating func readEvents() throws(PlaceListError) {
    while !hasFailed, endOfDocument == nil {
      let event: JSONReader.Event?
      do throws(JSONError) {
        event = try reader.next()
      } catch {
        hasFailed = true
        return try staging.refuseMalformed(
          error.sentence, line: error.line, isWholeFile: items == nil)
      }
      guard let event else { return }
      let item = try take(event)
      if event == .endArray, !isInItems { try endArray() }
      if reader.depth == 0, event == .endObject || event == .endArray {
        endOfDocument = reader.byteOffset + 1
      }
      guard let item else { continue }
      if builder.isTooLong { try refuseTooLong(line: itemLine) } else { try add(item) }
    }
  }

  private mutating func add(_ item: JSONValue) throws(PlaceListError) {
    if array != nil {
      try addStory(item)
    } else {
      try features.add(item, line: itemLine)
    }
  }

  /// Follows the outline of the document, and returns each complete item.
  private mutating func take(_ event: JSONReader.Event) throws(PlaceListError) -> JSONValue? {
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
      itemLine = reader.currentLine()
      return builder.take(event, reader)
    }
    switch event {
    case .key:
      lastKey = reader.string
      try refuseOthers()
    case .beginArray where reader.depth == 2 && lastKey == "features":
      (isInItems, items) = (true, .features)
    case .beginArray where mayHoldStories:
      keepName()
      (isInItems, array) = (true, StoryArray(name: reader.depth == 1 ? nil : lastKey))
    case .beginObject where reader.depth == 1: itemLine = reader.currentLine()
    case .beginObject where mayHoldStories: keepName()
    case .endObject, .endArray: break
    default: if let value = builder.take(event, reader) { keep(value) }
    }
    return nil
  }

  /// Whether the array or object that begins may be or hold an array of an app's objects.
  ///
  /// Not called within an array, because nested arrays are not followed.
  private var mayHoldStories: Bool {
    mutating get {
      if reader.depth == 1 { return true }
      return items != .features && !isGeoJSON
        && !Self.documentMembers.contains(lastKey) && !stories.isField(lastKey)
    }
  }

  private var isGeoJSON: Bool { Self.isGeoJSON(.object(document)) }

  private static func isGeoJSON(_ document: JSONValue) -> Bool {
    guard let type = document.member("type")?.string else { return false }
    return ["FeatureCollection", "Feature", "Point", "MultiPoint"].contains(type)
      || GeoJSONShape.types.contains(type)
  }

  /// Refuses documents whose objects have positions but are no stories.
  private mutating func refuseOthers() throws(PlaceListError) {
    guard items == nil, reader.depth == 1 else { return }
    switch lastKey {
    case "semanticSegments", "rawSignals", "timelineObjects":
      throw staging.track("Google Timeline", line: reader.currentLine())
    case "osm3s": throw staging.openStreetMap(line: reader.currentLine())
    default: return
    }
  }

  /// Keeps a relevant member of the document, the first of each name.
  private mutating func keep(_ value: JSONValue) {
    guard reader.depth == 1, !document.contains(where: { $0.key == lastKey }) else { return }
    guard Self.documentMembers.contains(lastKey) || stories.isField(lastKey) else {
      return keepName(as: value)
    }
    document.append(JSONValue.Member(key: lastKey, value: value))
    if builder.isTooLong { isDocumentTooLong = true }
  }

  /// Keeps the name of another member, and its value only if that is a short string.
  private mutating func keepName(as value: JSONValue = .boolean(true)) {
    guard reader.depth <= 2, document.count < Self.mostMembers, value != .null else { return }
    let isShort = (value.string?.utf8.count ?? .max) < 100
    document.append(JSONValue.Member(key: lastKey, value: isShort ? value : .boolean(true)))
  }

  /// Ends the first document, which may be a feature or an object itself.
  ///
  /// - Throws: ``PlaceListError`` if the document has no places.
  private mutating func finishDocument() throws(PlaceListError) {
    let value = JSONValue.object(document)
    if items == .stories {
      let hasOwnPosition = stories.isStory(value)
      guard arrays.count > 1 || hasOwnPosition else { return }
      staging.warn(.arrays(file: staging.file, names: arrays, hasOwnPosition: hasOwnPosition))
    }
    guard items == nil else { return }
    let isFeature = value.member("type")?.plainText == "Feature"
    if !isFeature { try stories.refuseTrack(value, line: itemLine) }
    guard isFeature || (!isGeoJSON && stories.isStory(value)) else {
      throw staging.fault(
        "no stories found; use GeoJSON, or objects with lat and lon in an array or one per line")
    }
    guard !isDocumentTooLong else { return try refuseTooLong(line: 1) }
    if isFeature { return try features.add(value, line: 1) }
    items = .stories
    try stories.add(value, line: itemLine)
  }

  /// Refuses an item that is too large to be held in memory.
  private func refuseTooLong(line: Int) throws(PlaceListError) {
    let most = JSONTreeBuilder.mostBytes >> 20
    try staging.refuse(.malformed, "the feature is larger than \(most) MiB", line: line)
  }

  // MARK: An app's objects

  /// Adds an app's object, or only counts it until one in its array has a position.
  private mutating func addStory(_ item: JSONValue) throws(PlaceListError) {
    let isFeature = item.member("type")?.plainText == "Feature"
    if array?.isDecided == false {
      try stories.refuseTrack(item, line: itemLine)
      guard isFeature || stories.isStory(item) else {
        array?.count += 1
        if array.map({ $0.lines.count < ImportReport.keptRefusals }) ?? false {
          array?.lines.append(itemLine)
        }
        return
      }
      try decideArray()
    }
    if isFeature {
      try features.add(item, line: itemLine)
    } else {
      try stories.add(item, line: itemLine)
    }
  }

  /// Treats the open array as an app's objects, and refuses its elements without a position.
  private mutating func decideArray() throws(PlaceListError) {
    guard let array else { return }
    items = .stories
    arrays.append(array.name ?? "")
    self.array?.isDecided = true
    for number in 0..<array.count {
      let line = array.lines[min(number, array.lines.count - 1)]
      try staging.refuse(.missingPosition, "not an object with lat and lon", line: line)
    }
  }

  /// Ends an array; one that is the whole document must have had places or no elements.
  private mutating func endArray() throws(PlaceListError) {
    guard let array else { return }
    self.array = nil
    guard array.name == nil, !array.isDecided else { return }
    guard array.count == 0 else {
      throw staging.fault(
        "no stories found; the array must hold GeoJSON Features or objects with lat and lon",
        line: array.lines[0])
    }
    items = .stories
  }

  // MARK: Records

  private mutating func readRecords(_ bytes: Span<UInt8>) throws(PlaceListError) {
    for record in records?.split(bytes) ?? [] { try add(record) }
  }

  /// Adds a record: a feature, a collection, or an app's object.
  private mutating func add(_ record: JSONRecords.Record) throws(PlaceListError) {
    guard let start = record.bytes.firstIndex(where: { $0 > 0x20 }) else { return }
    let line = record.line + record.bytes[..<start].count { $0 == UInt8(ascii: "\n") }
    guard !record.isCut else { return try refuseTooLong(line: line) }
    let value: JSONValue
    do throws(JSONError) {
      value = try record.bytes.withSpan { (bytes) throws(JSONError) in try parse(bytes) }
    } catch {
      return try staging.refuse(.malformed, error.sentence, line: record.line + error.line - 1)
    }
    guard !builder.isTooLong else { return try refuseTooLong(line: line) }
    switch (value.member("type")?.plainText, value.member("features")) {
    case ("Feature", _): try features.add(value, line: line)
    case (_, .array(let members)?): for feature in members { try features.add(feature, line: line) }
    default: try addStories(of: value, line: line)
    }
  }

  /// Adds the objects in a record that have a position.
  private mutating func addStories(of record: JSONValue, line: Int) throws(PlaceListError) {
    let found = Self.isGeoJSON(record) ? [] : stories.objects(in: record)
    guard !found.isEmpty || items == .stories else {
      return try staging.refuse(
        .malformed, "not a GeoJSON Feature or an object with lat and lon", line: line)
    }
    for story in found.isEmpty ? [record] : found { try stories.add(story, line: line) }
  }

  /// Parses a record that is one value, skipping leading record separators.
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
