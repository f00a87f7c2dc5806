public import FencepostGeodesy
import FencepostTime

/// A point with a story, and the radius of its alert circle.
///
/// An engine monitors its circle, an alert policy looks at its dates and its priority, and an alert
/// shows its texts.
public struct Place: Hashable, Sendable {
  /// The radius in meters of a place without one.
  public static let defaultRadiusMeters = 100.0

  /// The place's number in its store or ``PlaceIndex``, constant as long as it exists.
  public var key: Int64
  /// The place's identifier, unique in a store and never empty.
  public var id: String
  /// The title; may be empty.
  public var title: String
  /// One or two sentences about the place; may be empty.
  public var blurb: String
  /// The web address of the story; may be empty.
  public var url: String
  /// The kind of place; may be empty.
  public var category: String
  /// The priority, 0 by default; lower numbers matter more.
  public var priority: Int
  /// The position.
  public var coordinate: Coordinate
  /// The radius of the alert circle in meters, above 0 and at most 20,000,000.
  public var radiusMeters: Double
  /// The start of validity in milliseconds since 1970-01-01T00:00:00Z, or nil.
  public var publishedMilliseconds: Int64?
  /// The end of validity in milliseconds since 1970-01-01T00:00:00Z, or nil.
  public var expiresMilliseconds: Int64?

  /// Creates a place; a place for a ``PlaceIndex`` needs no key.
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
  /// The alert circle; the coordinate and the radius must be valid.
  package var circle: Circle { Circle(center: coordinate, radiusMeters: radiusMeters) }

  /// The place's circle under the place's key.
  var indexedCircle: IndexedCircle {
    IndexedCircle(coordinate: coordinate, radiusMeters: radiusMeters, key: key)
  }
}
