/// Bounds of a place's rank distance, from its centre's chord alone.
enum PlaceBounds {
  /// The bounds in metres; the upper one is infinite where the place is nearly antipodal.
  ///
  /// See ``Viewpoint/bounds(to:)-(Position)``, of which this is the coarser half.
  ///
  /// - Parameters:
  ///   - sphere: The centre's vector and the radius.
  ///   - here: The vector of the point.
  ///   - rank: By what distance.
  /// - Returns: What the rank distance is at least and at most.
  @inline(__always)
  static func of(
    _ sphere: SIMD4<Double>, from here: SIMD4<Double>, rank: Rank
  ) -> (least: Double, greatest: Double) {
    let square = (sphere - here).lengthSquaredInSpace
    guard square < Viewpoint.longChordMeters * Viewpoint.longChordMeters else {
      return ofFar(sphere, from: here, chordMeters: square.squareRoot(), rank: rank)
    }
    let chord = square.squareRoot()
    let near = leastGeodesicMeters(chord: chord)
    let x = square * (1 / (4 * 6_335_439.0 * 6_335_439.0))
    return rankBounds(
      near: near, far: chord * (1 + x / 6 + x * x / 12) + 1e-5, radius: sphere.w, rank: rank)
  }

  /// What no geodesic of a chord is shorter than, in metres.
  ///
  /// It is at least as long as an arc on a circle of the greatest radius of curvature, 2R·asin(c/2R),
  /// of which this is the beginning of the series, with R a little greater still.
  @inline(__always)
  static func leastGeodesicMeters(chord: Double) -> Double {
    max(0, chord * (1 + chord * chord * 1.0172e-15) - 1e-5)
  }

  @inline(never)
  private static func ofFar(
    _ sphere: SIMD4<Double>, from here: SIMD4<Double>, chordMeters: Double, rank: Rank
  ) -> (least: Double, greatest: Double) {
    let (place, point) = (
      SIMD3(sphere.x, sphere.y, sphere.z), SIMD3(here.x, here.y, here.z)
    )
    if let (near, far) = LongGeodesic.bounds(place, point) {
      return rankBounds(near: near, far: far, radius: sphere.w, rank: rank)
    }
    let near = leastGeodesicMeters(chord: chordMeters)
    guard case .edge(let margin) = rank else { return (near, .infinity) }
    // To the other side of the Earth a geodesic is 1.574 times as long as its chord.
    return (max(0, near - sphere.w - margin, sphere.w - 1.6 * chordMeters), .infinity)
  }

  @inline(__always)
  private static func rankBounds(
    near: Double, far: Double, radius: Double, rank: Rank
  ) -> (least: Double, greatest: Double) {
    switch rank {
    case .center:
      return (near, far)
    case .edge(let margin):
      return (
        max(0, near - radius - margin, radius - far),
        max(0, far - radius - margin, radius - near)
      )
    }
  }
}
