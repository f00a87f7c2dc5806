public import Geodesy

/// A stored point with its story, and the radius of the circle around it that alerts.
public struct Place: Equatable, Sendable {
  /// The radius of a place that says none, in metres.
  public static let defaultRadiusMeters = 100.0

  /// The store's own number of the place.
  ///
  /// It stays while the place stays in that store, and means nothing in another.
  public var key: Int64
  /// The place's name for machines, unique in a store, never empty.
  public var id: String
  /// What the place is called; may be empty.
  public var title: String
  /// A sentence or two about it; may be empty.
  public var blurb: String
  /// Where the story is to be read; may be empty.
  public var url: String
  /// What kind of place it is; may be empty.
  public var category: String
  /// The lower, the more it matters; 0 unless said.
  public var priority: Int
  /// Where it is.
  public var coordinate: Coordinate
  /// The radius of its circle in metres, above 0, at most 20,000,000.
  public var radiusMeters: Double
  /// When the story begins to count, in milliseconds since 1970-01-01T00:00:00Z; nil is always.
  public var publishedMilliseconds: Int64?
  /// When the story ceases to count, in milliseconds since 1970-01-01T00:00:00Z; nil is never.
  public var expiresMilliseconds: Int64?

  /// Makes a place of its parts; what is left out is empty or has its default.
  public init(
    key: Int64,
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
