package import FencepostGeodesy
import FencepostTime

extension CircleIndex {
  /// Finds the circles nearest to a point.
  ///
  /// - Parameters:
  ///   - position: A valid position.
  ///   - count: The most circles to find.
  ///   - rank: The distance that counts.
  ///   - precedes: Whether the first of two equally near circles, given by key, comes first.
  /// - Returns: The circles, nearest first.
  /// - Complexity: O(log n + count) in practice.
  package func nearest(
    to position: Position, count: Int, rank: NearestRank,
    precedes: (Int64, Int64) -> Bool
  ) -> [Neighbor] {
    nearestItems(to: position, count: count, rank: rank, precedes: precedes)
      .map { neighbor(of: $0, from: position, by: rank) }
  }

  private func nearestItems(
    to position: Position, count: Int, rank: NearestRank, precedes: (Int64, Int64) -> Bool
  ) -> [Int] {
    guard count > 0 else { return [] }
    var search = NearestSearch(position, count: min(count, self.count), rank: rank)
    self.search(&search)
    return search.order
      ?? nearestItems(count, of: search.found, from: position, by: rank, precedes: precedes)
  }

  /// Finds the circles that contain a point or whose edge is within a distance of it.
  ///
  /// - Parameters:
  ///   - meters: The greatest distance from the point to a circle's edge, at least 0.
  ///   - position: A valid position.
  ///   - precedes: Whether the first of two equally near circles, given by key, comes first.
  /// - Returns: The circles, nearest center first.
  package func within(
    meters: Double, of position: Position, precedes: (Int64, Int64) -> Bool
  ) -> [Neighbor] {
    var search = WithinSearch(position, limitMeters: meters)
    self.search(&search)
    let found = search.found.filter { candidate in
      let radius = spheres[candidate.item].radiusMeters
      if candidate.greatestMeters - radius <= meters { return true }
      if candidate.leastMeters - radius > meters { return false }
      return centerMeters(of: candidate.item, from: position) - radius <= meters
    }
    return nearestItems(
      found.count, of: found, from: position, by: .center, precedes: precedes
    ).map { neighbor(of: $0, from: position, by: .center) }
  }

  /// Finds the circles whose edge may come within a distance of a path.
  ///
  /// - Parameters:
  ///   - meters: The distance from the path to a circle's edge, at least 0.
  ///   - segment: The path.
  /// - Returns: All circles whose edge comes that close, perhaps some more, in no order.
  package func edges(withinMeters meters: Double, of segment: GeodesicSegment) -> [Region] {
    // Pieces that are short, or few enough.
    let pieces = min((segment.lengthMeters / 2_000).rounded(.up), 64)
    guard pieces > 1 else {
      return items(withEdgesWithin: meters, of: segment).map(region(of:))
    }
    var regions: [Region] = []
    var keys: Set<Int64> = []
    var start = segment.start
    for piece in stride(from: 1, through: pieces, by: 1) {
      let end = segment.position(atFraction: piece / pieces)
      let found = items(
        withEdgesWithin: meters, of: GeodesicSegment(from: start, to: end))
      for item in found where keys.insert(key(of: item)).inserted {
        regions.append(region(of: item))
      }
      start = end
    }
    return regions
  }

  private func items(withEdgesWithin meters: Double, of segment: GeodesicSegment) -> [Int] {
    var search = EdgeSearch(segment, limitMeters: meters)
    self.search(&search)
    return search.found
  }

  /// Answers an engine's request; `precedes` is that of ``nearest(to:count:rank:precedes:)``.
  package func regions(
    _ request: CandidateRequest, precedes: (Int64, Int64) -> Bool
  ) -> [Region] {
    switch request.question {
    case .nearest(let count, let rank):
      // Without their distances, which an engine does not need.
      nearestItems(
        to: Position(request.coordinate), count: count, rank: rank, precedes: precedes
      ).map(region(of:))
    case .containing:
      within(meters: 0, of: Position(request.coordinate), precedes: precedes)
        .map { Region(key: $0.key, circle: $0.circle) }
    case .edges(let segment, let meters):
      edges(withinMeters: meters, of: segment)
    }
  }

  /// Counts the circles that rank before one of them, which need not be in the index.
  ///
  /// - Parameters:
  ///   - meters: The distance by which that circle ranks.
  ///   - position: A valid position.
  ///   - rank: The distance that counts.
  ///   - precedes: Whether an equally near circle, given by key, comes before it.
  /// - Returns: The number of circles.
  package func count(
    nearerThan meters: Double, to position: Position, rank: NearestRank,
    precedes: (Int64) -> Bool
  ) -> Int {
    func settles(_ bounds: (least: Double, greatest: Double)) -> Bool? {
      bounds.greatest < meters ? true : bounds.least > meters ? false : nil
    }
    return count { box in
      settles(box.boundsMeters(from: position.vector, by: rank))
    } where: { item, sphere in
      let bounds = rank.boundsMeters(of: sphere, from: position.vector)
      if let isNearer = settles(bounds) { return isNearer }
      let exact = rankMeters(of: item, from: position, by: rank)
      return exact < meters || exact == meters && precedes(key(of: item))
    }
  }

