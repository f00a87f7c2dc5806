/// Many paths in one tree of spheres, which finds the path that is nearest to a place.
///
/// The answer is that of measuring every path by ``PathTree/distanceMeters(of:from:)``. Paths that cannot be the
/// nearest are passed over by the proved bounds of `PathTree`, so that a search grows with the logarithm of
/// the number of vertices and with the paths that are about equally near.
public struct PathForest: Sendable {
  /// The nearest path, and how near it is.
  public struct Nearest: Equatable, Sendable {
    /// The path's number.
    public var path: Int
    /// Its distance in millimetres, rounded.
    public var millimeters: Int

    /// Makes an answer of its parts.
    public init(path: Int, millimeters: Int) {
      self.path = path
      self.millimeters = millimeters
    }
  }

  /// A leaf of a path's tree.
  private struct Leaf {
    var path: Int32
    var stretch: Int32
    var part: PathTree.Part
  }

  /// A node; its left child follows it.
  private struct Node {
    var sphere: PathTree.Sphere
    /// The right child; 0 for a leaf.
    var right: Int32
    /// For a leaf its number.
    var leaf: Int32
  }

  private let paths: [[PathTree]]
  private var leaves: [Leaf] = []
  private var nodes: [Node] = []

  /// Above the millimetre to which a far distance is measured, in metres.
  private static let toleranceMeters = 0.002

  /// Plants paths, each in its stretches; a path's number is its place in the array.
  ///
  /// - Complexity: O(n log n) in the number of vertices.
  public init(_ paths: [[PathTree]]) {
    self.paths = paths
    for (path, stretches) in paths.enumerated() {
      for (stretch, tree) in stretches.enumerated() {
        for part in tree.leaves {
          leaves.append(Leaf(path: Int32(path), stretch: Int32(stretch), part: part))
        }
      }
    }
    guard !leaves.isEmpty else { return }
    nodes.reserveCapacity(2 * leaves.count)
    let spheres = leaves.map { sphere(of: $0) }
    var order = leaves.indices.map { Int32($0) }
    plant(&order, 0, order.count, spheres)
  }

  private func sphere(of leaf: Leaf) -> PathTree.Sphere {
    paths[Int(leaf.path)][Int(leaf.stretch)].sphere(of: leaf.part)
  }

  /// Adds the node of some leaves and those below it, halved along the longest side of their box.
  private mutating func plant(
    _ order: inout [Int32], _ begin: Int, _ end: Int, _ spheres: [PathTree.Sphere]
  ) {
    let node = nodes.count
    guard end - begin > 1 else {
      nodes.append(
        Node(sphere: spheres[Int(order[begin])], right: 0, leaf: order[begin]))
      return
    }
    nodes.append(Node(sphere: .empty, right: 0, leaf: 0))
    let axis = Self.longestAxis(order, begin, end, spheres)
    // A copy of the part: to sort a slice in place would copy the whole array.
    let part = order[begin..<end].map { (key: spheres[Int($0)].center[axis], leaf: $0) }
      .sorted { ($0.key, $0.leaf) < ($1.key, $1.leaf) }
    for (offset, member) in part.enumerated() { order[begin + offset] = member.leaf }
    let middle = (begin + end) / 2
    plant(&order, begin, middle, spheres)
    nodes[node].right = Int32(nodes.count)
    plant(&order, middle, end, spheres)
    nodes[node].sphere = PathTree.union(
      nodes[node + 1].sphere, nodes[Int(nodes[node].right)].sphere)
  }

  private static func longestAxis(
    _ order: [Int32], _ begin: Int, _ end: Int, _ spheres: [PathTree.Sphere]
  ) -> Int {
    var low = spheres[Int(order[begin])].center
    var high = low
    for index in begin..<end {
      low = pointwiseMin(low, spheres[Int(order[index])].center)
      high = pointwiseMax(high, spheres[Int(order[index])].center)
    }
    let sides = high - low
    return sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2
  }

  /// The path that is nearest to a place to the millimetre, of equally near ones that of the lowest number.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - limit: Only a path that is not farther than this is of interest, in millimetres; nil for any.
  ///   - guess: A path to try first.
  /// - Returns: The path; nil if no path is that near.
  public func nearest(
    to place: Position, withinMillimeters limit: Int? = nil, guess: Int? = nil
  ) -> Nearest? {
    guard !nodes.isEmpty else { return nil }
    var search = Search(self, place: place, limitMillimeters: limit)
    if let guess { search.measure(guess) }
    search.visit(0, leastMeters: 0)
    return search.found
  }

  /// One search for one place.
  private struct Search {
    let forest: PathForest
    let place: Position
    var found: Nearest?
    private var measured: [Int] = []
    /// What is farther is of no interest, in metres.
    private var limitMeters: Double

    init(_ forest: PathForest, place: Position, limitMillimeters: Int?) {
      self.forest = forest
      self.place = place
      limitMeters = limitMillimeters.map(Self.meters) ?? .infinity
    }

    private static func meters(_ millimeters: Int) -> Double {
      (Double(millimeters) + 0.5) / 1000 + PathForest.toleranceMeters
    }

    /// Measures a path and keeps it if it is nearer.
    mutating func measure(_ path: Int) {
      measured.append(path)
      let meters = PathTree.distanceMeters(of: forest.paths[path], from: place)
      guard meters < limitMeters else { return }
      let millimeters = Int((meters * 1000).rounded())
      if let found, (found.millimeters, found.path) < (millimeters, path) { return }
      found = Nearest(path: path, millimeters: millimeters)
      limitMeters = min(limitMeters, Self.meters(millimeters))
    }

    /// Searches a node, the nearer half first.
    mutating func visit(_ index: Int, leastMeters: Double) {
      guard leastMeters < limitMeters else { return }
      let node = forest.nodes[index]
      guard node.right > 0 else { return look(forest.leaves[Int(node.leaf)]) }
      let (left, right) = (index + 1, Int(node.right))
      let (leftLeast, rightLeast) = (least(left), least(right))
      if leftLeast <= rightLeast {
        visit(left, leastMeters: leftLeast)
        visit(right, leastMeters: rightLeast)
      } else {
        visit(right, leastMeters: rightLeast)
        visit(left, leastMeters: leftLeast)
      }
    }

    private func least(_ node: Int) -> Double {
      PathTree.leastMeters(
        from: place.vector, to: forest.nodes[node].sphere, limitMeters: limitMeters)
    }

    /// Measures the path of a leaf if any of its segments may be near enough.
    private mutating func look(_ leaf: Leaf) {
      let path = Int(leaf.path)
      guard !measured.contains(path) else { return }
      let tree = forest.paths[path][Int(leaf.stretch)]
      let limit = limitMeters
      let mayBeNear = tree.vertexIndices(of: leaf.part).contains { vertex in
        guard tree.lengths[vertex] > 0 else { return least(tree, vertex) < limit }
        return tree.leastMeters(from: place.vector, toSegment: vertex, limitMeters: limit) {
          least(tree, $0)
        } < limit
      }
      if mayBeNear { measure(path) }
    }

    private func least(_ tree: PathTree, _ vertex: Int) -> Double {
      let point = tree.vertices[vertex].position.vector
      let chord = point - place.vector
      // From here on the tighter bounds are worth their price.
      return dot(chord, chord) > 100_000 * 100_000
        ? Geodesic.sphereBoundsMeters(place.vector, point).least
        : Geodesic.boundsMeters(from: place.vector, to: point).least
    }
  }
}
