package import FencepostAnalysis
import FencepostPhones

extension StoryFate {
  /// The name in documents.
  var name: String {
    switch self {
    case .alerts: "alerts"
    case .seldom: "seldom"
    case .heldBack: "heldBack"
    case .missed: "missed"
    case .startsInside: "startsInside"
    case .tooFar: "tooFar"
    case .swapped: "swapped"
    }
  }
}

extension StoryHeadline {
  /// The headline of an analysis, on its first phone if any was simulated.
  package init(_ totals: AnalysisTotals, _ stories: [Story]) {
    let phone = totals.profiles.first.flatMap { $0.untimedTracks < totals.tracks ? $0 : nil }
    self.init(
      stories.indices.lazy.map { number in
        let (story, account) = (stories[number], totals.stories[number])
        return HeadlineStory(
          coordinate: story.coordinate, radiusMeters: story.radiusMeters,
          nearestMillimeters: account.nearestMillimeters.map { Int64($0) },
          alerts: account.counts.alerts,
          heldBack: account.counts.suppressed.total,
          missed: account.counts.late + account.counts.missed,
          shown: phone?.shown(of: number), chance: phone?.stories[number]?.chance)
      })
  }
}
