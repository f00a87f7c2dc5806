/// A binary heap, the least element first.
package struct Heap<Element: Comparable> {
  @usableFromInline var elements: [Element] = []

  /// An empty heap.
  @inlinable
  package init() {}

  /// How many elements there are.
  @inlinable package var count: Int { elements.count }
  /// The least element.
  @inlinable package var first: Element? { elements.first }

  /// Removes all elements and keeps their memory.
  @inlinable
  package mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  /// Adds an element.
  ///
  /// - Complexity: O(log n); O(1) if most of the others are less.
  @inlinable
  package mutating func insert(_ element: Element) {
    var index = elements.count
    elements.append(element)
    while index > 0 {
      let parent = (index - 1) / 2
      guard element < elements[parent] else { break }
      elements[index] = elements[parent]
      index = parent
    }
    elements[index] = element
  }

  /// Removes the least element.
  ///
  /// - Complexity: O(log n)
  @inlinable
  package mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    replaceFirst(with: last)
    return first
  }

  /// Puts an element in the place of the least one, which must exist.
  ///
  /// - Complexity: O(log n)
  @inlinable
  package mutating func replaceFirst(with element: Element) {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = element
  }
}

extension Heap: Sendable where Element: Sendable {}

/// The limit that upper bounds of distances set: the greatest of the `count` least.
package struct NearestLimit {
  /// The least bounds, negated: the greatest of them comes first.
  private var negated = Heap<Double>()
  private var count = 0

  /// A limit that no bound has set yet; see ``reset(count:)``.
  package init() {}

  /// Forgets all bounds.
  ///
  /// - Parameter count: How many places are wanted, at least 1.
  package mutating func reset(count: Int) {
    negated.removeAll()
    self.count = count
  }

  /// `count` places are at most this far away, in metres; infinite while fewer are known.
  package var meters: Double {
    negated.count == count ? -(negated.first ?? .infinity) : .infinity
  }

  /// Adds the upper bound of a place's distance, in metres.
  ///
  /// - Complexity: O(log count) if it lowers the limit, else O(1).
  package mutating func insert(_ meters: Double) {
    if negated.count < count {
      negated.insert(-meters)
    } else if let first = negated.first, -meters > first {
      negated.replaceFirst(with: -meters)
    }
  }
}
