public import Geodesy

/// Answers a reader's questions from the places it read before, as long as that is provably exact.
///
/// It keeps the nodes of the reach tree, each read once, with the exact circles of their places,
/// and a list of the leaves about some point p: all that hold a circle whose edge is at most some
/// radius away. Distances change no faster than the point moves, so that at a point q a place that
/// is in none of them is farther than that radius less |pq|; while the last of the places asked for
/// is nearer, none is missing. Answers are the reader's, to the last bit and in the same order.
/// Made for points that follow a path; not for two threads at once.
public final class NearestCache {
  /// The reader that is asked for what is not at hand.
  public let reader: PlaceReader
  /// How many questions so far made the store be asked.
  public private(set) var fetchCount = 0

  private let tree: ReachTree
  private var surroundings = Surroundings()
  private var version: Int64 = -1
  private var last: Answer?
  private var ids: [Int64: String] = [:]
  private var leaves: [(middleSquared: Double, leastMeters: Double, index: Int)] = []
  private var scan = NearestScan()

  /// More than the rounding of distances amounts to, in metres.
  static let toleranceMeters = 0.01
  /// How many ids are kept: ties are among few places at a time, but add up along a path.
  private static let greatestIDCount = 100_000

  /// What is remembered of the last answer about the nearest.
  private struct Answer {
    var position: Position
    var rank: Rank
    /// At how many places there are up to how many metres.
    var count: Int
    var meters: Double
  }

  /// Makes an empty cache before a reader.
  public init(_ reader: PlaceReader) {
    self.reader = reader
    tree = reader.tree
  }

  /// As ``PlaceReader/nearest(to:count:rank:)``.
  ///
  /// - Complexity: some five microseconds while nothing is read, in a city.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: Rank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    try forgetIfChanged()
    let position = Position(coordinate)
    let loaded = tree.loadCount
    defer { if tree.loadCount != loaded { fetchCount += 1 } }
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
    let loaded = tree.loadCount
    defer { if tree.loadCount != loaded { fetchCount += 1 } }
    if surroundings.roomMeters(at: position, marginMeters: 0) < meters {
      try survey(position, needMeters: meters, marginMeters: 0)
    }
    listLeaves(from: position, rank: .edge(exitMarginMeters: 0), limitMeters: meters, isDisc: true)
    var neighbors: [Neighbor] = []
    for (_, _, index) in leaves {
      guard let leaf = try leaf(index, from: position, withinMeters: meters, countsRadius: true)
      else { continue }
      for (number, block) in leaf.blocks.enumerated() {
        let reach = block.radiiMeters + meters
        // No geodesic is shorter than its chord.
        let isNear = block.chordsSquared(from: position.vector) .<= reach * reach
        guard any(isNear) else { continue }
        for place in 0..<CircleBlock.capacity where isNear[place] {
          let index = number * CircleBlock.capacity + place
          let neighbor = Neighbor(
            key: leaf.keys[index], circle: leaf.circles[index], from: position, rank: .center)
          if neighbor.centerDistanceMeters - neighbor.circle.radiusMeters <= meters {
            neighbors.append(neighbor)
          }
        }
      }
    }
    try NeighborOrder.sort(&neighbors, keeping: .max, id: id(ofKey:))
    return neighbors
  }

  /// As ``PlaceReader/refreshSnapshot()``; what was read is forgotten where the store changed.
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
    tree.forget()
    surroundings = Surroundings()
    last = nil
    ids.removeAll()
  }

  /// Nodes of two states of the store do not go together, whoever began the newer snapshot.
  private func forgetIfChanged() throws(PlaceStoreError) {
    let current = try reader.snapshotVersion()
    guard current != version else { return }
    forget()
    version = current
  }
}

// MARK: Steps

extension NearestCache {
  /// Up to where the last answer says that there are as many places as asked for, in metres, or
  /// nil where it says nothing useful.
  private func limitMeters(_ position: Position, count: Int, rank: Rank) -> Double? {
    guard let last, last.rank == rank, last.count >= count else { return nil }
    let moved = Geodesic.distanceMeters(last.position, position)
    // After a jump the search in the store is better than one in so wide a circle.
    guard moved <= last.meters / 8 + 5_000 else { return nil }
    return last.meters + moved + NearestCache.toleranceMeters
  }

