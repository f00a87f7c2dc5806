/// Nodes of the reach tree that are still to be looked into, the nearest first.
struct NodeQueue {
  /// A node: the child of a branch, and how near the inside of it can be.
  struct Entry {
    var leastMeters: Double
    /// The number of the branch among those of the tree.
    var branch: Int32
    /// Which of its children.
    var index: Int16
    /// Whether ``leastMeters`` is as good a bound as there is.
    var isRefined = true
  }

  /// A binary heap, the least entry first.
  private var heap: [Entry] = []

  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
  }

  /// Adds a node.
  ///
  /// - Complexity: O(log n), O(1) where most of the others are nearer.
  mutating func insert(_ entry: Entry) {
    var index = heap.count
    heap.append(entry)
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.leastMeters < heap[parent].leastMeters else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  /// Takes out the nearest node.
  ///
  /// - Complexity: O(log n)
  mutating func popLeast() -> Entry? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return least }
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].leastMeters < heap[child].leastMeters {
        child += 1
      }
      guard heap[child].leastMeters < last.leastMeters else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = last
    return least
  }
}
