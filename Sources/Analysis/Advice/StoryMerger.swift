import FencepostMonitoring

/// Makes one story of several at one spot.
enum StoryMerger {
  /// The change that keeps the story that matters most, by priority and then by id.
  ///
  /// It keeps its id, title, address and category, takes the greatest radius, and its blurb goes on with the titles and
  /// blurbs of the others, so that none of their texts is lost; only their addresses and categories are.
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
