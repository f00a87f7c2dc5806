package import FencepostGeodesy

/// An index of circles in memory that answers every question about the circles near a point.
///
/// It is a flat binary tree of boxes around circles that lie close together. Boxes and chords
/// only rule circles out or in; a geodesic is computed where they do not decide, and for what is
/// reported. So answers are exact on the ellipsoid, near the poles and across the antimeridian too,
/// and the same whatever other circles the index holds.
///
/// Each circle takes 64 bytes. An index may be shared between tasks.
package struct CircleIndex: Sendable {
  /// What an item is besides a sphere.
  struct Name: Sendable {
    var coordinate: Coordinate
    var key: Int64
  }

  /// The items, with neighbors in space next to each other.
  private(set) var spheres: [CircleSphere] = []
  private var names: [Name] = []
  /// The boxes of the nodes: each before those of its first half, these before the second's.
  private var boxes: [CircleBox] = []

  /// The most items of a node without children.
  private static let leafCount = 16

  /// Indexes n circles.
  ///
  /// Each node halves its items where they differ most: in one coordinate, or in their radii, as a
  /// large circle would widen the box that it shares with small ones.
  ///
  /// - Complexity: O(n log n), about 0.25 µs per circle for a million.
  package init(_ circles: [IndexedCircle]) {
    spheres = circles.map { CircleSphere($0) }
    names = circles.map { Name(coordinate: $0.coordinate, key: $0.key) }
    boxes.reserveCapacity(2 * circles.count / Self.leafCount + 2)
    var blocks = Blocks()
    if !circles.isEmpty { build(0..<count, &blocks) }
  }

  private mutating func build(_ range: Range<Int>, _ blocks: inout Blocks) {
    let node = boxes.count
    boxes.append(.empty)
    guard let halves = Self.halves(of: range) else {
      boxes[node] = Self.box(of: spheres[range])
      return
    }
    partition(range, at: halves.first.upperBound, by: widestAxis(of: range), &blocks)
    let (first, second) = (node + 1, Self.node(after: node + 1, of: halves.first))
    build(halves.first, &blocks)
    build(halves.second, &blocks)
    boxes[node] = boxes[first].union(boxes[second])
  }

  /// In which value items differ most, judged by some of them if they are many.
  private func widestAxis(of range: Range<Int>) -> Int {
    var box = CircleBox.empty
    for item in stride(from: range.lowerBound, to: range.upperBound, by: 1 + range.count / 32) {
      box.add(spheres[item])
    }
    return box.widestAxis
  }

  private static func box(of spheres: ArraySlice<CircleSphere>) -> CircleBox {
    var box = CircleBox.empty
    for sphere in spheres { box.add(sphere) }
    return box
  }

  /// Reorders a range so that no value before a position is above one from there on.
  ///
  /// - Complexity: O(n) in practice (Hoare's selection).
  private mutating func partition(
    _ range: Range<Int>, at position: Int, by axis: Int, _ blocks: inout Blocks
  ) {
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    while low < high {
      let pivot = pivot(low...high, at: position, by: axis)
      var (left, right) = (low, high)
      exchange(&left, &right, around: pivot, by: axis, &blocks)
      while left <= right {
        while spheres[left].values[axis] < pivot { left += 1 }
        while spheres[right].values[axis] > pivot { right -= 1 }
        guard left <= right else { break }
        spheres.swapAt(left, right)
        names.swapAt(left, right)
        left += 1
        right -= 1
      }
      // Values between the two equal the pivot.
      if position <= right {
        high = right
      } else if position >= left {
        low = left
      } else {
        return
      }
    }
  }

  /// The items of a block at each end of a range that must change sides, by their distance from it.
  private struct Blocks {
    static let size = 16
    var left = [UInt8](repeating: 0, count: size)
    var right = [UInt8](repeating: 0, count: size)
  }

  /// Partitions a range from both ends, block by block, until little is left between them.
  ///
  /// The items that must change sides are found without a branch, as half of such branches would be
  /// mispredicted.
  private mutating func exchange(
    _ left: inout Int, _ right: inout Int, around pivot: Double, by axis: Int,
    _ blocks: inout Blocks
  ) {
    var (leftItems, rightItems) = (0..<0, 0..<0)
    while right - left >= 2 * Blocks.size {
      if leftItems.isEmpty {
        var count = 0
        for offset in 0..<Blocks.size {
          blocks.left[count] = UInt8(truncatingIfNeeded: offset)
          count += spheres[left + offset].values[axis] < pivot ? 0 : 1
        }
        leftItems = 0..<count
      }
      if rightItems.isEmpty {
        var count = 0
        for offset in 0..<Blocks.size {
          blocks.right[count] = UInt8(truncatingIfNeeded: offset)
          count += spheres[right - offset].values[axis] > pivot ? 0 : 1
        }
        rightItems = 0..<count
      }
      for (one, other) in zip(leftItems, rightItems) {
        let (one, other) = (left + Int(blocks.left[one]), right - Int(blocks.right[other]))
        spheres.swapAt(one, other)
        names.swapAt(one, other)
      }
      let exchanged = min(leftItems.count, rightItems.count)
      leftItems.removeFirst(exchanged)
      rightItems.removeFirst(exchanged)
      if leftItems.isEmpty { left += Blocks.size }
      if rightItems.isEmpty { right -= Blocks.size }
    }
  }

  /// The value of an item that has about as many before it in order as a position.
  private func pivot(_ range: ClosedRange<Int>, at position: Int, by axis: Int) -> Double {
    let step = range.count / 64
    guard step > 8 else { return spheres[(range.lowerBound + range.upperBound) / 2].values[axis] }
    var some = (0..<64).map { spheres[range.lowerBound + $0 * step].values[axis] }
    some.sort()
    return some[(position - range.lowerBound) * 64 / range.count]
  }

  /// The items of a node's children, or nil if it has none.
  ///
  /// Only the last leaf can have room left, so the first half is a power of two of leaves.
  private static func halves(of items: Range<Int>) -> (first: Range<Int>, second: Range<Int>)? {
    guard items.count > leafCount else { return nil }
    let leaves = (items.count - 1) / leafCount
    let middle = items.lowerBound + leafCount << (Int.bitWidth - 1 - leaves.leadingZeroBitCount)
    return (items.lowerBound..<middle, middle..<items.upperBound)
  }

  /// The number of the node that follows a full one.
  private static func node(after node: Int, of items: Range<Int>) -> Int {
    node + 2 * (items.count / leafCount) - 1
  }

  /// The number of circles.
  package var count: Int { spheres.count }

  /// The item of a circle, or nil for an unknown key; O(n).
  package func item(forKey key: Int64) -> Int? { names.firstIndex { $0.key == key } }

  /// The key of an item.
  package func key(of item: Int) -> Int64 { names[item].key }

  /// Moves or resizes a circle, which keeps its key and its place in the tree; O(log n).
  ///
  /// Answers stay exact wherever the circle goes, and a few such circles make none slower.
  package mutating func replace(item: Int, with circle: IndexedCircle) {
    spheres[item] = CircleSphere(circle)
    names[item].coordinate = circle.coordinate
    fit(item, node: 0, items: 0..<count)
  }

  private mutating func fit(_ item: Int, node: Int, items: Range<Int>) {
    guard let halves = Self.halves(of: items) else {
      boxes[node] = Self.box(of: spheres[items])
      return
    }
    let (first, second) = (node + 1, Self.node(after: node + 1, of: halves.first))
    if halves.first.contains(item) {
      fit(item, node: first, items: halves.first)
    } else {
      fit(item, node: second, items: halves.second)
    }
    boxes[node] = boxes[first].union(boxes[second])
  }
}

