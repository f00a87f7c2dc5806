import FencepostGeodesy

/// How near a path comes to every place of a store, while the path streams by.
///
/// Each block of vertices becomes a `PathTree`, which every place searches with its least distance so
/// far as the bound. Memory is a block and two numbers a place. `PathTree.approach(to:from:)` states
/// the accuracy.
struct NearestApproach {
  /// Where the path was nearest to a place.
  struct Found {
    /// Distance of the centre in metres; infinite without a path.
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
  /// Indices of the places to measure, with neighbours in space next to each other.
  private let asked: [Int32]
  /// The squares of the least chords so far, in the order of ``asked``.
  private var chordsSquared: [Double]
  private(set) var distancesMeters: [Double]
  private var vertices: [PathTree.Vertex] = []
  /// Number of vertices in the blocks before, less the one that is carried over.
  private var offset = 0
  /// The approach to the place, if there is only one to measure.
  private var found: Found?

  /// Measures all places of an index, or one.
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

  /// Ends the path and completes the distances.
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
        // Along the geodesic this block may still be nearer than an earlier one.
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
    // A longer chord to an earlier block may belong to a shorter geodesic.
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
