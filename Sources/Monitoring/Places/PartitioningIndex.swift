extension RandomAccessCollection {
  /// The index of the first element for which a condition holds, which holds for all behind it too; the end
  /// without any.
  ///
  /// - Complexity: O(log n).
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
