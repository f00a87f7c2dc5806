import FencepostMonitoring

enum StoryMerger {
  /// Merges stories into the one with the best priority, or the lowest id among equals.
  ///
  /// It keeps its id, title, address and category and takes the largest radius. The titles and
  /// blurbs of the others are appended to its blurb; their addresses and categories are lost.
  static func merge(_ stories: [Place]) -> AdviceChange {
    let sorted = stories.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    var kept = sorted[0]
    for other in sorted.dropFirst() {
      kept.radiusMeters = max(kept.radiusMeters, other.radiusMeters)
      let told = [other.title, other.blurb].filter { !$0.isEmpty }.joined(separator: ": ")
      kept.blurb = [kept.blurb, told].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
    return AdviceChange(.merge, sorted, after: kept)
  }
}
