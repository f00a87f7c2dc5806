public import FencepostGeodesy

/// Places in memory, for an app that has its stories as an array: the nearest, and those whose circles
/// contain a point, exact on the ellipsoid.
///
/// The answers are those of a store with the same places, to the last bit and in the same order. An index never
/// changes and may be shared between tasks; to add a place, make another.
///
/// `Benchmark index` measures it with a million places.
///
/// ```swift
/// let index = try PlaceIndex(JSONDecoder().decode([Place].self, from: json))
/// let nearest = index.nearest(to: here, count: 20)
/// ```
public final class PlaceIndex: PlaceSource, Sendable {
  /// The places, by ascending id; the key of each is its position here, from 1.
  ///
  /// Their coordinates are `Coordinate.canonical`, as a store's are.
  public let places: [Place]
  /// The circles in the order of the tree.
  fileprivate let circles: [Circle]
  /// The indices of their places.
  fileprivate let order: [Int32]
  private let tree: BallTree

  /// Indexes places.
  ///
  /// - Parameter places: The places, in any order. Their keys are replaced.
  /// - Complexity: O(n log n).
  /// - Throws: ``PlaceIndexError`` for the first place that cannot be indexed.
  public init(_ places: [Place]) throws(PlaceIndexError) {
    for (index, place) in places.enumerated() {
      if let reason = Self.fault(of: place) {
        throw PlaceIndexError(index: index, id: place.id, reason: reason)
      }
    }
    let order = places.indices.sorted { places[$0].id < places[$1].id }
    for (one, next) in zip(order, order.dropFirst()) where places[one].id == places[next].id {
      throw PlaceIndexError(index: max(one, next), id: places[one].id, reason: .repeatedID)
    }
    self.places = order.enumerated().map { number, index in
      var place = places[index]
      place.key = Int64(number + 1)
      place.coordinate = place.coordinate.canonical
      return place
    }
    let unordered = self.places.map(\.circle)
    let balls = unordered.map(Ball.init)
    let treeOrder = BallTree.order(of: balls)
    self.order = treeOrder
    circles = treeOrder.map { unordered[Int($0)] }
    tree = BallTree(treeOrder.map { balls[Int($0)] }, leafCount: 16)
  }

  private static func fault(of place: Place) -> PlaceIndexError.Reason? {
    if place.id.isEmpty { return .emptyID }
    if !place.coordinate.isValid { return .coordinateOutOfRange }
    let isCircle = place.radiusMeters > 0 && place.radiusMeters <= Circle.greatestRadiusMeters
    return isCircle ? nil : .radiusOutOfRange
  }

  /// The places nearest to a point.
  ///
  /// - Parameters:
  ///   - coordinate: A valid coordinate.
  ///   - count: How many at most.
  ///   - rank: By which distance.
  /// - Returns: The nearest first, ties by id.
  /// - Complexity: O(log n + count) in practice.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: NearestRank = .center
  ) -> [Neighbor] {
    guard count > 0 else { return [] }
    var search = NearestSearch(
      index: self, position: Position(coordinate), count: min(count, places.count), rank: rank)
    tree.search(&search)
    search.keepNearest()
    return neighbors(search.found)
  }

  /// The places whose circles contain a point: those no farther than their radius.
  ///
  /// - Returns: The nearest centre first, ties by id.
  public func containing(_ coordinate: Coordinate) -> [Neighbor] {
    circles(withinMeters: 0, of: coordinate)
  }

  /// The places whose circles contain a point or are within a distance of it.
  ///
  /// - Parameters:
  ///   - meters: The greatest distance from the point to a circle's edge, at least 0.
  ///   - coordinate: A valid coordinate.
  /// - Returns: The nearest centre first, ties by id.
  public func circles(withinMeters meters: Double, of coordinate: Coordinate) -> [Neighbor] {
    var search = WithinSearch(
      index: self, position: Position(coordinate), limitMeters: meters)
    tree.search(&search)
    return neighbors(search.found)
  }

  private func neighbors(_ found: [Candidate]) -> [Neighbor] {
    found.sorted().map {
      Neighbor(
        key: Int64($0.place) + 1, circle: circles[$0.item], centerDistanceMeters: $0.centerMeters,
        rankDistanceMeters: $0.rankMeters)
    }
  }

  /// The place with an id, or nil.
  ///
  /// - Complexity: O(log n).
  public func place(withID id: String) -> Place? {
    key(forID: id).flatMap(place(forKey:))
  }

  /// The key of the place with an id, or nil.
  ///
  /// - Complexity: O(log n).
  public func key(forID id: String) -> Int64? {
    let index = places.partitioningIndex { $0.id >= id }
    return index < places.count && places[index].id == id ? places[index].key : nil
  }
}

// MARK: Searches

/// A place that may belong to an answer.
private struct Candidate: Comparable {
  var rankMeters: Double
  var centerMeters: Double
  /// The index of the place, which orders as its id does.
  var place: Int32
  /// The number of its circle in the tree.
  var item: Int

