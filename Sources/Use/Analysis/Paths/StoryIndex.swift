package import FencepostMonitoring
import FencepostGeodesy
import FencepostTime

/// All places of a store in memory, in a tree that ranks them by distance.
///
/// Built once and shared by all tracks. Takes about 180 bytes per place, plus long texts.
package struct StoryIndex: Sendable {
  /// What the alert policy needs besides the story; many places share the same values.
  struct Terms: Hashable {
    let priority: Int
    let (publishedMilliseconds, expiresMilliseconds): (Int64?, Int64?)

    init(_ place: Place) {
      priority = place.priority
      publishedMilliseconds = place.publishedMilliseconds
      expiresMilliseconds = place.expiresMilliseconds
    }
  }

  /// The stories, ascending by id.
  package private(set) var stories: EditedArray<Story>
  /// The circles of the stories, whose keys are the stories' indices plus 1.
  private var circles: CircleIndex
  private let keys: [Int64]
  /// Indices of the stories, ascending by key.
  private let byKey: [Int32]
  /// The distinct terms; `termNumbers` has an index for each story.
  private var terms: [Terms]
  private var termNumbers: [Int32]

  /// Indexes n places in O(n log n).
  package init(_ places: [Place]) {
    var collector = Collector(capacity: places.count)
    for place in places { collector.take(place) }
    collector.sort()
    self.init(collector)
  }

  /// Takes over the order of an index of places, in O(n).
  package init(_ index: PlaceIndex) {
    var collector = Collector(capacity: index.places.count)
    for place in index.places { collector.take(place) }
    keys = collector.keys
    (stories, terms) = (EditedArray(collector.stories), collector.terms)
    termNumbers = collector.termNumbers
    byKey = index.places.indices.map { Int32($0) }
    circles = index.circles
  }

  /// Takes over the stories of an earlier index, some of whose places `index` has replaced.
  ///
  /// - Complexity: O(1) for each changed place.
  init(_ earlier: StoryIndex, _ index: PlaceIndex, replacing changed: [Place]) {
    self = earlier
    circles = index.circles
    for place in changed.compactMap({ index.place(withID: $0.id) }) {
      let number = Int(place.key) - 1
      stories[number] = Story(place)
      let own = Terms(place)
      if terms[Int(termNumbers[number])] != own {
        termNumbers[number] = Int32(terms.count)
        terms.append(own)
      }
    }
  }

  /// Gathers places for an index, with their distinct terms.
  struct Collector {
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
      termNumbers.append(number(of: Terms(place)))
      keys.append(place.key)
      stories.append(Story(place))
    }

    private mutating func number(of own: Terms) -> Int32 {
      if let number = known[own] { return number }
      let number = Int32(terms.count)
      terms.append(own)
      known[own] = number
      return number
    }

    /// Sorts by id in place, because a copy of a million stories would take 90 MB.
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

  init(_ read: Collector) {
    let keys = read.keys
    self.keys = keys
    stories = EditedArray(read.stories)
    (terms, termNumbers) = (read.terms, read.termNumbers)
    byKey = keys.indices.map { Int32($0) }.sorted { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    circles = CircleIndex(
      read.stories.enumerated().map { number, story in
        IndexedCircle(
          coordinate: story.coordinate, radiusMeters: story.radiusMeters, key: Int64(number) + 1)
      })
  }

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
    return keys.map { $0.index }
  }

  /// Returns the first eight bytes as a number, which compares faster than text.
  ///
  /// Nil if the text is not ASCII and could therefore be ordered differently.
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

  /// The number of stories.
  package var count: Int { stories.count }

  /// Indices of the stories, with neighbors in space next to each other; O(n).
  var order: [Int32] { (0..<circles.count).map { Int32(circles.key(of: $0) - 1) } }

  /// Returns a place without its blurb and address.
  package func place(of story: Int) -> Place {
    let own = terms[Int(termNumbers[story])]
    let story = (stories[story], keys[story])
    return Place(
      key: story.1, id: story.0.id, title: story.0.title, category: story.0.category,
      priority: own.priority, coordinate: story.0.coordinate, radiusMeters: story.0.radiusMeters,
      publishedMilliseconds: own.publishedMilliseconds,
      expiresMilliseconds: own.expiresMilliseconds)
  }

  /// The priorities of stories that have another one than 0.
  package var priorities: [Int: Int] {
    var priorities: [Int: Int] = [:]
    for (story, number) in termNumbers.enumerated() where terms[Int(number)].priority != 0 {
      priorities[story] = terms[Int(number)].priority
    }
    return priorities
  }

  /// The places, ascending by id, without blurbs and addresses.
  ///
  /// - Complexity: O(n). ``stories`` and ``place(of:)`` are O(1).
  package var places: [Place] { stories.indices.map { place(of: $0) } }

  /// The index of the story with a place's key in the store; nil for an unknown key.
  package func index(ofKey key: Int64) -> Int? {
    let found = byKey.partitioningIndex { keys[Int($0)] >= key }
    return found < byKey.count && keys[Int(byKey[found])] == key ? Int(byKey[found]) : nil
  }

  /// The place's key in its store.
  func key(of story: Int) -> Int64 { keys[story] }

  /// Answers an engine's request with the keys of the store; ties go by id.
  func regions(_ request: CandidateRequest) -> [Region] {
    // The numbers of the stories ascend with their ids.
    circles.regions(request, precedes: <).map { found in
      Region(key: keys[Int(found.key) - 1], circle: found.circle)
    }
  }

  /// The index of the story with an id; nil for an unknown id.
  package func index(ofID id: String) -> Int? {
    // A story that was replaced kept its id.
    let found = stories.base.partitioningIndex { $0.id >= id }
    return found < stories.count && stories.base[found].id == id ? found : nil
  }

  func circle(of story: Int) -> Circle { stories[story].circle }
}

extension Story {
  fileprivate var circle: Circle { Circle(center: coordinate, radiusMeters: radiusMeters) }
}

// MARK: - Ranks

extension StoryIndex {
  /// Returns the distance between a place and a position by which the rule ranks, in meters.
  func distanceMeters(
    of story: Int, from position: Position, by rank: MonitoringOptions.Rank
  ) -> Double {
    switch rank {
    case .center: Geodesic.distanceMeters(Position(stories[story].coordinate), position)
    case .edge: circle(of: story).edgeDistanceMeters(from: position)
    }
  }

  /// Returns a place's rank by distance from a position, starting at 1; ties go by id.
  ///
  /// - Complexity: O(log n), plus the number of places about as near as this one.
  func rank(of story: Int, from position: Position, by rank: MonitoringOptions.Rank) -> Int {
    let distance = distanceMeters(of: story, from: position, by: rank)
    let nearer = circles.count(
      nearerThan: distance, to: position,
      rank: rank == .center ? .center : .edge(exitMarginMeters: 0)
    ) { key in
      // Stories are sorted by id, so comparing indices breaks ties by id.
      key <= Int64(story)
    }
    return nearer + 1
  }
}
