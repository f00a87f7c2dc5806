import FencepostMonitoring
import FencepostNotifications

/// What a run records of one story for its explanation.
struct StoryHistory {
  let story: Int
  /// Its rank at every refresh.
  private(set) var refreshes: [StoryExplanation.Refreshing] = []
  /// The crossings of its edge, in order along the path.
  private(set) var edges: [StoryExplanation.Edge] = []
  /// How the policy decided, by index of the entry.
  var explanations: [Int: AlertExplanation] = [:]

  init(story: Int) {
    self.story = story
  }

  mutating func note(_ meeting: OracleRun.Meeting) {
    guard meeting.story == story else { return }
    edges.append(
      StoryExplanation.Edge(
        fix: meeting.fix, fraction: meeting.crossing.fraction,
        timeMilliseconds: meeting.crossing.timeMilliseconds,
        coordinate: meeting.crossing.coordinate, isEnter: meeting.crossing.isEnter,
        acrossBreak: meeting.crossing.isAcrossBreak))
  }

  mutating func note(
    _ refresh: Refresh, at fix: Int, isMonitored: Bool, ranking: EntryRecord.Ranking?
  ) {
    refreshes.append(
      StoryExplanation.Refreshing(
        fix: fix, timeMilliseconds: refresh.timeMilliseconds, coordinate: refresh.coordinate,
        isMonitored: isMonitored, ranking: ranking))
  }
}
