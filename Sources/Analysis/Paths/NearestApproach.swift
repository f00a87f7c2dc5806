import FencepostGeodesy
import FencepostMonitoring

/// How near a path comes to every place of a store, or to one, while the path streams by.
///
/// Each stretch of the path becomes a `PathTree`, which every place searches with its least distance so far as
/// the bound; `PathTree.approach(to:from:)` states the accuracy. That costs stories × tracks. A path that is kept
/// instead answers for the stories that were crossed, and ``NearestTracks`` finds the nearest track of all stories
/// from many paths at once.
struct NearestApproach {
  /// Where the path was nearest to a place.
  struct Found {
    /// Distance of the centre in metres.
    var distanceMeters: Double
    /// Index of the fix that ends the segment.
    var fix: Int
    /// How far along the segment.
    var fraction: Double
    /// Where.
    var coordinate: Coordinate
  }

  /// The longest path that is kept, in stretches, about 60 MB; a longer one is measured as it streams by.
  private static let mostStretches = 6

  private let index: StoryIndex
  private let only: Int?
  private let keepsPath: Bool
  /// The places to measure, with neighbours in space next to each other.
  private lazy var asked = (only.map { [Int32($0)] } ?? index.order).map {
    (story: Int($0), position: Position(index.stories[Int($0)].coordinate))
  }
  /// The squares of the least chords so far, in the order of ``asked``.
  private var chordsSquared: [Double] = []
  private var blocks = PathBlocks()
  /// Number of vertices in the stretches before, less the one that is carried over.
  private var offset = 0

  /// The distance of every story in metres, infinite without a path; empty while the path is kept.
  private(set) var distancesMeters: [Double] = []
  /// The path's stretches; empty where every story is measured.
  private(set) var path: [PathTree] = []
  /// The approach to the place, if there is only one to measure.
  private(set) var found: Found?

  /// Measures all places of an index, or one; or keeps the path.
  init(_ index: StoryIndex, only: Int? = nil, keepsPath: Bool = false) {
    self.index = index
    self.only = only
    self.keepsPath = keepsPath
    reset()
  }

  /// Begins a track.
  mutating func reset() {
    _ = blocks.finish()
    (path, distancesMeters, offset, found) = ([], [], 0, nil)
    if !keepsPath { beginMeasuring() }
  }

  /// Adds the path's next vertex.
  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if let full = blocks.take(coordinate, isJoined: isJoined) { append(full) }
  }

  /// Ends the path.
  mutating func finish() {
    if let last = blocks.finish() { append(last) }
  }

  private mutating func beginMeasuring() {
    chordsSquared = Array(repeating: .infinity, count: asked.count)
    distancesMeters = Array(repeating: .infinity, count: index.count)
  }

  private mutating func append(_ stretch: PathTree) {
    guard keepsPath, distancesMeters.isEmpty else { return measure(stretch) }
    path.append(stretch)
    guard path.count > Self.mostStretches else { return }
    beginMeasuring()
    for kept in path { measure(kept) }
    path = []
  }

  private mutating func measure(_ tree: PathTree) {
    // The neighbour's nearest vertex is a good bound to begin with.
    var guess = 0
    for (number, place) in asked.enumerated() {
      guard
        let approach = tree.approach(
          to: place.position, improving: &chordsSquared[number], seed: &guess),
        // A longer chord to an earlier stretch may belong to a shorter geodesic.
        approach.distanceMeters < distancesMeters[place.story]
      else { continue }
      distancesMeters[place.story] = approach.distanceMeters
      guard only != nil else { continue }
      found = Found(
        distanceMeters: approach.distanceMeters, fix: offset + approach.vertex,
        fraction: approach.fraction,
        coordinate: tree.position(of: approach.vertex, fraction: approach.fraction).coordinate)
    }
    offset += tree.vertexCount - 1
  }
}

/// Finds the track that came nearest to each story, from many paths at once.
///
/// Paths are collected until there are so many that memory would grow; then every story asks a `PathForest` of
/// them. So the work is stories × batches, not stories × tracks.
public struct NearestTracks: Sendable {
  /// Most vertices of the paths that are collected, about 160 bytes each.
  private static let mostVertices = 400_000

  private let index: StoryIndex
  private var paths: [(track: String, stretches: [PathTree])] = []
  private var vertexCount = 0

  /// Begins without tracks.
  init(_ index: StoryIndex) {
    self.index = index
  }

  /// Takes a track's path.
  ///
  /// - Parameters:
  ///   - analysis: The track; one that measured every story itself is passed over.
  ///   - totals: Receive what is nearest, when enough paths are there.
  public mutating func take(_ analysis: TrackAnalysis, into totals: inout AnalysisTotals) {
    guard !analysis.path.isEmpty else { return }
    paths.append((analysis.account.track, analysis.path))
    vertexCount += analysis.path.reduce(0) { $0 + $1.vertexCount }
    if vertexCount > Self.mostVertices { flush(into: &totals) }
  }

  /// Measures what was collected; to be called after the last track.
  ///
  /// - Parameter totals: Receive what is nearest.
  public mutating func flush(into totals: inout AnalysisTotals) {
    guard !paths.isEmpty else { return }
    // Of equally near tracks the first by name counts, so that paths are numbered in that order.
    paths.sort { $0.track < $1.track }
    let forest = PathForest(paths.map(\.stretches))
    var guess: Int?
    for story in index.order {
      let story = Int(story)
      let known = totals.stories.nearestMillimeters(of: story)
      let position = Position(index.stories[story].coordinate)
      // A neighbour's track is a good guess, where nothing is known.
      guard
        let found = forest.nearest(
          to: position, withinMillimeters: known, guess: known == nil ? guess : nil)
      else { continue }
      guess = found.path
      totals.stories.note(
        nearestMillimeters: found.millimeters, track: paths[found.path].track, of: story)
    }
    paths = []
    vertexCount = 0
  }
}
