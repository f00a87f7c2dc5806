import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
package import FencepostPlaces

/// Finds out that no track came anywhere near a place, which is a mistake in most cases.
package struct RemoteTracks: Sendable {
  /// From how far on tracks and places have nothing to do with each other, in metres.
  package static let leastMeters = 50_000.0
  /// The most tracks that are kept; all others count as one.
  private static let mostTracks = 1000

  private var tracks: [(name: String, extent: TrackExtent)] = []

  /// Begins without tracks.
  package init() {}

  /// Takes a track.
  package mutating func take(_ extent: TrackExtent, of name: String) {
    guard extent.first != nil else { return }
    if tracks.count < Self.mostTracks {
      tracks.append((name, extent))
    } else {
      tracks[tracks.count - 1].extent.formUnion(extent)
    }
  }

  /// A place and how far it is from the first fix of a track.
  private struct Nearest {
    var place: Place
    var meters: Double
    var track: String
  }

  /// What to say if no fix of any track came within 50 km of a circle; nil if one may have, or there is no place.
  ///
  /// Whether latitude and longitude are exchanged is asked only if a track would be near a place then.
  ///
  /// - Parameter reader: Finds the places.
  /// - Returns: A sentence without a full stop.
  /// - Throws: `PlaceStoreError`.
  package func sentence(_ reader: PlaceReader) throws(PlaceStoreError) -> String? {
    var nearest: Nearest?
    for track in tracks {
      guard let circle = track.extent.circle, let first = track.extent.first,
        try isRemote(circle, reader),
        let found = try reader.nearest(to: first, count: 1, rank: .center).first,
        let place = try reader.place(forKey: found.key)
      else { return nil }
      if found.centerDistanceMeters < nearest?.meters ?? .infinity {
        nearest = Nearest(place: place, meters: found.centerDistanceMeters, track: track.name)
      }
    }
    guard let nearest else { return nil }
    let question = ". Are latitude and longitude swapped in the stories or in the track?"
    return Self.sentence(nearest) + (try isExchanged(reader) ? question : "")
  }

  private static func sentence(_ nearest: Nearest) -> String {
    let name = nearest.place.title.isEmpty ? nearest.place.id : nearest.place.title
    let kilometers = Int((nearest.meters / 1000).rounded()).grouped
    return
      "no track came within \(Int(leastMeters / 1000)) km of a story. The nearest, “\(name)”, is "
      + "\(kilometers) km from the start of \(nearest.track)"
  }

  /// Whether every circle is far from every point of a circle around a track.
  private func isRemote(
    _ circle: (center: Coordinate, radiusMeters: Double), _ reader: PlaceReader
  ) throws(PlaceStoreError) -> Bool {
    // Beyond a quarter of the Earth's circumference there is always a place within reach.
    guard circle.radiusMeters < 10_000_000 else { return false }
    let edge = try reader.nearest(
      to: circle.center, count: 1, rank: .edge(exitMarginMeters: 0)
    ).first
    guard let edge else { return false }
    return edge.centerDistanceMeters - edge.circle.radiusMeters - circle.radiusMeters
      > Self.leastMeters
  }

  /// Whether a track would begin near a place if its latitude and longitude were exchanged.
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
