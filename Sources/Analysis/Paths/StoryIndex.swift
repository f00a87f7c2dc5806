public import FencepostMonitoring
import FencepostGeodesy
public import FencepostPlaces

/// All places of a store in memory, in a tree that ranks them by distance.
///
/// Made once and shared, because an analysis has a verdict on every place for every track. About 110 bytes a
/// place, and the texts of long ids, titles and categories.
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

  /// What the alert policy needs of a place besides its story; many places have the same.
  private struct Terms: Hashable {
    var priority = 0
    var publishedMilliseconds: Int64?
    var expiresMilliseconds: Int64?
  }

  /// The places as a report names them, in the order of their ids.
  public let stories: [Story]
  let nodes: [Node]
  /// Indices of the places, neighbours in space being neighbours here.
  let order: [Int32]
  private let keys: [Int64]
  /// Indices of the places in the order of their keys.
  private let byKey: [Int32]
  /// The different terms, and for each story the index of its own.
  private let terms: [Terms]
  private let termNumbers: [Int32]

  /// Makes an index of places.
  ///
  /// - Complexity: O(n log n).
  public init(_ places: [Place]) {
    var collector = Collector(capacity: places.count)
    for place in places { collector.take(place) }
    collector.sort()
    self.init(collector)
  }

  /// Makes an index of all places of a store.
  ///
  /// - Throws: `PlaceStoreError`.
  public init(_ store: PlaceStore) throws(PlaceStoreError) {
    let reader = try store.makeReader()
    var collector = Collector(capacity: try reader.count())
    try reader.list { place in
      collector.take(place)
      return true
    }
    collector.sort()
    self.init(collector)
  }

  /// What is kept of places while they are read.
  private struct Collector {
    var stories: [Story] = []
    var keys: [Int64] = []
    var terms: [Terms] = []
    var termNumbers: [Int32] = []
    private var known: [Terms: Int32] = [:]

    init(capacity: Int) {
      stories.reserveCapacity(capacity)
      keys.reserveCapacity(capacity)
      termNumbers.reserveCapacity(capacity)
    }

    mutating func take(_ place: Place) {
      let own = Terms(
        priority: place.priority, publishedMilliseconds: place.publishedMilliseconds,
        expiresMilliseconds: place.expiresMilliseconds)
      termNumbers.append(number(of: own))
      keys.append(place.key)
      stories.append(
        Story(
          id: place.id, title: place.title, category: place.category, url: place.url,
          coordinate: place.coordinate, radiusMeters: place.radiusMeters))
    }

    private mutating func number(of own: Terms) -> Int32 {
      if let number = known[own] { return number }
      let number = Int32(terms.count)
      terms.append(own)
      known[own] = number
      return number
    }

    /// Sorts by id in place: a second list of a million stories would take 90 MB.
    mutating func sort() {
      var sources = StoryIndex.order(of: stories)
      for start in sources.indices {
        var hole = start
        while Int(sources[hole]) != start {
          let source = Int(sources[hole])
          stories.swapAt(hole, source)
          keys.swapAt(hole, source)
          termNumbers.swapAt(hole, source)
          sources[hole] = Int32(hole)
          hole = source
        }
        sources[hole] = Int32(hole)
      }
    }
  }

  private init(_ read: Collector) {
    let keys = read.keys
    self.keys = keys
    (stories, terms, termNumbers) = (read.stories, read.terms, read.termNumbers)
    byKey = keys.indices.map { Int32($0) }.sorted { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    var builder = StoryTreeBuilder(stories)
    (nodes, self.order) = builder.build()
  }

  /// The order of the stories by their ids.
  private static func order(of stories: [Story]) -> [Int32] {
    var keys: [(beginning: UInt64, index: Int32)] = []
    keys.reserveCapacity(stories.count)
    for (index, story) in stories.enumerated() {
      guard let beginning = beginning(of: story.id) else {
        return stories.indices.map { Int32($0) }
          .sorted { stories[Int($0)].id < stories[Int($1)].id }
      }
      keys.append((beginning, Int32(index)))
    }
    keys.sort {
      $0.beginning != $1.beginning
        ? $0.beginning < $1.beginning
        : stories[Int($0.index)].id < stories[Int($1.index)].id
    }
    return keys.map(\.index)
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
  public var count: Int { stories.count }

  /// The place of a story, without its blurb and its address.
  public func place(of story: Int) -> Place {
    let own = terms[Int(termNumbers[story])]
    let story = (stories[story], keys[story])
    return Place(
      key: story.1, id: story.0.id, title: story.0.title, category: story.0.category,
      priority: own.priority, coordinate: story.0.coordinate, radiusMeters: story.0.radiusMeters,
      publishedMilliseconds: own.publishedMilliseconds,
      expiresMilliseconds: own.expiresMilliseconds)
  }

  /// The places in the order of their ids, without their blurbs and addresses.
  ///
  /// - Complexity: O(n); ``stories`` and ``place(of:)`` are there at once.
  public var places: [Place] { stories.indices.map { place(of: $0) } }

  /// Index of a place by its key in the store; nil if the index lacks it.
  public func index(ofKey key: Int64) -> Int? {
    let found = Self.first(of: byKey.count) { keys[Int(byKey[$0])] >= key }
    return found < byKey.count && keys[Int(byKey[found])] == key ? Int(byKey[found]) : nil
  }

  /// Index of a place by its id; nil if the index lacks it.
  public func index(ofID id: String) -> Int? {
    let found = Self.first(of: stories.count) { stories[$0].id >= id }
    return found < stories.count && stories[found].id == id ? found : nil
  }

  /// The first of `count` numbers from which on a condition holds.
  private static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The circle of a story.
  func circle(of story: Int) -> Circle {
    Circle(center: stories[story].coordinate, radiusMeters: stories[story].radiusMeters)
  }
}

/// Builds the tree by halving boxes along their longest side.
private struct StoryTreeBuilder {
  static let leafCount = 8

  let stories: [Story]
  let centers: [SIMD3<Double>]
  var order: [Int32]
  var nodes: [StoryIndex.Node] = []

  init(_ stories: [Story]) {
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
