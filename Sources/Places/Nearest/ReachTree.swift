import Geodesy

/// The exact circles of a leaf of the reach tree.
final class ReachLeaf {
  let keys: [Int64]
  let circles: [Circle]
  /// Of each circle the centre's vector and the radius, close together in memory.
  let spheres: [SIMD4<Double>]
  let hull: ReachHull

  init(keys: [Int64], circles: [Circle]) {
    self.keys = keys
    self.circles = circles
    spheres = circles.map { SIMD4($0.center.vector, $0.radiusMeters) }
    hull = ReachHull(of: spheres)
  }

  /// A place as seen from a point.
  func neighbor(_ index: Int, from position: Position, rank: Rank) -> Neighbor {
    let circle = circles[index]
    let distance = circle.distanceMeters(from: position)
    return Neighbor(
      key: keys[index], circle: circle, centerDistanceMeters: distance,
      rankDistanceMeters: rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters))
  }
}

/// An inner node of the reach tree, with those of its children that were read.
final class ReachBranch {
  /// How many levels are below: with 1 the children are leaves.
  let height: Int
  let numbers: [Int64]
  let boxes: [ReachBox]
  fileprivate(set) var leaves: [ReachLeaf?]
  fileprivate var branches: [ReachBranch?]

  init(height: Int, numbers: [Int64], boxes: [ReachBox]) {
    self.height = height
    self.numbers = numbers
    self.boxes = boxes
    leaves = Array(repeating: nil, count: height == 1 ? numbers.count : 0)
    branches = Array(repeating: nil, count: height == 1 ? 0 : numbers.count)
  }
}

/// The nodes of the reach tree that were read so far, each once.
struct ReachTree {
  /// A leaf, which may not have been read yet.
  struct LeafSlot {
    let branch: ReachBranch
    let index: Int

    var leaf: ReachLeaf? { branch.leaves[index] }
    var box: ReachBox { branch.boxes[index] }
  }

  let reader: PlaceReader
  /// How many nodes were read so far.
  private(set) var loadCount = 0
  /// About how much memory the nodes take.
  private(set) var byteCount = 0
  private var root: ReachBranch?

  private static let bytesPerCircle =
    MemoryLayout<Circle>.stride + MemoryLayout<SIMD4<Double>>.stride + 8
  private static let bytesPerBox = MemoryLayout<ReachBox>.stride + 16

  init(_ reader: PlaceReader) {
    self.reader = reader
  }

  /// Forgets all nodes.
  mutating func forget() {
    root = nil
    byteCount = 0
  }

  /// Finds the leaves that may hold a circle within a distance.
  ///
  /// - Parameters:
  ///   - viewpoint: From where.
  ///   - meters: How far the circles' edges may be at most; infinite for all.
  ///   - body: Takes a leaf.
  /// - Throws: ``PlaceStoreError``.
  mutating func forEachLeaf(
    from viewpoint: Viewpoint, withinMeters meters: Double, _ body: (LeafSlot) -> Void
  ) throws(PlaceStoreError) {
    let top = try top()
    try visit(top, from: viewpoint, withinMeters: meters, body)
  }

  private mutating func visit(
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
  private mutating func top() throws(PlaceStoreError) -> ReachBranch {
    if let root { return root }
    let depth = try reader.node(1).depth
    let top = ReachBranch(height: depth + 1, numbers: [1], boxes: [.world])
    root = top
    return top
  }

  private mutating func child(
    of parent: ReachBranch, _ index: Int
  ) throws(PlaceStoreError) -> ReachBranch {
    if let branch = parent.branches[index] { return branch }
    let node = try reader.node(parent.numbers[index])
    let branch = ReachBranch(
      height: parent.height - 1, numbers: node.numbers, boxes: node.boxes)
    parent.branches[index] = branch
    loadCount += 1
    byteCount += node.numbers.count * ReachTree.bytesPerBox
    return branch
  }

  /// Reads a leaf that was not read yet.
  mutating func load(_ slot: LeafSlot) throws(PlaceStoreError) -> ReachLeaf {
    var numbers = try reader.node(slot.branch.numbers[slot.index]).numbers
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
      try reader.circles(ofKeys: numbers[start]...numbers[end]) { key, circle in
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
