import FencepostAnalysis
import FencepostMonitoring

/// The result of one track's run, for comparisons: alerts by story, and counts.
struct StudioScore: Sendable {
  /// The results of stories that were entered, by ID.
  typealias Stories = [String: Story]

  struct Story: Equatable, Sendable {
    var alerts = 0
    /// Entries that were noticed and suppressed.
    var suppressed = 0
    /// Entries that were noticed too late.
    var late = 0
    /// Entries that were not noticed.
    var missed = 0

    static func + (one: Story, other: Story) -> Story {
      Story(
        alerts: one.alerts + other.alerts, suppressed: one.suppressed + other.suppressed,
        late: one.late + other.late, missed: one.missed + other.missed)
    }
  }

  let counts: EntryCounts
  private(set) var byID: Stories = [:]

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

  /// How many alerts were gained and lost compared with `start`, story by story.
  func difference(from start: StudioScore) -> (gained: Int, lost: Int) {
    let changes = Set(byID.keys).union(start.byID.keys).map {
      (byID[$0]?.alerts ?? 0) - (start.byID[$0]?.alerts ?? 0)
    }
    return (changes.reduce(0) { $0 + max(0, $1) }, changes.reduce(0) { $0 + max(0, -$1) })
  }
}
