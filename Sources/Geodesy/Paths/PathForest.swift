/// Many paths in one tree of balls, which finds the path that is nearest to a place.
///
/// The answer is that of measuring every path by ``PathTree/distanceMeters(of:from:)``. Paths that cannot be the
/// nearest are passed over by the proved bounds of `Ball` and `PathTree`, so that a search grows with the logarithm of
/// the number of vertices and with the paths that are about equally near.
package struct PathForest: Sendable {
  /// The nearest path, and how near it is.
  package struct Nearest: Equatable, Sendable {
    /// The path's number.
    package var path: Int
    /// Its distance in millimetres, rounded.
    package var millimeters: Int

    /// Makes an answer of its parts.
    package init(path: Int, millimeters: Int) {
      self.path = path
      self.millimeters = millimeters
    }
  }

  /// A piece of a path.
  private struct Piece {
    var path: Int
    var stretch: Int
    var piece: Int
  }

  private let paths: [[PathTree]]
  private let pieces: [Piece]
  private let tree: BallTree

  /// Above the millimetre to which a far distance is measured, in metres.
  private static let toleranceMeters = 0.002

  /// Makes the tree of paths, each in its stretches; a path's number is its place in the array.
  ///
  /// - Complexity: O(n log n) in the number of vertices.
  package init(_ paths: [[PathTree]]) {
    self.paths = paths
    var pieces: [Piece] = []
    var balls: [Ball] = []
    for (path, stretches) in paths.enumerated() {
      for (stretch, tree) in stretches.enumerated() {
        pieces += tree.pieces.indices.map { Piece(path: path, stretch: stretch, piece: $0) }
        balls += tree.pieces
      }
    }
    let order = BallTree.order(of: balls)
    self.pieces = order.map { pieces[Int($0)] }
    tree = BallTree(order.map { balls[Int($0)] })
  }

  /// The path that is nearest to a place to the millimetre, of equally near ones that of the lowest number.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - limit: Only a path that is not farther than this is of interest, in millimetres; nil for any.
  ///   - guess: A path to try first.
  /// - Returns: The path; nil if no path is that near.
  package func nearest(
    to place: Position, withinMillimeters limit: Int? = nil, guess: Int? = nil
  ) -> Nearest? {
    var search = Search(self, place: place, limitMillimeters: limit)
    if let guess, !pieces.isEmpty { search.measure(guess) }
    tree.search(&search)
    return search.found
  }

  /// One search for one place.
  private struct Search: BallSearch {
    let forest: PathForest
    let place: Position
    var found: Nearest?
    private var measured: [Int] = []
    /// What is farther is of no interest, in metres.
    private(set) var limitMeters: Double

    init(_ forest: PathForest, place: Position, limitMillimeters: Int?) {
      self.forest = forest
      self.place = place
      limitMeters = limitMillimeters.map(Self.meters) ?? .infinity
    }

    private static func meters(_ millimeters: Int) -> Double {
      (Double(millimeters) + 0.5) / 1000 + PathForest.toleranceMeters
    }

    /// Measures a path and keeps it if it is nearer.
    mutating func measure(_ path: Int) {
      measured.append(path)
      let meters = PathTree.distanceMeters(of: forest.paths[path], from: place)
      guard meters < limitMeters else { return }
      let millimeters = Int((meters * 1000).rounded())
      if let found, (found.millimeters, found.path) < (millimeters, path) { return }
      found = Nearest(path: path, millimeters: millimeters)
      limitMeters = min(limitMeters, Self.meters(millimeters))
    }

    func leastMeters(to ball: Ball) -> Double {
      ball.leastMeters(from: place.vector, limitMeters: limitMeters)
    }

    /// Measures the path of a piece if any of its segments may be near enough.
    mutating func look(at item: Int) {
      let piece = forest.pieces[item]
      guard !measured.contains(piece.path) else { return }
      let tree = forest.paths[piece.path][piece.stretch]
      let limit = limitMeters
      let mayBeNear = tree.vertexIndices(ofPiece: piece.piece).contains { vertex in
        guard tree.lengths[vertex] > 0 else { return least(tree, vertex) < limit }
        return tree.leastMeters(from: place.vector, toSegment: vertex, limitMeters: limit) {
          least(tree, $0)
        } < limit
      }
      if mayBeNear { measure(piece.path) }
    }

    private func least(_ tree: PathTree, _ vertex: Int) -> Double {
      let point = tree.vertices[vertex].position.vector
      let chord = point - place.vector
      // From here on the tighter bounds are worth their price.
      return dot(chord, chord) > 100_000 * 100_000
        ? Geodesic.sphereBoundsMeters(place.vector, point).least
        : Geodesic.boundsMeters(from: place.vector, to: point).least
    }
  }
}
