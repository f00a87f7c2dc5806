/// Finds the point of a path that is nearest to a far place by geodesic distance.
///
/// From afar, the point nearest by the straight line may be too far: by up to 2 cm at 100 km, and
/// 15 m at 1,000 km. The search starts there and looks wherever the path may be nearer by more than
/// ``sureMeters``, by ``Geodesic/boundsMeters(from:to:)`` and the triangle inequality.
struct FarApproach: BallSearch {
  /// Beyond this chord there is no search, and the answer may be ten meters too far.
  private static let greatestChordMeters = 11_000_000.0

  private let path: PathTree
  private let place: Position
  /// The nearest point so far.
  private(set) var found: PathTree.Approach

  /// The gain below which a look is not worthwhile: half a millimeter, and 2 cm for each 1,000 km.
  private var sureMeters: Double { 0.0005 + 2e-8 * found.distanceMeters }
  var limitMeters: Double { found.distanceMeters - sureMeters }

  init(_ path: PathTree, place: Position, from nearest: PathTree.Nearest) {
    self.path = path
    self.place = place
    let point = path.position(of: nearest.vertex, fraction: nearest.fraction)
    found = PathTree.Approach(
      distanceMeters: Geodesic.approximateDistanceMeters(place, point), vertex: nearest.vertex,
      fraction: nearest.fraction)
    if nearest.chordMeters < Self.greatestChordMeters { path.tree.search(&self) }
  }

  func leastMeters(to ball: Ball) -> Double {
    ball.leastMeters(from: place.vector, limitMeters: limitMeters)
  }

  mutating func look(at piece: Int) {
    for vertex in path.vertexIndices(ofPiece: piece) { look(atVertex: vertex) }
  }

  // MARK: Segments

  /// Examines a vertex and the segment that ends there.
  private mutating func look(atVertex vertex: Int) {
    guard path.lengths[vertex] > 0 else {
      if leastMeters(toVertex: vertex) < limitMeters { note(vertex, 1) }
      return
    }
    guard leastMeters(toSegment: vertex) < limitMeters else { return }
    for end in [vertex - 1, vertex] where leastMeters(toVertex: end) < limitMeters { note(end, 1) }
    let length = path.lengths[vertex]
    // On a short segment, a point between the ends gains too little to be worth a look.
    if length * length > 8 * found.distanceMeters * sureMeters { follow(vertex) }
  }

  private func leastMeters(toVertex vertex: Int) -> Double {
    Geodesic.boundsMeters(from: place.vector, to: path.vertices[vertex].position.vector).least
  }

  /// A lower bound of the distance to the segment that ends at a vertex, in meters.
  private func leastMeters(toSegment vertex: Int) -> Double {
    path.leastMeters(from: place.vector, toSegment: vertex, limitMeters: limitMeters) {
      leastMeters(toVertex: $0)
    }
  }

  /// Searches a segment by Newton's method, using its angle to the direction of the place.
  private mutating func follow(_ vertex: Int) {
    // A quarter of the Earth away, circles around a place are straight. Beyond, they bend the other
    // way, and an end is nearest.
    guard found.distanceMeters < 9_900_000 else { return }
    let segment = path.segment(endingAt: vertex)
    var fraction =
      segment.lengthMeters > 500_000
      ? best(of: 16, on: segment) : path.nearestOfChord(vertex, to: place.vector).fraction
    // An error of x along the path adds about x²/2D to the distance.
    let grain =
      max(0.05, (sureMeters * found.distanceMeters).squareRoot()) / segment.lengthMeters
    for _ in 0..<12 {
      let step = step(on: segment, at: fraction)
      let next = min(1, max(0, fraction + step / segment.lengthMeters))
      defer { fraction = next }
      if abs(next - fraction) < grain { break }
    }
    note(vertex, fraction)
  }

  /// The nearest of some evenly spaced points of a segment, as a fraction.
  private func best(of count: Int, on segment: GeodesicSegment) -> Double {
    let fractions = (0...count).map { Double($0) / Double(count) }
    let distances = fractions.map {
      Geodesic.approximateDistanceMeters(place, segment.position(atFraction: $0))
    }
    return distances.indices.min { distances[$0] < distances[$1] }.map { fractions[$0] } ?? 0
  }

