package import FencepostGeodesy

/// Looks through leaves for the places nearest to a point.
///
/// A value, moved out of the class that keeps it while it works: each access to a class's property is
/// checked for exclusivity.
package struct NearestScan {
  /// Places farther than this, by rank distance in metres, are not among the nearest.
  package private(set) var limitMeters = Double.infinity

  /// A scan that has not begun.
  package init() {}

  private var position = Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
  private var rank = NearestRank.center
  private var leaves: [CircleLeaf] = []
  private var candidates: [Candidate] = []
  private var ranked: [(meters: Double, centerMeters: Double, candidate: Int)] = []
  private var limit = NearestLimit()

  /// A place that may belong to the answer: which of `leaves` it is in, and where.
  private struct Candidate {
    var leastMeters: Double
    var leaf: Int32
    var index: Int32
  }

  /// Starts over.
  ///
  /// - Parameters:
  ///   - position: The point.
  ///   - count: How many places are wanted.
  ///   - rank: By what distance.
  ///   - limitMeters: A distance within which there are as many; infinite if none is known.
  package mutating func begin(
    from position: Position, count: Int, rank: NearestRank, limitMeters: Double
  ) {
    self.position = position
    self.rank = rank
    self.limitMeters = limitMeters
    leaves.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    limit.reset(count: count)
  }

  /// Adds to the candidates the places of a leaf that may be within the limit, and lowers the limit.
  package mutating func take(_ leaf: CircleLeaf) {
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

  /// So many blocks at a time have a bit for each place in 64; a node of an R*Tree has at most 51.
  private static var blocksAtOnce: Int { 64 / CircleBlock.capacity }

  /// Which places of some blocks may be within the limit, a bit each.
  ///
  /// A function of its own keeps all that the loop needs in registers.
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
    let center = Geodesic.boundsMeters(
      from: position.vector, to: SIMD3(sphere.x, sphere.y, sphere.z))
    let (least, greatest) = rank.boundsMeters(
      center: (center.least, center.greatest), radius: (sphere.w, sphere.w))
    guard least <= limitMeters else { return }
    candidates.append(
      Candidate(leastMeters: least, leaf: leaf, index: Int32(truncatingIfNeeded: index)))
    limit.insert(greatest)
    limitMeters = min(limitMeters, limit.meters)
  }

  /// The nearest of the candidates by their exact distances, in order but for ties; more than wanted
  /// where the last are equally near.
  ///
  /// - Parameter count: How many are wanted.
  /// - Returns: The nearest places.
  package mutating func nearest(_ count: Int) -> [Neighbor] {
    rankCandidates()
    var neighbors: [Neighbor] = []
    neighbors.reserveCapacity(min(count, ranked.count))
    for (number, entry) in ranked.enumerated() {
      // Ties with the last one are decided by id, later.
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
