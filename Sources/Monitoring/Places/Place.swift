public import FencepostGeodesy
import FencepostTime

/// A stored point with its story, and the radius of the circle around it that alerts.
public struct Place: Hashable, Sendable {
  /// The radius in metres of a place without one.
  public static let defaultRadiusMeters = 100.0

  /// The number of the place in its store or ``PlaceIndex``, constant while it is there.
  public var key: Int64
  /// The place's identifier, unique in a store, never empty.
  public var id: String
  /// The title; may be empty.
  public var title: String
  /// A sentence or two about the place; may be empty.
  public var blurb: String
  /// The story's address; may be empty.
  public var url: String
  /// The kind of place; may be empty.
  public var category: String
  /// Lower numbers matter more; 0 by default.
  public var priority: Int
  /// The position.
  public var coordinate: Coordinate
  /// The alert circle's radius in metres, above 0, at most 20,000,000.
  public var radiusMeters: Double
  /// The start of validity in milliseconds since 1970-01-01T00:00:00Z; nil if it has none.
  public var publishedMilliseconds: Int64?
  /// The end of validity in milliseconds since 1970-01-01T00:00:00Z; nil if it has none.
  public var expiresMilliseconds: Int64?

  /// Makes a place; omitted texts are empty.
  ///
  /// A place for a ``PlaceIndex`` needs no key.
  public init(
    key: Int64 = 0,
    id: String,
    title: String = "",
    blurb: String = "",
    url: String = "",
    category: String = "",
    priority: Int = 0,
    coordinate: Coordinate,
    radiusMeters: Double = Place.defaultRadiusMeters,
    publishedMilliseconds: Int64? = nil,
    expiresMilliseconds: Int64? = nil
  ) {
    self.key = key
    self.id = id
    self.title = title
    self.blurb = blurb
    self.url = url
    self.category = category
    self.priority = priority
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
    self.publishedMilliseconds = publishedMilliseconds
    self.expiresMilliseconds = expiresMilliseconds
  }
}

extension Place {
  /// The circle around the place.
  package var circle: Circle { Circle(center: coordinate, radiusMeters: radiusMeters) }
}

extension Place: Codable {
  /// The names of the columns and properties that imports know too.
  private enum CodingKeys: String, CodingKey {
    case id, title, blurb, url, category, priority, lat, lon, radius, published, expires
  }

  /// Reads a place; only `id`, `lat` and `lon` are required, and its key is 0.
  ///
  /// An id that is a whole number becomes its digits.
  ///
  /// - Throws: `DecodingError`, also if the id is empty, the position is not on the globe, the radius is not
  ///   above 0 and at most 20,000,000 m, or an instant is not ISO 8601.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String {
      try values.decodeIfPresent(String.self, forKey: key) ?? ""
    }
    func instant(_ key: CodingKeys) throws -> Int64? {
      guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
      let milliseconds = ISO8601.milliseconds(parsing: text)
      try values.check(
        milliseconds != nil, key, "a time such as 2026-03-04T17:00:00Z")
      return milliseconds
    }
    let coordinate = Coordinate(
      latitudeDegrees: try values.decode(Double.self, forKey: .lat),
      longitudeDegrees: try values.decode(Double.self, forKey: .lon))
    let radius = try values.decodeIfPresent(Double.self, forKey: .radius)
    self.init(
      id: try Self.id(in: values), coordinate: coordinate,
      radiusMeters: radius ?? Place.defaultRadiusMeters)
    try values.check(!id.isEmpty, .id, "text that is not empty")
    (title, blurb) = (try text(.title), try text(.blurb))
    (url, category) = (try text(.url), try text(.category))
    priority = try values.decodeIfPresent(Int.self, forKey: .priority) ?? 0
    try values.check(coordinate.isValid, .lat, "within ±90° and lon within ±180°")
    try values.check(
      radiusMeters > 0 && radiusMeters <= Circle.greatestRadiusMeters, .radius,
      "above 0 and at most 20,000,000 m")
    publishedMilliseconds = try instant(.published)
    expiresMilliseconds = try instant(.expires)
  }

  /// The id, which may be a whole number, as databases count.
  private static func id(in values: KeyedDecodingContainer<CodingKeys>) throws -> String {
    do {
      return try values.decode(String.self, forKey: .id)
    } catch let error as DecodingError {
      guard case .typeMismatch = error, let number = try? values.decode(Int64.self, forKey: .id)
      else { throw error }
      return "\(number)"
    }
  }

  /// Writes a place as ``init(from:)`` reads it, without its key and without empty texts.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    for (key, text) in [
      (CodingKeys.title, title), (.blurb, blurb), (.url, url), (.category, category),
    ] where !text.isEmpty {
      try values.encode(text, forKey: key)
    }
    if priority != 0 { try values.encode(priority, forKey: .priority) }
    try values.encode(coordinate.latitudeDegrees, forKey: .lat)
    try values.encode(coordinate.longitudeDegrees, forKey: .lon)
    try values.encode(radiusMeters, forKey: .radius)
    for (key, instant) in [
      (CodingKeys.published, publishedMilliseconds), (.expires, expiresMilliseconds),
    ] {
      try values.encodeIfPresent(instant.map(ISO8601.string(milliseconds:)), forKey: key)
    }
  }
}
