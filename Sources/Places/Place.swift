public import FencepostGeodesy

/// A stored point with its story, and the radius of the circle around it that alerts.
public struct Place: Equatable, Sendable {
  /// The radius in metres of a place without one.
  public static let defaultRadiusMeters = 100.0

  /// The store's own number of the place, constant while the place is in that store.
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
