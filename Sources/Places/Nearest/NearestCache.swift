public import Geodesy

/// Answers a reader's questions from what it fetched before, as long as that is provably exact.
///
/// A fetch takes more places than were asked for: all whose rank distance from the fetch's point p
/// is at most some radius. Rank distances change no faster than the point moves, so that at a point
/// q a place that was not fetched is farther than that radius less |pq|; while the last of the
/// places asked for is nearer, none is missing. Answers are the reader's, to the last bit and in
/// the same order. Made for points that follow a path; not for two threads at once.
public final class NearestCache {
  /// The reader that is asked for what is not at hand.
  public let reader: PlaceReader
  /// How often the store was asked so far.
  public private(set) var fetchCount = 0

  private var nearest = Fetch()
  private var nearestRank: Rank?
  private var nearestCount = 0
  private var reaching = Fetch()
  private var ids: [Int64: String] = [:]
  private var least: [Double] = []
  private var bounds = LeastBounds()

  /// How much farther than asked a fetch goes.
  ///
  /// Measured along a drive of 22,000 km through a
  /// million places: more makes the choice among what was fetched dearer than fetching less often.
  private static let reach = ReachWalk.Reach(factor: 1.5, additionMeters: 600)
  /// How much farther than asked the circles within a distance are fetched, in metres.
  private static let circleMarginMeters = 1000.0
  /// More than the rounding of distances amounts to, in metres.
  private static let toleranceMeters = 0.01

  /// What one fetch brought.
  private struct Fetch {
    var position: Position?
    var neighbors: [Neighbor] = []
    /// Of each of them the centre's vector and the radius, close together in memory.
    var spheres: [SIMD4<Double>] = []
    /// Every place up to this distance from `position` is among them, in metres.
    var coveredMeters = 0.0

    init() {}

    init(from position: Position, _ neighbors: [Neighbor], coveredMeters: Double) {
      self.position = position
      self.neighbors = neighbors
      self.coveredMeters = coveredMeters
      spheres = neighbors.map { neighbor in
        SIMD4(neighbor.circle.center.vector, neighbor.circle.radiusMeters)
      }
    }
  }

  /// Makes an empty cache before a reader.
  public init(_ reader: PlaceReader) {
    self.reader = reader
  }

