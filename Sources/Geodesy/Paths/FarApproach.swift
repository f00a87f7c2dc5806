/// Finds the point of a path that is nearest to a far place by geodesics.
///
/// From afar the straight line may choose another point: by the geodesic it can be 2 cm farther at
/// 100 km, and 15 m at 1,000 km. The search begins with the straight line's answer and looks wherever
/// the path may be nearer by more than ``sureMeters``. What it passes over is proved to be no nearer
/// than that, by the bounds of ``Geodesic/boundsMeters(from:to:)`` and the triangle inequality; see
/// ``leastMeters(to:)`` and ``leastMeters(toSegment:)``.
struct FarApproach: BallSearch {
  /// Beyond this chord no search is made, and the straight line's answer may be ten metres too far.
  private static let greatestChordMeters = 11_000_000.0

  private let path: PathTree
  private let place: Position
  /// What is nearest so far, by the geodesic.
  private(set) var found: PathTree.Approach

  /// A gain that is not worth a look: half a millimetre, and 2 cm for each 1,000 km.
  private var sureMeters: Double { 0.0005 + 2e-8 * found.distanceMeters }
  /// What cannot be nearer than this is not looked at.
  var limitMeters: Double { found.distanceMeters - sureMeters }

  /// Begins with a known point of the path.
  init(_ path: PathTree, place: Position, from nearest: PathTree.Nearest) {
    self.path = path
    self.place = place
    let point = path.position(of: nearest.vertex, fraction: nearest.fraction)
    found = PathTree.Approach(
      distanceMeters: Geodesic.approximateDistanceMeters(place, point), vertex: nearest.vertex,
      fraction: nearest.fraction)
    if nearest.chordMeters < Self.greatestChordMeters { path.tree.search(&self) }
  }

  /// A distance that no point in a ball about a part of the path is nearer than, in metres.
  func leastMeters(to ball: Ball) -> Double {
    ball.leastMeters(from: place.vector, limitMeters: limitMeters)
  }

  mutating func look(at piece: Int) {
    for vertex in path.vertexIndices(ofPiece: piece) { look(atVertex: vertex) }
  }

  // MARK: Segments

  /// Looks at a vertex and at the segment that ends there.
  private mutating func look(atVertex vertex: Int) {
    guard path.lengths[vertex] > 0 else {
      if leastMeters(toVertex: vertex) < limitMeters { note(vertex, 1) }
      return
    }
    guard leastMeters(toSegment: vertex) < limitMeters else { return }
    for end in [vertex - 1, vertex] where leastMeters(toVertex: end) < limitMeters { note(end, 1) }
    let length = path.lengths[vertex]
    // A short segment comes nearer between its ends by less than what is worth a look.
    if length * length > 8 * found.distanceMeters * sureMeters { follow(vertex) }
  }

  private func leastMeters(toVertex vertex: Int) -> Double {
    Geodesic.boundsMeters(from: place.vector, to: path.vertices[vertex].position.vector).least
  }

  /// A distance that no point of the segment that ends at a vertex is nearer than, in metres.
  private func leastMeters(toSegment vertex: Int) -> Double {
    path.leastMeters(from: place.vector, toSegment: vertex, limitMeters: limitMeters) {
      leastMeters(toVertex: $0)
    }
  }

  /// Searches a segment: goes along it as far as the angle between it and the direction to the place
  /// suggests (Newton's method), again and again.
  private mutating func follow(_ vertex: Int) {
    // A quarter of the Earth away the circles about a place are straight, beyond they bend the other
    // way: an end is nearest then.
    guard found.distanceMeters < 9_900_000 else { return }
    let segment = path.segment(endingAt: vertex)
    var fraction =
      segment.lengthMeters > 500_000
      ? best(of: 16, on: segment) : path.nearestOfChord(vertex, to: place.vector).fraction
    // A point that is off by x along the path is farther by about x²/2D.
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

  /// The best of some points of a segment, evenly spaced.
  private func best(of count: Int, on segment: GeodesicSegment) -> Double {
    let fractions = (0...count).map { Double($0) / Double(count) }
    let distances = fractions.map {
      Geodesic.approximateDistanceMeters(place, segment.position(atFraction: $0))
    }
    return distances.indices.min { distances[$0] < distances[$1] }.map { fractions[$0] } ?? 0
  }

  /// How far along the path from a point the distance seems to be least, in metres.
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

  /// Keeps a point if it is nearer.
  private mutating func note(_ vertex: Int, _ fraction: Double) {
    let point = path.position(of: vertex, fraction: fraction)
    let distance = Geodesic.approximateDistanceMeters(place, point)
    guard distance < found.distanceMeters else { return }
    found = PathTree.Approach(distanceMeters: distance, vertex: vertex, fraction: fraction)
  }
}

extension PathTree {
  /// Where a path is nearest to a place by the geodesic.
  package struct Approach: Sendable {
    /// The distance in metres.
    package var distanceMeters: Double
    /// Index of the vertex that ends the segment.
    package var vertex: Int
    /// How far along the segment, 0 … 1.
    package var fraction: Double
  }

  /// Up to this chord the point nearest by the straight line is nearest by the geodesic to 0.2 mm: so
  /// far apart are ``Geodesic/leastMeters(ofChord:)`` and ``Geodesic/greatestMeters(ofChord:)``.
  package static let nearChordMeters = 20_000.0

  /// Where the path is nearest to a place by the geodesic.
  ///
  /// Up to ``nearChordMeters`` it is the straight line's answer. Beyond, the distance is too great by
  /// at most half a millimetre and 2 cm for each 1,000 km, and is itself measured to a millimetre;
  /// beyond a chord of 11,000 km it may be ten metres too great.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - nearest: The answer of ``improve(_:to:)`` for this path.
  /// - Returns: The distance and the point.
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

  /// Where this stretch is nearer to a place than the stretches before it, by the straight line or,
  /// from afar, perhaps by the geodesic.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - chordSquared: The square of the least chord to the stretches before, infinite without any; becomes
  ///     that with this stretch.
  ///   - seed: The vertex to try first; becomes the nearest one, if that is nearer than before.
  /// - Returns: The approach; nil if the stretch cannot be nearer. It may be farther all the same.
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
      // Along the geodesic this stretch may still be nearer than an earlier one.
      nearest = Nearest()
      improve(&nearest, to: place)
    } else {
      return nil
    }
    return approach(to: place, from: nearest)
  }

  /// The distance of a path from a place in metres.
  ///
  /// - Parameters:
  ///   - path: The path's stretches, in order.
  ///   - place: The place.
  /// - Returns: The distance, as exact as ``approach(to:from:)`` says; infinite for a path without vertices.
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
