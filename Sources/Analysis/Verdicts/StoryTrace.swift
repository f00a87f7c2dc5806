import Monitoring
import Notifications

/// What a run remembers of one story, so that its whole story can be told.
struct StoryTrace {
  let story: Int
  /// How it ranked at every refresh.
  private(set) var refreshes: [StoryExplanation.Refreshing] = []
  /// Its edges, as the path met them.
  private(set) var edges: [StoryExplanation.Edge] = []
  /// How the policy came to its decision, by index of the entry.
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
