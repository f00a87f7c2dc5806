import FencepostGeodesy
import FencepostMonitoring
package import FencepostPlaces

/// Detects that no track comes near any place, which is usually a mistake.
///
/// Swapped coordinates, or the stories of another town, give an empty report that looks like a
/// result. Commands print the sentence after such an analysis.
package struct RemoteTracks: Sendable {
  /// The distance beyond which tracks and places are unrelated, in meters.
  package static let leastMeters = 50_000.0
  /// The maximum number of tracks kept separately; further ones extend the last.
  private static let mostTracks = 1000

  private var tracks: [(name: String, extent: TrackExtent)] = []

  /// Starts before the first track.
  package init() {}

  /// Adds a track by its extent; a track without fixes is ignored.
  package mutating func take(_ extent: TrackExtent, of name: String) {
    guard extent.first != nil else { return }
    if tracks.count < Self.mostTracks {
      tracks.append((name, extent))
    } else {
      tracks[tracks.count - 1].extent.formUnion(extent)
    }
  }

  /// Describes the problem if no fix came within 50 km of a circle; nil if one may have.
  ///
  /// The message has no final period. It asks whether latitude and longitude are swapped if that
  /// would bring a track near a place. `distance` is the text of a distance in meters.
  package func sentence(
    _ reader: PlaceReader, distance: (Double) -> String
  ) throws(PlaceStoreError) -> String? {
    var nearest: (place: Place, meters: Double, track: String)?
    for track in tracks {
      guard let circle = track.extent.circle, let first = track.extent.first,
        try isRemote(circle, reader),
        let found = try reader.nearest(to: first, count: 1, rank: .center).first,
        let place = try reader.place(forKey: found.key)
      else { return nil }
      if found.centerDistanceMeters < nearest?.meters ?? .infinity {
        nearest = (place, found.centerDistanceMeters, track.name)
      }
    }
    guard let nearest else { return nil }
    let name = nearest.place.title.isEmpty ? nearest.place.id : nearest.place.title
    let question = ". Are latitude and longitude swapped in the stories or in the walk?"
    return
      "no walk came within \(distance(Self.leastMeters)) of a story. The nearest, “\(name)”, is "
      + "\(distance(nearest.meters)) from the start of \(nearest.track)"
      + (try isExchanged(reader) ? question : "")
  }

  /// Returns whether every circle is far from all points of a track's bounding circle.
  private func isRemote(
    _ circle: (center: Coordinate, radiusMeters: Double), _ reader: PlaceReader
  ) throws(PlaceStoreError) -> Bool {
    // A circle this large, a quarter of the Earth's circumference, may reach any place.
    guard circle.radiusMeters < 10_000_000 else { return false }
    let edge = try reader.nearest(
      to: circle.center, count: 1, rank: .edge(exitMarginMeters: 0)
    ).first
    guard let edge else { return false }
    return edge.centerDistanceMeters - edge.circle.radiusMeters - circle.radiusMeters
      > Self.leastMeters
  }

  /// Returns whether swapping latitude and longitude would start a track near a place.
  private func isExchanged(_ reader: PlaceReader) throws(PlaceStoreError) -> Bool {
    for track in tracks {
      guard let first = track.extent.first else { continue }
      let exchanged = Coordinate(
        latitudeDegrees: first.longitudeDegrees, longitudeDegrees: first.latitudeDegrees)
      guard exchanged.isValid else { continue }
      let found = try reader.nearest(to: exchanged, count: 1, rank: .center).first
      if let found, found.centerDistanceMeters <= Self.leastMeters { return true }
    }
    return false
  }
}