  static func < (one: Candidate, other: Candidate) -> Bool {
    (one.rankMeters, one.place) < (other.rankMeters, other.place)
  }
}

/// Looks for the places nearest to a point.
private struct NearestSearch: BallSearch {
  let index: PlaceIndex
  let position: Position
  let count: Int
  let rank: NearestRank
  var found: [Candidate] = []
  var limitMeters = Double.infinity

  func leastMeters(to ball: Ball) -> Double {
    let chord = ball.chordMeters(from: position)
    let least = Geodesic.leastMeters(ofChord: max(0, chord - ball.radiusMeters))
    guard case .edge(let margin) = rank else { return least }
    let greatest = Geodesic.greatestMeters(ofChord: chord + ball.radiusMeters)
    return max(
      0, least - ball.greatestCircleMeters - margin, ball.leastCircleMeters - greatest)
  }

  mutating func look(at item: Int) {
    let circle = index.circles[item]
    let edgeMeters = rank == .center ? 0 : circle.radiusMeters + rank.marginMeters
    guard circle.mayReach(position, withinMeters: limitMeters + edgeMeters) else { return }
    let center = circle.distanceMeters(from: position)
    let meters = rank.distanceMeters(
      centerDistanceMeters: center, radiusMeters: circle.radiusMeters)
    guard meters <= limitMeters else { return }
    found.append(
      Candidate(rankMeters: meters, centerMeters: center, place: index.order[item], item: item))
    if found.count >= 2 * count + 16 { keepNearest() }
  }

  /// Drops what is not among the nearest, which limits what follows.
  mutating func keepNearest() {
    guard found.count >= count else { return }
    found.sort()
    found.removeLast(found.count - count)
    limitMeters = found.last?.rankMeters ?? .infinity
  }
}

/// Looks for the circles that contain a point or are within a distance of it.
private struct WithinSearch: BallSearch {
  let index: PlaceIndex
  let position: Position
  let limitMeters: Double
  var found: [Candidate] = []

  func leastMeters(to ball: Ball) -> Double {
    ball.chordMeters(from: position) - ball.radiusMeters - ball.greatestCircleMeters
  }

  mutating func look(at item: Int) {
    let circle = index.circles[item]
    guard circle.mayReach(position, withinMeters: circle.radiusMeters + limitMeters) else { return }
    let center = circle.distanceMeters(from: position)
    guard center - circle.radiusMeters <= limitMeters else { return }
    found.append(
      Candidate(rankMeters: center, centerMeters: center, place: index.order[item], item: item))
  }
}

extension Circle {
  /// Whether the centre may be within a distance of a point: false proves that it is not, as no geodesic is
  /// shorter than its chord.
  fileprivate func mayReach(_ position: Position, withinMeters meters: Double) -> Bool {
    let apart = center.vector - position.vector
    let reach = meters + 1e-6
    return (apart * apart).sum() <= reach * reach
  }
}

// MARK: PlaceSource

extension PlaceIndex {
  /// Answers what an engine asks; it never fails.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    let neighbors =
      switch request.question {
      case .nearestCenters(let count):
        nearest(to: request.coordinate, count: count)
      case .nearestEdges(let count, let margin):
        nearest(to: request.coordinate, count: count, rank: .edge(exitMarginMeters: margin))
      case .containing:
        containing(request.coordinate)
      }
    return .found(neighbors.map { Region(key: $0.key, circle: $0.circle) })
  }

  /// The place with a key, or nil.
  public func place(forKey key: Int64) -> Place? {
    hasPlace(forKey: key) ? places[Int(key) - 1] : nil
  }

  /// Whether there is a place with a key.
  public func hasPlace(forKey key: Int64) -> Bool { key >= 1 && key <= places.count }

  /// How many places there are.
  public var placeCount: Int { places.count }

  /// Nil: nothing can fail.
  public var lastFailure: String? { nil }
}

/// Why places cannot be indexed.
public struct PlaceIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a place.
  public enum Reason: String, Hashable, Sendable {
    /// The id is empty.
    case emptyID
    /// An earlier place has the same id.
    case repeatedID
    /// The latitude or the longitude is out of range or not finite.
    case coordinateOutOfRange
    /// The radius is not above 0 and at most 20,000,000 m.
    case radiusOutOfRange
  }

  /// Which of the places, counted from 0.
  public let index: Int
  /// The place's id.
  public let id: String
  /// What is wrong with it.
  public let reason: Reason

  /// Makes an error of its parts.
  public init(index: Int, id: String, reason: Reason) {
    self.index = index
    self.id = id
    self.reason = reason
  }

  /// The error as one sentence without a full stop.
  public var description: String {
    let place = id.isEmpty ? "place \(index)" : "place \(index) (\(id))"
    return switch reason {
    case .emptyID: "\(place) has no id"
    case .repeatedID: "\(place) has the same id as an earlier place"
    case .coordinateOutOfRange: "\(place) is not on the globe; check its latitude and longitude"
    case .radiusOutOfRange: "\(place): the radius must be above 0 and at most 20,000,000 m"
    }
  }
}
