public import FencepostGeodesy
public import FencepostMonitoring

/// Answers queries from places read before, as long as the answers are provably exact.
///
/// It keeps the nodes of the circle index, each read once, with the exact circles of their places,
/// and a list of the leaves about some point p: all that hold a circle whose edge is at most some
/// radius away. Distances change no faster than the point moves, so at a point q a place that is in
/// none of them is farther than that radius less |pq|; while the last of the places asked for is
/// nearer, none is missing. Answers are the reader's, to the last bit and in the same order.
///
/// For points that follow a path. Not thread-safe.
public final class NearestCache {
  /// The reader behind the cache.
  public let reader: PlaceReader
  /// How many queries so far had to read from the store.
  public private(set) var fetchCount = 0

  private let index: CircleIndex
  private var leafCache = LeafCache()
  private var version: Int64 = -1
  private var last: Answer?
  private var ids: [Int64: String] = [:]
  private var leaves: [(middleSquared: Double, leastMeters: Double, number: Int)] = []
  private var scan = NearestScan()

  /// More than all rounding of distances, in metres.
  static let toleranceMeters = 0.01
  /// How many ids are kept: ties are among few places at a time, but add up along a path.
  private static let greatestIDCount = 100_000

  /// The outcome of the last search for the nearest.
  private struct Answer {
    var position: Position
    var rank: NearestRank
    /// `count` places are within `meters`.
    var count: Int
    var meters: Double
  }

  /// Makes an empty cache before a reader.
  public init(_ reader: PlaceReader) {
    self.reader = reader
    index = reader.index
  }

  /// As ``PlaceReader/nearest(to:count:rank:)``.
  ///
  /// - Complexity: some five microseconds while nothing is read, in a city.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: NearestRank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    try forgetIfChanged()
    let position = Position(coordinate)
    let loaded = index.loadCount
    defer { if index.loadCount != loaded { fetchCount += 1 } }
    guard let limit = limitMeters(position, count: count, rank: rank) else {
      fetchCount += 1
      let neighbors = try reader.nearest(to: coordinate, count: count, rank: rank)
      remember(neighbors, position, count: count, rank: rank)
      return neighbors
    }
    if let neighbors = try answer(position, count: count, rank: rank, limitMeters: limit) {
      remember(neighbors, position, count: count, rank: rank)
      return neighbors
    }
    try survey(position, needMeters: limit, marginMeters: rank.marginMeters)
    let neighbors = try search(position, count: count, rank: rank, limitMeters: limit)
    remember(neighbors, position, count: count, rank: rank)
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
    try forgetIfChanged()
    let position = Position(coordinate)
    let loaded = index.loadCount
    defer { if index.loadCount != loaded { fetchCount += 1 } }
    if leafCache.roomMeters(at: position, marginMeters: 0) < meters {
      try survey(position, needMeters: meters, marginMeters: 0)
    }
    listLeaves(from: position, rank: .edge(exitMarginMeters: 0), limitMeters: meters, isDisc: true)
    var neighbors: [Neighbor] = []
    for (_, _, number) in leaves {
      guard let leaf = try leaf(number, from: position, withinMeters: meters, countsRadius: true)
      else { continue }
      leaf.append(circlesWithinMeters: meters, of: position, to: &neighbors)
    }
    try neighbors.sort(keeping: .max, id: id(ofKey:))
    return neighbors
  }

  /// As ``PlaceReader/refreshSnapshot()``; forgets what was read if the store has changed.
  ///
  /// - Throws: ``PlaceStoreError``.
  @discardableResult
  public func refreshSnapshot() throws(PlaceStoreError) -> Bool {
    let hasChanged = try reader.refreshSnapshot()
    if hasChanged { forget() }
    return hasChanged
  }

  /// Forgets what was read.
  public func forget() {
    index.forget()
    leafCache = LeafCache()
    last = nil
    ids.removeAll()
  }

  /// Forgets what was read from another state of the store, however the newer snapshot began.
  private func forgetIfChanged() throws(PlaceStoreError) {
    let current = try reader.snapshotVersion()
    guard current != version else { return }
    forget()
    version = current
  }
}

// MARK: Steps

extension NearestCache {
  /// Within which distance there are as many places as asked for, by the last answer, in metres; nil
  /// where that says nothing useful.
  private func limitMeters(_ position: Position, count: Int, rank: NearestRank) -> Double? {
    guard let last, last.rank == rank, last.count >= count else { return nil }
    let moved = Geodesic.distanceMeters(last.position, position)
    // After a jump the search in the store is better than one in so wide a circle.
    guard moved <= last.meters / 8 + 5_000 else { return nil }
    return last.meters + moved + NearestCache.toleranceMeters
  }

