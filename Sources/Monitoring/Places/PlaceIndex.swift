public import FencepostGeodesy

/// Places in memory, for an app that has its stories as an array: the nearest, and those whose circles
/// contain a point, exact on the ellipsoid.
///
/// The answers are those of a store with the same places, to the last bit and in the same order. An index never
/// changes and may be shared between tasks; to add a place, make another.
///
/// A million places are indexed in about 0.8 s and take 140 MB besides the places themselves. The 20 nearest of
/// them, by centre or by edge, take 40 µs along a drive and 0.1 ms anywhere else, and those that contain a point
/// 20 to 60 µs (medians of `Benchmark index`, on one core of a busy cloud machine).
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
  private let tree: CircleTree

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
    tree = CircleTree(
      self.places.map { Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters) })
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
    var neighbors = tree.nearest(to: Position(coordinate), count: count, rank: rank)
    neighbors.sort(keeping: count, id: id(ofKey:))
    return neighbors
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
    var neighbors = tree.circles(withinMeters: meters, of: Position(coordinate))
    neighbors.sort(keeping: .max, id: id(ofKey:))
    return neighbors
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
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].id == id ? places[low].key : nil
  }

  private func id(ofKey key: Int64) -> String { places[Int(key) - 1].id }
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
    case .repeatedID: "\(place) has the id of an earlier place"
    case .coordinateOutOfRange: "\(place) is not on the globe; check its latitude and longitude"
    case .radiusOutOfRange: "\(place) has a radius that is not above 0 and at most 20,000,000 m"
    }
  }
}
