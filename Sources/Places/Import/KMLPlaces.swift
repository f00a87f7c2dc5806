import FencepostFiles
import FencepostFormats
import FencepostGeodesy

/// Makes places of the placemarks of KML 2.2.
///
/// A Point is a place, and so is each Point of a MultiGeometry, whose id is the placemark's, `-` and the point's number
/// from 1; beside points other shapes do not count. Areas and lines are places where the import takes their centroid.
/// `name`, `description` (or `Snippet`) and `atom:link` are title, blurb and address, and the innermost `Folder` with a
/// name is the category. `ExtendedData` may give any other field by its name: `id`, `radius`, `priority`, …; without an
/// `id` there, the placemark's attribute is the id. Network links are not followed.
struct KMLPlaces {
  /// The elements that matter, each where it is expected.
  private enum Element {
    case container, folder, placemark, geometry
    case name, description, snippet, link, extendedData, data, value, simpleData
    case point, polygon, outer, inner, outline, hole, line
    case coordinates, pointCoordinates

    /// Whether its text is gathered.
    var hasText: Bool {
      switch self {
      case .name, .description, .snippet, .value, .simpleData, .pointCoordinates: true
      default: false
      }
    }
  }

  /// What an open placemark has said so far.
  private struct Placemark {
    var line = 1
    var fields: [PlaceDraft.Field: String] = [:]
    /// The coordinates of its points as they are written.
    var points: [String] = []
    /// The name of its first other shape, and whether that has a centroid.
    var shape: (name: String, hasCentroid: Bool)?
    var centroid = ShapeCentroid()
    var hasBadVertex = false
    /// The length of all its texts.
    var textBytes = 0
  }

  /// The fields that `ExtendedData` gives, by their names in lower case.
  private static let fields: [String: PlaceDraft.Field] = [
    "id": .id, "radius": .radius, "blurb": .blurb, "url": .url, "category": .category,
    "priority": .priority, "published": .published, "expires": .expires,
  ]

  /// How many bytes a point counts besides its text.
  private static var bytesAPoint: Int { 16 }

  private let file: String
  private var path: [Element] = []
  /// The names of the open folders.
  private var folders: [String] = []
  private var text = ""
  private var placemark = Placemark()
  private var attributeID = ""
  /// The name of the open `Data` or `SimpleData`.
  private var fieldName = ""
  private var tuples = KMLCoordinates()
  /// How many elements are open in one that is skipped.
  private var skippedDepth = 0
  private var draft = PlaceDraft()

  init(file: String) {
    self.file = file
  }

  // MARK: Events

  mutating func start(
    _ reader: borrowing XMLReader, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    guard skippedDepth == 0 else { return skippedDepth += 1 }
    guard let element = child(named: reader.localName) else {
      skippedDepth = 1
      guard reader.localName == "NetworkLink" else { return }
      return try staging.refuse(
        .missingPosition, "the places of a NetworkLink are in another file, which is not fetched",
        file: file, line: reader.line)
    }
    path.append(element)
    text = ""
    switch element {
    case .folder: folders.append("")
    case .placemark:
      placemark = Placemark()
      placemark.line = reader.line
      attributeID = value(of: "id", reader) ?? ""
    case .link: fill(.url, value(of: "href", reader) ?? "")
    case .data, .simpleData: fieldName = value(of: "name", reader)?.lowercased() ?? ""
    case .outline: begin(.outline)
    case .hole: begin(.hole)
    case .line: begin(.line)
    default: break
    }
  }

  mutating func take(_ reader: borrowing XMLReader) {
    guard skippedDepth == 0, let element = path.last else { return }
    if element.hasText {
      placemark.textBytes += reader.textRange.count
      if placemark.textBytes <= XMLPlaces.mostTextBytes { text += reader.text }
    } else if element == .coordinates {
      let bytes = reader.bytes
      tuples.append(bytes.span.extracting(reader.textRange), endLine: reader.line)
      addVertices()
    }
  }

  mutating func end(
    _ reader: borrowing XMLReader, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    guard skippedDepth == 0 else { return skippedDepth -= 1 }
    guard let element = path.popLast() else { return }
    if element.hasText { endText(of: element) }
    switch element {
    case .folder: folders.removeLast()
    case .coordinates:
      tuples.finish(endLine: reader.line)
      addVertices()
    case .outline, .hole, .line: placemark.centroid.end()
    case .placemark: try addPlaces(into: &staging)
    default: break
    }
  }

  // MARK: Elements

  /// What a child of the open element means; nil to skip it with everything in it.
  private mutating func child(named name: String) -> Element? {
    switch (path.last, name) {
    case (nil, _), (.container, "Document"), (.folder, "Document"): .container
    case (.container, "Folder"), (.folder, "Folder"): .folder
    case (.container, "Placemark"), (.folder, "Placemark"): .placemark
    case (.folder, "name"), (.placemark, "name"): .name
    case (.placemark, "description"): .description
    case (.placemark, "Snippet"), (.placemark, "snippet"): .snippet
    case (.placemark, "link"): .link
    case (.placemark, "ExtendedData"), (.extendedData, "SchemaData"): .extendedData
    case (.extendedData, "Data"): .data
    case (.extendedData, "SimpleData"): .simpleData
    case (.data, "value"): .value
    case (.placemark, _), (.geometry, _): geometry(named: name)
    case (.polygon, "outerBoundaryIs"): .outer
    case (.polygon, "innerBoundaryIs"): .inner
    case (.outer, "LinearRing"): .outline
    case (.inner, "LinearRing"): .hole
    case (.outline, "coordinates"), (.hole, "coordinates"), (.line, "coordinates"): .coordinates
    case (.point, "coordinates"): .pointCoordinates
    default: nil
    }
  }

