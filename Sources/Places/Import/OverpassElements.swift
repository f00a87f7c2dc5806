import FencepostFormats
import FencepostGeodesy

/// Makes places from the elements of an Overpass answer (`[out:json]`).
///
/// A node is a place, and so is a way or relation with a `center` (`out center`). A way with
/// vertices (`out geom`) is a place if the options ask for centroids. The id is type and number,
/// such as `node/123`. `name`, `description` and `website` give title, blurb and URL, and the first
/// main key, such as `amenity`, gives the category. Nodes without tags are only counted.
struct OverpassElements {
  /// Keys that give the category, most specific first.
  private static let mainKeys = [
    "historic", "tourism", "amenity", "shop", "leisure", "office", "craft", "man_made", "natural",
    "railway", "public_transport", "highway", "building", "place",
  ]

  private let staging: PlaceStaging
  private var draft = PlaceDraft()
  private var untaggedNodes = 0

  init(_ staging: PlaceStaging) { self.staging = staging }

  mutating func add(_ element: JSONValue, line: Int) throws(PlaceImportError) {
    draft.clear()
    draft.line = line
    let tags = element.member("tags") ?? .null
    switch element.member("type")?.plainText {
    case "node":
      guard tags != .null else { return untaggedNodes += 1 }
      setPosition(element)
    case let type? where type == "way" || type == "relation":
      if let center = element.member("center") {
        setPosition(center)
      } else if try !setCentroid(of: element, type, line: line) {
        return
      }
    case let type:
      return try staging.refuse(
        .badGeometry, "“\(type ?? "")” is not a node, way or relation", line: line)
    }
    setTags(tags)
    if let type = element.member("type")?.plainText, let id = element.member("id")?.plainText {
      draft.set(.id, "\(type)/\(id)")
    }
    try staging.add(&draft)
  }

  /// Reports a failure from the remark after the elements.
  func report(remark: String?) throws(PlaceImportError) {
    guard let remark, remark.contains("error") else { return }
    try staging.refuse(.malformed, "Overpass returned an incomplete result: \(remark)", line: 1)
  }

  func finish() {
    if untaggedNodes > 0 { staging.warn(.untaggedNodes(nodes: untaggedNodes)) }
  }

  /// Sets the position to the centroid of a way, or returns false if the element was refused.
  private mutating func setCentroid(
    of element: JSONValue, _ type: String, line: Int
  ) throws(PlaceImportError) -> Bool {
    guard case .array(let vertices)? = element.member("geometry") else {
      try staging.refuse(
        .missingPosition, "the \(type) has no position; ask Overpass for “out center”", line: line)
      return false
    }
    guard staging.options.shapes == .centroid else {
      try staging.refuseShape(type, line: line)
      return false
    }
    guard let centroid = Self.centroid(of: vertices) else {
      try staging.refuse(.badGeometry, "the \(type) has no vertices or an invalid one", line: line)
      return false
    }
    draft.set(centroid)
    return true
  }

  /// The centroid of a way, which is an area if closed and otherwise a line.
  private static func centroid(of vertices: [JSONValue]) -> Coordinate? {
    let isClosed = vertices.count > 3 && vertices.first == vertices.last
    var centroid = ShapeCentroid()
    centroid.begin(isClosed ? .outline : .line)
    for vertex in vertices {
      guard let latitude = vertex.member("lat")?.double,
        let longitude = vertex.member("lon")?.double
      else { return nil }
      let position = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      guard position.isValid else { return nil }
      centroid.add(position)
    }
    centroid.end()
    return centroid.coordinate
  }

  private mutating func setPosition(_ value: JSONValue) {
    if case .number(_, let text)? = value.member("lat") { draft.set(.latitude, text) }
    if case .number(_, let text)? = value.member("lon") { draft.set(.longitude, text) }
  }

  private mutating func setTags(_ tags: JSONValue) {
    if let name = tags.member("name", "name:en", "brand", "operator")?.plainText {
      draft.set(.title, name)
    }
    if let text = tags.member("description")?.plainText { draft.set(.blurb, text) }
    if let address = tags.member("website", "contact:website", "url")?.plainText {
      draft.set(.url, address)
    }
    for key in Self.mainKeys where draft.isEmpty(.category) {
      if let kind = tags.member(key)?.plainText { draft.set(.category, kind) }
    }
  }
}
