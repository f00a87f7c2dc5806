/// A binary heap with the least element first.
///
/// ``popFirst()`` returns the elements in ascending order; equal ones leave in no particular order.
@usableFromInline
package struct Heap<Element: Comparable> {
  @usableFromInline var elements: [Element] = []

  /// Creates an empty heap.
  @inlinable
  package init() {}

  /// The number of elements.
  @inlinable package var count: Int { elements.count }
  /// The least element, in O(1); nil if the heap is empty.
  @inlinable package var first: Element? { elements.first }

  /// All elements; only the first has its place.
  package var members: [Element] { elements }

  /// Changes all elements in a way that keeps their order.
  package mutating func update(_ change: (inout Element) -> Void) {
    for index in elements.indices { change(&elements[index]) }
  }

  /// Removes all elements and keeps the memory.
  @inlinable
  package mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  /// Adds an element in O(log n), or in O(1) if most other elements are less.
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

  /// Removes and returns the least element in O(log n); nil if the heap is empty.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    replaceFirst(with: last)
    return first
  }

  /// Replaces the least element, which must exist, in O(log n).
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
