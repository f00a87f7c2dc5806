// Sorting, stable as the library's, which would be compiled anew for each kind of element: a tenth
// of the engine.

extension Sequence {
  /// The elements in order; equal ones keep theirs.
  func sorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    let order = order(of: elements.count) { isBefore(elements[$0], elements[$1]) }
    return order.map { elements[$0] }
  }
}

extension Sequence where Element: Comparable {
  /// The elements in ascending order.
  func sorted() -> [Element] { sorted { $0 < $1 } }
}

extension Array {
  mutating func sort(by isBefore: (Element, Element) -> Bool) { self = sorted(by: isBefore) }
}

extension Array where Element: Comparable {
  mutating func sort() { self = sorted() }
}

/// The numbers below `count` in the order of what they stand for, by merging ever longer runs.
///
/// It knows the elements only by their numbers, so it is compiled once for all kinds of them. Runs
/// that already follow one another are copied.
///
/// - Complexity: O(n log n) comparisons for n elements, and O(n) for elements in order.
@inline(never)
private func order(of count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
  var (order, merged) = (Array(0..<count), [Int]())
  var width = 1
  while width < count {
    merged.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: count, by: 2 * width) {
      let (middle, end) = (min(start + width, count), min(start + 2 * width, count))
      var (left, right) = (start, middle)
      if right < end, !isBefore(order[right], order[right - 1]) {
        merged += order[start..<end]
        continue
      }
      while left < middle || right < end {
        let isRight = left == middle || right < end && isBefore(order[right], order[left])
        merged.append(order[isRight ? right : left])
        if isRight { right += 1 } else { left += 1 }
      }
    }
    swap(&order, &merged)
    width *= 2
  }
  return order
}