/// A circle, and the number by which its owner knows it.
///
/// A ``CircleIndex`` is made of them, and its answers name circles by key.
package struct IndexedCircle: Sendable {
  /// The center, in the form of `Coordinate.canonical`.
  package var coordinate: Coordinate
  /// The radius in meters, above 0 and at most `Circle.greatestRadiusMeters`.
  package var radiusMeters: Double
  /// The owner's number for the circle, unique in an index.
  package var key: Int64

  /// Creates a circle; the values are not checked.
  package init(coordinate: Coordinate, radiusMeters: Double, key: Int64) {
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
    self.key = key
  }
}

// MARK: - Searching

/// A question put to a ``CircleIndex``, with what it has found so far.
protocol CircleSearch {
  /// The distance in meters beyond which nothing matters.
  var limitMeters: Double { get }
  /// A lower bound of the distance to any circle in a box, in meters.
  func leastMeters(to box: CircleBox) -> Double
  /// Looks at an item, which may lower the limit.
  mutating func look(at item: Int, _ sphere: CircleSphere)
}

/// A question whose answer does not depend on the order in which items are looked at.
protocol CircleScan {
  /// False only if certainly no circle in a box matters.
  func mayHold(_ box: CircleBox) -> Bool
  mutating func look(at item: Int, _ sphere: CircleSphere)
}

