public import FencepostGeodesy

/// A place found by a search: its circle and its distance.
///
/// Indices and stores return neighbors with the nearest first.
public struct Neighbor: Hashable, Sendable {
  /// The store's key of the place.
  public let key: Int64
  /// The circle around the place.
  public let circle: Circle
  /// The geodesic distance from the center in meters.
  public let centerDistanceMeters: Double
  /// The distance that it was ranked by in meters; see ``NearestRank``.
  public let rankDistanceMeters: Double

  /// Creates a neighbor.
  package init(
    key: Int64, circle: Circle, centerDistanceMeters: Double, rankDistanceMeters: Double
  ) {
    self.key = key
    self.circle = circle
    self.centerDistanceMeters = centerDistanceMeters
    self.rankDistanceMeters = rankDistanceMeters
  }

  /// Creates a neighbor and measures its distances from a position.
  package init(key: Int64, circle: Circle, from position: Position, rank: NearestRank) {
    let distance = circle.distanceMeters(from: position)
    self.init(
      key: key, circle: circle, centerDistanceMeters: distance,
      rankDistanceMeters: rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters))
  }
}

extension [Neighbor] {
  /// Sorts neighbors by rank distance, then by place id, and keeps the first `count`.
  ///
  /// `id` is called only for equal distances, and its error is rethrown.
  package mutating func sort<Failure: Error>(
    keeping count: Int, id: (Int64) throws(Failure) -> String
  ) throws(Failure) {
    if self.count > count {
      let most = rankDistanceMeters(ofNearest: count)
      removeAll { $0.rankDistanceMeters > most }
    }
    sort { $0.rankDistanceMeters < $1.rankDistanceMeters }
    var start = 0
    while start < Swift.min(count, self.count) {
      let distance = self[start].rankDistanceMeters
      var end = start + 1
      while end < self.count, self[end].rankDistanceMeters == distance { end += 1 }
      if end - start > 1 { try sortTie(start..<end, id: id) }
      start = end
    }
    if self.count > count { removeLast(self.count - count) }
  }

  /// The rank distance in meters within which there are so many neighbors, or a few more.
  private func rankDistanceMeters(ofNearest count: Int) -> Double {
    // Negative distances, so that the farthest of the nearest comes first.
    var nearest = Heap<Double>()
    for neighbor in self {
      let nearness = -neighbor.rankDistanceMeters
      if nearest.count < count {
        nearest.insert(nearness)
      } else if let least = nearest.first, nearness > least {
        nearest.replaceFirst(with: nearness)
      }
    }
    return nearest.first.map { -$0 } ?? .infinity
  }

  private mutating func sortTie<Failure: Error>(
    _ tie: Range<Int>, id: (Int64) throws(Failure) -> String
  ) throws(Failure) {
    var named: [(id: String, neighbor: Neighbor)] = []
    for neighbor in self[tie] { named.append((try id(neighbor.key), neighbor)) }
    named.sort { $0.id < $1.id }
    replaceSubrange(tie, with: named.map { $0.neighbor })
  }
}