  private func remember(
    _ neighbors: [Neighbor], _ position: Position, count: Int, rank: Rank
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
    // One list serves both kinds of questions.
    if let last, let limit = limitMeters(position, count: last.count, rank: last.rank) {
      need = max(need, limit)
      margin = max(margin, last.rank.marginMeters)
    }
    surroundings = Surroundings()
    if tree.isFull { tree.forget() }
    surroundings = try Surroundings(
      of: position, withinMeters: need + NearestCache.additionMeters(need),
      marginMeters: margin, in: tree)
  }

  /// How much farther than needed the leaves are collected, in metres.
  ///
  /// Measured along a drive and a walk through a million places: less collects them more often,
  /// more makes every question look at more of them. Where places are dense less is enough.
  private static func additionMeters(_ need: Double) -> Double {
    min(20_000, max(1_000, min(8 * need, 4_000), need / 4))
  }

  /// The nearest, or nil where the surroundings may not hold all of them.
  private func answer(
    _ position: Position, count: Int, rank: Rank, limitMeters: Double
  ) throws(PlaceStoreError) -> [Neighbor]? {
    let room = surroundings.roomMeters(at: position, marginMeters: rank.marginMeters)
    guard room > 0 else { return nil }
    let neighbors = try search(position, count: count, rank: rank, limitMeters: limitMeters)
    if room == .infinity { return neighbors }
    guard neighbors.count == count, let last = neighbors.last, last.rankDistanceMeters <= room
    else { return nil }
    return neighbors
  }

  /// The nearest of the surroundings' places up to a limit.
  private func search(
    _ position: Position, count: Int, rank: Rank, limitMeters: Double
  ) throws(PlaceStoreError) -> [Neighbor] {
    listLeaves(from: position, rank: rank, limitMeters: limitMeters, isDisc: false)
    // Where circles are large many leaves may hold one that is met at once; the sooner there are as
    // many near places as are wanted, the less of the others is looked at.
    leaves.sort { $0.middleSquared < $1.middleSquared }
    var scan = NearestScan()
    swap(&scan, &self.scan)
    defer { swap(&scan, &self.scan) }
    scan.begin(from: position, count: count, rank: rank, limitMeters: limitMeters)
    for (_, least, index) in leaves where least <= scan.limitMeters {
      let leaf = try leaf(
        index, from: position, withinMeters: scan.limitMeters + rank.marginMeters,
        countsRadius: rank != .center)
      if let leaf { scan.take(leaf) }
    }
    var neighbors = scan.nearest(count)
    try NeighborOrder.sort(&neighbors, keeping: count, id: id(ofKey:))
    return neighbors
  }

  /// Fills `leaves` with those of the surroundings that may hold a place up to a limit.
  private func listLeaves(
    from position: Position, rank: Rank, limitMeters: Double, isDisc: Bool
  ) {
    let here = SIMD4(position.vector, 0)
    let hulls = surroundings.hulls
    var leaves = self.leaves
    self.leaves = []
    leaves.removeAll(keepingCapacity: true)
    let limit = limitMeters + NearestCache.toleranceMeters
    let countsRadius = isDisc || rank != .center
    for index in hulls.indices {
      guard
        hulls[index].mayReach(
          here, withinMeters: limit + rank.marginMeters, countsRadius: countsRadius)
      else { continue }
      let least =
        isDisc
        ? hulls[index].leastCenterMeters(from: here) - hulls[index].radii.y
        : hulls[index].leastMeters(from: here, rank: rank)
      if least <= limit {
        leaves.append(((hulls[index].ball - here).lengthSquaredInSpace, least, index))
      }
    }
    self.leaves = leaves
  }

  private func leaf(
    _ index: Int, from position: Position, withinMeters meters: Double, countsRadius: Bool
  ) throws(PlaceStoreError) -> ReachLeaf? {
    try surroundings.leaf(
      index, from: Viewpoint(position), withinMeters: meters + NearestCache.toleranceMeters,
      countsRadius: countsRadius, in: tree)
  }

  private func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    if let id = ids[key] { return id }
    let id = try tree.table.id(ofKey: key)
    if ids.count > NearestCache.greatestIDCount { ids.removeAll() }
    ids[key] = id
    return id
  }
}

extension Rank {
  /// The exit margin, 0 where it is none.
  var marginMeters: Double {
    switch self {
    case .center: 0
    case .edge(let margin): margin
    }
  }
}
