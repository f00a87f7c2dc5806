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
  private var leaves: [(leastMeters: Double, index: Int)] = []
  private var scanned: [ReachLeaf] = []
  private var candidates: [Candidate] = []
  private var ranked: [(meters: Double, centerMeters: Double, candidate: Int)] = []
  private var bounds = LeastBounds()

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

  /// A place that may belong to an answer: which of `scanned` it is in, and where.
  private struct Candidate {
    var leastMeters: Double
    var leaf: Int32
    var index: Int32
  }

  /// Makes an empty cache before a reader.
  public init(_ reader: PlaceReader) {
    self.reader = reader
    tree = reader.tree
  }

  /// As ``PlaceReader/nearest(to:count:rank:)``.
  ///
  /// - Complexity: one to two microseconds while nothing is read, in a city.
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
    let here = SIMD4(position.vector, 0)
    var neighbors: [Neighbor] = []
    for (_, index) in leaves {
      guard let leaf = try leaf(index, from: position, withinMeters: meters, countsRadius: true)
      else { continue }
      for (index, sphere) in leaf.spheres.enumerated() {
        let limit = sphere.w + meters
        // No geodesic is shorter than its chord.
        guard (sphere - here).lengthSquaredInSpace <= limit * limit else { continue }
        let neighbor = Neighbor(
          key: leaf.keys[index], circle: leaf.circles[index], from: position, rank: .center)
        if neighbor.centerDistanceMeters - neighbor.circle.radiusMeters <= meters {
          neighbors.append(neighbor)
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
    leaves.sort { $0.leastMeters < $1.leastMeters }
    candidates.removeAll(keepingCapacity: true)
    scanned.removeAll(keepingCapacity: true)
    bounds.reset(capacity: count)
    var limit = limitMeters
    for (least, index) in leaves {
      guard least <= limit else { break }
      guard
        let leaf = try leaf(
          index, from: position, withinMeters: limit + rank.marginMeters,
          countsRadius: rank != .center)
      else { continue }
      scan(leaf, from: position, rank: rank, limitMeters: &limit)
    }
    return try choose(from: position, count: count, rank: rank, limitMeters: limit)
  }

  /// The nearest of the candidates.
  private func choose(
    from position: Position, count: Int, rank: Rank, limitMeters: Double
  ) throws(PlaceStoreError) -> [Neighbor] {
    ranked.removeAll(keepingCapacity: true)
    for (number, candidate) in candidates.enumerated() where candidate.leastMeters <= limitMeters {
      let circle = scanned[Int(candidate.leaf)].circles[Int(candidate.index)]
      let distance = circle.distanceMeters(from: position)
      let meters = rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters)
      ranked.append((meters, distance, number))
    }
    // Pairs are quicker to sort than whole neighbours.
    ranked.sort { $0.meters < $1.meters }
    var neighbors: [Neighbor] = []
    neighbors.reserveCapacity(min(count, ranked.count))
    for (number, entry) in ranked.enumerated() {
      // As near as the last one is as good, as far as is known here.
      if number >= count, entry.meters > ranked[count - 1].meters { break }
      let candidate = candidates[entry.candidate]
      let leaf = scanned[Int(candidate.leaf)]
      neighbors.append(
        Neighbor(
          key: leaf.keys[Int(candidate.index)], circle: leaf.circles[Int(candidate.index)],
          centerDistanceMeters: entry.centerMeters, rankDistanceMeters: entry.meters))
    }
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
    for index in hulls.indices {
      let least =
        isDisc
        ? hulls[index].leastCenterMeters(from: here) - hulls[index].radii.y
        : hulls[index].leastMeters(from: here, rank: rank)
      if least <= limitMeters + NearestCache.toleranceMeters { leaves.append((least, index)) }
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

  /// Adds to the candidates those of a leaf that may be within the limit, and lowers the limit.
  private func scan(
    _ leaf: ReachLeaf, from position: Position, rank: Rank, limitMeters: inout Double
  ) {
    // In locals, because a class's properties are checked for exclusive access each time.
    var candidates = self.candidates
    self.candidates = []
    var bounds = self.bounds
    self.bounds = LeastBounds()
    var limit = limitMeters
    let here = SIMD4(position.vector, 0)
    let number = Int32(truncatingIfNeeded: scanned.count)
    scanned.append(leaf)
    let spheres = leaf.spheres
    let margin = rank.marginMeters
    let radiusFactor = rank == .center ? 0.0 : 1
    for index in spheres.indices {
      let sphere = spheres[index]
      let reach = limit + margin + radiusFactor * sphere.w
      guard (sphere - here).lengthSquaredInSpace <= reach * reach else { continue }
      var (least, greatest) = PlaceBounds.of(sphere, from: here, rank: rank)
      guard least <= limit else { continue }
      if greatest == .infinity {
        (least, greatest) = exactBounds(leaf.circles[index], from: position, rank: rank)
        guard least <= limit else { continue }
      }
      candidates.append(
        Candidate(
          leastMeters: least, leaf: number, index: Int32(truncatingIfNeeded: index)))
      bounds.insert(greatest)
      limit = min(limit, bounds.greatest)
    }
    limitMeters = limit
    self.candidates = candidates
    self.bounds = bounds
  }

  private func exactBounds(
    _ circle: Circle, from position: Position, rank: Rank
  ) -> (least: Double, greatest: Double) {
    let exact = rank.distanceMeters(
      centerDistanceMeters: circle.distanceMeters(from: position),
      radiusMeters: circle.radiusMeters)
    return (exact, exact)
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
