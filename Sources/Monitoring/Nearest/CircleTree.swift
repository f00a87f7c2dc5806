import FencepostGeodesy

/// An index of circles in memory: leaves of circles that lie close together, under a binary tree of hulls.
///
/// Hulls bound and never decide: whether a circle belongs to an answer follows from its exact distance.
struct CircleTree: Sendable {
  /// A node; its left child follows it.
  private struct Node {
    var hull: CircleHull
    /// The number of the leaf, or that of the right child.
    var content: Content

    enum Content {
      case leaf(Int32)
      case rightChild(Int32)
    }
  }

  /// A node still to be visited, and how near its inside can be.
  private struct Visit: Comparable {
    var leastMeters: Double
    var node: Int32

    static func < (a: Visit, b: Visit) -> Bool { a.leastMeters < b.leastMeters }
  }

  private var leaves: [CircleLeaf] = []
  private var nodes: [Node] = []

  /// Measured with a million places in cities: half or twice as many make a query slower.
  private static let leafCapacity = 32
  /// Added to limits, far above the rounding of any bound, in metres.
  private static let toleranceMeters = 1e-3

  /// Indexes circles; the key of each is its position in the array, from 1.
  ///
  /// - Complexity: O(n log n).
  init(_ circles: [Circle]) {
    let order = Self.order(of: circles)
    leaves = stride(from: 0, to: order.count, by: Self.leafCapacity).map { start in
      let members = order[start..<min(start + Self.leafCapacity, order.count)]
      return CircleLeaf(
        keys: members.map { Int64($0 + 1) }, circles: members.map { circles[$0] })
    }
    nodes.reserveCapacity(2 * leaves.count)
    if !leaves.isEmpty { build(leaves.indices) }
  }

  /// The circles, small ones apart from large ones, and then along a curve that keeps neighbours together.
  ///
  /// A large circle among small ones would make their common hull reach far.
  private static func order(of circles: [Circle]) -> [Int] {
    let codes = circles.map { circle in
      // Each class of radii is four times as wide as the one before; 13 are the most there can be.
      let radiusClass = UInt64(max(0, circle.radiusMeters.exponent / 2))
      return radiusClass << 60 | mortonCode(circle.center.vector)
    }
    return circles.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
  }

  /// The position of a point on the Z-order curve through a cube around the Earth, 60 bits.
  private static func mortonCode(_ point: SIMD3<Double>) -> UInt64 {
    let cellsPerAxis = Double(1 << 20)
    let cubeMeters = 13_000_000.0
    var code: UInt64 = 0
    for axis in 0..<3 {
      let cell = UInt64((point[axis] / cubeMeters + 0.5) * cellsPerAxis)
      for bit in 0..<20 where cell & 1 << UInt64(bit) != 0 {
        code |= 1 << UInt64(3 * bit + axis)
      }
    }
    return code
  }

  /// Adds the node of some leaves and those below it; returns its hull.
  @discardableResult
  private mutating func build(_ range: Range<Int>) -> CircleHull {
    let node = nodes.count
    if range.count == 1 {
      let hull = leaves[range.lowerBound].hull
      nodes.append(Node(hull: hull, content: .leaf(Int32(range.lowerBound))))
      return hull
    }
    // Its hull is known once its children are there.
    nodes.append(Node(hull: CircleHull(of: []), content: .rightChild(0)))
    let middle = (range.lowerBound + range.upperBound) / 2
    let left = build(range.lowerBound..<middle)
    nodes[node].content = .rightChild(Int32(nodes.count))
    let right = build(middle..<range.upperBound)
    nodes[node].hull = CircleHull(of: left, and: right)
    return nodes[node].hull
  }

  /// The nearest circles, and perhaps more that are as near as the last, in order but for ties.
  ///
  /// - Parameters:
  ///   - position: From where.
  ///   - count: How many, at least 1.
  ///   - rank: By which distance.
  /// - Returns: The circles as neighbours.
  func nearest(to position: Position, count: Int, rank: NearestRank) -> [Neighbor] {
    var scan = NearestScan()
    scan.begin(from: position, count: count, rank: rank, limitMeters: .infinity)
    var queue = Heap<Visit>()
    if !nodes.isEmpty { queue.insert(Visit(leastMeters: 0, node: 0)) }
    // Behind the first node that is too far all are.
    while let next = queue.popFirst(), next.leastMeters <= scan.limitMeters + Self.toleranceMeters {
      switch nodes[Int(next.node)].content {
      case .leaf(let leaf):
        scan.take(leaves[Int(leaf)])
      case .rightChild(let right):
        for child in [next.node + 1, right] {
          let least = leastMeters(from: position.vector, to: nodes[Int(child)].hull, rank)
          guard least <= scan.limitMeters + Self.toleranceMeters else { continue }
          queue.insert(Visit(leastMeters: least, node: child))
        }
      }
    }
    return scan.nearest(count)
  }

  private func leastMeters(
    from point: SIMD3<Double>, to hull: CircleHull, _ rank: NearestRank
  ) -> Double {
    let center = hull.centerBoundsMeters(from: point)
    return rank.boundsMeters(
      center: (center.least, center.greatest), radius: (hull.radiiMeters.x, hull.radiiMeters.y)
    ).least
  }

  /// The circles that contain a point or are within a distance of it, in no order.
  func circles(withinMeters meters: Double, of position: Position) -> [Neighbor] {
    var neighbors: [Neighbor] = []
    var waiting: [Int32] = nodes.isEmpty ? [] : [0]
    while let next = waiting.popLast() {
      let node = nodes[Int(next)]
      guard node.hull.mayReach(position.vector, withinMeters: meters, countsRadius: true) else {
        continue
      }
      switch node.content {
      case .leaf(let leaf):
        leaves[Int(leaf)].append(circlesWithinMeters: meters, of: position, to: &neighbors)
      case .rightChild(let right):
        waiting.append(next + 1)
        waiting.append(right)
      }
    }
    return neighbors
  }
}
