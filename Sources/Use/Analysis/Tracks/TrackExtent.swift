package import FencepostFixes
package import FencepostGeodesy

/// The first fix of a track, and a box around all fixes.
///
/// It decides whether a track can be near any place without keeping the path. A track across the
/// antimeridian gets a box around the Earth, which is large but not wrong.
package struct TrackExtent: Equatable, Sendable {
  /// The first fix; nil before any.
  package private(set) var first: Coordinate?
  private var south = Double.infinity
  private var north = -Double.infinity
  private var west = Double.infinity
  private var east = -Double.infinity

  /// Creates the extent of no fixes, which is near nothing.
  package init() {}

  /// Widens the extent to these fixes.
  package mutating func take(_ fixes: [Fix]) {
    if first == nil { first = fixes.first?.coordinate }
    for fix in fixes {
      south = min(south, fix.coordinate.latitudeDegrees)
      north = max(north, fix.coordinate.latitudeDegrees)
      west = min(west, fix.coordinate.longitudeDegrees)
      east = max(east, fix.coordinate.longitudeDegrees)
    }
  }

  /// Extends the box by another extent, and takes its first fix if this one has none.
  mutating func formUnion(_ other: TrackExtent) {
    first = first ?? other.first
    (south, north) = (min(south, other.south), max(north, other.north))
    (west, east) = (min(west, other.west), max(east, other.east))
  }

  /// The largest radius of curvature of the ellipsoid in meters: a² / b, at the poles.
  private static let greatestRadiusMeters = 6_399_593.626

  /// A circle that contains all fixes; nil if there are no fixes.
  ///
  /// Its radius is half the box's height plus half its longest width, an upper bound for the
  /// distance along a meridian and then a parallel.
  var circle: (center: Coordinate, radiusMeters: Double)? {
    guard first != nil else { return nil }
    let center = Coordinate(
      latitudeDegrees: (south + north) / 2, longitudeDegrees: (west + east) / 2)
    let equatorward = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let square = (equatorward * .pi / 180) * (equatorward * .pi / 180)
    // An upper bound for the cosine of 0° to 90°: 1 - x² / 2 + x⁴ / 24.
    let cosine = min(1, 1 - square / 2 + square * square / 24)
    let degrees = (north - south) / 2 + (east - west) / 2 * cosine
    return (center, degrees * .pi / 180 * Self.greatestRadiusMeters)
  }
}
