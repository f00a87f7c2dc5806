package import FencepostFixes
package import FencepostGeodesy

/// Where the fixes of a track are: a box around them all, and the first.
package struct TrackExtent: Equatable, Sendable {
  /// The first fix; nil without one.
  package private(set) var first: Coordinate?
  private var south = Double.infinity
  private var north = -Double.infinity
  private var west = Double.infinity
  private var east = -Double.infinity

  /// Begins a track.
  package init() {}

  /// Takes the next fixes.
  package mutating func take(_ fixes: [Fix]) {
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
