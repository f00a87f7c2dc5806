package import FencepostGeodesy
import FencepostMonitoring

/// The properties of a place that reports show.
///
/// It leaves out texts and dates, so that a million stories fit into memory.
package struct Story: Equatable, Sendable {
  /// The place's id in its store.
  package var id: String
  /// The title, or an empty string.
  package var title: String
  /// The category, or an empty string.
  package var category: String
  /// The web address, or an empty string.
  package var url: String
  /// The center of the circle.
  package var coordinate: Coordinate
  /// The radius of the circle in meters.
  package var radiusMeters: Double

  /// Creates a story; the values are not checked.
  package init(
    id: String, title: String, category: String = "", url: String = "", coordinate: Coordinate,
    radiusMeters: Double
  ) {
    (self.id, self.title, self.category, self.url) = (id, title, category, url)
    (self.coordinate, self.radiusMeters) = (coordinate, radiusMeters)
  }

  init(_ place: Place) {
    self.init(
      id: place.id, title: place.title, category: place.category, url: place.url,
      coordinate: place.coordinate, radiusMeters: place.radiusMeters)
  }

  /// The title, or the id if the title is empty.
  package var name: String { title.isEmpty ? id : title }
}