  /// The estimated distance along the path from a point to the nearest one, in meters.
  private func step(on segment: GeodesicSegment, at fraction: Double) -> Double {
    let point = segment.position(atFraction: fraction).coordinate
    let course = Geodesic.inverse(from: point, to: place.coordinate)
    let azimuth =
      fraction < 0.5
      ? Geodesic.inverse(from: point, to: segment.end.coordinate).startAzimuthDegrees
      : Geodesic.inverse(from: segment.start.coordinate, to: point).endAzimuthDegrees
    let angle = (course.startAzimuthDegrees - azimuth) * (.pi / 180)
    let square = max(sin(radians: angle) * sin(radians: angle), 1e-6)
    let radius = Ellipsoid.meanRadiusMeters
    return cos(radians: angle) / square * radius * tan(radians: course.distanceMeters / radius)
  }

  private mutating func note(_ vertex: Int, _ fraction: Double) {
    let point = path.position(of: vertex, fraction: fraction)
    let distance = Geodesic.approximateDistanceMeters(place, point)
    guard distance < found.distanceMeters else { return }
    found = PathTree.Approach(distanceMeters: distance, vertex: vertex, fraction: fraction)
  }
}

extension PathTree {
  /// The point where a path comes nearest to a place.
  ///
  /// ``PathTree/position(of:fraction:)`` returns the point itself.
  package struct Approach: Sendable {
    /// The geodesic distance in meters.
    package var distanceMeters: Double
    /// The index of the vertex that ends the segment.
    package var vertex: Int
    /// The fraction of the segment, 0 … 1.
    package var fraction: Double
  }

  /// Up to this chord, the point nearest by the straight line is nearest by the geodesic.
  ///
  /// Within 0.2 mm, by which ``Geodesic/leastMeters(ofChord:)`` and
  /// ``Geodesic/greatestMeters(ofChord:)`` differ here.
  package static let nearChordMeters = 20_000.0

  /// Finds where the path is nearest to a place by geodesic distance.
  ///
  /// `nearest` must come from ``improve(_:to:)``. It is the answer up to ``nearChordMeters``.
  /// Beyond, the distance may be too great by half a millimeter and 2 cm for each 1,000 km, and is
  /// measured to 1 mm. Beyond a chord of 11,000 km, it may be ten meters too great.
  ///
  /// - Complexity: O(log n) in practice.
  package func approach(to place: Position, from nearest: Nearest) -> Approach {
    guard nearest.chordMeters > Self.nearChordMeters else {
      let point = position(of: nearest.vertex, fraction: nearest.fraction)
      return Approach(
        distanceMeters: Geodesic.distanceMeters(place, point), vertex: nearest.vertex,
        fraction: nearest.fraction)
    }
    return FarApproach(self, place: place, from: nearest).found
  }

  /// Finds where this stretch comes nearer to a place than the stretches before it, if anywhere.
  ///
  /// From afar, the point found may be farther by the geodesic all the same.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - chordSquared: The square of the least chord so far, at first infinite; updated.
  ///   - seed: The vertex to try first; updated to the nearest one if it is nearer than before.
  /// - Returns: The approach, or nil.
  package func approach(
    to place: Position, improving chordSquared: inout Double, seed: inout Int
  ) -> Approach? {
    guard !vertices.isEmpty else { return nil }
    var nearest = Nearest(chordSquared: chordSquared)
    self.seed(&nearest, with: seed, to: place)
    improve(&nearest, to: place)
    if nearest.chordSquared < chordSquared {
      chordSquared = nearest.chordSquared
      seed = nearest.vertex
    } else if nearest.chordMeters > Self.nearChordMeters {
      // By the geodesic, this stretch may still be nearer than an earlier one.
      nearest = Nearest()
      improve(&nearest, to: place)
    } else {
      return nil
    }
    return approach(to: place, from: nearest)
  }

  /// The distance from a place to a path in meters, as exact as ``approach(to:from:)``.
  ///
  /// The stretches must be in order. Without vertices, the distance is infinite.
  package static func distanceMeters(of path: [PathTree], from place: Position) -> Double {
    var chordSquared = Double.infinity
    var least = Double.infinity
    for stretch in path {
      var seed = 0
      if let approach = stretch.approach(to: place, improving: &chordSquared, seed: &seed) {
        least = min(least, approach.distanceMeters)
      }
    }
    return least
  }
}
