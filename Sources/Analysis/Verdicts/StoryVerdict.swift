package import FencepostNotifications

/// The verdict on one story on one track, with the counts behind it.
package struct StoryVerdict: Equatable, Sendable {
  /// Index of the story.
  package var story: Int
  /// The verdict.
  package var verdict: Verdict
  /// For a suppressed story: why its first suppressed entry did not alert.
  package var reason: SuppressionReason?
  /// The counts of its entries.
  package var counts: EntryCounts
  /// Whether the device was inside when the track began.
  package var isInsideAtStart: Bool
  /// Index of the track's entry that decided the verdict; nil without entries.
  package var decidingEntry: Int?

  /// Decides the verdict from a story's entries on a track.
  ///
  /// - Parameters:
  ///   - story: Index of the story.
  ///   - entries: All entries of the track, in order along the path.
  ///   - indices: Indices of this story's entries.
  ///   - isInsideAtStart: Whether the device was inside when the track began.
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
  /// The verdicts on all stories whose circle the path was inside, ascending by story.
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
