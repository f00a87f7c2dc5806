import Notifications

/// Gathers alerts that come together.
enum AlertMoments {
  /// How long a moment lasts from its first alert on, in milliseconds.
  static let durationMilliseconds: Int64 = 60_000

  /// The stories that alerted within a minute of one another, themselves or in another's group;
  /// without times, those that were entered on the way to the same fix.
  static func of(_ entries: [EntryRecord]) -> [[Int]] {
    var moments: [[Int]] = []
    var first: EntryRecord?
    for entry in entries where entry.isAlert || entry.suppression == .grouped {
      if let first, isTogether(first, entry) {
        if !moments[moments.count - 1].contains(entry.story) {
          moments[moments.count - 1].append(entry.story)
        }
      } else {
        moments.append([entry.story])
        first = entry
      }
    }
    return moments
  }

  private static func isTogether(_ first: EntryRecord, _ entry: EntryRecord) -> Bool {
    guard let start = first.timeMilliseconds, let time = entry.timeMilliseconds else {
      return first.fix == entry.fix
    }
    return time >= start && time - start <= durationMilliseconds
  }
}
