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
  }

  /// Ascending by key, so that two sets are merged in one pass and ties are in a fixed order.
  private(set) var regions: [Region] = []
  private(set) var isInside: [Bool] = []
  /// The circles that must be left; empty where they are the regions' own.
  private var exitCircles: [Circle] = []
  let exitMarginMeters: Double

  init(exitMarginMeters: Double) {
    self.exitMarginMeters = exitMarginMeters
  }

  var count: Int { regions.count }

  /// Whether the region with this key is monitored.
  ///
  /// O(log n).
  func contains(_ key: Int64) -> Bool {
    var low = 0
    var high = regions.count
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < regions.count && regions[low].key == key
  }

  /// The circle whose edge is an exit from the region at `index`.
  private func exitCircle(_ index: Int) -> Circle {
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
        let circle = exitCircle(index)
        let spans = segment.insideSpans(of: circle)
        guard let exit = spans.firstEnd(from: fraction), exit < 1, exit <= end else { return }
        found.append(
          EdgeCrossing(
            fraction: exit, key: key, isEnter: false, distanceMeters: circle.radiusMeters))
        isInside[index] = false
        fraction = exit
      } else {
        let circle = regions[index].circle
        let spans = segment.insideSpans(of: circle)
        guard let enter = spans.firstStart(after: fraction), enter <= end else { return }
        found.append(
          EdgeCrossing(
            fraction: enter, key: key, isEnter: true, distanceMeters: circle.radiusMeters))
        isInside[index] = true
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
        ? exitCircle(index).contains(position) : regions[index].circle.contains(position)
      guard isInsideNow != isInside[index] else { continue }
      isInside[index] = isInsideNow
      found.append(
        EdgeCrossing(
          fraction: 1, key: regions[index].key, isEnter: isInsideNow,
          distanceMeters: regions[index].circle.distanceMeters(from: position)))
    }
  }

  /// How far the path can go from `position` before it can meet any edge, in metres; a lower bound,
  /// infinite for an empty set.
  ///
  /// Stops early, with what it has, below `enough`.
  func clearanceMeters(at position: Position, enough: Double) -> Double {
    var clearance = Double.infinity
    for index in regions.indices {
      let circle = isInside[index] ? exitCircle(index) : regions[index].circle
      clearance = min(clearance, circle.clearanceMeters(from: position))
      if clearance < enough { return clearance }
    }
    return clearance
  }

  // MARK: Replacing

  /// Makes `candidates` the set.
  ///
  /// A region in both keeps its side; one that is new, or whose circle changed, takes it from
  /// `isInsideNow`. O(n log n).
  mutating func replace(
    with candidates: ArraySlice<Region>, isInsideNow: (Region) -> Bool
  ) -> Replacement {
    let incoming = candidates.sorted { $0.key < $1.key }
    var result = Replacement()
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

  private func noteRemoval(of index: Int, in result: inout Replacement) {
    result.removed.append(regions[index].key)
    if isInside[index] { result.removedInside.append(regions[index]) }
  }

  /// Takes regions, ascending by key, and their sides as they are.
  mutating func adopt(_ regions: [Region], sides: [Bool]) {
    self.regions = regions
    isInside = sides
    guard exitMarginMeters > 0 else { return }
    exitCircles = regions.map {
      Circle(
        center: $0.circle.center.coordinate,
        radiusMeters: min(
          $0.circle.radiusMeters + exitMarginMeters, Circle.greatestRadiusMeters))
    }
  }
}
