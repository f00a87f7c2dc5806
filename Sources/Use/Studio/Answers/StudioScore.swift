#if Command
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications

/// The result of one track's run, for comparisons: alerts by story, and counts.
///
/// The studio keeps one for each track under the initial rules and one under those of the newest
/// question. The page shows what the second gains and loses.
struct StudioScore: Sendable {
  /// The results of stories that were entered, by ID.
  typealias Stories = [String: Story]

  /// What became of the entries into one story's circle, on one track or on several.
  struct Story: Equatable, Sendable {
    var alerts = 0
    /// Entries that were noticed and suppressed.
    var suppressed = 0
    /// Entries that were noticed too late.
    var late = 0
    /// Entries that were not noticed.
    var missed = 0
    /// The number of tracks with an alert.
    var tracks = 0
    /// The track that shows best what happens: an alert, or else the most that came of an entry.
    var track: Int
    /// Why the first entry that was held back did not alert.
    var reason: SuppressionReason?

    /// How far the best entry came: 3 for an alert, down to 0 for one that was missed.
    private var stage: Int { alerts > 0 ? 3 : suppressed > 0 ? 2 : late > 0 ? 1 : 0 }

    /// The results of both; the track that shows best what happens is that of the better stage.
    static func + (one: Story, other: Story) -> Story {
      let isFirst = (other.stage, one.track) <= (one.stage, other.track)
      return Story(
        alerts: one.alerts + other.alerts, suppressed: one.suppressed + other.suppressed,
        late: one.late + other.late, missed: one.missed + other.missed,
        tracks: one.tracks + other.tracks, track: isFirst ? one.track : other.track,
        reason: (isFirst ? one.reason : nil) ?? other.reason ?? one.reason)
    }
  }

  /// The counts of the run over all stories.
  let counts: EntryCounts
  /// The results of stories that were entered.
  private(set) var byID: Stories = [:]

  /// The result of a run of the track with this index.
  init(_ run: WhatIf.Kept, track: Int) {
    self.init(run.run.entries, counts: run.run.counts, run.stories, track: track)
  }

  /// The result of a run's entries, with the counts of the run.
  init(
    _ entries: [EntryRecord], counts: EntryCounts = EntryCounts(), _ stories: StoryIndex,
    track: Int
  ) {
    self.counts = counts
    for entry in entries {
      let id = stories.stories[entry.story].id
      var story = byID[id] ?? Story(track: track)
      if entry.isAlert {
        story.alerts += 1
        story.tracks = 1
      } else if let reason = entry.suppression {
        story.suppressed += 1
        story.reason = story.reason ?? reason
      } else if entry.cause == .late {
        story.late += 1
      } else if entry.cause == .missed {
        story.missed += 1
      }
      byID[id] = story
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
#endif
