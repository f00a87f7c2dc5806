public import FencepostMonitoring
public import FencepostGeodesy
import FencepostPlaces

/// All places of a store in memory, in a tree that ranks them by distance.
///
/// Made once and shared, because an analysis has a verdict on every place for every track. About 370 bytes a
/// place.
public struct StoryIndex: Sendable {
  /// A sphere around some of the places, in earth-centred metres.
  struct Node: Sendable {
    var center: SIMD3<Double>
    var radiusMeters: Double
    var leastCircleMeters: Double
    var greatestCircleMeters: Double
    /// Its range of ``order``.
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
  /// The centres in that order.
  let centers: [Position]
  private let indices: [Int64: Int32]

  /// Makes an index of places.
  ///
  /// - Complexity: O(n log n).
  public init(_ places: [Place]) {
    let sorted = Self.sorted(places)
    let circles = sorted.map { Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters) }
    self.places = sorted
    self.circles = circles
    indices = Dictionary(
      sorted.enumerated().map { ($0.element.key, Int32($0.offset)) },
      uniquingKeysWith: { first, _ in first })
    var builder = StoryTreeBuilder(circles: circles)
    (nodes, order) = builder.build()
    centers = order.map { circles[Int($0)].center }
  }

  /// The places in the order of their ids.
  private static func sorted(_ places: [Place]) -> [Place] {
    var keys: [(beginning: UInt64, index: Int)] = []
    keys.reserveCapacity(places.count)
    for (index, place) in places.enumerated() {
      guard let beginning = beginning(of: place.id) else { return places.sorted { $0.id < $1.id } }
      keys.append((beginning, index))
    }
    keys.sort {
      $0.beginning != $1.beginning
        ? $0.beginning < $1.beginning : places[$0.index].id < places[$1.index].id
    }
    return keys.map { places[$0.index] }
  }

  /// The first eight bytes as a number, which compares faster than the text; nil if other letters than ASCII
  /// might order differently.
  private static func beginning(of text: String) -> UInt64? {
    var number: UInt64 = 0
    var shift = 64
    for byte in text.utf8.prefix(9) {
      guard byte < 0x80 else { return nil }
      guard shift > 0 else { break }
      shift -= 8
      number |= UInt64(byte) << UInt64(shift)
    }
    return number
  }

  /// How many places there are.
  public var count: Int { places.count }

  /// Index of a place by its key in the store; nil if the index lacks it.
  public func index(ofKey key: Int64) -> Int? {
    indices[key].map { Int($0) }
  }

  /// Index of a place by its id; nil if the index lacks it.
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

/// Builds the tree by halving boxes along their longest side.
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
    let middle = (begin + end) / 2
    select(middle, in: begin..<end, by: axis)
    divide(begin, middle)
    nodes[index].second = Int32(nodes.count)
    divide(middle, end)
  }

  /// Partially sorts a range along an axis so that the place at `middle` is where a full sort would put it:
  /// Hoare's selection, O(n).
  private mutating func select(_ middle: Int, in range: Range<Int>, by axis: Int) {
    var low = range.lowerBound
    var high = range.upperBound - 1
    while low < high {
      let pivot = key(order[(low + high) / 2], axis)
      var left = low
      var right = high
      while left <= right {
        while key(order[left], axis) < pivot { left += 1 }
        while pivot < key(order[right], axis) { right -= 1 }
        if left <= right {
          order.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right { high = right } else if middle >= left { low = left } else { return }
    }
  }

  /// The order of a place along an axis, ties by index.
  @inline(__always)
  private func key(_ story: Int32, _ axis: Int) -> (Double, Int32) {
    (circles[Int(story)].center.vector[axis], story)
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
