/// A stretch of a path in a tree of balls, which finds the point nearest to a place.
///
/// A segment belongs to its last vertex. ``improve(_:to:)`` measures by straight lines,
/// ``approach(to:from:)`` by geodesics.
package struct PathTree: Sendable {
  /// A fix of the path, and whether the path leads to it from the fix before.
  ///
  /// The first vertex of a stretch is never joined.
  package struct Vertex: Sendable {
    var position: Position
    /// Whether the path runs straight to this vertex from the one before.
    package var isJoined: Bool

    /// Creates a vertex.
    package init(position: Position, isJoined: Bool) {
      self.position = position
      self.isJoined = isJoined
    }
  }

  /// The nearest point so far by the straight line.
  ///
  /// A search begins with a limit and replaces it with nearer and nearer points.
  package struct Nearest: Sendable {
    /// The square of the chord from the place, in square meters; infinite without a point.
    package var chordSquared: Double
    /// The index of the vertex that ends the segment.
    package var vertex = 0
    /// The fraction of the segment, 0 … 1.
    package var fraction = 1.0

    /// The straight line from the place in meters; infinite without a point.
    package var chordMeters: Double { chordSquared.squareRoot() }

    /// Creates a limit without a point: only nearer points count.
    package init(chordSquared: Double = .infinity) { self.chordSquared = chordSquared }
  }

  let vertices: [Vertex]
  /// The length of the segment that ends at each vertex; 0 if not joined.
  let lengths: [Double]
  /// Balls around pieces of ``pieceCount`` vertices, in order.
  let pieces: [Ball]
  let tree: BallTree
  /// From this distance in meters on, the nearest vertex stands for the nearest point.
  ///
  /// The nearest point of a segment of length L, at a distance d, is nearer than one of its ends by
  /// at most L²/8d. A gain of up to a millimeter is ignored.
  private let farMeters: Double

  private static let pieceCount = 8

  /// Creates the tree of a stretch, whose first vertex must not be joined.
  ///
  /// - Complexity: O(n)
  package init(_ vertices: [Vertex]) {
    let lengths = vertices.indices.map { index in
      vertices[index].isJoined && index > 0
        ? Geodesic.distanceMeters(vertices[index - 1].position, vertices[index].position) : 0
    }
    pieces = stride(from: 0, to: vertices.count, by: Self.pieceCount).map { begin in
      let end = min(begin + Self.pieceCount, vertices.count)
      // The first segment begins at a vertex of the piece before.
      let first = begin > 0 && vertices[begin].isJoined ? begin - 1 : begin
      return Ball(
        around: vertices[first..<end].lazy.map { $0.position.vector },
        longestMeters: lengths[begin..<end].max() ?? 0)
    }
    self.vertices = vertices
    self.lengths = lengths
    tree = BallTree(pieces)
    let longest = lengths.max() ?? 0
    farMeters = max(200_000, longest * longest / (8 * 0.001))
  }

  /// The number of vertices of the stretch.
  package var vertexCount: Int { vertices.count }

  func vertexIndices(ofPiece piece: Int) -> Range<Int> {
    let begin = piece * Self.pieceCount
    return begin..<min(begin + Self.pieceCount, vertices.count)
  }

  /// The point on the segment that ends at a vertex; the vertex itself if no segment does.
  package func position(of vertex: Int, fraction: Double) -> Position {
    fraction < 1 && vertices[vertex].isJoined && vertex > 0
      ? segment(endingAt: vertex).position(atFraction: fraction) : vertices[vertex].position
  }

  func segment(endingAt vertex: Int) -> GeodesicSegment {
    GeodesicSegment(from: vertices[vertex - 1].position, to: vertices[vertex].position)
  }

  func nearestOfChord(
    _ vertex: Int, to place: SIMD3<Double>
  ) -> (point: SIMD3<Double>, fraction: Double) {
    let start = vertices[vertex - 1].position.vector
    let chord = vertices[vertex].position.vector - start
    // The tiny term turns 0/0 into 0 for a chord of length 0.
    let along = dot(place - start, chord) / (dot(chord, chord) + .leastNormalMagnitude)
    let fraction = min(1, max(0, along))
    return (start + chord * fraction, fraction)
  }

  /// A lower bound of the geodesic distance to the segment that ends at a vertex, in meters.
  ///
  /// The ellipsoid is positively curved, so the distance d from a place, seen along a geodesic, has
  /// a second derivative of at most 1/d (Hessian comparison). Between two ends L apart, it is
  /// therefore less than at the nearer end by at most L²/8d. The chord, less how far the segment
  /// can stray from it, gives another bound, which is enough if it exceeds the limit.
  func leastMeters(
    from place: SIMD3<Double>, toSegment vertex: Int, limitMeters: Double,
    _ vertexLeastMeters: (Int) -> Double
  ) -> Double {
    let segmentMeters = lengths[vertex]
    let (point, _) = nearestOfChord(vertex, to: place)
    let gap = length(point - place) - Ball.strayMeters(segmentMeters)
    let least = Geodesic.leastMeters(ofChord: max(0, gap))
    guard least < limitMeters else { return least }
    let ends = min(vertexLeastMeters(vertex - 1), vertexLeastMeters(vertex))
    let nearest = ends - segmentMeters / 2
    guard nearest > 0 else { return least }
    return max(least, nearest, ends - segmentMeters * segmentMeters / (8 * nearest))
  }
}

