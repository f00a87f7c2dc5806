public import Notifications

/// What became of one story on one track, if the path was ever inside its circle.
public struct StoryVerdict: Equatable, Sendable {
  /// Index of the story.
  public var story: Int
  /// The verdict.
  public var verdict: Verdict
  /// For a suppressed story: why its first entry did not alert.
  public var reason: SuppressionReason?
  /// What became of its entries.
  public var counts: EntryCounts
  /// Whether the device was inside when the track began.
  public var isInsideAtStart: Bool
  /// Index of the entry, among the track's, that decided the verdict; nil without entries.
  public var decidingEntry: Int?

  /// Makes a verdict of a story's entries on a track.
  ///
  /// - Parameters:
  ///   - story: Index of the story.
  ///   - entries: All entries of the track, in order along the path.
  ///   - indices: Those that are of this story.
  ///   - isInsideAtStart: Whether the device was inside when the track began.
  public init(story: Int, entries: [EntryRecord], indices: [Int], isInsideAtStart: Bool) {
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

extension EntryCounts {
  /// Counts one entry.
  public mutating func add(_ entry: EntryRecord) {
    switch entry.cause {
    case .found: found += 1
    case .late: late += 1
    case .missed: missed += 1
    case .extra: extra += 1
    }
    if entry.cause != .extra { entries += 1 }
    if entry.isAlert {
      alerts += 1
      if entry.deliveryMilliseconds != nil { delayed += 1 }
    }
    if let reason = entry.suppression { suppressed[reason] += 1 }
    if entry.isOracleAlert {
      oracleAlerts += 1
      if entry.isAlert { foundAlerts += 1 }
    }
  }
}
