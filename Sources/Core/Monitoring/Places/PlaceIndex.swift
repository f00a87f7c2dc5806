public import FencepostGeodesy
import FencepostTime

/// An index of places in memory that finds the nearest, and those whose circles contain a point.
///
/// Answers are exact on the ellipsoid and the same as those of a store with these places, to the
/// last bit and in the same order. An index never changes and may be shared between tasks. To add a
/// place, create a new index. `Benchmark index` measures it with a million places.
///
/// ```swift
/// let index = try PlaceIndex(JSONDecoder().decode([Place].self, from: json))
/// let nearest = index.nearest(to: here, count: 20)
/// ```
public final class PlaceIndex: PlaceSource, Sendable {
  /// The places in ascending order of id; the key of each is its position here, from 1.
  ///
  /// Their coordinates are `Coordinate.canonical`, as in a store.
  public var places: [Place] { byKey.array }
  private let byKey: EditedArray<Place>
  /// The circles of the places, by the same keys.
  package let circles: CircleIndex

  /// Creates an index without places.
  public init() { (byKey, circles) = (EditedArray([]), CircleIndex([])) }

  /// Creates an index of places, whose keys are replaced.
  ///
  /// - Complexity: O(n log n).
  /// - Throws: ``PlaceIndexError`` for the first invalid place.
  public init(_ places: [Place]) throws(PlaceIndexError) {
    for (index, place) in places.enumerated() {
      if let reason = Self.fault(of: place) {
        throw PlaceIndexError(index: index, id: place.id, reason: reason)
      }
    }
    let ids = places.map { $0.id }
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    for (one, next) in zip(order, order.dropFirst()) where ids[one] == ids[next] {
      throw PlaceIndexError(index: max(one, next), id: ids[one], reason: .repeatedID)
    }
    let sorted = order.enumerated().map { Self.canonical(places[$1], key: Int64($0 + 1)) }
    byKey = EditedArray(sorted)
    circles = CircleIndex(sorted.map { $0.indexedCircle })
  }

  /// Creates an index of the places of an earlier one, some of which have changed.
  ///
  /// - Complexity: O(log n) for each changed place, and a copy of n circles.
  /// - Throws: ``PlaceIndexError`` for the first invalid place, or one that the earlier index lacks.
  package init(_ earlier: PlaceIndex, replacing changed: [Place]) throws(PlaceIndexError) {
    var (byKey, circles) = (earlier.byKey, earlier.circles)
    for (index, place) in changed.enumerated() {
      let key = earlier.key(forID: place.id)
      guard let key, Self.fault(of: place) == nil else {
        throw PlaceIndexError(index: index, id: place.id, reason: Self.fault(of: place) ?? .emptyID)
      }
      let number = Int(key) - 1
      byKey[number] = Self.canonical(place, key: key)
      guard let item = circles.item(forKey: key) else { continue }
      circles.replace(item: item, with: byKey[number].indexedCircle)
    }
    (self.byKey, self.circles) = (byKey, circles)
  }

  private static func canonical(_ place: Place, key: Int64) -> Place {
    var place = place
    place.key = key
    place.coordinate = place.coordinate.canonical
    return place
  }

  private static func fault(of place: Place) -> PlaceIndexError.Reason? {
    if place.id.isEmpty { return .emptyID }
    if !place.coordinate.isValid { return .coordinateOutOfRange }
    let isCircle = place.radiusMeters > 0 && place.radiusMeters <= Circle.greatestRadiusMeters
    return isCircle ? nil : .radiusOutOfRange
  }

  /// Finds the places nearest to a point.
  ///
  /// - Parameters:
  ///   - coordinate: A valid coordinate.
  ///   - count: The most places to find.
  ///   - rank: The distance that counts.
  /// - Returns: The places, nearest first, with ties in order of id.
  /// - Complexity: O(log n + count) in practice.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: NearestRank = .center
  ) -> [Neighbor] {
    // Keys ascend with ids.
    circles.nearest(to: Position(coordinate), count: count, rank: rank, precedes: <)
  }

  /// Finds the places whose circles contain a point, nearest center first, then in order of id.
  public func containing(_ coordinate: Coordinate) -> [Neighbor] {
    circles(withinMeters: 0, of: coordinate)
  }

  /// Finds the places whose circles contain a point or are within a distance of it.
  ///
  /// - Parameters:
  ///   - meters: The greatest distance from the point to a circle's edge, at least 0.
  ///   - coordinate: A valid coordinate.
  /// - Returns: The places, nearest center first, with ties in order of id.
  package func circles(withinMeters meters: Double, of coordinate: Coordinate) -> [Neighbor] {
    circles.within(meters: meters, of: Position(coordinate), precedes: <)
  }

  /// Finds the place with an id, or nil, in O(log n).
  public func place(withID id: String) -> Place? {
    key(forID: id).flatMap(place(forKey:))
  }

  /// Finds the key of the place with an id, or nil, in O(log n).
  public func key(forID id: String) -> Int64? {
    // A place that was replaced kept its id.
    let index = byKey.base.partitioningIndex { $0.id >= id }
    return index < byKey.count && byKey.base[index].id == id ? Int64(index + 1) : nil
  }
}

// MARK: PlaceSource

extension PlaceIndex {
  /// Answers an engine's request and never fails.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    .found(circles.regions(request, precedes: <))
  }

  /// The place with a key; nil for an unknown key.
  public func place(forKey key: Int64) -> Place? {
    hasPlace(forKey: key) ? byKey[Int(key) - 1] : nil
  }

  /// Whether there is a place with a key.
  public func hasPlace(forKey key: Int64) -> Bool { key >= 1 && key <= placeCount }

  /// The number of places.
  public var placeCount: Int { byKey.count }

  /// Always nil, because nothing can fail.
  public var lastFailure: String? { nil }
}

/// The reason why places cannot be indexed.
///
/// Creating an index throws it for the first such place, and no index is made.
public struct PlaceIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Reason: String, Hashable, Sendable {
    /// The id is empty.
    case emptyID
    /// An earlier place has the same id.
    case repeatedID
    /// The latitude or longitude is out of range or not finite.
    case coordinateOutOfRange
    /// The radius must be above 0 and at most 20,000,000 m.
    case radiusOutOfRange
  }

  /// The index of the place in the array.
  public let index: Int
  /// The id of the place.
  public let id: String
  /// The problem with the place.
  public let reason: Reason

  /// Creates an error.
  package init(index: Int, id: String, reason: Reason) {
    self.index = index
    self.id = id
    self.reason = reason
  }

  /// The error as a sentence without a period.
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