  // MARK: Distances

  func centerMeters(of item: Int, from position: Position) -> Double {
    Geodesic.distanceMeters(self.position(of: item), position)
  }

  func rankMeters(of item: Int, from position: Position, by rank: NearestRank) -> Double {
    rank.distanceMeters(
      centerDistanceMeters: centerMeters(of: item, from: position),
      radiusMeters: spheres[item].radiusMeters)
  }

  private func neighbor(
    of item: Int, from position: Position, by rank: NearestRank
  ) -> Neighbor {
    Neighbor(key: key(of: item), circle: circle(of: item), from: position, rank: rank)
  }
}

/// An item that a search has found, and bounds of its distance; equal bounds are exact.
private struct Candidate {
  var leastMeters: Double
  var greatestMeters: Double
  var item: Int
}

extension NearestRank {
  /// Bounds of the distance by which a circle ranks; equal, and exact, near the position.
  fileprivate func boundsMeters(
    of sphere: CircleSphere, from point: SIMD3<Double>
  ) -> (least: Double, greatest: Double) {
    if let center = Geodesic.nearDistanceMeters(sphere.center, point) {
      let meters = distanceMeters(
        centerDistanceMeters: center, radiusMeters: sphere.radiusMeters)
      return (meters, meters)
    }
    return boundsMeters(
      center: Geodesic.boundsMeters(from: sphere.center, to: point),
      leastRadius: sphere.radiusMeters, greatestRadius: sphere.radiusMeters)
  }
}

extension CircleBox {
  fileprivate func boundsMeters(
    from point: SIMD3<Double>, by rank: NearestRank
  ) -> (least: Double, greatest: Double) {
    rank.boundsMeters(
      center: centerBoundsMeters(from: point), leastRadius: leastRadiusMeters,
      greatestRadius: greatestRadiusMeters)
  }
}

extension CircleIndex {
  /// The items of the nearest candidates, nearest first, then as their owner orders them.
  private func nearestItems(
    _ count: Int, of candidates: [Candidate], from position: Position, by rank: NearestRank,
    precedes: (Int64, Int64) -> Bool
  ) -> [Int] {
    func exactMeters(of candidate: Candidate) -> Double {
      candidate.leastMeters == candidate.greatestMeters
        ? candidate.leastMeters : rankMeters(of: candidate.item, from: position, by: rank)
    }
    func isNearer(_ one: Candidate, _ other: Candidate) -> Bool {
      if one.greatestMeters < other.leastMeters { return true }
      if one.leastMeters > other.greatestMeters { return false }
      let (meters, others) = (exactMeters(of: one), exactMeters(of: other))
      if meters != others { return meters < others }
      return precedes(key(of: one.item), key(of: other.item))
    }
    var nearest: [Candidate] = []
    nearest.reserveCapacity(min(count, candidates.count) + 1)
    for candidate in candidates {
      if nearest.count == count {
        guard let last = nearest.last, isNearer(candidate, last) else { continue }
        nearest.removeLast()
      }
      nearest.insert(candidate, at: nearest.partitioningIndex { isNearer(candidate, $0) })
    }
    return nearest.map { $0.item }
  }
}

// MARK: - Searches

/// Finds all circles that may be among the nearest.
private struct NearestSearch: CircleSearch {
  private let point: SIMD3<Double>
  private let count: Int
  private let rank: NearestRank
  private let marginMeters: Double
  /// Those with the least upper bounds so far, ascending.
  private var nearest: [Candidate] = []
  /// Others that may be as near as one of those.
  private var others: [Candidate] = []
  private(set) var limitMeters = Double.infinity

  init(_ position: Position, count: Int, rank: NearestRank) {
    (point, self.count, self.rank) = (position.vector, count, rank)
    marginMeters = rank.marginMeters
    nearest.reserveCapacity(count + 1)
  }

  /// The items, nearest first; nil if the bounds do not decide, as for equal distances.
  var order: [Int]? {
    if others.contains(where: { $0.leastMeters <= limitMeters }) { return nil }
    for index in nearest.indices.dropFirst()
    where nearest[index].leastMeters <= nearest[index - 1].greatestMeters { return nil }
    return nearest.map { $0.item }
  }

  /// All that may be among the nearest, in no order.
  var found: [Candidate] { nearest + others.filter { $0.leastMeters <= limitMeters } }