extension CircleIndex {
  /// Looks at all items that may be within the limit, the nearer half of each node first.
  func search(_ search: inout some CircleSearch) {
    guard let root = boxes.first else { return }
    visit(0, of: 0..<count, leastMeters: search.leastMeters(to: root), &search)
  }

  private func visit(
    _ node: Int, of items: Range<Int>, leastMeters: Double, _ search: inout some CircleSearch
  ) {
    guard leastMeters <= search.limitMeters else { return }
    guard let halves = Self.halves(of: items) else {
      for item in items { search.look(at: item, spheres[item]) }
      return
    }
    let (first, second) = (node + 1, Self.node(after: node + 1, of: halves.first))
    let (one, other) = (
      search.leastMeters(to: boxes[first]), search.leastMeters(to: boxes[second])
    )
    if one <= other {
      visit(first, of: halves.first, leastMeters: one, &search)
      visit(second, of: halves.second, leastMeters: other, &search)
    } else {
      visit(second, of: halves.second, leastMeters: other, &search)
      visit(first, of: halves.first, leastMeters: one, &search)
    }
  }

  /// Looks at all items that may matter, in no order.
  func search(_ scan: inout some CircleScan) {
    guard let root = boxes.first, scan.mayHold(root) else { return }
    visit(0, of: 0..<count, &scan)
  }

  private func visit(_ node: Int, of items: Range<Int>, _ scan: inout some CircleScan) {
    guard let halves = Self.halves(of: items) else {
      for item in items { scan.look(at: item, spheres[item]) }
      return
    }
    let (first, second) = (node + 1, Self.node(after: node + 1, of: halves.first))
    if scan.mayHold(boxes[first]) { visit(first, of: halves.first, &scan) }
    if scan.mayHold(boxes[second]) { visit(second, of: halves.second, &scan) }
  }

  /// Counts items: all or none of a box that `settles` decides, else those it decides one by one.
  func count(
    settles: (CircleBox) -> Bool?, where counts: (Int, CircleSphere) -> Bool
  ) -> Int {
    boxes.isEmpty ? 0 : count(0, of: 0..<count, settles, counts)
  }

  private func count(
    _ node: Int, of items: Range<Int>, _ settles: (CircleBox) -> Bool?,
    _ counts: (Int, CircleSphere) -> Bool
  ) -> Int {
    switch settles(boxes[node]) {
    case true?: return items.count
    case false?: return 0
    case nil: break
    }
    guard let halves = Self.halves(of: items) else {
      return items.count(where: { counts($0, spheres[$0]) })
    }
    return count(node + 1, of: halves.first, settles, counts)
      + count(Self.node(after: node + 1, of: halves.first), of: halves.second, settles, counts)
  }

  // MARK: Items

  func position(of item: Int) -> Position {
    Position(coordinate: names[item].coordinate, vector: spheres[item].center)
  }

  func circle(of item: Int) -> Circle {
    Circle(center: position(of: item), radiusMeters: spheres[item].radiusMeters)
  }

  func region(of item: Int) -> Region { Region(key: names[item].key, circle: circle(of: item)) }
}
