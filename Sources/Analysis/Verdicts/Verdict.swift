public import FencepostNotifications

/// Why a story did, or did not, alert on a track.
///
/// A story that the path enters several times gets the first of these, in order of declaration, that holds for
/// any of its entries.
public enum Verdict: String, CaseIterable, Sendable {
  /// At least one entry alerted.
  case alerted
  /// It was entered while monitored, and the policy suppressed every such entry.
  case suppressed
  /// It was entered while not monitored, and a later refresh found the device inside.
  case late
  /// It was entered while not monitored, and the device left again unnoticed.
  case missed
  /// The device was inside when the track began, and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path was never inside.
  case neverCrossed = "never-crossed"
}

/// How often there was each verdict.
public struct VerdictCounts: Equatable, Sendable {
  // A plain number, because nearly every story has this verdict on nearly every track.
  private var neverCrossed = 0
  private var crossed: [Verdict: Int] = [:]

  /// Makes counts of zero.
  public init() {}

  /// How often there was one verdict.
  public subscript(verdict: Verdict) -> Int {
    get { verdict == .neverCrossed ? neverCrossed : crossed[verdict, default: 0] }
    set {
      if verdict == .neverCrossed {
        neverCrossed = newValue
      } else {
        crossed[verdict] = newValue == 0 ? nil : newValue
      }
    }
  }

  /// The number of all verdicts but never-crossed.
  var crossedCount: Int { crossed.values.reduce(0, +) }

  /// Adds the other's counts.
  public static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.neverCrossed += other.neverCrossed
    counts.crossed.merge(other.crossed, uniquingKeysWith: +)
  }
}

/// The verdict on one story on one track, with the counts behind it.
public struct StoryVerdict: Equatable, Sendable {
  /// Index of the story.
  public var story: Int
  /// The verdict.
  public var verdict: Verdict
  /// For a suppressed story: why its first suppressed entry did not alert.
  public var reason: SuppressionReason?
  /// The counts of its entries.
  public var counts: EntryCounts
  /// Whether the device was inside when the track began.
  public var isInsideAtStart: Bool
  /// Index of the track's entry that decided the verdict; nil without entries.
  public var decidingEntry: Int?

  /// Decides the verdict from a story's entries on a track.
  ///
  /// - Parameters:
  ///   - story: Index of the story.
  ///   - entries: All entries of the track, in order along the path.
  ///   - indices: Indices of this story's entries.
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
