import FencepostGeodesy

/// Finds the track that came nearest to each story, from many paths at once.
///
/// Paths are collected until there are so many that memory would grow; then every story asks a `PathForest` of
/// them. So the work is stories × batches, not stories × tracks.
package struct NearestTracks: Sendable {
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
  package mutating func take(_ analysis: TrackAnalysis, into totals: inout AnalysisTotals) {
    guard !analysis.path.isEmpty else { return }
    paths.append((analysis.account.track, analysis.path))
    vertexCount += analysis.path.reduce(0) { $0 + $1.vertexCount }
    if vertexCount > Self.mostVertices { flush(into: &totals) }
  }

  /// Measures what was collected; to be called after the last track.
  ///
  /// - Parameter totals: Receive what is nearest.
  package mutating func flush(into totals: inout AnalysisTotals) {
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
