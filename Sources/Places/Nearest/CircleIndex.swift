import FencepostGeodesy
import FencepostMonitoring

/// The nodes of the store's index of circles that were read so far, each once.
///
/// They belong to one state of the store; ``forget()`` when it changes.
final class CircleIndex {
  /// An inner node, with those of its children that were read.
  final class Branch {
    /// Its number among the branches of the index.
    let ordinal: Int32
    /// How many levels are below: with 1 the children are leaves.
    let height: Int
    let numbers: [Int64]
    let cells: [CircleCell]
    fileprivate(set) var leaves: [CircleLeaf?]
    fileprivate var branches: [Branch?]

    init(ordinal: Int, height: Int, numbers: [Int64], cells: [CircleCell]) {
      self.ordinal = Int32(truncatingIfNeeded: ordinal)
      self.height = height
      self.numbers = numbers
      self.cells = cells
      leaves = Array(repeating: nil, count: height == 1 ? numbers.count : 0)
      branches = Array(repeating: nil, count: height == 1 ? 0 : numbers.count)
    }

    /// A child that contains a point, or else one near it; nil without children.
    func child(likelyNearestTo point: QueryPoint) -> Int? {
      let here = point.box(withinMeters: 0)
      return cells.firstIndex { $0.box.overlaps(here) }
        ?? cells.indices.min {
          point.coarseLeastMeters(to: cells[$0].box).meters
            < point.coarseLeastMeters(to: cells[$1].box).meters
        }
    }
  }

  /// A leaf, which may not have been read yet.
  struct LeafSlot {
    let branch: Branch
    let index: Int

    var leaf: CircleLeaf? { branch.leaves[index] }
    var cell: CircleCell { branch.cells[index] }
  }

  let table: CircleTable
  /// The inner nodes, in the order in which they were read.
  private(set) var branches: [Branch] = []
  /// How many nodes were read so far.
  private(set) var loadCount = 0
  /// About how much memory the nodes take.
  private(set) var byteCount = 0
  /// About how much memory the nodes may take before the index ``isFull``.
  private static let greatestByteCount = 16 << 20

  private static let bytesPerCircle =
    MemoryLayout<Circle>.stride + MemoryLayout<CircleBlock>.stride / CircleBlock.capacity + 8
  private static let bytesPerCell = MemoryLayout<CircleCell>.stride + 16

  init(_ table: CircleTable) {
    self.table = table
  }

  /// Whether to call ``forget()``.
  var isFull: Bool { byteCount > CircleIndex.greatestByteCount }

  /// Forgets all nodes.
  func forget() {
    branches.removeAll()
    byteCount = 0
  }

  /// Finds the leaves that may hold a circle within a distance.
  ///
  /// - Parameters:
  ///   - point: Where distances are measured from.
  ///   - meters: How far the circles' edges may be at most; infinite for all.
  ///   - body: Called with each leaf.
  /// - Throws: ``PlaceStoreError``.
  func forEachLeaf(
    from point: QueryPoint, withinMeters meters: Double, _ body: (LeafSlot) -> Void
  ) throws(PlaceStoreError) {
    let top = try top()
    try visit(top, from: point, withinMeters: meters, body)
  }

  private func visit(
    _ branch: Branch, from point: QueryPoint, withinMeters meters: Double,
    _ body: (LeafSlot) -> Void
  ) throws(PlaceStoreError) {
    for index in branch.numbers.indices {
      let limit = meters + branch.cells[index].greatestRadiusMeters
      let least = point.leastMeters(to: branch.cells[index].box, limitMeters: limit)
      guard least <= limit else { continue }
      if branch.height == 1 {
        body(LeafSlot(branch: branch, index: index))
      } else {
        try visit(
          try child(of: branch, index), from: point, withinMeters: meters, body)
      }
    }
  }

  /// A node above the root, so that the root is a child like any other even if it is a leaf.
  func top() throws(PlaceStoreError) -> Branch {
    if let first = branches.first { return first }
    let depth = try table.forEachCell(ofNode: 1) { _, _ in }
    let top = Branch(ordinal: 0, height: depth + 1, numbers: [1], cells: [.world])
    branches.append(top)
    return top
  }

  /// An inner node.
  func child(of parent: Branch, _ index: Int) throws(PlaceStoreError) -> Branch {
    if let branch = parent.branches[index] { return branch }
    var numbers: [Int64] = []
    var cells: [CircleCell] = []
    try table.forEachCell(ofNode: parent.numbers[index]) { number, cell in
      numbers.append(number)
      cells.append(cell)
    }
    let branch = Branch(
      ordinal: branches.count, height: parent.height - 1, numbers: numbers, cells: cells)
    branches.append(branch)
    parent.branches[index] = branch
    loadCount += 1
    byteCount += numbers.count * CircleIndex.bytesPerCell
    return branch
  }

  /// Reads a leaf that was not read yet.
  func load(_ slot: LeafSlot) throws(PlaceStoreError) -> CircleLeaf {
    var numbers: [Int64] = []
    try table.forEachCell(ofNode: slot.branch.numbers[slot.index]) { key, _ in
      numbers.append(key)
    }
    numbers.sort()
    var keys: [Int64] = []
    var circles: [Circle] = []
    keys.reserveCapacity(numbers.count)
    circles.reserveCapacity(numbers.count)
    var start = 0
    // An import numbers the places of a leaf consecutively; edits leave gaps.
    while start < numbers.count {
      var end = start
      while end + 1 < numbers.count, numbers[end + 1] == numbers[end] &+ 1 { end += 1 }
      try table.circles(ofKeys: numbers[start]...numbers[end]) { key, circle in
        keys.append(key)
        circles.append(circle)
      }
      start = end + 1
    }
    let leaf = CircleLeaf(keys: keys, circles: circles)
    slot.branch.leaves[slot.index] = leaf
    loadCount += 1
    byteCount += circles.count * CircleIndex.bytesPerCircle
    return leaf
  }
}
