public import Geodesy
public import Places
public import Reporting

/// All places of a store in memory, in a tree that answers how many are how near.
///
/// Made once and shared: an analysis says something about every place on every track, so that all
/// of them are needed anyway. About 300 bytes a place.
public struct StoryIndex: Sendable {
  /// A sphere about a part of the places, in earth-centred metres.
  struct Node: Sendable {
    var center: SIMD3<Double>
    var radiusMeters: Double
    var leastCircleMeters: Double
    var greatestCircleMeters: Double
    /// The part of ``order`` that it holds.
    var begin: Int32
    var end: Int32
    /// Index of the second child, 0 for a leaf; the first one follows its parent.
    var second: Int32
  }

  /// The places, in the order of their ids.
  public let places: [Place]
  /// Their circles.
  public let circles: [Circle]
  let nodes: [Node]
  /// Indices of the places, neighbours in space being neighbours here.
  let order: [Int32]
  private let indices: [Int64: Int32]

  /// Takes the places of a store.
  ///
  /// - Complexity: O(n log n).
  public init(_ places: [Place]) {
    let sorted = places.sorted { $0.id < $1.id }
    let circles = sorted.map { Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters) }
    self.places = sorted
    self.circles = circles
    indices = Dictionary(
      sorted.enumerated().map { ($0.element.key, Int32($0.offset)) },
      uniquingKeysWith: { first, _ in first })
    var builder = StoryTreeBuilder(circles: circles)
    (nodes, order) = builder.build()
  }

  /// How many places there are.
  public var count: Int { places.count }

  /// Index of a place by its key in the store; nil when it was not there when the index was made.
  public func index(ofKey key: Int64) -> Int? {
    indices[key].map { Int($0) }
  }

  /// Index of a place by its id; nil where there is none.
  public func index(ofID id: String) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].id == id ? low : nil
  }

  /// The places as a report names them.
  public var stories: [Story] {
    places.map {
      Story(
        id: $0.id, title: $0.title, category: $0.category, coordinate: $0.coordinate,
        radiusMeters: $0.radiusMeters)
    }
  }
}

/// Divides places by the longest side of their box, again and again.
private struct StoryTreeBuilder {
  static let leafCount = 8

  let circles: [Circle]
  var order: [Int32]
  var nodes: [StoryIndex.Node] = []

  init(circles: [Circle]) {
    self.circles = circles
    order = circles.indices.map { Int32($0) }
  }

  mutating func build() -> ([StoryIndex.Node], [Int32]) {
    if !circles.isEmpty { divide(0, circles.count) }
    return (nodes, order)
  }

  private mutating func divide(_ begin: Int, _ end: Int) {
    let index = nodes.count
    let (node, axis) = bound(begin, end)
    nodes.append(node)
    guard end - begin > Self.leafCount else { return }
    order[begin..<end].sort {
      let a = circles[Int($0)].center.vector[axis]
      let b = circles[Int($1)].center.vector[axis]
      return (a, $0) < (b, $1)
    }
    let middle = (begin + end) / 2
    divide(begin, middle)
    nodes[index].second = Int32(nodes.count)
    divide(middle, end)
  }

  private func bound(_ begin: Int, _ end: Int) -> (StoryIndex.Node, axis: Int) {
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    var least = Double.infinity
    var greatest = 0.0
    for position in begin..<end {
      let circle = circles[Int(order[position])]
      low = pointwiseMin(low, circle.center.vector)
      high = pointwiseMax(high, circle.center.vector)
      least = min(least, circle.radiusMeters)
      greatest = max(greatest, circle.radiusMeters)
    }
    let center = (low + high) / 2
    var radius = 0.0
    for position in begin..<end {
      radius = max(radius, lengthMeters(circles[Int(order[position])].center.vector - center))
    }
    let sides = high - low
    let axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2
    let node = StoryIndex.Node(
      center: center, radiusMeters: radius, leastCircleMeters: least,
      greatestCircleMeters: greatest, begin: Int32(begin), end: Int32(end), second: 0)
    return (node, axis)
  }
}

/// The length of a vector in metres.
@inline(__always)
func lengthMeters(_ vector: SIMD3<Double>) -> Double {
  (vector * vector).sum().squareRoot()
}
