package import FencepostGeodesy

/// A place as a report names and draws it.
package struct Story: Equatable, Sendable {
  /// The place's id in the store.
  package var id: String
  /// Its title; may be empty.
  package var title: String
  /// Its category; may be empty.
  package var category: String
  /// Its address on the web; may be empty.
  package var url: String
  /// Its centre.
  package var coordinate: Coordinate
  /// The radius of its circle in metres.
  package var radiusMeters: Double

  /// Makes a story of its parts.
  package init(
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
