import FencepostAnalysis
import FencepostMonitoring

/// What a run of one track amounts to, for comparisons: alerts by story, and the counts.
struct StudioScore: Sendable {
  /// What became of stories that were entered, by id.
  typealias Stories = [String: Story]

  /// The entries of one story.
  struct Story: Equatable, Sendable {
    /// How many alerted.
    var alerts = 0
    /// How many were noticed and held back.
    var suppressed = 0
    /// How many were noticed too late.
    var late = 0
    /// How many went unnoticed.
    var missed = 0

    static func + (one: Story, other: Story) -> Story {
      Story(
        alerts: one.alerts + other.alerts, suppressed: one.suppressed + other.suppressed,
        late: one.late + other.late, missed: one.missed + other.missed)
    }
  }

  /// The counts of the track's entries.
  let counts: EntryCounts
  /// What became of each story.
  private(set) var byID: Stories = [:]

  /// Adds a run up.
  init(_ run: Trial.Kept) {
    counts = run.run.counts
    for entry in run.run.entries {
      let id = run.stories.stories[entry.story].id
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
    let changes = Set(byID.keys).union(start.byID.keys).map {
      (byID[$0]?.alerts ?? 0) - (start.byID[$0]?.alerts ?? 0)
    }
    return (changes.reduce(0) { $0 + max(0, $1) }, changes.reduce(0) { $0 + max(0, -$1) })
  }
}
