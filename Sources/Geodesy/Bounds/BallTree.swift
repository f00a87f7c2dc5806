/// A ball in earth-centred metres about a part of a path, or about the centres of some circles.
package struct Ball: Sendable {
  /// The middle.
  package var center: SIMD3<Double>
  /// The radius in metres; −∞ for a ball that holds nothing.
  package var radiusMeters: Double
  /// The radius of the smallest circle, in metres; 0 for a path.
  package var leastCircleMeters = 0.0
  /// The radius of the largest circle, in metres; 0 for a path.
  package var greatestCircleMeters = 0.0

  /// A ball that holds nothing.
  static let empty = Ball(center: .zero, radiusMeters: -.infinity)

  /// Makes a ball about a part of a path.
  init(center: SIMD3<Double>, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Makes the ball of a circle: a point, its centre.
  package init(_ circle: Circle) {
    self.init(center: circle.center.vector, radiusMeters: 0)
    leastCircleMeters = circle.radiusMeters
    greatestCircleMeters = circle.radiusMeters
  }

  /// Makes a ball about a piece of a path, and about the geodesics between its vertices.
  ///
  /// - Parameters:
  ///   - vertices: The vertices' vectors, at least one.
  ///   - longestMeters: The length of the longest segment, in metres.
  package init(around vertices: some Collection<SIMD3<Double>>, longestMeters: Double) {
    let (center, radius) = Self.hull(of: vertices.lazy.map { ($0, 0) })
    self.init(center: center, radiusMeters: radius + Self.strayMeters(longestMeters))
  }

  /// Makes a ball about other balls, at least one.
  init(around balls: some Collection<Ball>) {
    let (center, radius) = Self.hull(of: balls.lazy.map { ($0.center, $0.radiusMeters) })
    // Above the rounding of positions.
    self.init(center: center, radiusMeters: radius + 1e-6)
    leastCircleMeters = balls.reduce(.infinity) { min($0, $1.leastCircleMeters) }
    greatestCircleMeters = balls.reduce(0) { max($0, $1.greatestCircleMeters) }
  }

  /// Makes the smallest ball about two others.
  init(of a: Ball, and b: Ball) {
    let (smaller, larger) = a.radiusMeters < b.radiusMeters ? (a, b) : (b, a)
    let apart = length(smaller.center - larger.center)
    self = larger
    if apart + smaller.radiusMeters > larger.radiusMeters {
      let radius = (apart + a.radiusMeters + b.radiusMeters) / 2
      center = a.center + (b.center - a.center) * ((radius - a.radiusMeters) / apart)
      radiusMeters = radius + 1e-6
    }
    leastCircleMeters = min(a.leastCircleMeters, b.leastCircleMeters)
    greatestCircleMeters = max(a.greatestCircleMeters, b.greatestCircleMeters)
  }

  /// The length of the straight line from a position to the middle, in metres.
  @inlinable
  package func chordMeters(from position: Position) -> Double {
    length(center - position.vector)
  }

  /// A distance that nothing in the ball is nearer to a place than by the geodesic, in metres.
  ///
  /// The chord to the ball gives one bound. The other is the distance of the surface's point v beneath
  /// its middle, less the geodesic that can lie between v and any point in the ball.
  ///
  /// - Parameters:
  ///   - place: The place as a vector from the Earth's centre.
  ///   - limitMeters: Beyond this distance the first bound, which is cheaper, will do.
  /// - Returns: The bound.
  func leastMeters(from place: SIMD3<Double>, limitMeters: Double) -> Double {
    let least = Geodesic.leastMeters(ofChord: max(0, length(center - place) - radiusMeters))
    guard least < limitMeters, let surface = Ellipsoid.surface(along: center) else { return least }
    return max(
      least,
      Geodesic.boundsMeters(from: place, to: surface).least
        - Geodesic.greatestMeters(ofChord: radiusMeters + length(surface - center)))
  }

  /// The middle of the box about some spheres' centres, and the radius of a ball about it that holds them.
  private static func hull(
    of spheres: some Collection<(SIMD3<Double>, Double)>
  ) -> (center: SIMD3<Double>, radiusMeters: Double) {
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    for (center, _) in spheres {
      low = pointwiseMin(low, center)
      high = pointwiseMax(high, center)
    }
    let middle = (low + high) / 2
    return (middle, spheres.reduce(0) { max($0, length($1.0 - middle) + $1.1) })
  }

  /// How far a geodesic can be from its chord, in metres: L²/8r, because it curves by at most 1/r,
  /// r being the least radius of curvature.
  static func strayMeters(_ length: Double) -> Double {
    length * length / (8 * Ellipsoid.leastCurvatureRadiusMeters)
  }
}

/// A binary tree of balls about items that lie close together: circles of places, or pieces of paths.
///
/// It knows balls alone. They bound and never decide: a search finds out from the exact distance whether an item
/// belongs to its answer.
package struct BallTree: Sendable {
  /// A node; its first half follows it.
  @usableFromInline
  struct Node: Sendable {
    @usableFromInline var ball: Ball
    /// The items, by number.
    @usableFromInline var begin: Int32
    @usableFromInline var end: Int32
    /// The node of the second half; 0 for a leaf.
    @usableFromInline var second: Int32
  }

  @usableFromInline private(set) var nodes: [Node] = []
  private let leafCount: Int

  /// Makes the tree of items whose neighbours in the array are neighbours in space, as along a path or in
  /// ``order(of:)``.
  ///
  /// - Parameters:
  ///   - items: A ball about each item. The item's number is its index.
  ///   - leafCount: How many items a leaf may have.
  /// - Complexity: O(n)
  package init(_ items: [Ball], leafCount: Int = 1) {
    self.leafCount = leafCount
    nodes.reserveCapacity(2 * items.count / leafCount + 1)
    if !items.isEmpty { build(items[...]) }
  }

  @discardableResult
  private mutating func build(_ items: ArraySlice<Ball>) -> Ball {
    let number = nodes.count
    let isLeaf = items.count <= leafCount
    let ball = !isLeaf ? .empty : items.count == 1 ? items[items.startIndex] : Ball(around: items)
    nodes.append(
      Node(
        ball: ball, begin: Int32(items.startIndex), end: Int32(items.endIndex), second: 0))
    guard !isLeaf else { return ball }
    // The first half is full, so that only the last leaf is not.
    var half = leafCount
    while 2 * half < items.count { half *= 2 }
    let first = build(items.prefix(half))
    nodes[number].second = Int32(nodes.count)
    nodes[number].ball = Ball(of: first, and: build(items.dropFirst(half)))
    return nodes[number].ball
  }

  /// The order that keeps neighbours in space together, and small circles apart from large ones.
  ///
  /// A large circle among small ones would make their common ball reach far.
  ///
  /// - Parameter items: A ball about each item.
  /// - Returns: The indices of the items.
  /// - Complexity: O(n log n)
  package static func order(of items: [Ball]) -> [Int32] {
    var keys: [(code: UInt64, index: Int32)] = items.enumerated().map { index, ball in
      // Each class of radii is four times as wide as the one before; 13 are the most there can be.
      let radiusClass = UInt64(max(0, ball.greatestCircleMeters.exponent / 2))
      return (radiusClass << 60 | mortonCode(ball.center), Int32(index))
    }
    keys.sort { ($0.code, $0.index) < ($1.code, $1.index) }
    return keys.map(\.index)
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
}

// MARK: - Searching

/// A search in a ``BallTree``: what is of interest, and what is found.
package protocol BallSearch {
  /// What is farther than this is of no interest, in metres.
  var limitMeters: Double { get }
  /// A distance that nothing in a ball is nearer than, in metres.
  func leastMeters(to ball: Ball) -> Double
  /// Looks at an item, which may lower the limit.
  mutating func look(at item: Int)
}

extension BallTree {
  /// The ball about all items; nil without any.
  package var ball: Ball? { nodes.first?.ball }

  /// Looks at all items that may be within the limit, the nearer half of each node first.
  @inlinable
  package func search(_ search: inout some BallSearch) {
    guard let root = nodes.first else { return }
    visit(0, search.leastMeters(to: root.ball), &search)
  }

  @inlinable
  func visit(_ number: Int, _ leastMeters: Double, _ search: inout some BallSearch) {
    guard leastMeters <= search.limitMeters else { return }
    let node = nodes[number]
    guard node.second > 0 else {
      for item in node.begin..<node.end { search.look(at: Int(item)) }
      return
    }
    let (first, second) = (number + 1, Int(node.second))
    let firstLeast = search.leastMeters(to: nodes[first].ball)
    let secondLeast = search.leastMeters(to: nodes[second].ball)
    if firstLeast <= secondLeast {
      visit(first, firstLeast, &search)
      visit(second, secondLeast, &search)
    } else {
      visit(second, secondLeast, &search)
      visit(first, firstLeast, &search)
    }
  }

  /// Counts items without looking at those whose ball settles the matter.
  ///
  /// - Parameters:
  ///   - settles: Whether all items in a ball count, or none; nil if each must be looked at.
  ///   - counts: Whether an item counts.
  /// - Returns: How many do.
  package func count(settles: (Ball) -> Bool?, where counts: (Int) -> Bool) -> Int {
    var count = 0
    var waiting = nodes.isEmpty ? [] : [0]
    while let number = waiting.popLast() {
      let node = nodes[number]
      switch settles(node.ball) {
      case false?: break
      case true?: count += Int(node.end - node.begin)
      case nil where node.second == 0:
        count += (Int(node.begin)..<Int(node.end)).count(where: counts)
      case nil: waiting += [number + 1, Int(node.second)]
      }
    }
    return count
  }
}
