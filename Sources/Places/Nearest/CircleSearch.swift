import FencepostGeodesy
import FencepostMonitoring

/// A search through the circle index, nearest node first.
///
/// The cells' coordinates are rounded to 32 bits, so they give bounds only: the search gathers
/// every place that may belong to the answer and then reads its exact circle.
struct CircleSearch {
  /// What the search looks for.
  private enum Goal {
    /// The places of least rank distance.
    case nearest(NearestRank)
    /// All places whose circles come within a distance.
    case circles
  }

  /// A place that may belong to the answer.
  private struct Candidate {
    var key: Int64
    /// Its rank distance is at least this, in metres.
    var leastMeters: Double
  }

  /// A node still to be searched: the child of a branch, and how near its inside can be.
  private struct Node: Comparable {
    var leastMeters: Double
    /// The number of the branch among those of the index.
    var branch: Int32
    /// Which of its children.
    var child: Int16
    /// Whether ``leastMeters`` is as good a bound as there is.
    var isRefined = true

    static func < (a: Node, b: Node) -> Bool { a.leastMeters < b.leastMeters }
  }

  private var goal = Goal.circles
  private var point = QueryPoint(Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)))
  /// Places farther than this are certainly not in the answer, in metres.
  private var limitMeters = Double.infinity
  private var candidates: [Candidate] = []
  private var limit = NearestLimit()
  private var queue = Heap<Node>()

  /// Keys at most this far apart are read in one scan: stepping over a row costs a fifth of looking
  /// one up.
  private static let greatestKeyGap = 4

  /// The nearest places, and perhaps some more, in no order.
  mutating func nearest(
    to position: Position, count: Int, rank: NearestRank, in index: CircleIndex
  ) throws(PlaceStoreError) -> [Neighbor] {
    goal = .nearest(rank)
    limit.reset(count: count)
    try gather(from: position, withinMeters: .infinity, in: index)
    return try resolve(from: position, rank: rank, in: index.table)
  }

  /// The places whose circles' edges are within a distance, and perhaps some more, in no order.
  mutating func circles(
    withinMeters meters: Double, of position: Position, in index: CircleIndex
  ) throws(PlaceStoreError) -> [Neighbor] {
    goal = .circles
    try gather(from: position, withinMeters: meters, in: index)
    return try resolve(from: position, rank: .center, in: index.table)
  }

  // MARK: Nodes

  private mutating func gather(
    from position: Position, withinMeters meters: Double, in index: CircleIndex
  ) throws(PlaceStoreError) {
    point = QueryPoint(position)
    limitMeters = meters
    candidates.removeAll(keepingCapacity: true)
    queue.removeAll()
    let home = try visitHome(in: index)
    queue.insert(Node(leastMeters: 0, branch: try index.top().ordinal, child: 0))
    // Once a node is too far, all that follow are.
    while let next = queue.popFirst(), next.leastMeters <= limitMeters {
      let branch = index.branches[Int(next.branch)]
      let child = Int(next.child)
      if !next.isRefined {
        refine(next, of: branch)
      } else if branch.height > 1 {
        visitNodes(try index.child(of: branch, child), overlapping: window(into: child, of: branch))
      } else if home.map({ $0.branch !== branch || $0.child != child }) ?? true {
        try visitLeaf(child, of: branch, in: index)
      }
    }
  }

  /// Visits one leaf that is likely to hold near places: they bound the answer, so that most other
  /// nodes can be skipped.
  ///
  /// - Returns: The leaf, as the child of a branch; nil in a search for all places within a
  ///   distance, which is a bound itself.
  private mutating func visitHome(
    in index: CircleIndex
  ) throws(PlaceStoreError) -> (branch: CircleIndex.Branch, child: Int)? {
    guard case .nearest = goal else { return nil }
    var branch = try index.top()
    while let child = branch.child(likelyNearestTo: point) {
      guard branch.height > 1 else {
        try visitLeaf(child, of: branch, in: index)
        return (branch, child)
      }
      branch = try index.child(of: branch, child)
    }
    return nil
  }

  private mutating func visitLeaf(
    _ child: Int, of branch: CircleIndex.Branch, in index: CircleIndex
  ) throws(PlaceStoreError) {
    try index.table.forEachCell(
      ofNode: branch.numbers[child], overlapping: window(into: child, of: branch)
    ) { key, cell in
      visitPlace(cell, key: key)
    }
  }

  /// A box that contains every place near enough in a node.
  private func window(into child: Int, of branch: CircleIndex.Branch) -> CompactBox {
    // No place in a node is larger than the node's cell says.
    point.box(withinMeters: centerLimit(branch.cells[child]))
  }

  private mutating func visitNodes(
    _ branch: CircleIndex.Branch, overlapping window: CompactBox
  ) {
    for (child, cell) in branch.cells.enumerated() where cell.box.overlaps(window) {
      let (least, isRefined) = coarseLeast(cell)
      guard least <= limitMeters else { continue }
      queue.insert(
        Node(
          leastMeters: least, branch: branch.ordinal, child: Int16(truncatingIfNeeded: child),
          isRefined: isRefined))
    }
  }

  /// Puts a node back with a better bound: costly, but few far nodes get here.
  private mutating func refine(_ node: Node, of branch: CircleIndex.Branch) {
    let least = least(branch.cells[Int(node.child)])
    guard least <= limitMeters else { return }
    queue.insert(
      Node(
        leastMeters: max(least, node.leastMeters), branch: node.branch, child: node.child))
  }

  private mutating func visitPlace(_ cell: CircleCell, key: Int64) {
    let (least, greatest) = placeBounds(cell)
    guard least <= limitMeters else { return }
    candidates.append(Candidate(key: key, leastMeters: least))
    guard case .nearest = goal else { return }
    limit.insert(greatest)
    limitMeters = min(limitMeters, limit.meters)
  }

  // MARK: Bounds

  /// By how much the goal's distance can fall short of the centre's, within the cell's bounds;
  /// ignores that the point may be deep inside the circle.
  @inline(__always)
  private func reach(_ cell: CircleCell) -> Double {
    switch goal {
    case .nearest(.center): 0
    case .nearest(.edge(let margin)): cell.greatestRadiusMeters + margin
    case .circles: cell.greatestRadiusMeters
    }
  }

  /// The greatest distance of a centre whose place may still belong to the answer.
  @inline(__always)
  private func centerLimit(_ cell: CircleCell) -> Double { limitMeters + reach(cell) }

  /// Whether places of a cell may be ruled out because the point is deep inside their circles.
  @inline(__always)
  private func isDeepInside(_ cell: CircleCell) -> Bool {
    guard case .nearest(.edge) = goal else { return false }
    return cell.leastRadiusMeters > limitMeters
  }

  /// A lower bound of the distances of a node's places, and whether ``least(_:)`` cannot raise it.
  @inline(__always)
  private func coarseLeast(_ cell: CircleCell) -> (meters: Double, isRefined: Bool) {
    let (near, isNear) = point.coarseLeastMeters(to: cell.box)
    return (max(0, near - reach(cell)), isNear && !isDeepInside(cell))
  }

  /// A lower bound of the distances of a node's places.
  private func least(_ cell: CircleCell) -> Double {
    let near = point.leastMeters(to: cell.box, limitMeters: centerLimit(cell))
    let outside = max(0, near - reach(cell))
    guard isDeepInside(cell) else { return outside }
    return max(outside, cell.leastRadiusMeters - point.greatestMeters(to: cell.box))
  }

  /// Bounds of a place's distance; infinite where it is too far.
  private func placeBounds(_ cell: CircleCell) -> (least: Double, greatest: Double) {
    let coarse = point.leastMeters(to: cell.box, limitMeters: centerLimit(cell))
    guard coarse - reach(cell) <= limitMeters else { return (.infinity, .infinity) }
    let (near, far) = point.boundsMeters(toPointIn: cell.box, leastMeters: coarse)
    guard case .nearest(let rank) = goal else { return (max(0, near - reach(cell)), .infinity) }
    return rank.boundsMeters(
      center: (near, far), radius: (cell.leastRadiusMeters, cell.greatestRadiusMeters))
  }

  // MARK: Places

  /// Reads the exact circles of the candidates.
  private mutating func resolve(
    from position: Position, rank: NearestRank, in table: CircleTable
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

  /// The end of a run of candidates whose keys are close together.
  private func endOfRun(from start: Int) -> Int {
    var end = start + 1
    while end < candidates.count {
      let (gap, isTooWide) = candidates[end].key.subtractingReportingOverflow(
        candidates[end - 1].key)
      guard !isTooWide, gap <= CircleSearch.greatestKeyGap else { break }
      end += 1
    }
    return end
  }

  private func read(
    _ run: ArraySlice<Candidate>, from position: Position, rank: NearestRank, in table: CircleTable,
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
