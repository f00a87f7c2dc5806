extension RandomAccessCollection {
  /// The first index from which a condition holds for all later elements, or the end; O(log n).
  @inlinable
  package func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if holds(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