  func leastMeters(to box: CircleBox) -> Double {
    let chord = box.leastChordMeters(from: point) - Geodesic.roundingMeters
    if chord > Geodesic.nearChordMeters { return box.boundsMeters(from: point, by: rank).least }
    guard rank != .center else { return chord }
    let outside = chord - box.greatestRadiusMeters - marginMeters
    // Only circles around the point can be nearer by their far side.
    guard box.leastRadiusMeters > chord else { return outside }
    let far = Geodesic.greatestMeters(ofChord: box.greatestChordMeters(from: point))
    return max(outside, box.leastRadiusMeters - far)
  }

  mutating func look(at item: Int, _ sphere: CircleSphere) {
    let edge = rank == .center ? 0 : sphere.radiusMeters + marginMeters
    let reach = limitMeters + edge + Geodesic.roundingMeters
    guard sphere.chordSquared(from: point) <= reach * reach else { return }
    let (least, greatest) = rank.boundsMeters(of: sphere, from: point)
    guard least <= limitMeters else { return }
    insert(Candidate(leastMeters: least, greatestMeters: greatest, item: item))
  }

  private mutating func insert(_ candidate: Candidate) {
    if nearest.count == count {
      guard candidate.greatestMeters < limitMeters else { return others.append(candidate) }
      let last = nearest.removeLast()
      let limit = max(nearest.last?.greatestMeters ?? 0, candidate.greatestMeters)
      if last.leastMeters <= limit { others.append(last) }
    }
    nearest.insert(
      candidate, at: nearest.partitioningIndex { $0.greatestMeters > candidate.greatestMeters })
    if nearest.count == count, let last = nearest.last { limitMeters = last.greatestMeters }
  }
}

/// Finds all circles that may contain a point or come within a distance of it.
private struct WithinSearch: CircleScan {
  private let point: SIMD3<Double>
  private let limitMeters: Double
  private(set) var found: [Candidate] = []

  init(_ position: Position, limitMeters: Double) {
    point = position.vector
    self.limitMeters = limitMeters + Geodesic.roundingMeters
  }

  func mayHold(_ box: CircleBox) -> Bool {
    let reach = box.greatestRadiusMeters + limitMeters
    return box.leastChordSquared(from: point) <= reach * reach
  }

  mutating func look(at item: Int, _ sphere: CircleSphere) {
    let reach = sphere.radiusMeters + limitMeters
    guard sphere.chordSquared(from: point) <= reach * reach else { return }
    let (least, greatest) = NearestRank.center.boundsMeters(of: sphere, from: point)
    found.append(Candidate(leastMeters: least, greatestMeters: greatest, item: item))
  }
}

/// Finds all circles whose edge may come within a distance of a short segment.
///
/// A circle matters unless the whole path is farther outside its edge than the limit, or farther
/// inside. The path is near the middle of its chord, from which it strays by half its length and by
/// how much it bends.
private struct EdgeSearch: CircleScan {
  private let middle: SIMD3<Double>
  private let strayMeters: Double
  private let limitMeters: Double
  /// The limit from the middle.
  private let reachMeters: Double
  private(set) var found: [Int] = []

  init(_ segment: GeodesicSegment, limitMeters: Double) {
    middle = (segment.start.vector + segment.end.vector) / 2
    let length = segment.lengthMeters
    strayMeters = length / 2 + Ball.strayMeters(length) + Self.toleranceMeters
    self.limitMeters = limitMeters
    reachMeters = limitMeters + strayMeters
  }

  /// More than the error of the positions along a segment, in meters.
  private static var toleranceMeters: Double { 0.001 }

  func mayHold(_ box: CircleBox) -> Bool {
    let reach = box.greatestRadiusMeters + reachMeters
    guard box.leastChordSquared(from: middle) <= reach * reach else { return false }
    return box.leastRadiusMeters <= limitMeters
      || !isInside(box.leastRadiusMeters, farthest: box.greatestChordSquared(from: middle))
  }

  mutating func look(at item: Int, _ sphere: CircleSphere) {
    let square = sphere.chordSquared(from: middle)
    let reach = sphere.radiusMeters + reachMeters
    guard square <= reach * reach, !isInside(sphere.radiusMeters, farthest: square) else { return }
    found.append(item)
  }

  /// Whether the whole path is farther inside circles of a radius than the limit, if no center is
  /// farther from the middle than the root of a square.
  private func isInside(_ radiusMeters: Double, farthest square: Double) -> Bool {
    let least = radiusMeters - reachMeters
    // A geodesic is never shorter than its chord.
    guard least > 0, square < least * least else { return false }
    let greatest = Geodesic.greatestMeters(ofChord: square.squareRoot() + strayMeters)
    return radiusMeters - greatest > limitMeters
  }
}
