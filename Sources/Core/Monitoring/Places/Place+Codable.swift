import FencepostGeodesy
import FencepostTime

extension Place: Codable {
  /// The names of columns and properties that imports also recognize.
  private enum CodingKeys: String, CodingKey {
    case id, identifier, title, blurb, url, category, priority, lat, radius, published
    case expires
  }

  /// Decodes a place; only `id`, `lat` and `lon` are required, and the key is 0.
  ///
  /// An id may also be a whole number, and be called `identifier`.
  ///
  /// - Throws: `DecodingError`, also if the id is empty, the position is not on the globe, the
  ///   radius is not above 0 and at most 20,000,000 m, or a time is not ISO 8601.
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
    let coordinate = try Coordinate(from: decoder)
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

  private static func id(in values: KeyedDecodingContainer<CodingKeys>) throws -> String {
    let key = values.contains(.id) || !values.contains(.identifier) ? CodingKeys.id : .identifier
    do {
      return try values.decode(String.self, forKey: key)
    } catch let error as DecodingError {
      guard case .typeMismatch = error, let number = try? values.decode(Int64.self, forKey: key)
      else { throw error }
      return "\(number)"
    }
  }

  /// Encodes a place for ``init(from:)``, without its key and without empty texts.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    for (key, text) in [
      (CodingKeys.title, title), (.blurb, blurb), (.url, url), (.category, category),
    ] where !text.isEmpty {
      try values.encode(text, forKey: key)
    }
    if priority != 0 { try values.encode(priority, forKey: .priority) }
    try coordinate.encode(to: encoder)
    try values.encode(radiusMeters, forKey: .radius)
    for (key, instant) in [
      (CodingKeys.published, publishedMilliseconds), (.expires, expiresMilliseconds),
    ] {
      try values.encodeIfPresent(instant.map(ISO8601.string(milliseconds:)), forKey: key)
    }
  }
}
