package import FencepostFixes
package import FencepostMonitoring

/// Finds a story that is entered again and again, as where a receiver drifts across its edge.
package struct EdgeDrift {
  /// The story, and how often it was entered along the whole track.
  package struct Found: Codable, Equatable, Sendable {
    package var title: String
    package var entries: Int
  }

  /// Nobody walks into a circle as often as this within ``spanMilliseconds``.
  private static let count = 10
  private static let spanMilliseconds: Int64 = 3_600_000

  private var entries: [Int64: (count: Int, recent: [Int64])] = [:]
  private var drifting: Set<Int64> = []

  package init() {}

  /// Counts an entry; those without a time cannot be judged.
  package mutating func enter(_ key: Int64, atMilliseconds time: Int64?) {
    guard let time else { return }
    entries[key, default: (0, [])].count += 1
    entries[key]?.recent.append(time)
    guard let recent = entries[key]?.recent, recent.count >= Self.count else { return }
    if time - recent[0] <= Self.spanMilliseconds { drifting.insert(key) }
    entries[key]?.recent.removeFirst()
  }

  /// The story with most entries among those that were entered ten times within an hour.
  package func found(_ title: (Int64) -> String?) -> Found? {
    let most = drifting.max {
      (entries[$0]?.count ?? 0, $1) < (entries[$1]?.count ?? 0, $0)
    }
    return most.flatMap { key in
      title(key).map { Found(title: $0, entries: entries[key]?.count ?? 0) }
    }
  }
}

/// What a user should know about the path of one track; used only in messages.
package struct PathRemarks: Codable, Equatable, Sendable {
  package var breaks = BreakCounts()
  package var drift: EdgeDrift.Found?
  /// The fixes that were refused because they came behind newer ones, unless they were sorted.
  package var lateness: Lateness?

  package init() {}
}
