import FencepostGeodesy

/// How near a path comes to every place of a store, or to one, while the path streams by.
///
/// Each stretch of the path becomes a `PathTree`, which every place searches with its least distance so far as
/// the bound. Memory is a stretch and two numbers a place. `PathTree.approach(to:from:)` states the accuracy.
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

  /// The places to measure, with neighbours in space next to each other.
  private let asked: [(story: Int32, position: Position)]
  /// The squares of the least chords so far, in the order of ``asked``.
  private var chordsSquared: [Double]
  private(set) var distancesMeters: [Double]
  private var blocks = PathBlocks()
  /// Number of vertices in the stretches before, less the one that is carried over.
  private var offset = 0
  /// The approach to the place, if there is only one to measure.
  private var found: Found?

  /// Measures all places of an index, or one.
  init(_ index: StoryIndex, only story: Int? = nil) {
    asked = (story.map { [Int32($0)] } ?? index.order).map {
      ($0, Position(index.stories[Int($0)].coordinate))
    }
    chordsSquared = Array(repeating: .infinity, count: asked.count)
    distancesMeters = Array(repeating: .infinity, count: index.count)
  }

  /// Forgets the path, for the next track.
  mutating func reset() {
    for number in chordsSquared.indices { chordsSquared[number] = .infinity }
    distancesMeters = Array(repeating: .infinity, count: distancesMeters.count)
    _ = blocks.finish()
    offset = 0
    found = nil
  }

  /// Takes the path's next vertex.
  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if let full = blocks.take(coordinate, isJoined: isJoined) { measure(full) }
  }

  /// Ends the path and completes the distances.
  mutating func finish() -> Found? {
    if let last = blocks.finish() { measure(last) }
    return found
  }

  /// Takes the path's next stretch.
  mutating func measure(_ tree: PathTree) {
    // The neighbour's nearest vertex is a good bound to begin with.
    var guess = 0
    for (number, place) in asked.enumerated() {
      guard
        let approach = tree.approach(
          to: place.position, improving: &chordsSquared[number], seed: &guess)
      else { continue }
      note(approach, of: Int(place.story), in: tree)
    }
    offset += tree.vertexCount - 1
  }

  private mutating func note(_ approach: PathTree.Approach, of story: Int, in tree: PathTree) {
    // A longer chord to an earlier stretch may belong to a shorter geodesic.
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
