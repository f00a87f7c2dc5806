import FencepostFixes
import FencepostGeodesy

/// Spheres that contain a path: says of most circles at once that the path is nowhere near them.
struct PathHull: Sendable {
  private struct Sphere {
    var center: SIMD3<Double>
    var radiusMeters: Double
  }

  private static let verticesPerSphere = 64
  /// Longer segments are taken to pass anywhere.
  private static let longestSegmentMeters = 2_000_000.0
  /// Less than any radius of curvature of the ellipsoid.
  private static let leastCurvatureRadiusMeters = 6_335_000.0

  private var spheres: [Sphere] = []

  init(_ fixes: [Fix]) {
    let vectors = fixes.map { Position($0.coordinate).vector }
    var start = 0
    while start < vectors.count {
      let end = min(start + Self.verticesPerSphere, vectors.count)
      // The segment that leads to the first vertex belongs to it.
      spheres.append(Self.sphere(around: vectors[max(0, start - 1)..<end]))
      start = end
    }
  }

  private static func sphere(around vectors: ArraySlice<SIMD3<Double>>) -> Sphere {
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    var sag = 0.0
    for (index, vector) in vectors.enumerated() {
      low = pointwiseMin(low, vector)
      high = pointwiseMax(high, vector)
      guard index > 0 else { continue }
      let chord = lengthMeters(vector - vectors[vectors.startIndex + index - 1])
      // How far the geodesic bulges out above its chord, with a margin for the terms left out.
      sag = max(
        sag,
        chord > longestSegmentMeters
          ? .infinity : 1.1 * chord * chord / (8 * leastCurvatureRadiusMeters))
    }
    let center = (low + high) / 2
    let radius = vectors.reduce(0) { max($0, lengthMeters($1 - center)) }
    return Sphere(center: center, radiusMeters: radius + sag)
  }

  /// Whether the path may come within a distance of a circle; true where that is not certain.
  ///
  /// A distance along the ellipsoid is never less than the chord.
  func mayCome(within marginMeters: Double, of circle: Circle) -> Bool {
    let reach = circle.radiusMeters + marginMeters
    return spheres.contains { sphere in
      lengthMeters(sphere.center - circle.center.vector) <= sphere.radiusMeters + reach
    }
  }
}