  private func remember(
    _ neighbors: [Neighbor], _ position: Position, count: Int, rank: NearestRank
  ) {
    let isAll = neighbors.count < count
    last = Answer(
      position: position, rank: rank, count: isAll ? .max : count,
      meters: isAll ? .infinity : neighbors.last?.rankDistanceMeters ?? .infinity)
  }

  /// Collects the leaves about a point, farther than needed, to serve the next points too.
  private func survey(
    _ position: Position, needMeters: Double, marginMeters: Double
  ) throws(PlaceStoreError) {
    var need = needMeters
    var margin = marginMeters
    // One list serves both kinds of queries.
    if let last, let limit = limitMeters(position, count: last.count, rank: last.rank) {
      need = max(need, limit)
      margin = max(margin, last.rank.marginMeters)
    }
    leafCache = LeafCache()
    if index.isFull { index.forget() }
    leafCache = try LeafCache(
      of: position, withinMeters: need + NearestCache.additionMeters(need),
      marginMeters: margin, in: index)
  }

  /// The distance beyond the needed one within which leaves are collected, in metres.
  ///
  /// Measured along a drive and a walk through a million places: less collects them more often,
  /// more makes every query look at more of them. Less is enough where places are dense.
  private static func additionMeters(_ need: Double) -> Double {
    min(20_000, max(1_000, min(8 * need, 4_000), need / 4))
  }

  /// The nearest places; nil if the cached leaves may lack some.
  private func answer(
    _ position: Position, count: Int, rank: NearestRank, limitMeters: Double
  ) throws(PlaceStoreError) -> [Neighbor]? {
    let room = leafCache.roomMeters(at: position, marginMeters: rank.marginMeters)
    guard room > 0 else { return nil }
    let neighbors = try search(position, count: count, rank: rank, limitMeters: limitMeters)
    if room == .infinity { return neighbors }
    guard neighbors.count == count, let last = neighbors.last, last.rankDistanceMeters <= room
    else { return nil }
    return neighbors
  }

  /// The nearest places of the cached leaves up to a limit.
  private func search(
    _ position: Position, count: Int, rank: NearestRank, limitMeters: Double
  ) throws(PlaceStoreError) -> [Neighbor] {
    listLeaves(from: position, rank: rank, limitMeters: limitMeters, isDisc: false)
    // If circles are large, many leaves may contain the point. The nearest leaves lower the limit,
    // so that fewer of the others are searched.
    leaves.sort { $0.middleSquared < $1.middleSquared }
    var scan = NearestScan()
    swap(&scan, &self.scan)
    defer { swap(&scan, &self.scan) }
    scan.begin(from: position, count: count, rank: rank, limitMeters: limitMeters)
    for (_, least, number) in leaves where least <= scan.limitMeters {
      let leaf = try leaf(
        number, from: position, withinMeters: scan.limitMeters + rank.marginMeters,
        countsRadius: rank != .center)
      if let leaf { scan.take(leaf) }
    }
    var neighbors = scan.nearest(count)
    try neighbors.sort(keeping: count, id: id(ofKey:))
    return neighbors
  }

  /// Lists the cached leaves that may hold a place up to a limit.
  private func listLeaves(
    from position: Position, rank: NearestRank, limitMeters: Double, isDisc: Bool
  ) {
    let point = position.vector
    let hulls = leafCache.hulls
    var leaves = self.leaves
    self.leaves = []
    leaves.removeAll(keepingCapacity: true)
    let limit = limitMeters + NearestCache.toleranceMeters
    let countsRadius = isDisc || rank != .center
    for number in hulls.indices {
      let hull = hulls[number]
      guard
        hull.mayReach(
          point, withinMeters: limit + rank.marginMeters, countsRadius: countsRadius)
      else { continue }
      let center = hull.centerBoundsMeters(from: point)
      let least =
        isDisc
        ? center.least - hull.radiiMeters.y
        : rank.boundsMeters(
          center: (center.least, center.greatest),
          radius: (hull.radiiMeters.x, hull.radiiMeters.y)
        ).least
      if least <= limit { leaves.append((hull.middleSquared(from: point), least, number)) }
    }
    self.leaves = leaves
  }

  private func leaf(
    _ number: Int, from position: Position, withinMeters meters: Double, countsRadius: Bool
  ) throws(PlaceStoreError) -> CircleLeaf? {
    try leafCache.leaf(
      number, from: QueryPoint(position), withinMeters: meters + NearestCache.toleranceMeters,
      countsRadius: countsRadius, in: index)
  }

  private func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    if let id = ids[key] { return id }
    let id = try index.table.id(ofKey: key)
    if ids.count > NearestCache.greatestIDCount { ids.removeAll() }
    ids[key] = id
    return id
  }
}
