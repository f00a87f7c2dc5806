import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import FencepostPlaceList

/// Makes places from a KML 2.2 placemark.
///
/// A Point is a place. So is each Point of a MultiGeometry; if there are several, their ids are the
/// placemark's id, `-` and a number from 1. Other shapes beside points are ignored. The centroid of
/// areas and lines is a place if the options ask for it.
///
/// `name`, `description` (or `Snippet`) and `atom:link` give title, blurb and URL. The innermost
/// named `Folder` is the category. `ExtendedData` may give any other field by name, such as
/// `radius`; its `id` overrides the placemark's `id` attribute.
struct KMLPlacemark {
  /// The fields by their names in `ExtendedData`, in lower case.
  private static let fields: [String: PlaceDraft.Field] = [
    "id": .id, "radius": .radius, "blurb": .blurb, "url": .url, "category": .category,
    "priority": .priority, "published": .published, "expires": .expires,
  ]

  private let line: Int
  /// The texts found so far; the first of each field counts.
  private var fields: [PlaceDraft.Field: String] = [:]
  /// The unit of the radius, where another field names it.
  private var radiusUnit = ""
  private var points: [String] = []
  /// The name of the first other shape, and whether it has a centroid.
  private var shape: (name: String, hasCentroid: Bool)?
  private var centroid = ShapeCentroid()
  /// Whether a vertex of another shape is not on the map.
  private var hasBadVertex = false
  /// The size of all texts, which is limited.
  private var textBytes = 0

  /// Reads a complete placemark; `folder` is the name of the folder around it.
  init(_ placemark: XMLElement, folder: String?) {
    line = placemark.line
    readGeometries(in: placemark)
    for element in placemark.children {
      switch element.name {
      case "name": fill(.title, text(of: element))
      case "description":
        fields[.blurb] = nil
        fill(.blurb, blurb(of: element))
      case "Snippet", "snippet": fill(.blurb, blurb(of: element))
      case "link": fill(.url, element.attributes["href"] ?? "")
      case "ExtendedData": readFields(in: element)
      default: break
      }
    }
    fill(.category, folder ?? "")
    fill(.id, placemark.attributes["id"] ?? "")
  }

  /// Takes the fields in `ExtendedData`, also those of a schema.
  private mutating func readFields(in data: XMLElement) {
    for element in data.children {
      let texts: [String]
      switch element.name {
      case "SchemaData": return readFields(in: element)
      case "Data": texts = element.children("value").map { text(of: $0) }
      case "SimpleData": texts = [text(of: element)]
      default: continue
      }
      let name = element.attributes["name"] ?? ""
      guard let field = Self.fields[name.lowercased()] else {
        let isUnit = CSVPlaceColumns.isRadiusUnit(plain: CSVPlaceColumns.plain(name))
        if isUnit { radiusUnit = texts.first ?? "" }
        continue
      }
      for text in texts { fill(field, text) }
    }
  }

  /// The trimmed text of an element, which counts toward the limit.
  private mutating func text(of element: XMLElement) -> String {
    textBytes += element.text.utf8.count
    return element.text.trimmed
  }

  /// The text of a description, which keeps its lines if it has no tags.
  private mutating func blurb(of element: XMLElement) -> String {
    let text = text(of: element)
    return text.contains("<") ? HTMLText.plain(text) : text
  }

  private mutating func fill(_ field: PlaceDraft.Field, _ value: String) {
    if !value.isEmpty, fields[field] == nil { fields[field] = value }
  }

  // MARK: Geometries

  /// Collects points and other shapes, through all levels of a MultiGeometry.
  private mutating func readGeometries(in parent: XMLElement) {
    for element in parent.children {
      switch element.name {
      case "MultiGeometry": readGeometries(in: element)
      case "Point": points += element.children("coordinates").map { text(of: $0) }
      case "Polygon":
        shape = shape ?? (element.name, hasCentroid: true)
        for border in element.children {
          for ring in border.children("LinearRing") {
            if border.name == "outerBoundaryIs" { add(ring, as: .outline) }
            if border.name == "innerBoundaryIs" { add(ring, as: .hole) }
          }
        }
      case "LineString", "LinearRing":
        shape = shape ?? (element.name, hasCentroid: true)
        add(element, as: .line)
      case "Track", "MultiTrack", "Model": shape = shape ?? (element.name, hasCentroid: false)
      default: break
      }
    }
  }

  /// Adds the vertices of a line or ring to the centroid.
  private mutating func add(_ element: XMLElement, as part: ShapeCentroid.Part) {
    centroid.begin(part)
    for coordinates in element.children("coordinates") {
      var tuples = KMLCoordinates()
      tuples.append(Array(coordinates.text.utf8).span, endLine: 0)
      tuples.finish(endLine: 0)
      for tuple in tuples.takeAll() {
        let vertex = Coordinate(latitudeDegrees: tuple.latitude, longitudeDegrees: tuple.longitude)
        if vertex.isValid { centroid.add(vertex) } else { hasBadVertex = true }
      }
    }
    centroid.end()
  }

  // MARK: Places

  /// Stages a place for each point, or for the centroid, or refuses the placemark.
  func add(to staging: PlaceStaging) throws(PlaceListError) {
    guard textBytes <= XMLPlaces.mostTextBytes else {
      let most = XMLPlaces.mostTextBytes >> 20
      return try staging.refuse(
        .malformed, "the text of the placemark is longer than \(most) MiB", line: line)
    }
    for (index, point) in points.enumerated() {
      var draft = draft(suffix: points.count == 1 ? nil : index + 1)
      let numbers = point.split { $0 == "," || $0.isWhitespace }
      if let longitude = numbers.first { draft.set(.longitude, String(longitude)) }
      if numbers.count > 1 { draft.set(.latitude, String(numbers[1])) }
      try staging.add(&draft)
    }
    if points.isEmpty { try addShape(to: staging) }
  }

  /// Stages the centroid of the other shapes, if the options ask for it.
  private func addShape(to staging: PlaceStaging) throws(PlaceListError) {
    guard let shape else {
      return try staging.refuse(.missingPosition, "the placemark has no geometry", line: line)
    }
    guard shape.hasCentroid else {
      return try staging.refuse(
        .badGeometry, "the geometry is a \(shape.name), not a point", line: line)
    }
    guard staging.options.shapes == .centroid else {
      return try staging.refuseShape(shape.name, line: line)
    }
    guard !hasBadVertex, let center = centroid.coordinate else {
      return try staging.refuse(
        .badGeometry, "the \(shape.name) has no vertices or an invalid one", line: line)
    }
    var draft = draft(suffix: nil)
    draft.set(center)
    try staging.add(&draft)
  }

  /// The texts as a draft without a position; a suffix tells several points apart.
  private func draft(suffix: Int?) -> PlaceDraft {
    var draft = PlaceDraft(line: line)
    draft.isPlainText = true
    for (field, value) in fields { draft.set(field, value) }
    draft.setRadiusUnit(radiusUnit)
    if let id = fields[.id], let suffix { draft.set(.id, "\(id)-\(suffix)") }
    return draft
  }
}
