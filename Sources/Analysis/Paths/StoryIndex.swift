import FencepostGeodesy
public import FencepostMonitoring
public import FencepostPlaces

/// All places of a store in memory, in a tree that ranks them by distance.
///
/// Made once and shared, because an analysis has a verdict on every place for every track. About 220 bytes a
/// place, and its long texts.
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

  /// The places in the order of their ids.
  public let stories: [Place]
  private let nodes: [Node]
  /// Indices of the places, neighbours in space being neighbours here.
  let order: [Int32]
  /// Indices of the places in the order of their keys.
  private let byKey: [Int32]

  /// Makes an index of places.
  ///
  /// - Complexity: O(n log n).
  public init(_ places: consuming [Place]) {
    places.sort { $0.id < $1.id }
    let stories = places
    self.stories = stories
    byKey = stories.indices.map { Int32($0) }
      .sorted { (stories[Int($0)].key, $0) < (stories[Int($1)].key, $1) }
    var builder = StoryTreeBuilder(stories)
    (nodes, order) = builder.build()
  }

  /// Makes an index of all places of a store, without their blurbs.
  ///
  /// - Throws: `PlaceStoreError`.
  public init(_ store: PlaceStore) throws(PlaceStoreError) {
    let reader = try store.makeReader()
    var places: [Place] = []
    places.reserveCapacity(try reader.count())
    try reader.list { place in
      var place = place
      place.blurb = ""
      places.append(place)
      return true
    }
    self.init(places)
  }

  /// How many places there are.
  public var count: Int { stories.count }

  /// The place of a story.
  public func place(of story: Int) -> Place { stories[story] }

  /// Index of a place by its key in the store; nil if the index lacks it.
  public func index(ofKey key: Int64) -> Int? {
    let found = byKey.partitioningIndex { stories[Int($0)].key >= key }
    guard found < byKey.count else { return nil }
    let story = Int(byKey[found])
    return stories[story].key == key ? story : nil
  }

  /// Index of a place by its id; nil if the index lacks it.
  public func index(ofID id: String) -> Int? {
    let found = stories.partitioningIndex { $0.id >= id }
    return found < stories.count && stories[found].id == id ? found : nil
  }

  /// The circle of a story.
  func circle(of story: Int) -> Circle {
    Circle(center: stories[story].coordinate, radiusMeters: stories[story].radiusMeters)
  }
}

extension Place {
  /// The title, or the id of a story without one.
  package var name: String { title.isEmpty ? id : title }
}

extension RandomAccessCollection {
  /// The first index from which on a condition holds, by halving; the end if it holds nowhere.
  func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (start, left) = (startIndex, count)
    while left > 0 {
      let half = left / 2
      let middle = index(start, offsetBy: half)
      if holds(self[middle]) {
        left = half
      } else {
        (start, left) = (index(after: middle), left - half - 1)
      }
    }
    return start
  }
}

/// Builds the tree by halving boxes along their longest side.
private struct StoryTreeBuilder {
  static let leafCount = 8

  let stories: [Place]
  let centers: [SIMD3<Double>]
  var order: [Int32]
  var nodes: [StoryIndex.Node] = []

  init(_ stories: [Place]) {
    self.stories = stories
    centers = stories.map { Position($0.coordinate).vector }
    order = stories.indices.map { Int32($0) }
  }

  mutating func build() -> ([StoryIndex.Node], [Int32]) {
    var leaves = 1
    while stories.count > leaves * Self.leafCount { leaves *= 2 }
    nodes.reserveCapacity(2 * leaves - 1)
    if !stories.isEmpty { divide(0, stories.count) }
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
    (centers[Int(story)][axis], story)
  }

  private func bound(_ begin: Int, _ end: Int) -> (StoryIndex.Node, axis: Int) {
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    var least = Double.infinity
    var greatest = 0.0
    for position in begin..<end {
      let (story, vector) = (Int(order[position]), centers[Int(order[position])])
      low = pointwiseMin(low, vector)
      high = pointwiseMax(high, vector)
      least = min(least, stories[story].radiusMeters)
      greatest = max(greatest, stories[story].radiusMeters)
    }
    let center = (low + high) / 2
    var radius = 0.0
    for position in begin..<end {
      radius = max(radius, lengthMeters(centers[Int(order[position])] - center))
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

extension StoryIndex {
  /// The rank of a place, from 1, by the rule's distance from a position; ties by id.
  ///
  /// - Complexity: O(log n) and what is about as near as the place itself.
  func rank(of story: Int, from position: Position, by rank: MonitoringOptions.Rank) -> Int {
    let distance = distanceMeters(of: story, from: position, by: rank)
    var nearer = 0
    var stack: [Int32] = nodes.isEmpty ? [] : [0]
    while let index = stack.popLast() {
      let node = nodes[Int(index)]
      let bounds = bounds(of: node, from: position, by: rank)
      if bounds.least > distance { continue }
      if bounds.greatest < distance {
        nearer += Int(node.end - node.begin)
      } else if node.second > 0 {
        stack.append(index + 1)
        stack.append(node.second)
      } else {
        nearer += nearerCount(in: node, than: distance, story, from: position, by: rank)
      }
    }
    return nearer + 1
  }

  /// The rule's distance of a place from a position, in metres.
  func distanceMeters(
    of story: Int, from position: Position, by rank: MonitoringOptions.Rank
  ) -> Double {
    switch rank {
    case .center: circle(of: story).distanceMeters(from: position)
    case .edge: circle(of: story).edgeDistanceMeters(from: position)
    }
  }

  private func nearerCount(
    in node: Node, than distance: Double, _ story: Int, from position: Position,
    by rank: MonitoringOptions.Rank
  ) -> Int {
    // Places are in the order of their ids, so that an index decides a tie as the id does.
    order[Int(node.begin)..<Int(node.end)].count {
      let other = Int($0)
      let otherDistance = distanceMeters(of: other, from: position, by: rank)
      return (otherDistance, other) < (distance, story)
    }
  }

  /// What the rule's distance of the places of a node can be, in metres.
  private func bounds(
    of node: Node, from position: Position, by rank: MonitoringOptions.Rank
  ) -> (least: Double, greatest: Double) {
    let chord = lengthMeters(node.center - position.vector)
    let near = max(0, chord - node.radiusMeters)
    let far = Geodesic.greatestMeters(ofChord: chord + node.radiusMeters)
    switch rank {
    case .center:
      return (near, far)
    case .edge:
      return (
        max(0, near - node.greatestCircleMeters, node.leastCircleMeters - far),
        max(far - node.leastCircleMeters, node.greatestCircleMeters - near)
      )
    }
  }
}
