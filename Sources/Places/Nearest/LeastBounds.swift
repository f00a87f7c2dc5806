/// The least of the numbers it is shown, as many as were asked for.
struct LeastBounds {
  private var heap: [Double] = []
  private var capacity = 0

  /// Forgets all and keeps at most `capacity` numbers from now on.
  mutating func reset(capacity: Int) {
    heap.removeAll(keepingCapacity: true)
    self.capacity = capacity
  }

  /// The greatest of the numbers kept, infinite as long as there are fewer than asked for.
  ///
  /// - Complexity: O(1)
  var greatest: Double {
    heap.count == capacity ? heap.first ?? -.infinity : .infinity
  }

  /// Shows a number.
  ///
  /// - Complexity: O(log capacity) where it is kept, else O(1).
  @inline(__always)
  mutating func insert(_ number: Double) {
    if heap.count < capacity {
      heap.append(number)
      siftUp()
    } else if let first = heap.first, number < first {
      heap[0] = number
      siftDown()
    }
  }

  private mutating func siftUp() {
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index] > heap[parent] else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1] > heap[child] { child += 1 }
      guard heap[child] > heap[index] else { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}
