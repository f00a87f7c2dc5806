import Geodesy

/// The exact circles of a leaf of the reach tree.
final class ReachLeaf {
  let keys: [Int64]
  let circles: [Circle]
  /// The circles again, four by four, to find the near ones among them.
  let blocks: [CircleBlock]
  let hull: ReachHull

  init(keys: [Int64], circles: [Circle]) {
    self.keys = keys
    self.circles = circles
    blocks = CircleBlock.blocks(of: circles)
    hull = ReachHull(of: circles)
  }
}

/// An inner node of the reach tree, with those of its children that were read.
final class ReachBranch {
  /// Its number among the branches of the tree.
  let ordinal: Int32
  /// How many levels are below: with 1 the children are leaves.
  let height: Int
  let numbers: [Int64]
  let boxes: [ReachBox]
  fileprivate(set) var leaves: [ReachLeaf?]
  fileprivate var branches: [ReachBranch?]

  init(ordinal: Int, height: Int, numbers: [Int64], boxes: [ReachBox]) {
    self.ordinal = Int32(truncatingIfNeeded: ordinal)
    self.height = height
    self.numbers = numbers
    self.boxes = boxes
    leaves = Array(repeating: nil, count: height == 1 ? numbers.count : 0)
    branches = Array(repeating: nil, count: height == 1 ? 0 : numbers.count)
  }

  /// Chooses a child that a point lies in, or else one that it is near to.
  ///
  /// - Parameter viewpoint: The point.
  /// - Returns: The child's index, nil where there are no children.
  func child(likelyNearestTo viewpoint: Viewpoint) -> Int? {
    let here = viewpoint.window(withinMeters: 0)
    return boxes.firstIndex { here.overlaps($0.sides) }
      ?? boxes.indices.min {
        viewpoint.coarseLeastMeters(to: boxes[$0]).meters
          < viewpoint.coarseLeastMeters(to: boxes[$1]).meters
      }
  }
}

/// The nodes of the reach tree that were read so far, each once.
///
/// They belong to one state of the store; ``forget()`` when it changes.
final class ReachTree {
  /// A leaf, which may not have been read yet.
  struct LeafSlot {
    let branch: ReachBranch
    let index: Int

    var leaf: ReachLeaf? { branch.leaves[index] }
    var box: ReachBox { branch.boxes[index] }
  }

  let table: CircleTable
  /// The inner nodes, in the order in which they were read.
  private(set) var branches: [ReachBranch] = []
  /// How many nodes were read so far.
  private(set) var loadCount = 0
  /// About how much memory the nodes take.
  private(set) var byteCount = 0
  /// About how much memory the nodes may take; with more of them ``isFull`` says so.
  private static let greatestByteCount = 16 << 20

  private static let bytesPerCircle =
    MemoryLayout<Circle>.stride + MemoryLayout<CircleBlock>.stride / CircleBlock.capacity + 8
  private static let bytesPerBox = MemoryLayout<ReachBox>.stride + 16

  init(_ table: CircleTable) {
    self.table = table
  }

  /// Whether it is time to forget.
  var isFull: Bool { byteCount > ReachTree.greatestByteCount }

  /// Forgets all nodes.
  func forget() {
    branches.removeAll()
    byteCount = 0
  }

  /// Finds the leaves that may hold a circle within a distance.
  ///
  /// - Parameters:
  ///   - viewpoint: From where.
  ///   - meters: How far the circles' edges may be at most; infinite for all.
  ///   - body: Takes a leaf.
  /// - Throws: ``PlaceStoreError``.
  func forEachLeaf(
    from viewpoint: Viewpoint, withinMeters meters: Double, _ body: (LeafSlot) -> Void
  ) throws(PlaceStoreError) {
    let top = try top()
    try visit(top, from: viewpoint, withinMeters: meters, body)
  }

  private func visit(
    _ branch: ReachBranch, from viewpoint: Viewpoint, withinMeters meters: Double,
    _ body: (LeafSlot) -> Void
  ) throws(PlaceStoreError) {
    for index in branch.numbers.indices {
      let limit = meters + branch.boxes[index].greatestRadiusMeters
      guard viewpoint.leastMeters(to: branch.boxes[index], limitMeters: limit) <= limit else {
        continue
      }
      if branch.height == 1 {
        body(LeafSlot(branch: branch, index: index))
      } else {
        try visit(
          try child(of: branch, index), from: viewpoint, withinMeters: meters, body)
      }
    }
  }

  /// A node above the root, so that the root is a child like any other even if it is a leaf.
  func top() throws(PlaceStoreError) -> ReachBranch {
    if let first = branches.first { return first }
    let depth = try table.forEachCell(ofNode: 1) { _, _ in }
    let top = ReachBranch(ordinal: 0, height: depth + 1, numbers: [1], boxes: [.world])
    branches.append(top)
    return top
  }

  /// An inner node.
  func child(of parent: ReachBranch, _ index: Int) throws(PlaceStoreError) -> ReachBranch {
    if let branch = parent.branches[index] { return branch }
    var numbers: [Int64] = []
    var boxes: [ReachBox] = []
    try table.forEachCell(ofNode: parent.numbers[index]) { number, box in
      numbers.append(number)
      boxes.append(box)
    }
    let branch = ReachBranch(
      ordinal: branches.count, height: parent.height - 1, numbers: numbers, boxes: boxes)
    branches.append(branch)
    parent.branches[index] = branch
    loadCount += 1
    byteCount += numbers.count * ReachTree.bytesPerBox
    return branch
  }

  /// Reads a leaf that was not read yet.
  func load(_ slot: LeafSlot) throws(PlaceStoreError) -> ReachLeaf {
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
    // An import numbers the places of a leaf one after the other; edits tear gaps.
    while start < numbers.count {
      var end = start
      while end + 1 < numbers.count, numbers[end + 1] == numbers[end] &+ 1 { end += 1 }
      try table.circles(ofKeys: numbers[start]...numbers[end]) { key, circle in
        keys.append(key)
        circles.append(circle)
      }
      start = end + 1
    }
    let leaf = ReachLeaf(keys: keys, circles: circles)
    slot.branch.leaves[slot.index] = leaf
    loadCount += 1
    byteCount += circles.count * ReachTree.bytesPerCircle
    return leaf
  }
}
