import FencepostCSpatiaLite
public import FencepostGeodesy
public import FencepostMonitoring
import FencepostSQLite

extension PlaceReader {
  /// The places nearest to a point, exact on the ellipsoid.
  ///
  /// - Parameters:
  ///   - coordinate: A valid coordinate.
  ///   - count: The maximum number of places to return.
  ///   - rank: The distance to compare.
  /// - Returns: The nearest first, ties by id.
  /// - Complexity: O(log n + count) in practice.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: NearestRank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    try openSnapshot()
    let position = Position(coordinate)
    var neighbors = try likelyNearest(to: position, count: count, rank: rank)
    if neighbors.count < count {
      if let nearby, nearby.isWhole {
        neighbors = nearby.neighbors(of: position, by: rank, edgeWithinMeters: .infinity)
      } else {
        neighbors = try candidates(
          near: position, count: count, rank: rank, withinMeters: .infinity)
        if neighbors.count < count {
          nearby = NearbyCircles(
            center: position, reachMeters: .infinity, circles: neighbors.map { ($0.key, $0.circle) }
          )
        }
      }
    }
    try neighbors.sort(keeping: count, id: id(ofKey:))
    last = neighbors.count < count ? nil : neighbors.last.map { (position, $0.rankDistanceMeters) }
    return neighbors
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
  /// To find every circle that a segment can touch, ask for half its length around its middle.
  ///
  /// - Returns: The nearest center first, ties by id.
  package func circles(
    withinMeters meters: Double, of coordinate: Coordinate
  ) throws(PlaceStoreError) -> [Neighbor] {
    try openSnapshot()
    let position = Position(coordinate)
    var neighbors: [Neighbor] = []
    if let nearby, nearby.reaches(meters, from: position) {
      neighbors = nearby.neighbors(of: position, by: .center, edgeWithinMeters: meters)
    } else {
      try walk(from: position, by: nil, withinMeters: meters) { neighbor, _ in
        neighbors.append(neighbor)
        return true
      }
    }
    neighbors.removeAll { $0.centerDistanceMeters - $0.circle.radiusMeters > meters }
    try neighbors.sort(keeping: .max, id: id(ofKey:))
    return neighbors
  }

  package func regions(_ request: CandidateRequest) throws(PlaceStoreError) -> [Region] {
    let neighbors =
      switch request.question {
      case .nearest(let count, let rank):
        try nearest(to: request.coordinate, count: count, rank: rank)
      case .containing: try containing(request.coordinate)
      case .edges(let segment, let meters):
        try circles(
          withinMeters: meters + segment.lengthMeters, of: segment.start.coordinate)
      }
    return neighbors.map { Region(key: $0.key, circle: $0.circle) }
  }

  /// The rows that a ``NearestQuestion`` finds, roughly nearest first.
  static let nearSelect = """
    SELECT lon_min, lon_max, lat_min, lat_max, reach_min, reach_max, p.key, geometry, radius
    FROM places_reach AS r CROSS JOIN places AS p ON p.key = r.key
    WHERE r.key MATCH fencepost_near()
    """

  /// The places likely to be the nearest, in no order, or none.
  ///
  /// The last answer had enough places within its radius. There are as many within that radius
  /// plus the distance moved since.
  private func likelyNearest(
    to position: Position, count: Int, rank: NearestRank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard let last else { return [] }
    let movedMeters = Geodesic.distanceMeters(last.position, position)
    let likelyMeters = last.meters + movedMeters + 0.01
    let edgeMeters = likelyMeters + rank.marginMeters
    // Reading ten times as many circles as a query needs pays only if it saves later queries.
    if nearby?.reaches(edgeMeters, from: position) != true, movedMeters * 4 <= last.meters {
      nearby = try readNearby(position)
    }
    guard let nearby, nearby.reaches(edgeMeters, from: position) else {
      return try candidates(near: position, count: count, rank: rank, withinMeters: likelyMeters)
    }
    return nearby.neighbors(of: position, by: rank, edgeWithinMeters: edgeMeters)
      .filter { $0.rankDistanceMeters <= likelyMeters }
  }

  private func readNearby(_ position: Position) throws(PlaceStoreError) -> NearbyCircles {
    var circles: [(key: Int64, circle: Circle)] = []
    var reachMeters = Double.infinity
    try walk(from: position, by: nil, withinMeters: .infinity) { neighbor, leastMeters in
      guard circles.count < NearbyCircles.most else {
        reachMeters = leastMeters
        return false
      }
      circles.append((neighbor.key, neighbor.circle))
      return true
    }
    return NearbyCircles(center: position, reachMeters: reachMeters, circles: circles)
  }

  /// The nearest places within a distance, in no order, and perhaps some more.
  private func candidates(
    near position: Position, count: Int, rank: NearestRank, withinMeters limit: Double
  ) throws(PlaceStoreError) -> [Neighbor] {
    var neighbors: [Neighbor] = []
    var nearest: [Double] = []
    try walk(from: position, by: rank, withinMeters: limit) { neighbor, _ in
      let meters = neighbor.rankDistanceMeters
      guard meters <= question.limitMeters else { return true }
      neighbors.append(neighbor)
      // They come nearly in order.
      nearest.insert(meters, at: (nearest.lastIndex { $0 <= meters } ?? -1) + 1)
      if nearest.count > count { nearest.removeLast() }
      if nearest.count == count { question.limitMeters = nearest[count - 1] }
      return true
    }
    return neighbors
  }

