import FencepostGeodesy
import FencepostMonitoring

/// Computes how near a streamed path comes to every place, or to one.
///
/// Each place searches the path's `PathTree`s, bounded by its shortest distance so far. Memory is
/// one tree, plus two numbers per place. See `PathTree.approach(to:from:)` for the accuracy.
struct NearestApproach {
  /// Where a path is nearest to a place.
  struct Found {
    /// The distance to the center in meters; infinite if there is no path.
    var distanceMeters: Double
    /// The vertex that ends the nearest stretch, from 0, and the position along it, 0 to 1.
    var fix: Int
    var fraction: Double
    var coordinate: Coordinate
  }

  /// The places to measure, ordered so that neighbors in space are next to each other.
  private let asked: [(story: Int32, position: Position)]
  /// The squared shortest chords so far, in the order of ``asked``.
  private var chordsSquared: [Double]
  private(set) var distancesMeters: [Double]
  private var blocks = PathBlocks()
  /// The number of vertices in earlier trees; the vertex that two trees share counts once.
  private var offset = 0
  /// The nearest approach, if there is only one place to measure.
  private var found: Found?

  init(_ index: StoryIndex, only story: Int? = nil) {
    asked = (story.map { [Int32($0)] } ?? index.order).map {
      ($0, Position(index.stories[Int($0)].coordinate))
    }
    chordsSquared = Array(repeating: .infinity, count: asked.count)
    distancesMeters = Array(repeating: .infinity, count: index.count)
  }

  mutating func reset() {
    for number in chordsSquared.indices { chordsSquared[number] = .infinity }
    distancesMeters = Array(repeating: .infinity, count: distancesMeters.count)
    _ = blocks.finish()
    offset = 0
    found = nil
  }

  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if let full = blocks.take(coordinate, isJoined: isJoined) { measure(full) }
  }

  /// Ends the path and completes the distances.
  mutating func finish() -> Found? {
    if let last = blocks.finish() { measure(last) }
    return found
  }

  mutating func measure(_ tree: PathTree) {
    // The previous place's nearest vertex is a good first guess.
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
    // A longer chord to an earlier tree may belong to a shorter geodesic.
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

/// How near a track comes to the stories.
///
/// Measuring every story on every track is slow. Otherwise the path is kept to measure only crossed
/// stories, and ``NearestTracks`` finds the nearest track of each story from many paths at once.
struct TrackApproach {
  /// The longest path to keep, in trees (about 60 MB); a longer one is measured as it streams.
  private static let mostStretches = 6

  private let index: StoryIndex
  private let measuresAll: Bool
  /// Measures every story; nil while the path is kept.
  private var all: NearestApproach?
  private var blocks = PathBlocks()
  private var stretches: [PathTree] = []

  init(_ index: StoryIndex, measuresAll: Bool) {
    self.index = index
    self.measuresAll = measuresAll
    all = measuresAll ? NearestApproach(index) : nil
  }

  mutating func reset() {
    if measuresAll { all?.reset() } else { all = nil }
    stretches = []
    _ = blocks.finish()
  }

  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if measuresAll {
      all?.take(coordinate, isJoined: isJoined)
    } else if let full = blocks.take(coordinate, isJoined: isJoined) {
      keep(full)
    }
  }

  /// Ends the track and returns the distance to every story in meters, or else the kept path.
  mutating func finish() -> (nearestMeters: [Double], path: [PathTree]) {
    if measuresAll { _ = all?.finish() } else if let last = blocks.finish() { keep(last) }
    return (all?.distancesMeters ?? [], stretches)
  }

  private mutating func keep(_ stretch: PathTree) {
    stretches.append(stretch)
    guard all != nil || stretches.count > Self.mostStretches else { return }
    if all == nil { all = NearestApproach(index) }
    for kept in stretches { all?.measure(kept) }
    stretches = []
  }
}
