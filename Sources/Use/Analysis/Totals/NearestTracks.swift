import FencepostGeodesy
import FencepostMonitoring

/// Finds the nearest track of each story.
///
/// Paths are collected until they fill a batch; then each story searches a `PathForest` of them.
///
/// - Complexity: O(stories × batches) rather than O(stories × tracks).
package struct NearestTracks: Sendable {
  /// The maximum number of vertices in a batch, at about 160 bytes each.
  private static let mostVertices = 400_000

  private let index: StoryIndex
  private var paths: [(track: String, stretches: [PathTree])] = []
  private var vertexCount = 0

  init(_ index: StoryIndex) { self.index = index }

  /// Adds a track's path, unless it measured every story itself, and measures a full batch.
  package mutating func take(_ analysis: TrackAnalysis, into totals: inout AnalysisTotals) {
    guard !analysis.path.isEmpty else { return }
    paths.append((analysis.account.track, analysis.path))
    vertexCount += analysis.path.reduce(0) { $0 + $1.vertexCount }
    if vertexCount > Self.mostVertices { flush(into: &totals) }
  }

  /// Measures the remaining paths; call after the last track.
  package mutating func flush(into totals: inout AnalysisTotals) {
    guard !paths.isEmpty else { return }
    // Among equally near tracks the lowest index wins, so sort by name.
    paths.sort { $0.track < $1.track }
    let forest = PathForest(paths.map(\.stretches))
    var guess: Int?
    for story in index.order {
      let story = Int(story)
      let known = totals.stories.nearestMillimeters(of: story).map { Int64($0) }
      let position = Position(index.stories[story].coordinate)
      // If nothing is known yet, the previous story's nearest track is a good guess.
      guard
        let found = forest.nearest(
          to: position, withinMillimeters: known, guess: known == nil ? guess : nil)
      else { continue }
      guess = found.path
      totals.stories.note(
        nearestMillimeters: Int(found.millimeters), track: paths[found.path].track, of: story)
    }
    paths = []
    vertexCount = 0
  }
}
