import FencepostFormats
import FencepostGeodesy

/// Makes places from GeoJSON features.
///
/// A Point is a place. Each point of a MultiPoint is a place, too; if there are several, their ids
/// are the feature's id, `-` and a number from 1. The centroid of an area or line is a place if the
/// options ask for it. ``GoogleSavedPlace`` reads the properties of places saved in Google Maps.
struct GeoJSONFeatures {
  private let staging: PlaceStaging
  private var draft = PlaceDraft()

  /// Makes places for a staging; features of one file share a draft.
  init(_ staging: PlaceStaging) { self.staging = staging }

  /// Adds the places of a feature, or refuses it; `line` is where it begins.
  mutating func add(_ feature: JSONValue, line: Int) throws(PlaceListError) {
    let geometry = feature.member("geometry")
    let coordinates = geometry?.member("coordinates")
    switch geometry?.member("type")?.plainText {
    case "Point": try addPoint(coordinates, of: feature, suffix: nil, line: line)
    case "MultiPoint":
      guard case .array(let points)? = coordinates, !points.isEmpty else {
        try staging.refuse(.missingPosition, "the MultiPoint has no points", line: line)
        return
      }
      for (index, point) in points.enumerated() {
        let suffix = points.count == 1 ? nil : index + 1
        try addPoint(point, of: feature, suffix: suffix, line: line)
      }
    case let type? where GeoJSONShape.types.contains(type):
      try addShape(geometry ?? .null, type, of: feature, line: line)
    case let type?:
      try staging.refuse(
        .badGeometry, "the geometry is a \(type), not a Point or MultiPoint", line: line)
    case nil: try staging.refuse(.missingPosition, "the feature has no geometry", line: line)
    }
  }

  /// Adds a place at a point; a suffix tells the points of one feature apart.
  private mutating func addPoint(
    _ point: JSONValue?, of feature: JSONValue, suffix: Int?, line: Int
  ) throws(PlaceListError) {
    draft.clear()
    draft.line = line
    if case .array(let numbers)? = point, numbers.count >= 2 {
      if case .number(_, let text) = numbers[0] { draft.set(.longitude, text) }
      if case .number(_, let text) = numbers[1] { draft.set(.latitude, text) }
    }
    try addDraft(of: feature, suffix: suffix)
  }

  /// Adds the centroid of an area or line, if the options ask for it.
  private mutating func addShape(
    _ geometry: JSONValue, _ type: String, of feature: JSONValue, line: Int
  ) throws(PlaceListError) {
    guard staging.options.shapes == .centroid else {
      return try staging.refuseShape(type, line: line)
    }
    guard let centroid = GeoJSONShape.centroid(of: geometry) else {
      return try staging.refuse(
        .badGeometry, "the \(type) has no vertices or an invalid one", line: line)
    }
    draft.clear()
    draft.line = line
    draft.set(centroid)
    try addDraft(of: feature, suffix: nil)
  }

  /// Fills in the properties, and stages the draft.
  private mutating func addDraft(of feature: JSONValue, suffix: Int?) throws(PlaceListError) {
    let properties = feature.member("properties") ?? .null
    if let id = (feature.member("id") ?? properties.member("id", "identifier"))?.plainText,
      !id.isEmpty
    {
      draft.set(.id, suffix.map { "\(id)-\($0)" } ?? id)
    }
    set(.title, properties.member("title", "name"))
    set(.blurb, properties.member("blurb", "description"))
    set(.url, properties.member("url", "link"))
    set(.category, properties.member("category"))
    set(.priority, properties.member("priority"))
    set(.published, properties.member("published"))
    if let saved = GoogleSavedPlace(properties) {
      draft.fill(.title, saved.title ?? "")
      draft.fill(.blurb, saved.blurb ?? "")
      draft.fill(.url, saved.url ?? "")
      if isAtZero, let coordinates = saved.coordinates {
        draft.set(.latitude, coordinates.latitude)
        draft.set(.longitude, coordinates.longitude)
      }
      guard !isAtZero else {
        // Google writes 0,0 for an unknown position.
        try staging.refuse(
          .missingPosition, "“\(draft.text(.title))” was saved without a position (0,0)",
          line: draft.line)
        return
      }
    }
    // A labeled place in Google Takeout, such as home, has nothing else.
    if case .object(let members) = properties, Set(members.map(\.key)) == ["name", "address"] {
      set(.blurb, properties.member("address"))
    }
    set(.expires, properties.member("expires"))
    set(.radius, properties.member("radius"))
    setRadius(properties)
    try staging.add(&draft)
  }

  /// Sets a radius whose name or whose neighbor says its unit.
  private mutating func setRadius(_ properties: JSONValue) {
    guard case .object(let members) = properties else { return }
    for member in members {
      let name = CSVPlaceColumns.plain(member.key)
      if draft.isEmpty(.radius), let meaning = CSVPlaceColumns.meaning(ofPlain: name),
        meaning.field == .radius
      {
        set(.radius, member.value)
        draft.radiusUnitMeters = meaning.unitMeters
      }
    }
    let unit = members.first { CSVPlaceColumns.isRadiusUnit(plain: CSVPlaceColumns.plain($0.key)) }
    draft.setRadiusUnit(unit?.value.string ?? "")
  }

