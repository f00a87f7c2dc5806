/// Finds the nearest of many paths to a place, with one tree of balls for all of them.
///
/// The answer is that of ``PathTree/distanceMeters(of:from:)`` for each path. Proved bounds rule
/// most of them out: the cost grows with the logarithm of the number of vertices, and with the
/// number of paths that are about equally near.
package struct PathForest: Sendable {
  /// A path near a place, with its distance from the place.
  ///
  /// Paths at the same distance to the millimeter are equally near; then the lower index counts.
  package struct Nearest: Equatable, Sendable {
    /// The index of the path among those of the forest.
    package var path: Int
    /// The distance from the place, rounded to whole millimeters.
    package var millimeters: Int64

    /// Creates a result.
    package init(path: Int, millimeters: Int64) {
      self.path = path
      self.millimeters = millimeters
    }
  }

  private struct Piece {
    var path: Int
    var stretch: Int
    var piece: Int
  }

  private let paths: [[PathTree]]
  private let pieces: [Piece]
  private let tree: BallTree

  /// More than the error of a far distance, which is measured to 1 mm.
  private static let toleranceMeters = 0.002

  /// Creates the forest of paths, each given as its stretches in order.
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

  /// Finds the path nearest to a place; of equally near ones, the one with the lowest index.
  ///
  /// - Parameters:
  ///   - place: A valid position.
  ///   - limit: The greatest distance in millimeters; nil for no limit.
  ///   - guess: The index of a path that is probably near, to search faster; nil for none.
  /// - Returns: The path with its distance; nil if no path is within the limit.
  /// - Complexity: O(log n) for n vertices, and the measuring of each path that is about so near.
  package func nearest(
    to place: Position, withinMillimeters limit: Int64? = nil, guess: Int? = nil
  ) -> Nearest? {
    var search = Search(self, place: place, limitMillimeters: limit)
    if let guess, !pieces.isEmpty { search.measure(guess) }
    tree.search(&search)
    return search.nearest
  }

  /// Finds all paths within a limit of a place, the nearest first; equally near ones in their order.
  ///
  /// - Complexity: O(log n) for n vertices, and the measuring of each path that is about so near.
  package func paths(near place: Position, withinMillimeters limit: Int64) -> [Nearest] {
    var search = Search(self, place: place, limitMillimeters: limit)
    search.all = []
    tree.search(&search)
    return (search.all ?? []).filter { $0.millimeters <= limit }
      .sorted { ($0.millimeters, $0.path) < ($1.millimeters, $1.path) }
  }

  private struct Search: BallSearch {
    let forest: PathForest
    let place: Position
    private(set) var nearest: Nearest?
    /// All paths within the limit, in place of the nearest; nil unless they are wanted.
    var all: [Nearest]?
    private var measured: [Int] = []
    private(set) var limitMeters: Double

    init(_ forest: PathForest, place: Position, limitMillimeters: Int64?) {
      self.forest = forest
      self.place = place
      limitMeters = limitMillimeters.map(Self.meters) ?? .infinity
    }

    private static func meters(_ millimeters: Int64) -> Double {
      (Double(millimeters) + 0.5) / 1000 + PathForest.toleranceMeters
    }

    mutating func measure(_ path: Int) {
      measured.append(path)
      let meters = PathTree.distanceMeters(of: forest.paths[path], from: place)
      guard meters < limitMeters else { return }
      let millimeters = Int64((meters * 1000).rounded())
      let found = Nearest(path: path, millimeters: millimeters)
      guard all == nil else {
        all?.append(found)
        return
      }
      if let nearest, (nearest.millimeters, nearest.path) < (millimeters, path) { return }
      nearest = found
      limitMeters = min(limitMeters, Self.meters(millimeters))
    }

    func leastMeters(to ball: Ball) -> Double {
      ball.leastMeters(from: place.vector, limitMeters: limitMeters)
    }

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
      // Beyond 100 km the tighter bounds are worth their price.
      return dot(chord, chord) > 100_000 * 100_000
        ? Geodesic.sphereBoundsMeters(place.vector, point).least
        : Geodesic.boundsMeters(from: place.vector, to: point).least
    }
  }
}
