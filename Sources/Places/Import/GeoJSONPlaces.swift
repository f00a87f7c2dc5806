import FencepostFormats

/// Reads places of GeoJSON (RFC 7946): a FeatureCollection, feature by feature, or one Feature.
///
/// A Point is a place, and so is each point of a MultiPoint, whose id is the feature's id, `-` and the
/// point's number from 1; a single point has the feature's id. ``GoogleSavedPlace`` reads the
/// properties of places saved in Google Maps.
struct GeoJSONPlaces: PlaceDecoder {
  private let file: String
  private var reader = JSONReader()
  private var lines = LineCounter()
  private var builder = JSONTreeBuilder()
  private var featureLine = 1
  /// Whether the array of features is open.
  private var isInFeatures = false
  private var hasFeatures = false
  private var lastKey = ""
  /// The members that make the document itself a feature.
  private var document: [JSONValue.Member] = []
  private static let featureMembers: Set<String> = ["type", "id", "geometry", "properties"]
  private var isDocumentTooLong = false
  private var hasFailed = false
  private var draft = PlaceDraft()

  init(file: String) {
    self.file = file
  }

  mutating func decode(
    _ chunk: [UInt8], into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    // After a fault nothing more is read or kept.
    guard !hasFailed else { return }
    lines.push(chunk.span)
    reader.push(chunk.span)
    try readEvents(into: &staging)
  }

  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError) {
    reader.finish()
    try readEvents(into: &staging)
    if hasFeatures || hasFailed { return }
    let value = JSONValue.object(document)
    guard value.member("type")?.plainText == "Feature" else {
      throw .format(
        file: file, line: 1, sentence: "a GeoJSON FeatureCollection or Feature is needed")
    }
    guard !isDocumentTooLong else { return try refuseTooLong(line: 1, into: &staging) }
    try addFeature(value, line: 1, into: &staging)
  }

  private func refuseTooLong(
    line: Int, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    let most = JSONTreeBuilder.mostBytes >> 20
    try staging.refuse(
      .malformed, "the feature takes more than \(most) MiB", file: file, line: line)
  }

  private mutating func readEvents(into staging: inout PlaceStaging) throws(PlaceImportError) {
    while !hasFailed {
      let event: JSONReader.Event?
      do throws(JSONError) {
        event = try reader.next()
      } catch {
        hasFailed = true
        return try staging.refuseMalformed(
          error.sentence, file: file, line: error.line, isWholeFile: !hasFeatures)
      }
      guard let event else { return }
      guard let feature = take(event) else { continue }
      if builder.isTooLong {
        try refuseTooLong(line: featureLine, into: &staging)
      } else {
        try addFeature(feature, line: featureLine, into: &staging)
      }
    }
  }

  /// Follows the document's outline and returns a feature when it is complete.
  private mutating func take(_ event: JSONReader.Event) -> JSONValue? {
    if builder.isBuilding {
      guard let value = builder.take(event, reader) else { return nil }
      if isInFeatures { return value }
      keep(value)
      return nil
    }
    if isInFeatures {
      if event == .endArray {
        isInFeatures = false
        return nil
      }
      featureLine = lines.line(at: reader.byteOffset)
      return builder.take(event, reader)
    }
    switch event {
    case .key:
      lastKey = reader.string
    case .beginArray where reader.depth == 2 && lastKey == "features":
      isInFeatures = true
      hasFeatures = true
    case .beginObject where reader.depth == 1, .endObject, .endArray:
      break
    default:
      if let value = builder.take(event, reader) { keep(value) }
    }
    return nil
  }

  /// Keeps a member of the document that a feature may have, the first of each name.
  private mutating func keep(_ value: JSONValue) {
    guard GeoJSONPlaces.featureMembers.contains(lastKey),
      !document.contains(where: { $0.key == lastKey })
    else { return }
    document.append(JSONValue.Member(key: lastKey, value: value))
    if builder.isTooLong { isDocumentTooLong = true }
  }

  private mutating func addFeature(
    _ feature: JSONValue, line: Int, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    let geometry = feature.member("geometry")
    let coordinates = geometry?.member("coordinates")
    switch geometry?.member("type")?.plainText {
    case "Point":
      try addPoint(coordinates, of: feature, suffix: nil, line: line, into: &staging)
    case "MultiPoint":
      guard case .array(let points)? = coordinates, !points.isEmpty else {
        try staging.refuse(
          .missingPosition, "the MultiPoint has no points", file: file, line: line)
        return
      }
      for (index, point) in points.enumerated() {
        let suffix = points.count == 1 ? nil : index + 1
        try addPoint(point, of: feature, suffix: suffix, line: line, into: &staging)
      }
    case let type?:
      try staging.refuse(
        .badGeometry, "the geometry is a \(type), not a Point or MultiPoint", file: file,
        line: line)
    case nil:
      try staging.refuse(
        .missingPosition, "the feature has no geometry", file: file, line: line)
    }
  }

  private mutating func addPoint(
    _ point: JSONValue?, of feature: JSONValue, suffix: Int?, line: Int,
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    draft.clear()
    draft.line = line
    if case .array(let numbers)? = point, numbers.count >= 2 {
      if case .number(_, let text) = numbers[0] { draft.set(.longitude, text) }
      if case .number(_, let text) = numbers[1] { draft.set(.latitude, text) }
    }
    let properties = feature.member("properties") ?? .null
    if let id = (feature.member("id") ?? properties.member("id"))?.plainText, !id.isEmpty {
      draft.set(.id, suffix.map { "\(id)-\($0)" } ?? id)
    }
    set(.title, properties.member("title", "name"))
    set(.blurb, properties.member("blurb", "description"))
    set(.url, properties.member("url", "link"))
    set(.category, properties.member("category"))
    set(.priority, properties.member("priority"))
    set(.published, properties.member("published"))
    if let saved = GoogleSavedPlace(properties) {
      fill(saved)
      guard !isAtZero else {
        // Google writes 0,0 for an unknown position.
        try staging.refuse(
          .missingPosition, "“\(draft.text(.title))” was saved without a position (0,0)",
          file: file, line: line)
        return
      }
    }
    set(.expires, properties.member("expires"))
    set(.radius, properties.member("radius"))
    try staging.add(&draft, file: file)
  }

  /// Sets what only Google's own properties contain.
  private mutating func fill(_ saved: GoogleSavedPlace) {
    for (field, text) in [
      (PlaceDraft.Field.title, saved.title), (.blurb, saved.blurb), (.url, saved.url),
    ] {
      if let text, draft.isEmpty(field) { draft.set(field, text) }
    }
    guard isAtZero, let coordinates = saved.coordinates else { return }
    draft.set(.latitude, coordinates.latitude)
    draft.set(.longitude, coordinates.longitude)
  }

  /// Whether the point is 0,0 or missing.
  private var isAtZero: Bool {
    [draft.text(.latitude), draft.text(.longitude)].allSatisfy {
      DecimalNumber.double(parsing: $0) ?? 0 == 0
    }
  }

  private mutating func set(_ field: PlaceDraft.Field, _ value: JSONValue?) {
    if let text = value?.plainText { draft.set(field, text) }
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
