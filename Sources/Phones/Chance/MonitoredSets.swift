/// When each story is among a phone's regions, given the fixes at which it refreshes.
///
/// What a refresh at a fix would monitor is asked once and kept, so that trials share the answers.
struct MonitoredSets {
  private let limit: Int?
  private let stories: Int
  private var sets: [Int: [Int]] = [:]

  init(limit: Int?, stories: Int) {
    self.limit = limit
    self.stories = stories
  }

  /// The times at which each story is monitored, in order, joined where one set follows another.
  mutating func windows(
    refresh fixes: [Int], on path: PhonePath, monitored: (Int) -> [Int]
  ) -> [[ClosedRange<Double>]] {
    guard limit != nil else {
      return Array(repeating: [-Double.infinity...Double.infinity], count: stories)
    }
    var windows = [[ClosedRange<Double>]](repeating: [], count: stories)
    for (index, fix) in fixes.enumerated() {
      let from = index == 0 ? -Double.infinity : path.vertices[fix].seconds
      let to =
        index + 1 < fixes.count ? path.vertices[fixes[index + 1]].seconds : Double.infinity
      for story in set(at: fix, monitored) {
        if let last = windows[story].last, last.upperBound == from {
          windows[story][windows[story].count - 1] = last.lowerBound...to
        } else {
          windows[story].append(from...to)
        }
      }
    }
    return windows
  }

  /// Whether a refresh at a fix would monitor a story.
  mutating func isMonitored(_ story: Int, at fix: Int, monitored: (Int) -> [Int]) -> Bool {
    limit == nil || set(at: fix, monitored).contains(story)
  }

  private mutating func set(at fix: Int, _ monitored: (Int) -> [Int]) -> [Int] {
    if let set = sets[fix] { return set }
    let set = monitored(fix)
    sets[fix] = set
    return set
  }
}
