public import FencepostGeodesy
public import FencepostMonitoring

extension PlaceReader {
  /// The places nearest to a point, exact on the ellipsoid.
  ///
  /// - Parameters:
  ///   - coordinate: A valid coordinate.
  ///   - count: The maximum number of places to return.
  ///   - rank: The distance to compare.
  /// - Returns: The nearest first, ties by id.
  /// - Complexity: O(log n + count) in practice, once the circles around are in memory.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: NearestRank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    let position = Position(coordinate)
    return try ask(at: position) { index, precedes in
      let neighbors = index.nearest(to: position, count: count, rank: rank, precedes: precedes)
      guard neighbors.count == count, let last = neighbors.last else {
        return (neighbors, .infinity)
      }
      return (neighbors, last.rankDistanceMeters + rank.greatestReachMeters)
    }
  }

  /// The places whose circles contain a point.
  ///
  /// - Returns: The nearest center first, ties by id.
  /// - Throws: ``PlaceStoreError``.
  public func containing(_ coordinate: Coordinate) throws(PlaceStoreError) -> [Neighbor] {
    try circles(withinMeters: 0, of: coordinate)
  }

  /// The places whose circles contain a point or are within a distance of it.
  ///
  /// - Returns: The nearest center first, ties by id.
  package func circles(
    withinMeters meters: Double, of coordinate: Coordinate
  ) throws(PlaceStoreError) -> [Neighbor] {
    let position = Position(coordinate)
    return try ask(at: position) { index, precedes in
      (
        index.within(meters: meters, of: position, precedes: precedes),
        meters + PlaceSchema.wideMeters
      )
    }
  }

  /// Answers an engine's request with the circles that it asks for.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func regions(_ request: CandidateRequest) throws(PlaceStoreError) -> [Region] {
    let position = Position(request.coordinate)
    return try ask(at: position) { index, precedes in
      let regions = index.regions(request, precedes: precedes)
      switch request.question {
      case .nearest(let count, let rank):
        guard count > 0 else { return (regions, 0) }
        guard regions.count == count, let last = regions.last else { return (regions, .infinity) }
        let neighbor = Neighbor(key: last.key, circle: last.circle, from: position, rank: rank)
        return (regions, neighbor.rankDistanceMeters + rank.greatestReachMeters)
      case .containing:
        return (regions, PlaceSchema.wideMeters)
      case .edges(let segment, let meters):
        let start = Geodesic.distanceMeters(position, segment.start)
        return (regions, start + segment.lengthMeters + meters + PlaceSchema.wideMeters)
      }
    }
  }

  /// Compares the ids of two keys.
  private typealias Precedes = (Int64, Int64) -> Bool

  /// Asks the neighborhood, and then wider ones until it reaches as far as the answer needs.
  ///
  /// `question` returns an answer and how far from the position the centers of narrow circles
  /// matter for it, in meters.
  private func ask<Answer>(
    at position: Position,
    _ question: (CircleIndex, Precedes) -> (answer: Answer, reachMeters: Double)
  ) throws(PlaceStoreError) -> Answer {
    try openSnapshot()
    var isLimited = true
    while true {
      if let neighborhood {
        var failure: PlaceStoreError?
        let (answer, reachMeters) = question(neighborhood.index) { one, other in
          do throws(PlaceStoreError) {
            return try knownID(ofKey: one) < knownID(ofKey: other)
          } catch {
            failure = error
            return one < other
          }
        }
        if let failure { throw failure }
        let clearanceMeters = neighborhood.clearanceMeters(at: position)
        if clearanceMeters == .infinity || reachMeters < clearanceMeters { return answer }
      }
      try readNeighborhood(around: position, isLimited: isLimited)
      isLimited = false
    }
  }

  /// Reads the circles around a position, four times as many as before.
  private func readNeighborhood(
    around position: Position, isLimited: Bool
  ) throws(PlaceStoreError) {
    let next = neighborhood.map { 4 * $0.index.count } ?? 0
    let count = max(StoreNeighborhood.leastCount, next)
    let storeCount = try self.count()
    // Its memory is freed before the next is read.
    neighborhood = nil
    neighborhood = try connection.run { database in
      try StoreNeighborhood(
        around: position,
        count: isLimited ? min(count, StoreNeighborhood.mostCount) : count, isLimited: isLimited,
        storeCount: storeCount, hasSpatialIndex: origin != nil, from: database)
    }
  }

  /// The id for a key, kept with the neighborhood, as places at one spot are compared again.
  private func knownID(ofKey key: Int64) throws(PlaceStoreError) -> String {
    if let id = neighborhood?.ids[key] { return id }
    let id = try id(ofKey: key)
    neighborhood?.ids[key] = id
    return id
  }
}

extension NearestRank {
  /// How much nearer a narrow circle can be by this rank than its center, in meters.
  fileprivate var greatestReachMeters: Double {
    self == .center ? 0 : marginMeters + PlaceSchema.wideMeters
  }
}
