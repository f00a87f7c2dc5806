import FencepostAnalysis
import FencepostMonitoring

/// What a run of one track amounts to, for comparisons: alerts by story, and the counts.
struct StudioScore: Sendable {
  /// The counts of the track's entries.
  var counts: EntryCounts
  /// What became of each story that was entered, by id.
  var byID: [String: Story] = [:]

  /// The entries of one story on one track.
  struct Story: Equatable, Sendable {
    /// How many alerted.
    var alerts = 0
    /// How many were noticed and held back.
    var suppressed = 0
    /// How many were noticed too late.
    var late = 0
    /// How many went unnoticed.
    var missed = 0

    /// Adds another track's.
    static func += (sum: inout Story, other: Story) {
      sum.alerts += other.alerts
      sum.suppressed += other.suppressed
      sum.late += other.late
      sum.missed += other.missed
    }
  }

  /// Adds a run up.
  init(_ run: TrackRun, stories: StoryIndex) {
    counts = run.counts
    for entry in run.entries {
      let id = stories.stories[entry.story].id
      if entry.isAlert {
        byID[id, default: Story()].alerts += 1
      } else if entry.suppression != nil {
        byID[id, default: Story()].suppressed += 1
      } else if entry.cause == .late {
        byID[id, default: Story()].late += 1
      } else if entry.cause == .missed {
        byID[id, default: Story()].missed += 1
      }
    }
  }

  /// How many alerts there are that `start` lacks, and how many it has that are no more, story by story.
  func difference(from start: StudioScore) -> (gained: Int, lost: Int) {
    var (gained, lost) = (0, 0)
    for id in Set(byID.keys).union(start.byID.keys) {
      let change = (byID[id]?.alerts ?? 0) - (start.byID[id]?.alerts ?? 0)
      if change > 0 { gained += change } else { lost -= change }
    }
    return (gained, lost)
  }
}
