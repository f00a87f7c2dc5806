// What no point of a part of a path is nearer than, by the geodesic. All bounds are proved; searches prune by
// them. Each takes the distance that is of interest: beyond it a looser bound, which is cheaper, will do.
extension PathTree {
  /// A distance that no point in a ball about a part of the path is nearer than, in metres.
  ///
  /// The chord to the ball gives one bound. The other is the distance of the surface's point v beneath
  /// the sphere's middle, less the geodesic that can lie between v and any point in the ball.
  static func leastMeters(
    from place: SIMD3<Double>, to ball: Ball, limitMeters: Double
  ) -> Double {
    let chord = length(ball.center - place) - ball.radiusMeters
    let least = Geodesic.leastMeters(ofChord: max(0, chord))
    guard least < limitMeters, let surface = Ellipsoid.surface(along: ball.center) else {
      return least
    }
    let reach = ball.radiusMeters + length(surface - ball.center)
    return max(
      least,
      Geodesic.boundsMeters(from: place, to: surface).least
        - Geodesic.greatestMeters(ofChord: reach))
  }

  /// A distance that no point of the segment that ends at a vertex is nearer than, in metres.
  ///
  /// As the ellipsoid is curved positively, the distance d from a place, seen along a geodesic, has a
  /// second derivative of at most 1/d (Hessian comparison); between two ends L apart it is therefore
  /// less than the nearer one's by at most L²/8d. The chord, with the room that the segment has about it,
  /// gives another bound.
  ///
  /// - Parameters:
  ///   - place: From where.
  ///   - vertex: Index of the vertex, at which a segment ends.
  ///   - limitMeters: The distance that is of interest.
  ///   - vertexLeastMeters: The bound of a vertex.
  /// - Returns: The bound.
  func leastMeters(
    from place: SIMD3<Double>, toSegment vertex: Int, limitMeters: Double,
    _ vertexLeastMeters: (Int) -> Double
  ) -> Double {
    let length = lengths[vertex]
    let (point, _) = nearestOfChord(vertex, to: place)
    let gap = FencepostGeodesy.length(point - place) - Ball.strayMeters(length)
    let least = Geodesic.leastMeters(ofChord: max(0, gap))
    guard least < limitMeters else { return least }
    let ends = min(vertexLeastMeters(vertex - 1), vertexLeastMeters(vertex))
    let nearest = ends - length / 2
    return nearest > 0 ? max(least, nearest, ends - length * length / (8 * nearest)) : least
  }
}
