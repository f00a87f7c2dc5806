public import FencepostGeodesy

/// A place that a search found: its circle and how far it is.
public struct Neighbor: Hashable, Sendable {
  /// The place's key in the store.
  public let key: Int64
  /// The place's circle.
  public let circle: Circle
  /// The geodesic distance of its centre, in metres.
  public let centerDistanceMeters: Double
  /// The distance that it was ranked by, in metres; see ``NearestRank``.
  public let rankDistanceMeters: Double

  /// Makes a neighbour of its parts.
  public init(
    key: Int64, circle: Circle, centerDistanceMeters: Double, rankDistanceMeters: Double
  ) {
    self.key = key
    self.circle = circle
    self.centerDistanceMeters = centerDistanceMeters
    self.rankDistanceMeters = rankDistanceMeters
  }

  /// A place as seen from a point.
  package init(key: Int64, circle: Circle, from position: Position, rank: NearestRank) {
    let distance = circle.distanceMeters(from: position)
    self.init(
      key: key, circle: circle, centerDistanceMeters: distance,
      rankDistanceMeters: rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters))
  }
}

extension [Neighbor] {
  /// Puts neighbours in the order of an answer, by rank distance and then by place id, and keeps the
  /// first ones.
  ///
  /// - Parameters:
  ///   - count: How many to keep.
  ///   - id: Returns the id of a key; called only for equal distances.
  /// - Throws: What `id` throws.
  package mutating func sort<Failure: Error>(
    keeping count: Int, id: (Int64) throws(Failure) -> String
  ) throws(Failure) {
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

  private mutating func sortTie<Failure: Error>(
    _ tie: Range<Int>, id: (Int64) throws(Failure) -> String
  ) throws(Failure) {
    var named: [(id: String, neighbor: Neighbor)] = []
    for neighbor in self[tie] { named.append((try id(neighbor.key), neighbor)) }
    named.sort { $0.id < $1.id }
    replaceSubrange(tie, with: named.map(\.neighbor))
  }
}
