package import FencepostMonitoring
import FencepostGeodesy
package import FencepostPlaces

/// All places of a store in memory, in a tree that ranks them by distance.
///
/// Made once and shared, because an analysis has a verdict on every place for every track. About 120 bytes a
/// place, and the texts of long ids, titles and categories.
package struct StoryIndex: Sendable {
  /// What the alert policy needs of a place besides its story; many places have the same.
  private struct Terms: Hashable {
    var priority = 0
    var publishedMilliseconds: Int64?
    var expiresMilliseconds: Int64?
  }

  /// The places as a report names them, in the order of their ids.
  package let stories: [Story]
  /// Indices of the places, neighbours in space being neighbours here.
  let order: [Int32]
  private let tree: BallTree
  private let keys: [Int64]
  /// Indices of the places in the order of their keys.
  private let byKey: [Int32]
  /// The different terms, and for each story the index of its own.
  private let terms: [Terms]
  private let termNumbers: [Int32]

  /// Makes an index of places.
  ///
  /// - Complexity: O(n log n).
  package init(_ places: [Place]) {
    var collector = Collector(capacity: places.count)
    for place in places { collector.take(place) }
    collector.sort()
    self.init(collector)
  }

  /// Makes an index of all places of a store.
  ///
  /// - Throws: `PlaceStoreError`.
  package init(_ store: PlaceStore) throws(PlaceStoreError) {
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
    let balls = stories.map { Ball($0.circle) }
    order = BallTree.order(of: balls)
    tree = BallTree(order.map { balls[Int($0)] }, leafCount: 8)
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
  package var count: Int { stories.count }

  /// The place of a story, without its blurb and its address.
  package func place(of story: Int) -> Place {
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
  package var places: [Place] { stories.indices.map { place(of: $0) } }

  /// Index of a place by its key in the store; nil if the index lacks it.
  package func index(ofKey key: Int64) -> Int? {
    let found = byKey.partitioningIndex { keys[Int($0)] >= key }
    return found < byKey.count && keys[Int(byKey[found])] == key ? Int(byKey[found]) : nil
  }

  /// Index of a place by its id; nil if the index lacks it.
  package func index(ofID id: String) -> Int? {
    let found = stories.partitioningIndex { $0.id >= id }
    return found < stories.count && stories[found].id == id ? found : nil
  }

  /// The circle of a story.
  func circle(of story: Int) -> Circle { stories[story].circle }
}

extension Story {
  fileprivate var circle: Circle { Circle(center: coordinate, radiusMeters: radiusMeters) }
}

// MARK: - Ranks

extension StoryIndex {
  /// The rule's distance of a place from a position, in metres.
  func distanceMeters(
    of story: Int, from position: Position, by rank: MonitoringOptions.Rank
  ) -> Double {
    switch rank {
    case .center: circle(of: story).distanceMeters(from: position)
    case .edge: circle(of: story).edgeDistanceMeters(from: position)
    }
  }

  /// The rank of a place, from 1, by the rule's distance from a position; ties by id.
  ///
  /// - Complexity: O(log n) and what is about as near as the place itself.
  func rank(of story: Int, from position: Position, by rank: MonitoringOptions.Rank) -> Int {
    let distance = distanceMeters(of: story, from: position, by: rank)
    let nearer = tree.count { ball in
      let bounds = Self.bounds(of: ball, from: position, by: rank)
      if bounds.least > distance { return false }
      return bounds.greatest < distance ? true : nil
    } where: { item in
      // Places are in the order of their ids, so that an index decides a tie as the id does.
      let other = Int(order[item])
      return (distanceMeters(of: other, from: position, by: rank), other) < (distance, story)
    }
    return nearer + 1
  }

  /// What the rule's distance of the places in a ball can be, in metres.
  private static func bounds(
    of ball: Ball, from position: Position, by rank: MonitoringOptions.Rank
  ) -> (least: Double, greatest: Double) {
    let chord = ball.chordMeters(from: position)
    let near = max(0, chord - ball.radiusMeters)
    let far = Geodesic.greatestMeters(ofChord: chord + ball.radiusMeters)
    switch rank {
    case .center:
      return (near, far)
    case .edge:
      return (
        max(0, near - ball.greatestCircleMeters, ball.leastCircleMeters - far),
        max(far - ball.leastCircleMeters, ball.greatestCircleMeters - near)
      )
    }
  }
}