  /// As ``PlaceReader/nearest(to:count:rank:)``.
  ///
  /// - Complexity: one to two microseconds while nothing is fetched, in a city.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: Rank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    let position = Position(coordinate)
    if nearestRank == rank, nearestCount == count,
      let answer = try answer(position, count: count, rank: rank)
    {
      return answer
    }
    try fetch(position, count: count, rank: rank)
    var neighbors = nearest.neighbors
    try NeighborOrder.sort(&neighbors, keeping: count, id: id(ofKey:))
    return neighbors
  }

  /// As ``PlaceReader/containing(_:)``.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func containing(_ coordinate: Coordinate) throws(PlaceStoreError) -> [Neighbor] {
    try circles(withinMeters: 0, of: coordinate)
  }

  /// As ``PlaceReader/circles(withinMeters:of:)``.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func circles(
    withinMeters meters: Double, of coordinate: Coordinate
  ) throws(PlaceStoreError) -> [Neighbor] {
    let position = Position(coordinate)
    let moved = reaching.position.map { Geodesic.distanceMeters($0, position) } ?? .infinity
    if moved + meters + NearestCache.toleranceMeters > reaching.coveredMeters {
      fetchCount += 1
      let covered = meters + NearestCache.circleMarginMeters
      reaching = Fetch(
        from: position, try reader.gather(from: position, withinMeters: covered),
        coveredMeters: covered)
    }
    var neighbors: [Neighbor] = []
    for candidate in reaching.neighbors {
      let chord = candidate.circle.center.vector - position.vector
      let limit = candidate.circle.radiusMeters + meters
      // No geodesic is shorter than its chord.
      guard (chord * chord).sum() <= limit * limit else { continue }
      let neighbor = candidate.seen(from: position, rank: .center)
      if neighbor.centerDistanceMeters - neighbor.circle.radiusMeters <= meters {
        neighbors.append(neighbor)
      }
    }
    try NeighborOrder.sort(&neighbors, keeping: .max, id: id(ofKey:))
    return neighbors
  }

  /// As ``PlaceReader/refreshSnapshot()``; what was fetched is forgotten where the store changed.
  ///
  /// - Throws: ``PlaceStoreError``.
  @discardableResult
  public func refreshSnapshot() throws(PlaceStoreError) -> Bool {
    let hasChanged = try reader.refreshSnapshot()
    if hasChanged { forget() }
    return hasChanged
  }

  /// Forgets what was fetched.
  public func forget() {
    nearest = Fetch()
    reaching = Fetch()
    nearestRank = nil
    ids.removeAll()
  }

  private func fetch(
    _ position: Position, count: Int, rank: Rank
  ) throws(PlaceStoreError) {
    fetchCount += 1
    nearestRank = nil
    let neighbors = try reader.gather(
      from: position, count: count, rank: rank, reach: NearestCache.reach)
    bounds.reset(capacity: count)
    for neighbor in neighbors { bounds.insert(neighbor.rankDistanceMeters) }
    // With fewer than asked for it is infinite, and so they are all there are.
    let covered = NearestCache.reach.meters(bounds.greatest)
    nearest = Fetch(
      from: position, neighbors.filter { $0.rankDistanceMeters <= covered },
      coveredMeters: covered)
    nearestRank = rank
    nearestCount = count
  }

  /// The answer from what is at hand, or nil where that may not be the whole of it.
  private func answer(
    _ position: Position, count: Int, rank: Rank
  ) throws(PlaceStoreError) -> [Neighbor]? {
    guard let origin = nearest.position else { return nil }
    let room =
      nearest.coveredMeters - Geodesic.distanceMeters(origin, position)
      - NearestCache.toleranceMeters
    guard room > 0 else { return nil }
    boundCandidates(from: position, count: count, rank: rank)
    let limit = bounds.greatest
    var neighbors: [Neighbor] = []
    for index in least.indices where least[index] <= limit {
      neighbors.append(nearest.neighbors[index].seen(from: position, rank: rank))
    }
    try NeighborOrder.sort(&neighbors, keeping: count, id: id(ofKey:))
    if nearest.coveredMeters == .infinity { return neighbors }
    guard let last = neighbors.last, neighbors.count == count, last.rankDistanceMeters <= room
    else { return nil }
    return neighbors
  }

  /// Fills `least` with a lower bound for each place at hand and `bounds` with the upper ones.
  private func boundCandidates(from position: Position, count: Int, rank: Rank) {
    // In locals, because a class's properties are checked for exclusive access each time.
    var least = self.least
    self.least = []
    var bounds = self.bounds
    self.bounds = LeastBounds()
    least.removeAll(keepingCapacity: true)
    bounds.reset(capacity: count)
    let spheres = nearest.spheres
    let here = SIMD4(position.vector, 0)
    for index in spheres.indices {
      let radius = spheres[index].w
      let difference = spheres[index] - here
      let square =
        difference.x * difference.x + difference.y * difference.y + difference.z * difference.z
      guard square < 3e6 * 3e6 else {
        let distance = nearest.neighbors[index].circle.distanceMeters(from: position)
        let exact = rank.distanceMeters(centerDistanceMeters: distance, radiusMeters: radius)
        least.append(exact)
        bounds.insert(exact)
        continue
      }
      // See Viewpoint.bounds(to:), of which this is the coarser half.
      let near = square.squareRoot()
      let x = square * (1 / (4 * 6_335_439.0 * 6_335_439.0))
      let far = near * (1 + x / 6 + x * x / 12) + 1e-5
      switch rank {
      case .center:
        least.append(near)
        bounds.insert(far)
      case .edge(let margin):
        least.append(max(0, near - radius - margin, radius - far))
        bounds.insert(max(0, far - radius - margin, radius - near))
      }
    }
    self.least = least
    self.bounds = bounds
  }

  private func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    if let id = ids[key] { return id }
    let id = try reader.id(ofKey: key)
    // Ties are among few places at a time; along a long path they add up.
    if ids.count > 100_000 { ids.removeAll() }
    ids[key] = id
    return id
  }
}

extension Neighbor {
  /// The same place from another point.
  fileprivate func seen(from position: Position, rank: Rank) -> Neighbor {
    let distance = circle.distanceMeters(from: position)
    return Neighbor(
      key: key, circle: circle, centerDistanceMeters: distance,
      rankDistanceMeters: rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters))
  }
}