  /// Walks the circle index from near to far, until `body` returns false or the rest is too far.
  ///
  /// `body` receives a place and a lower bound for the distance of this and all later places.
  /// Without a rank, distances are those to the circle, 0 inside.
  private func walk(
    from position: Position, by rank: NearestRank?, withinMeters meters: Double,
    _ body: (Neighbor, _ leastMeters: Double) -> Bool
  ) throws(PlaceStoreError) {
    (question.position, question.rank, question.limitMeters) = (position, rank, meters)
    defer { near.reset() }
    while try near.next() {
      let leastMeters = question.leastMeters { near.double(Int32($0)) }
      guard leastMeters <= question.limitMeters else { return }
      // An edit by another program may leave an invalid circle.
      guard let coordinate = near.withBlob(7, PointBlob.decode), coordinate.isValid,
        near.double(8) > 0, near.double(8) <= Circle.greatestRadiusMeters
      else { continue }
      let circle = Circle(center: Position(coordinate.canonical), radiusMeters: near.double(8))
      let neighbor = Neighbor(
        key: near.integer(6), circle: circle, from: position, rank: rank ?? .center)
      guard body(neighbor, leastMeters) else { return }
    }
  }
}

/// Ranks the nodes and places of the circle index for SQLite, which walks them from near to far.
///
/// The index stores 32-bit numbers, so it gives only bounds of distances.
final class NearestQuestion {
  fileprivate var position = Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
  /// The distance to compare; nil for the distance to the circle, 0 inside.
  fileprivate var rank: NearestRank?
  /// The greatest distance wanted, in meters.
  fileprivate(set) var limitMeters = Double.infinity

  /// Registers the question as `fencepost_near()`, which keeps it until the connection closes.
  init(_ database: Database) throws {
    // SQLite calls back only on the connection's thread, while the question that it holds lives.
    let walk = unsafe cspatialite_walk(
      least: { question, cell in
        // SQLite passes on the question, and the least and greatest value of three dimensions.
        guard let question = unsafe question, let cell = unsafe cell else { return .infinity }
        let asked = unsafe Unmanaged<NearestQuestion>.fromOpaque(question).takeUnretainedValue()
        let leastMeters = asked.leastMeters { unsafe cell[$0] }
        return leastMeters <= asked.limitMeters ? leastMeters : .infinity
      },
      release: { unsafe $0.map { unsafe Unmanaged<NearestQuestion>.fromOpaque($0).release() } },
      context: Unmanaged.passRetained(self).toOpaque())
    let code = unsafe cspatialite_define_walk(database.handle, "fencepost_near", walk)
    guard code == SQLITE_OK else { throw database.error(code) }
  }

  /// A lower bound for the distance of anything that a cell of the index can hold.
  @inline(__always)
  fileprivate func leastMeters(_ cell: (Int) -> Double) -> Double {
    let (near, far) = CoordinateBox(
      westDegrees: cell(0), southDegrees: cell(2), eastDegrees: cell(1), northDegrees: cell(3)
    ).boundsMeters(from: position)
    let unit = PlaceSchema.metersPerReachUnit
    let leastRadius = cell(4) * unit
    let greatestRadius = (cell(5) - PlaceSchema.reachThickness) * unit + 1e-6
    let reach = rank == .center ? 0 : greatestRadius + (rank?.marginMeters ?? 0)
    let outside = max(0, near - reach)
    guard rank != nil, rank != .center, leastRadius > near else { return outside }
    return max(outside, leastRadius - far)
  }
}

/// The circles near a point, kept so that the next queries along a path need not read the store.
///
/// No other circle comes closer to ``center`` than ``reachMeters``. So after moving by d meters, this
/// still has every circle within the reach minus d.
struct NearbyCircles {
  /// How many circles to read at once.
  static let most = 240

  let center: Position
  let reachMeters: Double
  let circles: [(key: Int64, circle: Circle)]
  var isWhole: Bool { reachMeters == .infinity }

  /// Whether this has all circles whose edge is within a distance of a position.
  func reaches(_ meters: Double, from position: Position) -> Bool {
    meters + Geodesic.distanceMeters(center, position) + Self.toleranceMeters <= reachMeters
  }

  /// The circles that contain a position or whose edge is within a distance, in no order.
  func neighbors(
    of position: Position, by rank: NearestRank, edgeWithinMeters meters: Double
  ) -> [Neighbor] {
    circles.compactMap { key, circle in
      let apart = circle.center.vector - position.vector
      let most = meters + circle.radiusMeters + Self.toleranceMeters
      // No geodesic is shorter than its chord, which is faster to compute.
      guard (apart * apart).sum() <= most * most else { return nil }
      return Neighbor(key: key, circle: circle, from: position, rank: rank)
    }
  }

  private static let toleranceMeters = 0.01
}
