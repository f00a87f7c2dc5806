import Geodesy

/// The regions being watched, and on which side of its edge the device is for each.
struct MonitoredSet: Sendable {
  /// One edge met along a segment.
  struct EdgeCrossing {
    var fraction: Double
    var key: Int64
    var isEnter: Bool
    var distanceMeters: Double
  }

  /// What a replacement changed.
  struct Replacement {
    var added: [Int64] = []
    var removed: [Int64] = []
    /// Added regions that the device is inside of.
    var foundInside: [Region] = []
    /// Removed regions that the device was inside of.
    var removedInside: [Region] = []
    /// Regions whose circle changed, so that they took their side anew.
    var changed: [Int64] = []
  }

  /// Ascending by key, so that two sets are merged in one pass and ties are in a fixed order.
  private(set) var regions: [Region] = []
  private(set) var isInside: [Bool] = []
  /// The circles that must be left, nil where one never can be; empty where they are the regions'
  /// own.
  private var exitCircles: [Circle?] = []
  /// The edge that each region can meet next: its centre's vector and its radius in metres.
  private var edges: [SIMD4<Double>] = []
  private let options: MonitoringOptions

  init(_ options: MonitoringOptions) {
    self.options = options
  }

  var count: Int { regions.count }

  /// Whether the region with this key is monitored.
  ///
  /// O(log n).
  func contains(_ key: Int64) -> Bool { side(of: key) != nil }

  /// Whether the device is inside the region with this key; nil where it is not monitored.
  ///
  /// O(log n).
  func side(of key: Int64) -> Bool? {
    var low = 0
    var high = regions.count
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < regions.count && regions[low].key == key ? isInside[low] : nil
  }

  /// The circle whose edge is an exit from the region at `index`; nil where there is none.
  private func exitCircle(_ index: Int) -> Circle? {
    exitCircles.isEmpty ? regions[index].circle : exitCircles[index]
  }

  // MARK: Following the path

  /// Appends every edge met on `segment` after `start` and up to `end`, both fractions of it, in
  /// no order, and moves each region's side along.
  mutating func follow(
    _ segment: GeodesicSegment, after start: Double, through end: Double,
    into found: inout [EdgeCrossing]
  ) {
    for index in regions.indices {
      if !isInside[index] && !regions[index].circle.mayTouch(segment) { continue }
      follow(segment, region: index, after: start, through: end, into: &found)
    }
  }

  private mutating func follow(
    _ segment: GeodesicSegment, region index: Int, after start: Double, through end: Double,
    into found: inout [EdgeCrossing]
  ) {
    let key = regions[index].key
    var fraction = start
    while true {
      if isInside[index] {
        guard let circle = exitCircle(index) else { return }
        let spans = segment.insideSpans(of: circle)
        guard let exit = spans.firstEnd(from: fraction), exit < 1, exit <= end else { return }
        found.append(
          EdgeCrossing(
            fraction: exit, key: key, isEnter: false, distanceMeters: circle.radiusMeters))
        isInside[index] = false
        noteEdge(of: index)
        fraction = exit
      } else {
        let circle = regions[index].circle
        let spans = segment.insideSpans(of: circle)
        guard let enter = spans.firstStart(after: fraction), enter <= end else { return }
        found.append(
          EdgeCrossing(
            fraction: enter, key: key, isEnter: true, distanceMeters: circle.radiusMeters))
        isInside[index] = true
        noteEdge(of: index)
        fraction = enter
      }
    }
  }

  /// Appends a crossing for each region that has `position` on another side than before, as
  /// where the path between is not known.
  mutating func compare(at position: Position, into found: inout [EdgeCrossing]) {
    for index in regions.indices {
      let isInsideNow =
        isInside[index]
        ? exitCircle(index)?.contains(position) ?? true : regions[index].circle.contains(position)
      guard isInsideNow != isInside[index] else { continue }
      isInside[index] = isInsideNow
      noteEdge(of: index)
      found.append(
        EdgeCrossing(
          fraction: 1, key: regions[index].key, isEnter: isInsideNow,
          distanceMeters: regions[index].circle.distanceMeters(from: position)))
    }
  }

  // MARK: Striding

  /// Does as ``follow(_:after:through:into:)`` for a whole segment of at most 50 km, and finds out
  /// how near the edges are to its end.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - survey: Receives the distances from its end.
  ///   - found: Receives the edges met, in no order.
  mutating func stride(
    along segment: GeodesicSegment, _ survey: inout EdgeSurvey, into found: inout [EdgeCrossing]
  ) {
    let reach = segment.lengthMeters + NearEdges.toleranceMeters
    for index in edges.indices {
      var meters = clearanceMeters(of: index, from: segment.end)
      // An edge that is farther away than the segment is long is not met on it.
      if meters <= reach {
        follow(segment, region: index, after: 0, through: 1, into: &found)
        // What was entered may have another edge to be left by.
        meters = clearanceMeters(of: index, from: segment.end)
      }
      survey.note(meters, region: index)
    }
  }

  /// Finds out how near the edges are to a position.
  func measure(from position: Position, _ survey: inout EdgeSurvey) {
    for index in edges.indices {
      survey.note(clearanceMeters(of: index, from: position), region: index)
    }
  }

