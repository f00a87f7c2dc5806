package import FencepostFixes
package import FencepostMonitoring

/// Finds a story that is entered again and again, as when a receiver drifts across its edge.
///
/// Ten entries within an hour count as drift. Entries without a time do not.
package struct EdgeDrift {
  /// The story, and how often it was entered along the whole track.
  ///
  /// Messages name it, since its alerts say more about the receiver than about the walk.
  package struct Found: Codable, Equatable, Sendable {
    /// The title of the story.
    package var title: String
    /// The number of entries with a time.
    package var entries: Int
  }

  /// Nobody walks into a circle as often as this within ``spanMilliseconds``.
  private static let count = 10
  private static let spanMilliseconds: Int64 = 3_600_000

  /// The entries of one story: how many, and the times of the latest, each after the one before.
  ///
  /// The latest are fewer than ten, which is enough to see ten within an hour.
  private struct Entries {
    let key: Int64
    var count = 0
    var recent: [Int64] = []
    var isDrifting = false
  }

  private var entries: [Entries] = []
  private var indices: [Int: Int] = [:]

  /// Creates a finder that has seen no entry.
  package init() {}

  /// Counts an entry; those without a time cannot be judged.
  package mutating func enter(_ key: Int64, atMilliseconds time: Int64?) {
    guard let time else { return }
    // A browser's integers have 32 bits, and its keys are numbers of places.
    let number = Int(truncatingIfNeeded: key)
    let index = indices[number] ?? entries.count
    if index == entries.count {
      indices[number] = index
      entries.append(Entries(key: key))
    }
    entries[index].count += 1
    if let last = entries[index].recent.last, time <= last {
      // Entries at one time say nothing about how fast they follow, as where only days are known.
      if time == last { return }
      entries[index].recent.removeAll(keepingCapacity: true)
    }
    entries[index].recent.append(time)
    guard entries[index].recent.count >= Self.count else { return }
    let (passed, overflows) = time.subtractingReportingOverflow(entries[index].recent[0])
    if !overflows, passed <= Self.spanMilliseconds { entries[index].isDrifting = true }
    entries[index].recent.removeFirst()
  }

  /// The story with most entries among those that were entered ten times within an hour.
  package func found(_ title: (Int64) -> String?) -> Found? {
    var most: Entries?
    for one in entries where one.isDrifting {
      if (one.count, most?.key ?? .max) > (most?.count ?? 0, one.key) { most = one }
    }
    return most.flatMap { most in
      title(most.key).map { Found(title: $0, entries: most.count) }
    }
  }
}

/// What a user should know about the path of one track; used only in messages.
package struct PathRemarks: Codable, Equatable, Sendable {
  /// Where the path was not followed.
  package var breaks = BreakCounts()
  /// The story that was entered again and again; nil if no story was.
  package var drift: EdgeDrift.Found?
  /// The fixes that were refused because they came behind newer ones, unless they were sorted.
  package var lateness: Lateness?

  /// Creates remarks on a path without breaks.
  package init() {}
}
