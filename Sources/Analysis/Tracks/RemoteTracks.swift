public import FencepostFixes
import FencepostFormats
public import FencepostGeodesy
import FencepostMonitoring
public import FencepostPlaces

/// Finds out that no track came anywhere near a place, which is a mistake in most cases.
public struct RemoteTracks: Sendable {
  /// From how far on tracks and places have nothing to do with each other, in metres.
  public static let leastMeters = 50_000.0
  /// The most tracks that are kept; all others count as one.
  private static let mostTracks = 1000

  private var tracks: [(name: String, extent: TrackExtent)] = []

  /// Begins without tracks.
  public init() {}

  /// Takes a track.
  public mutating func take(_ extent: TrackExtent, of name: String) {
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
  public func sentence(_ reader: PlaceReader) throws(PlaceStoreError) -> String? {
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
    let question = "; are latitude and longitude exchanged, of the places or of the track?"
    return Self.sentence(nearest) + (try isExchanged(reader) ? question : "")
  }

  private static func sentence(_ nearest: Nearest) -> String {
    let name = nearest.place.title.isEmpty ? nearest.place.id : nearest.place.title
    let kilometers = Int((nearest.meters / 1000).rounded()).grouped
    return
      "no fix came within \(Int(leastMeters / 1000)) km of any place; the nearest, “\(name)”, is "
      + "\(kilometers) km from the first fix of \(nearest.track)"
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

/// Where the fixes of a track are: a box around them all, and the first.
public struct TrackExtent: Equatable, Sendable {
  /// The first fix; nil without one.
  public private(set) var first: Coordinate?
  private var south = Double.infinity
  private var north = -Double.infinity
  private var west = Double.infinity
  private var east = -Double.infinity

  /// Begins a track.
  public init() {}

  /// Takes the next fixes.
  public mutating func take(_ fixes: [Fix]) {
    if first == nil { first = fixes.first?.coordinate }
    for fix in fixes {
      south = min(south, fix.coordinate.latitudeDegrees)
      north = max(north, fix.coordinate.latitudeDegrees)
      west = min(west, fix.coordinate.longitudeDegrees)
      east = max(east, fix.coordinate.longitudeDegrees)
    }
  }

  /// Takes in another extent; its first fix counts if this has none.
  mutating func formUnion(_ other: TrackExtent) {
    first = first ?? other.first
    (south, north) = (min(south, other.south), max(north, other.north))
    (west, east) = (min(west, other.west), max(east, other.east))
  }

  /// The greatest radius of curvature of the ellipsoid in metres, which it has at the poles: a² / b.
  private static let greatestRadiusMeters = 6_399_593.626

  /// A point such that no fix is farther from it than a distance in metres; nil without a fix.
  ///
  /// From the middle of the box along the meridian, and then along the parallel where that is longest, is as far as any
  /// point of it.
  var circle: (center: Coordinate, radiusMeters: Double)? {
    guard first != nil else { return nil }
    let center = Coordinate(
      latitudeDegrees: (south + north) / 2, longitudeDegrees: (west + east) / 2)
    let equatorward = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let degrees =
      (north - south) / 2 + (east - west) / 2 * Self.cosine(ofDegrees: equatorward)
    return (center, degrees * .pi / 180 * Self.greatestRadiusMeters)
  }

  /// Not less than the cosine of an angle between 0 and 90°: 1 - x² / 2 + x⁴ / 24.
  private static func cosine(ofDegrees degrees: Double) -> Double {
    let square = (degrees * .pi / 180) * (degrees * .pi / 180)
    return min(1, 1 - square / 2 + square * square / 24)
  }
}
