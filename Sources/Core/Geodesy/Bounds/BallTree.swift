/// A ball in Earth-centered meters around a part of a path.
///
/// A search skips the whole part if the ball is out of reach.
@usableFromInline
package struct Ball: Sendable {
  /// The center, as a vector from the center of the Earth in meters.
  @usableFromInline package var center: SIMD3<Double>
  /// The radius in meters; −∞ for an empty ball.
  package var radiusMeters: Double

  static let empty = Ball(center: .zero, radiusMeters: -.infinity)

  /// Creates a ball around a point; a radius of −∞ makes it empty.
  package init(center: SIMD3<Double>, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Creates a ball around one or more vertices of a path and the geodesics between them.
  package init(around vertices: some Collection<SIMD3<Double>>, longestMeters: Double) {
    let (center, radius) = Self.hull(of: vertices.lazy.map { ($0, 0) })
    self.init(center: center, radiusMeters: radius + Self.strayMeters(longestMeters))
  }

  init(around balls: some Collection<Ball>) {
    let (center, radius) = Self.hull(of: balls.lazy.map { ($0.center, $0.radiusMeters) })
    // More than the rounding of positions.
    self.init(center: center, radiusMeters: radius + 1e-6)
  }

  /// Creates the smallest ball around two balls.
  init(of a: Ball, and b: Ball) {
    let (smaller, larger) = a.radiusMeters < b.radiusMeters ? (a, b) : (b, a)
    let apart = length(smaller.center - larger.center)
    self = larger
    if apart + smaller.radiusMeters > larger.radiusMeters {
      let radius = (apart + a.radiusMeters + b.radiusMeters) / 2
      center = a.center + (b.center - a.center) * ((radius - a.radiusMeters) / apart)
      radiusMeters = radius + 1e-6
    }
  }

  /// The straight line from a position to the center in meters.
  @inlinable
  package func chordMeters(from position: Position) -> Double {
    length(center - position.vector)
  }

  /// A lower bound of the geodesic distance from a place to anything in the ball, in meters.
  ///
  /// The chord to the ball gives one bound. The other, used within the limit, is the distance to
  /// the surface's point v beneath the center, less the longest geodesic from v into the ball.
  func leastMeters(from place: SIMD3<Double>, limitMeters: Double) -> Double {
    let least = Geodesic.leastMeters(ofChord: max(0, length(center - place) - radiusMeters))
    guard least < limitMeters, let surface = Ellipsoid.surface(along: center) else { return least }
    return max(
      least,
      Geodesic.boundsMeters(from: place, to: surface).least
        - Geodesic.greatestMeters(ofChord: radiusMeters + length(surface - center)))
  }

  /// A ball around spheres, centered on the bounding box of their centers.
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

  /// The most that a geodesic strays from its chord: L²/8r, as it curves by at most 1/r.
  package static func strayMeters(_ length: Double) -> Double {
    length * length / (8 * Ellipsoid.leastCurvatureRadiusMeters)
  }
}

/// A binary tree of balls around pieces of paths that lie close together.
///
/// The balls only prune. A search must compare exact distances to decide about an item.
@usableFromInline
package struct BallTree: Sendable {
  /// A node; the node of its first half comes next.
  @usableFromInline
  struct Node: Sendable {
    @usableFromInline var ball: Ball
    @usableFromInline var begin: Int32
    @usableFromInline var end: Int32
    /// The node of the second half; 0 for a leaf.
    @usableFromInline var second: Int32
  }

  @usableFromInline private(set) var nodes: [Node] = []
  private let leafCount: Int

  /// Creates the tree of items sorted by location, as along a path or in ``order(of:)``.
  ///
  /// An item's number is the index of its ball.
  ///
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
    let ball = isLeaf ? Self.leaf(items) : .empty
    nodes.append(
      Node(
        ball: ball, begin: Int32(items.startIndex), end: Int32(items.endIndex), second: 0))
    guard !isLeaf else { return ball }
    // The first half is full, so only the last leaf can have room left.
    var half = leafCount
    while 2 * half < items.count { half *= 2 }
    let first = build(items.prefix(half))
    nodes[number].second = Int32(nodes.count)
    nodes[number].ball = Ball(of: first, and: build(items.dropFirst(half)))
    return nodes[number].ball
  }

  private static func leaf(_ items: ArraySlice<Ball>) -> Ball {
    items.count == 1 ? items[items.startIndex] : Ball(around: items)
  }

  /// The indices of items, sorted so that close ones come together.
  ///
  /// - Complexity: O(n log n)
  package static func order(of items: [Ball]) -> [Int32] {
    var keys: [(code: UInt64, index: Int32)] = items.enumerated().map { index, ball in
      (mortonCode(ball.center), Int32(index))
    }
    keys.sort { ($0.code, $0.index) < ($1.code, $1.index) }
    return keys.map { $0.index }
  }

  /// The 60-bit position on the Z-order curve through a cube around the Earth.
  package static func mortonCode(_ point: SIMD3<Double>) -> UInt64 {
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

/// A search in a ``BallTree``, with its limit and its result.
///
/// ``BallTree/search(_:)`` calls it for each ball and item that may be within the limit. A search
/// that lowers its limit early looks at fewer items.
@usableFromInline
package protocol BallSearch {
  /// The distance in meters beyond which nothing matters.
  var limitMeters: Double { get }
  /// A lower bound of the distance to anything in a ball, in meters.
  func leastMeters(to ball: Ball) -> Double
  /// Examines an item, which may lower the limit.
  mutating func look(at item: Int)
}

extension BallTree {
  /// A ball around all items; nil for a tree without items.
  package var ball: Ball? { nodes.first?.ball }

  /// Examines all items that may be within the limit, taking the nearer half of each node first.
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
  /// Counts items, but examines only those that `settles` leaves open for their ball.
  ///
  /// - Parameters:
  ///   - settles: True if all items in a ball count, false if none do, nil if it cannot tell.
  ///   - counts: Whether an item counts, given by its number.
  /// - Returns: The number of items that count.
  @inlinable
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
      case nil:
        // Not as an array, which would be allocated.
        waiting.append(Int(node.second))
        waiting.append(number + 1)
      }
    }
    return count
  }
}
