package import FencepostNotifications

package struct StoryVerdict: Equatable, Sendable {
  package var story: Int
  package var verdict: Verdict
  /// If the verdict is `suppressed`: why the first held-back entry did not alert.
  package var reason: SuppressionReason?
  package var counts: EntryCounts
  package var isInsideAtStart: Bool
  /// The entry that decided the verdict, as an index into the track's entries; nil if none did.
  package var decidingEntry: Int?

  /// Decides the verdict from the track's entries; `indices` selects those of the story.
  package init(story: Int, entries: [EntryRecord], indices: [Int], isInsideAtStart: Bool) {
    self.story = story
    self.isInsideAtStart = isInsideAtStart
    counts = EntryCounts()
    for index in indices { counts.add(entries[index]) }
    if let index = indices.first(where: { entries[$0].isAlert }) {
      (verdict, decidingEntry) = (.alerted, index)
    } else if let index = indices.first(where: { entries[$0].suppression != nil }) {
      (verdict, decidingEntry) = (.suppressed, index)
      reason = entries[index].suppression
    } else if let index = indices.first(where: { entries[$0].cause == .late }) {
      (verdict, decidingEntry) = (.late, index)
    } else if let index = indices.first {
      (verdict, decidingEntry) = (.missed, index)
    } else {
      (verdict, decidingEntry) = (isInsideAtStart ? .insideAtStart : .neverCrossed, nil)
    }
  }
}

extension StoryVerdict {
  /// Returns the verdicts on all stories whose circles contain part of the path, ascending.
  static func all(of entries: [EntryRecord], insideAtStart: [Int]) -> [StoryVerdict] {
    var indices: [Int: [Int]] = [:]
    for (offset, entry) in entries.enumerated() { indices[entry.story, default: []].append(offset) }
    let inside = Set(insideAtStart)
    for story in inside where indices[story] == nil { indices[story] = [] }
    return indices.sorted { $0.key < $1.key }.map { story, entriesOfStory in
      StoryVerdict(
        story: story, entries: entries, indices: entriesOfStory,
        isInsideAtStart: inside.contains(story))
    }
  }
}

/// Why a story did or did not alert on a track.
///
/// If the path enters a story several times, the first case that fits any entry applies.
package enum Verdict: String, CaseIterable, Sendable {
  case alerted
  /// The circle was watched, but the alert rules held back every alert.
  case suppressed
  /// The circle was not watched on arrival, and a later lookup found the phone inside.
  case late
  /// The circle was not watched, and the phone left it unnoticed.
  case missed
  /// The track began inside the circle and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path was never inside the circle.
  case neverCrossed = "never-crossed"
}

package struct VerdictCounts: Equatable, Sendable {
  // A plain integer, because almost every story on almost every track has this verdict.
  private var neverCrossed = 0
  private var crossed: [Verdict: Int] = [:]

  package init() {}

  package subscript(verdict: Verdict) -> Int {
    get { verdict == .neverCrossed ? neverCrossed : crossed[verdict, default: 0] }
    set {
      if verdict == .neverCrossed {
        neverCrossed = newValue
      } else {
        crossed[verdict] = newValue == 0 ? nil : newValue
      }
    }
  }

  /// The number of verdicts other than `neverCrossed`.
  var crossedCount: Int { crossed.values.reduce(0, +) }

  package static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.neverCrossed += other.neverCrossed
    for (verdict, count) in other.crossed { counts.crossed[verdict, default: 0] += count }
  }
}
