public import FencepostGeodesy

/// A place as a report names and draws it.
public struct Story: Equatable, Sendable {
  /// The place's id in the store.
  public var id: String
  /// Its title; may be empty.
  public var title: String
  /// Its category; may be empty.
  public var category: String
  /// Its address on the web; may be empty.
  public var url: String
  /// Its centre.
  public var coordinate: Coordinate
  /// The radius of its circle in metres.
  public var radiusMeters: Double

  /// Makes a story of its parts.
  public init(
    id: String, title: String, category: String = "", url: String = "", coordinate: Coordinate,
    radiusMeters: Double
  ) {
    self.id = id
    self.title = title
    self.category = category
    self.url = url
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
  }

  /// The title, or the id of a story without one.
  package var name: String { title.isEmpty ? id : title }
}
