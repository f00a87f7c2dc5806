extension GeodesicSegment {
  /// How many times farther apart another geodesic may be between its ends than at them.
  ///
  /// If both ends of another geodesic are within a distance of this segment's, every point of it is
  /// within that distance times this factor of the point at the same fraction. Geodesics that start
  /// side by side converge no faster than on a sphere of the greatest Gaussian curvature, 1/b²: so
  /// the factor is at most 1/cos(L/2b) ≤ 1/(1 − (L/2b)²/2) (Rauch's comparison). It is 1 up to 1e-6
  /// for 10 km, and infinite from 17,700 km on.
  public var greatestSpread: Double {
    let half = lengthMeters / 2 / Ellipsoid.polarRadiusMeters
    let cosine = 1 - half * half / 2
    return cosine > 0.02 ? 1 / cosine : .infinity
  }
}
