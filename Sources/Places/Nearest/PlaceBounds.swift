/// Bounds of a place's rank distance, from its centre's chord alone.
enum PlaceBounds {
  /// The bounds in metres; the upper one is infinite where the chord is too long to tell.
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
    let near = square.squareRoot()
    guard square < 3e6 * 3e6 else {
      guard case .edge(let margin) = rank else { return (near, .infinity) }
      // To the other side of the Earth a geodesic is 1.574 times as long as its chord.
      return (max(0, near - sphere.w - margin, sphere.w - 1.6 * near), .infinity)
    }
    let x = square * (1 / (4 * 6_335_439.0 * 6_335_439.0))
    let far = near * (1 + x / 6 + x * x / 12) + 1e-5
    switch rank {
    case .center:
      return (near, far)
    case .edge(let margin):
      return (
        max(0, near - sphere.w - margin, sphere.w - far),
        max(0, far - sphere.w - margin, sphere.w - near)
      )
    }
  }
}