  /// Whether both coordinates are 0 or missing.
  private var isAtZero: Bool {
    [draft.text(.latitude), draft.text(.longitude)].allSatisfy {
      DecimalNumber.double(parsing: $0) ?? 0 == 0
    }
  }

  /// Sets a field to the text of a property; other values are ignored.
  private mutating func set(_ field: PlaceDraft.Field, _ value: JSONValue?) {
    if let text = value?.plainText { draft.set(field, text) }
  }
}

/// Finds the centroids of GeoJSON geometries other than points.
///
/// Fencepost's places are circles, so an area or line can only be imported as its center.
/// `ShapeCentroid` has the formula.
enum GeoJSONShape {
  static let types: Set<String> = [
    "Polygon", "MultiPolygon", "LineString", "MultiLineString", "GeometryCollection",
  ]

  /// The centroid of a geometry; nil if it has no vertices or an invalid one.
  static func centroid(of geometry: JSONValue) -> Coordinate? {
    var centroid = ShapeCentroid()
    guard add(geometry, to: &centroid) else { return nil }
    return centroid.coordinate
  }

  /// Adds the parts of a geometry; false if any of it is invalid.
  private static func add(_ geometry: JSONValue, to centroid: inout ShapeCentroid) -> Bool {
    let coordinates = geometry.member("coordinates")
    switch geometry.member("type")?.plainText {
    case "Point": return add(.array([coordinates ?? .null]), as: .points, to: &centroid)
    case "MultiPoint": return add(coordinates, as: .points, to: &centroid)
    case "LineString": return add(coordinates, as: .line, to: &centroid)
    case "MultiLineString": return all(coordinates) { add($0, as: .line, to: &centroid) }
    case "Polygon": return addPolygon(coordinates, to: &centroid)
    case "MultiPolygon": return all(coordinates) { addPolygon($0, to: &centroid) }
    case "GeometryCollection": return all(geometry.member("geometries")) { add($0, to: &centroid) }
    default: return false
    }
  }

  /// Adds a polygon, whose first ring is its outline and whose others are holes (RFC 7946, 3.1.6).
  private static func addPolygon(_ rings: JSONValue?, to centroid: inout ShapeCentroid) -> Bool {
    var part = ShapeCentroid.Part.outline
    return all(rings) { ring in
      defer { part = .hole }
      return add(ring, as: part, to: &centroid)
    }
  }

  private static func add(
    _ positions: JSONValue?, as part: ShapeCentroid.Part, to centroid: inout ShapeCentroid
  ) -> Bool {
    centroid.begin(part)
    defer { centroid.end() }
    return all(positions) { position in
      guard case .array(let numbers) = position, numbers.count >= 2,
        let longitude = numbers[0].double, let latitude = numbers[1].double
      else { return false }
      let vertex = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      guard vertex.isValid else { return false }
      centroid.add(vertex)
      return true
    }
  }

  /// Whether a value is an array, and all its elements pass.
  private static func all(_ value: JSONValue?, _ body: (JSONValue) -> Bool) -> Bool {
    guard case .array(let elements)? = value else { return false }
    return elements.allSatisfy(body)
  }
}

/// The properties of a saved place in Google Takeout.
///
/// The older format has `Title`, `Google Maps URL`, `Published`, and `Location` with `Address`,
/// `Business Name` and `Geo Coordinates`. The newer one has `google_maps_url`, `date`, `Comment`,
/// and `location` with `name` and `address`. The date is ignored: as a publication date, it would
/// suppress alerts on earlier tracks.
struct GoogleSavedPlace {
  private let properties: JSONValue
  private let location: JSONValue

  /// Returns nil if the properties are not Google's.
  init?(_ properties: JSONValue) {
    guard properties.member("google_maps_url", "Google Maps URL") != nil else { return nil }
    self.properties = properties
    location = properties.member("location", "Location") ?? .null
  }

  /// The name of the place, or its address.
  var title: String? {
    text(properties.member("Title", "title", "name"))
      ?? text(location.member("name", "Business Name", "Name")) ?? address
  }

  /// The user's comment, then the address on a line of its own.
  var blurb: String? {
    let comment = text(properties.member("comment", "Comment", "review_text_published"))
    let parts = [comment, title == address ? nil : address].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  /// The place's page on Google Maps.
  var url: String? { text(properties.member("google_maps_url", "Google Maps URL")) }

  /// The position in the older format, as text; nil without one.
  var coordinates: (latitude: String, longitude: String)? {
    guard let point = location.member("Geo Coordinates"),
      let latitude = text(point.member("Latitude")), let longitude = text(point.member("Longitude"))
    else { return nil }
    return (latitude, longitude)
  }

  private var address: String? { text(location.member("address", "Address")) }

  private func text(_ value: JSONValue?) -> String? {
    value?.plainText.flatMap { $0.isEmpty ? nil : $0 }
  }
}
