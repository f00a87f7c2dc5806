import Geodesy

/// Looks through leaves for the places nearest to a point.
///
/// A value of its own, taken out of the class that keeps it while it works: the properties of a class
/// are checked for exclusive access each time.
struct NearestScan {
  /// What is farther than this, by rank distance in metres, is not among the nearest.
  private(set) var limitMeters = Double.infinity

  private var position = Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
  private var rank = Rank.center
  private var leaves: [ReachLeaf] = []
  private var candidates: [Candidate] = []
  private var ranked: [(meters: Double, centerMeters: Double, candidate: Int)] = []
  private var bounds = LeastBounds()

  /// A place that may belong to the answer: which of `leaves` it is in, and where.
  private struct Candidate {
    var leastMeters: Double
    var leaf: Int32
    var index: Int32
  }

  /// Forgets all, and looks for so many places from a point from now on.
  ///
  /// - Parameters:
  ///   - position: The point.
  ///   - count: How many places are wanted.
  ///   - rank: By what distance.
  ///   - limitMeters: Up to where there are as many, as far as is known.
  mutating func begin(from position: Position, count: Int, rank: Rank, limitMeters: Double) {
    self.position = position
    self.rank = rank
    self.limitMeters = limitMeters
    leaves.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    bounds.reset(capacity: count)
  }

  /// Adds to the candidates the places of a leaf that may be within the limit, and lowers the limit.
  mutating func take(_ leaf: ReachLeaf) {
    let number = Int32(truncatingIfNeeded: leaves.count)
    leaves.append(leaf)
    let blocks = leaf.blocks
    var first = 0
    while first < blocks.count {
      var near = nearPlaces(of: blocks, from: first)
      while near != 0 {
        let place = near.trailingZeroBitCount
        near &= near &- 1
        take(
          blocks[first + place / CircleBlock.capacity].sphere(place % CircleBlock.capacity),
          leaf: number, index: first * CircleBlock.capacity + place)
      }
      first += NearestScan.blocksAtOnce
    }
  }

  /// So many blocks are looked at before the first of their places: a leaf has no more.
  private static var blocksAtOnce: Int { 64 / CircleBlock.capacity }

  /// Which places of some blocks may be within the limit, a bit each.
  ///
  /// By themselves, so that all that the loop needs stays in registers.
  private func nearPlaces(of blocks: [CircleBlock], from first: Int) -> UInt64 {
    let point = position.vector
    let limit = limitMeters + rank.marginMeters
    let radiusFactor = rank == .center ? 0.0 : 1
    var near: UInt64 = 0
    var shift: UInt64 = 0
    for index in first..<min(blocks.count, first + NearestScan.blocksAtOnce) {
      let reach = blocks[index].radiiMeters * radiusFactor + limit
      let isNear = blocks[index].chordsSquared(from: point) .<= reach * reach
      if any(isNear) {
        for place in 0..<CircleBlock.capacity where isNear[place] {
          near |= 1 &<< (shift &+ UInt64(truncatingIfNeeded: place))
        }
      }
      shift &+= UInt64(CircleBlock.capacity)
    }
    return near
  }

  @inline(__always)
  private mutating func take(_ sphere: SIMD4<Double>, leaf: Int32, index: Int) {
    var (least, greatest) = PlaceBounds.of(sphere, from: SIMD4(position.vector, 0), rank: rank)
    guard least <= limitMeters else { return }
    if greatest == .infinity {
      (least, greatest) = exactBounds(of: leaves[Int(leaf)].circles[index])
      guard least <= limitMeters else { return }
    }
    candidates.append(
      Candidate(leastMeters: least, leaf: leaf, index: Int32(truncatingIfNeeded: index)))
    bounds.insert(greatest)
    limitMeters = min(limitMeters, bounds.greatest)
  }

  @inline(never)
  private func exactBounds(of circle: Circle) -> (least: Double, greatest: Double) {
    let exact = rank.distanceMeters(
      centerDistanceMeters: circle.distanceMeters(from: position),
      radiusMeters: circle.radiusMeters)
    return (exact, exact)
  }

  /// The nearest of the candidates by their exact distances, in order but for ties; more than wanted
  /// where the last are equally near.
  ///
  /// - Parameter count: How many are wanted.
  /// - Returns: The nearest places.
  mutating func nearest(_ count: Int) -> [Neighbor] {
    rankCandidates()
    var neighbors: [Neighbor] = []
    neighbors.reserveCapacity(min(count, ranked.count))
    for (number, entry) in ranked.enumerated() {
      // As near as the last one is as good, as far as is known here.
      if number >= count, entry.meters > ranked[count - 1].meters { break }
      let candidate = candidates[entry.candidate]
      let leaf = leaves[Int(candidate.leaf)]
      neighbors.append(
        Neighbor(
          key: leaf.keys[Int(candidate.index)], circle: leaf.circles[Int(candidate.index)],
          centerDistanceMeters: entry.centerMeters, rankDistanceMeters: entry.meters))
    }
    return neighbors
  }

  private mutating func rankCandidates() {
    ranked.removeAll(keepingCapacity: true)
    for (number, candidate) in candidates.enumerated() where candidate.leastMeters <= limitMeters {
      let circle = leaves[Int(candidate.leaf)].circles[Int(candidate.index)]
      let distance = circle.distanceMeters(from: position)
      let meters = rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters)
      ranked.append((meters, distance, number))
    }
    // Triples are quicker to sort than whole neighbours.
    ranked.sort { $0.meters < $1.meters }
  }
}
