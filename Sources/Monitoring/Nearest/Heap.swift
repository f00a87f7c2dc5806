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
