/// What a phone will show, the soonest first: a binary heap.
///
/// It may hold stale entries, which the phone skips.
struct FireQueue: Sendable {
  /// A request and when it fires.
  struct Entry: Sendable {
    var fireMilliseconds: Int64
    /// The number of the request in the order of adding.
    var order: Int
    var identifier: String

    fileprivate static func < (first: Entry, second: Entry) -> Bool {
      (first.fireMilliseconds, first.order) < (second.fireMilliseconds, second.order)
    }
  }

  private var entries: [Entry] = []

  /// The entry that fires first, of several at one instant the one added first.
  var first: Entry? { entries.first }

  /// Adds an entry.
  ///
  /// - Complexity: O(log n).
  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var child = entries.count - 1
    while child > 0, entries[child] < entries[(child - 1) / 2] {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the first entry, which must exist.
  ///
  /// - Complexity: O(log n).
  mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child] < entries[least] { least = child }
      }
      if least == parent { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