  private mutating func geometry(named name: String) -> Element? {
    switch name {
    case "Point": return .point
    case "MultiGeometry": return .geometry
    case "Polygon", "LineString", "LinearRing":
      placemark.shape = placemark.shape ?? (name, true)
      return name == "Polygon" ? .polygon : .line
    case "Track", "MultiTrack", "Model":
      placemark.shape = placemark.shape ?? (name, false)
      return nil
    default: return nil
    }
  }

  private func value(of name: StaticString, _ reader: borrowing XMLReader) -> String? {
    reader.attribute(name).map { String(decoding: reader.bytes[$0], as: UTF8.self) }
  }

  private mutating func begin(_ part: ShapeCentroid.Part) {
    tuples = KMLCoordinates()
    placemark.centroid.begin(part)
  }

  private mutating func addVertices() {
    for tuple in tuples.takeAll() {
      let vertex = Coordinate(latitudeDegrees: tuple.latitude, longitudeDegrees: tuple.longitude)
      if vertex.isValid { placemark.centroid.add(vertex) } else { placemark.hasBadVertex = true }
    }
  }

  private mutating func endText(of element: Element) {
    let value = text.trimmed
    text = ""
    switch element {
    case .name where path.last == .folder:
      folders[folders.count - 1] = value
      placemark.textBytes = 0
    case .name: fill(.title, value)
    case .description, .snippet:
      // Without a tag it is plain text, whose lines count.
      let blurb = value.contains("<") ? HTMLText.plain(value) : value
      if element == .description { placemark.fields[.blurb] = nil }
      fill(.blurb, blurb)
    case .value, .simpleData:
      if let field = Self.fields[fieldName] { fill(field, value) }
    case .pointCoordinates:
      // A point without text takes memory too.
      placemark.textBytes += Self.bytesAPoint
      if placemark.textBytes <= XMLPlaces.mostTextBytes { placemark.points.append(value) }
    default: break
    }
  }

  /// Sets a field unless it is set.
  private mutating func fill(_ field: PlaceDraft.Field, _ value: String) {
    if !value.isEmpty, placemark.fields[field] == nil { placemark.fields[field] = value }
  }

  // MARK: Places

  private mutating func addPlaces(into staging: inout PlaceStaging) throws(PlaceImportError) {
    guard placemark.textBytes <= XMLPlaces.mostTextBytes else {
      let most = XMLPlaces.mostTextBytes >> 20
      return try staging.refuse(
        .malformed, "the texts of the placemark are longer than \(most) MiB", file: file,
        line: placemark.line)
    }
    guard placemark.points.isEmpty else {
      for (index, point) in placemark.points.enumerated() {
        beginDraft(suffix: placemark.points.count == 1 ? nil : index + 1)
        let numbers = point.split { $0 == "," || $0.isWhitespace }
        if let longitude = numbers.first { draft.set(.longitude, String(longitude)) }
        if numbers.count > 1 { draft.set(.latitude, String(numbers[1])) }
        try staging.add(&draft, file: file)
      }
      return
    }
    try addShape(into: &staging)
  }

  private mutating func addShape(into staging: inout PlaceStaging) throws(PlaceImportError) {
    guard let shape = placemark.shape else {
      return try staging.refuse(
        .missingPosition, "the placemark has no geometry", file: file, line: placemark.line)
    }
    guard shape.hasCentroid else {
      return try staging.refuse(
        .badGeometry, "the geometry is a \(shape.name), not a point", file: file,
        line: placemark.line)
    }
    guard staging.options.shapes == .centroid else {
      return try staging.refuseShape(shape.name, file: file, line: placemark.line)
    }
    guard !placemark.hasBadVertex, let centroid = placemark.centroid.coordinate else {
      return try staging.refuse(
        .badGeometry, "the \(shape.name) has no vertices, or one that is no position", file: file,
        line: placemark.line)
    }
    beginDraft(suffix: nil)
    draft.set(centroid)
    try staging.add(&draft, file: file)
  }

  /// Begins a place with everything but its position.
  private mutating func beginDraft(suffix: Int?) {
    draft.clear()
    draft.line = placemark.line
    draft.isPlainText = true
    for (field, value) in placemark.fields where field != .id { draft.set(field, value) }
    if let folder = folders.last(where: { !$0.isEmpty }), draft.isEmpty(.category) {
      draft.set(.category, folder)
    }
    let id = placemark.fields[.id] ?? attributeID
    if !id.isEmpty { draft.set(.id, suffix.map { "\(id)-\($0)" } ?? id) }
  }
}
