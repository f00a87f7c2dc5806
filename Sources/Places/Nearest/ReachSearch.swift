import Geodesy

/// A search through the reach tree, nearest node first.
///
/// The cells' coordinates are rounded to 32 bits, so they bound and never decide: the search gathers
/// every place that may belong to the answer, and reads its exact circle afterwards.
struct ReachSearch {
  /// What the search is after.
  private enum Goal {
    /// The places of least rank distance.
    case nearest(Rank)
    /// All places whose circle's edge is at most so far away.
    case circles
  }

  /// A place that may belong to the answer.
  private struct Candidate {
    var key: Int64
    /// Its rank distance is at least this, in metres.
    var leastMeters: Double
  }

  private var goal = Goal.circles
  private var viewpoint = Viewpoint(Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)))
  /// What lies farther than this is certainly not in the answer, in metres.
  private var limitMeters = Double.infinity
  private var candidates: [Candidate] = []
  /// The least upper bounds seen, at most as many as asked for.
  private var best = LeastBounds()
  private var queue = NodeQueue()

  /// Keys so near to each other are read in one go: a row that is stepped over costs a fifth of one
  /// that is looked up.
  private static let greatestKeyGap = 4

  /// The nearest places, and perhaps some more, in no order.
  mutating func nearest(
    to position: Position, count: Int, rank: Rank, in tree: ReachTree
  ) throws(PlaceStoreError) -> [Neighbor] {
    goal = .nearest(rank)
    best.reset(capacity: count)
    try gather(from: position, withinMeters: .infinity, in: tree)
    return try resolve(from: position, rank: rank, in: tree.table)
  }

  /// The places whose circles' edges are within a distance, and perhaps some more, in no order.
  mutating func circles(
    withinMeters meters: Double, of position: Position, in tree: ReachTree
  ) throws(PlaceStoreError) -> [Neighbor] {
    goal = .circles
    try gather(from: position, withinMeters: meters, in: tree)
    return try resolve(from: position, rank: .center, in: tree.table)
  }

  // MARK: Nodes

  private mutating func gather(
    from position: Position, withinMeters meters: Double, in tree: ReachTree
  ) throws(PlaceStoreError) {
    viewpoint = Viewpoint(position)
    limitMeters = meters
    candidates.removeAll(keepingCapacity: true)
    queue.removeAll()
    let home = try visitHome(in: tree)
    queue.insert(.init(leastMeters: 0, branch: try tree.top().ordinal, index: 0))
    // Behind the first node that is too far all are.
    while let next = queue.popLeast(), next.leastMeters <= limitMeters {
      let branch = tree.branches[Int(next.branch)]
      let index = Int(next.index)
      if !next.isRefined {
        refine(next, of: branch)
      } else if branch.height > 1 {
        visitNodes(try tree.child(of: branch, index), overlapping: window(into: index, of: branch))
      } else if home.map({ $0.branch !== branch || $0.index != index }) ?? true {
        try visitLeaf(index, of: branch, in: tree)
      }
    }
  }

  /// Visits one leaf that is likely to hold near places: they bound the answer, so that most of the
  /// nodes above need not be weighed.
  ///
  /// - Returns: The leaf, as the child of a branch; nil where all places within a distance are
  ///   searched for, which needs no other bound.
  private mutating func visitHome(
    in tree: ReachTree
  ) throws(PlaceStoreError) -> (branch: ReachBranch, index: Int)? {
    guard case .nearest = goal else { return nil }
    var branch = try tree.top()
    while let index = branch.child(likelyNearestTo: viewpoint) {
      guard branch.height > 1 else {
        try visitLeaf(index, of: branch, in: tree)
        return (branch, index)
      }
      branch = try tree.child(of: branch, index)
    }
    return nil
  }

  private mutating func visitLeaf(
    _ index: Int, of branch: ReachBranch, in tree: ReachTree
  ) throws(PlaceStoreError) {
    try tree.table.forEachCell(
      ofNode: branch.numbers[index], overlapping: window(into: index, of: branch)
    ) { key, box in
      visitPlace(box, key: key)
    }
  }

  /// What is outside of it in a node is too far.
  private func window(into index: Int, of branch: ReachBranch) -> ReachWindow {
    // No place in a node is larger than the node's box says.
    viewpoint.window(withinMeters: centerLimit(branch.boxes[index]))
  }

  private mutating func visitNodes(_ branch: ReachBranch, overlapping window: ReachWindow) {
    for index in branch.boxes.indices {
      let box = branch.boxes[index]
      guard window.overlaps(box.sides) else { continue }
      let (score, isRefined) = coarseLeast(box)
      guard score <= limitMeters else { continue }
      queue.insert(
        .init(
          leastMeters: score, branch: branch.ordinal, index: Int16(truncatingIfNeeded: index),
          isRefined: isRefined))
    }
  }

  /// Puts a node back with a better bound: dear, and few of the far ones get here.
  private mutating func refine(_ entry: NodeQueue.Entry, of branch: ReachBranch) {
    let score = least(branch.boxes[Int(entry.index)])
    guard score <= limitMeters else { return }
    queue.insert(
      .init(
        leastMeters: max(score, entry.leastMeters), branch: entry.branch, index: entry.index))
  }

  @inline(__always)
  private mutating func visitPlace(_ box: ReachBox, key: Int64) {
    let (least, greatest) = placeBounds(box)
    guard least <= limitMeters else { return }
    candidates.append(Candidate(key: key, leastMeters: least))
    guard case .nearest = goal else { return }
    best.insert(greatest)
    limitMeters = min(limitMeters, best.greatest)
  }

  // MARK: Bounds

  /// A rank distance that a place, its centre at least so far away, is not nearer than.
  @inline(__always)
  private func nearestRankDistance(ofPlaceAtLeast near: Double, _ box: ReachBox) -> Double {
    switch goal {
    case .nearest(.center): near
    case .nearest(.edge(let margin)): near - box.greatestRadiusMeters - margin
    case .circles: near - box.greatestRadiusMeters
    }
  }

  /// How far a centre may be for the place to belong to the answer nevertheless.
  @inline(__always)
  private func centerLimit(_ box: ReachBox) -> Double {
    switch goal {
    case .nearest(.center): limitMeters
    case .nearest(.edge(let margin)): limitMeters + box.greatestRadiusMeters + margin
    case .circles: limitMeters + box.greatestRadiusMeters
    }
  }

  /// A rank distance that no place in a node is nearer than, and whether ``least(_:)`` knows no
  /// better.
  @inline(__always)
  private func coarseLeast(_ box: ReachBox) -> (meters: Double, isRefined: Bool) {
    let (near, isNear) = viewpoint.coarseLeastMeters(to: box)
    switch goal {
    case .nearest(.center):
      return (near, isNear)
    case .nearest(.edge(let margin)):
      // What is bounded by being deep inside large circles is left to the refinement.
      return (
        max(0, near - box.greatestRadiusMeters - margin),
        isNear && box.leastRadiusMeters <= limitMeters
      )
    case .circles:
      return (max(0, near - box.greatestRadiusMeters), isNear)
    }
  }

  /// A rank distance that no place in a node is nearer than.
  private func least(_ box: ReachBox) -> Double {
    let near = viewpoint.leastMeters(to: box, limitMeters: centerLimit(box))
    switch goal {
    case .nearest(.center):
      return near
    case .nearest(.edge(let margin)):
      let outside = near - box.greatestRadiusMeters - margin
      // Being deep inside large circles is rare, so that the other side is bounded on demand only.
      guard box.leastRadiusMeters > limitMeters else { return max(0, outside) }
      return max(0, outside, box.leastRadiusMeters - viewpoint.greatestMeters(to: box))
    case .circles:
      return max(0, near - box.greatestRadiusMeters)
    }
  }

  @inline(__always)
  private func placeBounds(_ box: ReachBox) -> (least: Double, greatest: Double) {
    let coarse = viewpoint.leastMeters(to: box, limitMeters: centerLimit(box))
    guard nearestRankDistance(ofPlaceAtLeast: coarse, box) <= limitMeters else {
      return (.infinity, .infinity)
    }
    let (near, far) = viewpoint.bounds(to: box, leastMeters: coarse)
    switch goal {
    case .nearest(.center):
      return (near, far)
    case .nearest(.edge(let margin)):
      let least = box.leastRadiusMeters
      let greatest = box.greatestRadiusMeters
      return (
        max(0, near - greatest - margin, least - far),
        max(0, far - least - margin, greatest - near)
      )
    case .circles:
      return (max(0, near - box.greatestRadiusMeters), .infinity)
    }
  }

  // MARK: Places

  /// Reads the exact circles of what was gathered.
  private mutating func resolve(
    from position: Position, rank: Rank, in table: CircleTable
  ) throws(PlaceStoreError) -> [Neighbor] {
    let limit = limitMeters
    candidates.removeAll { $0.leastMeters > limit }
    candidates.sort { $0.key < $1.key }
    var neighbors: [Neighbor] = []
    neighbors.reserveCapacity(candidates.count)
    var start = 0
    while start < candidates.count {
      let end = endOfRun(from: start)
      try read(candidates[start..<end], from: position, rank: rank, in: table, into: &neighbors)
      start = end
    }
    return neighbors
  }

  /// The index behind the last of the candidates whose keys follow each other closely.
  private func endOfRun(from start: Int) -> Int {
    var end = start + 1
    while end < candidates.count {
      let (gap, isTooWide) = candidates[end].key.subtractingReportingOverflow(
        candidates[end - 1].key)
      guard !isTooWide, gap <= ReachSearch.greatestKeyGap else { break }
      end += 1
    }
    return end
  }

  private func read(
    _ run: ArraySlice<Candidate>, from position: Position, rank: Rank, in table: CircleTable,
    into neighbors: inout [Neighbor]
  ) throws(PlaceStoreError) {
    guard let first = run.first, let last = run.last else { return }
    if run.count == 1 {
      guard let circle = try table.circle(ofKey: first.key) else { return }
      neighbors.append(Neighbor(key: first.key, circle: circle, from: position, rank: rank))
      return
    }
    var next = run.startIndex
    try table.circles(ofKeys: first.key...last.key) { key in
      while next < run.endIndex, run[next].key < key { next += 1 }
      return next < run.endIndex && run[next].key == key
    } _: { key, circle in
      neighbors.append(Neighbor(key: key, circle: circle, from: position, rank: rank))
    }
  }
}

extension Neighbor {
  /// A place as seen from a point.
  init(key: Int64, circle: Circle, from position: Position, rank: Rank) {
    let distance = circle.distanceMeters(from: position)
    self.init(
      key: key, circle: circle, centerDistanceMeters: distance,
      rankDistanceMeters: rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters))
  }
}
