import FencepostGeodesy

/// How near a path comes to every place of a store, while the path streams by.
///
/// Vertices are gathered into blocks, each block becomes a ``PathTree``, and every place searches it
/// with what it has found so far as its bound. Memory is that of a block and two numbers a place. How
/// exact the distances are is said at ``PathTree/approach(to:from:)``.
struct NearestApproach {
  /// Where the path was nearest to a place.
  struct Found {
    /// Distance of the centre in metres; infinite where there is no path.
    var distanceMeters: Double
    /// Index of the fix that ends the segment.
    var fix: Int
    /// How far along the segment.
    var fraction: Double
    /// Where.
    var coordinate: Coordinate
  }

  private static let blockCount = 65_536

  private let index: StoryIndex
  /// Indices of the places that are asked about, neighbours in space being neighbours here.
  private let asked: [Int32]
  /// The squares of the least chords so far, in the order of ``asked``.
  private var chordsSquared: [Double]
  private(set) var distancesMeters: [Double]
  private var vertices: [PathTree.Vertex] = []
  /// Number of vertices in the blocks before, less the one that is carried over.
  private var offset = 0
  /// Where the only place that was asked about was approached.
  private var found: Found?

  /// Asks about all places of an index, or about one.
  init(_ index: StoryIndex, only story: Int? = nil) {
    self.index = index
    asked = story.map { [Int32($0)] } ?? index.order
    chordsSquared = Array(repeating: .infinity, count: asked.count)
    distancesMeters = Array(repeating: .infinity, count: index.count)
  }

  /// Forgets the path, for the next track.
  mutating func reset() {
    for number in chordsSquared.indices { chordsSquared[number] = .infinity }
    distancesMeters = Array(repeating: .infinity, count: index.count)
    vertices.removeAll(keepingCapacity: true)
    offset = 0
    found = nil
  }

  /// Takes the path's next vertex.
  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if vertices.count == Self.blockCount { flush() }
    vertices.append(.init(position: Position(coordinate), isJoined: isJoined))
  }

  /// The path has ended: all distances are complete.
  mutating func finish() -> Found? {
    flush()
    return found
  }

  private mutating func flush() {
    guard let last = vertices.last else { return }
    vertices[0].isJoined = false
    let tree = PathTree(vertices)
    var guess = 0
    for (number, story) in asked.enumerated() {
      let story = Int(story)
      let position = asked.count == 1 ? index.circles[story].center : index.centers[number]
      var nearest = PathTree.Nearest(chordSquared: chordsSquared[number])
      // The neighbour's nearest vertex is a good bound to begin with.
      tree.seed(&nearest, with: guess, to: position)
      tree.improve(&nearest, to: position)
      if nearest.chordSquared < chordsSquared[number] {
        chordsSquared[number] = nearest.chordSquared
        guess = nearest.vertex
      } else if nearest.chordMeters > PathTree.nearChordMeters {
        // By the geodesic this block may be nearer than one before: its own best is asked for.
        nearest = PathTree.Nearest()
        tree.improve(&nearest, to: position)
      } else {
        continue
      }
      note(tree.approach(to: position, from: nearest), of: story, in: tree)
    }
    offset += vertices.count - 1
    vertices.removeAll(keepingCapacity: true)
    // The next block begins where this one ends.
    vertices.append(last)
  }

  private mutating func note(_ approach: PathTree.Approach, of story: Int, in tree: PathTree) {
    // An earlier block's point may be farther by the straight line and yet nearer.
    guard approach.distanceMeters < distancesMeters[story] else { return }
    distancesMeters[story] = approach.distanceMeters
    if asked.count == 1 {
      found = Found(
        distanceMeters: approach.distanceMeters, fix: offset + approach.vertex,
        fraction: approach.fraction,
        coordinate: tree.position(of: approach.vertex, fraction: approach.fraction).coordinate)
    }
  }
}