// MARK: - The search by the straight line

extension PathTree {
  /// Replaces `nearest` with the path's nearest point by the straight line, if that is nearer.
  ///
  /// - Complexity: O(log n) in practice.
  package func improve(_ nearest: inout Nearest, to position: Position) {
    var search = StraightSearch(self, nearest, place: position.vector)
    if let ball = tree.ball { search.isFar = search.leastMeters(to: ball) > farMeters }
    tree.search(&search)
    nearest = search.nearest
  }

  /// Tries one vertex and the segment that ends there.
  ///
  /// A good guess gives ``improve(_:to:)`` a close limit, so that it looks at less of the path.
  package func seed(_ nearest: inout Nearest, with vertex: Int, to position: Position) {
    var search = StraightSearch(self, nearest, place: position.vector)
    search.look(atVertex: vertex)
    nearest = search.nearest
  }
}

private struct StraightSearch: BallSearch {
  let path: PathTree
  let place: SIMD3<Double>
  var nearest: PathTree.Nearest
  var isFar = false

  init(_ path: PathTree, _ nearest: PathTree.Nearest, place: SIMD3<Double>) {
    self.path = path
    self.place = place
    self.nearest = nearest
  }

  var limitMeters: Double { nearest.chordMeters }

  func leastMeters(to ball: Ball) -> Double {
    max(0, length(ball.center - place) - ball.radiusMeters)
  }

  mutating func look(at piece: Int) {
    for vertex in path.vertexIndices(ofPiece: piece) { look(atVertex: vertex) }
  }

  mutating func look(atVertex vertex: Int) {
    note(vertex, fraction: 1, at: path.vertices[vertex].position)
    let segmentMeters = path.lengths[vertex]
    guard !isFar, segmentMeters > 0 else { return }
    let (point, along) = path.nearestOfChord(vertex, to: place)
    let gap = max(0, length(place - point) - Ball.strayMeters(segmentMeters))
    guard gap * gap < nearest.chordSquared else { return }
    let segment = path.segment(endingAt: vertex)
    // A short segment is as straight as its chord. The projection is wrong by centimeters along the
    // path, which changes the distance by far less.
    let fraction = segmentMeters < 10_000 ? along : leastFraction(of: segment, near: along)
    note(vertex, fraction: fraction, at: segment.position(atFraction: fraction))
  }

  private mutating func note(_ vertex: Int, fraction: Double, at position: Position) {
    let square = chordSquared(position)
    guard square < nearest.chordSquared else { return }
    nearest.chordSquared = square
    (nearest.vertex, nearest.fraction) = (vertex, fraction)
  }

  private func chordSquared(_ position: Position) -> Double {
    let apart = position.vector - place
    return dot(apart, apart)
  }

  /// Improves the chord's projection, which is wrong on long segments, by golden-section search.
  private func leastFraction(of segment: GeodesicSegment, near start: Double) -> Double {
    func squared(_ fraction: Double) -> Double {
      chordSquared(segment.position(atFraction: fraction))
    }
    // The distance may have two minima on very long segments, so the whole segment is searched.
    let reach = segment.lengthMeters < 2_000_000 ? 0.25 : 1
    var low = max(0, start - reach)
    var high = min(1, start + reach)
    let ratio = (5.0.squareRoot() - 1) / 2
    var left = high - (high - low) * ratio
    var right = low + (high - low) * ratio
    var leftValue = squared(left)
    var rightValue = squared(right)
    // To 10 cm along the path.
    while (high - low) * segment.lengthMeters > 0.1 {
      if leftValue < rightValue {
        (high, right, rightValue) = (right, left, leftValue)
        left = high - (high - low) * ratio
        leftValue = squared(left)
      } else {
        (low, left, leftValue) = (left, right, rightValue)
        right = low + (high - low) * ratio
        rightValue = squared(right)
      }
    }
    return (low + high) / 2
  }
}