  /// The edges that can be met about a position, as a survey from there has found.
  ///
  /// - Parameters:
  ///   - survey: How near all edges are.
  ///   - position: From where.
  ///   - meters: How far about the position they are wanted at most.
  ///   - pathMeters: How long the path is up to there.
  /// - Returns: The edges, of a radius that may be less.
  func nearEdges(
    _ survey: EdgeSurvey, at position: Position, withinMeters meters: Double, pathMeters: Double
  ) -> NearEdges {
    var near = NearEdges()
    near.center = position.coordinate
    near.radiusMeters = min(meters, survey.leastBeyondMeters)
    near.disc = SafeDisc(
      center: position, radiusMeters: near.radiusMeters - NearEdges.toleranceMeters)
    near.withinUntilMeters = pathMeters + near.radiusMeters
    near.count = survey.count
    for index in 0..<survey.count {
      let (region, meters) = survey[index]
      near.edges[index] = .init(
        center: regions[region].circle.center.coordinate, radiusMeters: edges[region].w,
        region: region, clearUntilMeters: pathMeters + meters)
    }
    return near
  }

  /// Does as ``stride(along:_:into:)`` for a segment on which only some of the near edges can be met,
  /// and notes which edge of their regions is the next.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - near: What is known of the edges around it.
  ///   - selection: Which of these can be met.
  ///   - found: Receives the edges met, in no order.
  mutating func follow(
    _ segment: GeodesicSegment, _ near: inout NearEdges, _ selection: NearEdges.Selection,
    into found: inout [EdgeCrossing]
  ) {
    for index in 0..<near.count where selection.contains(index) {
      let region = near.edges[index].region
      follow(segment, region: region, after: 0, through: 1, into: &found)
      // With a margin what was entered is left by another edge.
      guard near.edges[index].radiusMeters != edges[region].w else { continue }
      near.edges[index].radiusMeters = edges[region].w
      near.edges[index].clearUntilMeters = 0
    }
  }

  /// How far one can go from a position before the edge of the region at `index` can be met, in
  /// metres: what `Circle.clearanceMeters(from:)` gives, or next to nothing less.
  @inline(__always)
  private func clearanceMeters(of index: Int, from position: Position) -> Double {
    let edge = edges[index]
    guard edge.w < Circle.gentleChordMeters / 2 else {
      return wideClearanceMeters(of: index, from: position)
    }
    let x = edge.x - position.vector.x
    let y = edge.y - position.vector.y
    let z = edge.z - position.vector.z
    let chordSquared = x * x + y * y + z * z
    let chord = chordSquared.squareRoot()
    // From outside the chord serves as it is, being shorter than the geodesic; from inside it is
    // stretched by more than the surface can bend it.
    return max(
      chord - edge.w, edge.w - chord * (1 + chordSquared * Circle.greatestStretchPerSquare))
  }

  @inline(never)
  private func wideClearanceMeters(of index: Int, from position: Position) -> Double {
    let circle = isInside[index] ? exitCircle(index) : regions[index].circle
    return circle?.clearanceMeters(from: position) ?? .infinity
  }

  /// Remembers which edge of a region is the next to be met.
  private mutating func noteEdge(of index: Int) {
    let circle = isInside[index] ? exitCircle(index) : regions[index].circle
    edges[index] = SIMD4(
      regions[index].circle.center.vector, circle?.radiusMeters ?? .infinity)
  }

  // MARK: Replacing

  /// Makes `candidates` the set.
  ///
  /// A region in both keeps its side; one that is new, or whose circle changed, takes it from
  /// `isInsideNow`. O(n log n).
  mutating func replace(
    with candidates: ArraySlice<Region>, isInsideNow: (Region) -> Bool
  ) -> Replacement {
    var incoming: [Region] = []
    incoming.reserveCapacity(candidates.count)
    for index in Self.order(of: candidates) { incoming.append(candidates[index]) }
    var result = Replacement()
    result.added.reserveCapacity(incoming.count)
    result.removed.reserveCapacity(regions.count)
    var sides: [Bool] = []
    sides.reserveCapacity(incoming.count)
    var old = 0
    for region in incoming {
      while old < regions.count, regions[old].key < region.key {
        noteRemoval(of: old, in: &result)
        old += 1
      }
      if old < regions.count, regions[old].key == region.key {
        let isSame = regions[old].circle == region.circle
        if !isSame { result.changed.append(region.key) }
        sides.append(isSame ? isInside[old] : isInsideNow(region))
        old += 1
      } else {
        let isInside = isInsideNow(region)
        sides.append(isInside)
        result.added.append(region.key)
        if isInside { result.foundInside.append(region) }
      }
    }
    while old < regions.count {
      noteRemoval(of: old, in: &result)
      old += 1
    }
    adopt(incoming, sides: sides)
    return result
  }

  /// The indices of regions, ascending by key.
  private static func order(of candidates: ArraySlice<Region>) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(candidates.count)
    guard candidates.count <= mostInserted else {
      order.append(contentsOf: candidates.indices)
      order.sort { candidates[$0].key < candidates[$1].key }
      return order
    }
    // Few are sorted as they come.
    for index in candidates.indices {
      let key = candidates[index].key
      order.append(index)
      var slot = order.count - 1
      while slot > 0, candidates[order[slot - 1]].key > key {
        order[slot] = order[slot - 1]
        slot -= 1
      }
      order[slot] = index
    }
    return order
  }

  private static var mostInserted: Int { 32 }

  private func noteRemoval(of index: Int, in result: inout Replacement) {
    result.removed.append(regions[index].key)
    if isInside[index] { result.removedInside.append(regions[index]) }
  }

  /// Takes regions, ascending by key, and their sides as they are.
  mutating func adopt(_ regions: [Region], sides: [Bool]) {
    self.regions = regions
    isInside = sides
    if options.exitMarginMeters > 0 {
      exitCircles = regions.map { options.exitCircle(of: $0.circle) }
    }
    edges.removeAll(keepingCapacity: true)
    for index in regions.indices {
      edges.append(SIMD4(regions[index].circle.center.vector, regions[index].circle.radiusMeters))
      if options.exitMarginMeters > 0, isInside[index] { noteEdge(of: index) }
    }
  }
}
