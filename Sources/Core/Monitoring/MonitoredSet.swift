import FencepostGeodesy
import FencepostTime

/// The monitored regions, and whether the device is inside each.
struct MonitoredSet: Sendable {
  struct Replacement {
    var added: [Int64] = []
    var removed: [Int64] = []
    /// Added regions that contain the device.
    var foundInside: [Region] = []
    /// Removed regions that contained the device.
    var removedInside: [Region] = []
    /// Regions whose circle changed, so that their side started over.
    var changed: [Int64] = []
  }

  /// Ascending by key, so that two sets merge in one pass and ties have a fixed order.
  private(set) var regions: [Region] = []
  private(set) var isInside: [Bool] = []
  /// Nil for a region that cannot be left; empty if the exit circles are the regions' own.
  private var exitCircles: [Circle?] = []
  private let options: MonitoringOptions

  init(_ options: MonitoringOptions) {
    self.options = options
  }

  var count: Int { regions.count }

  func contains(_ key: Int64) -> Bool { side(of: key) != nil }

  /// Nil if there is no region with this key.
  func region(forKey key: Int64) -> Region? {
    let index = regions.partitioningIndex { $0.key >= key }
    return index < regions.count && regions[index].key == key ? regions[index] : nil
  }

  /// Nil if the region is not monitored.
  func side(of key: Int64) -> Bool? {
    let index = regions.partitioningIndex { $0.key >= key }
    return index < regions.count && regions[index].key == key ? isInside[index] : nil
  }

  /// The circle whose edge is the exit from a region; nil if that region is never left.
  private func exitCircle(_ index: Int) -> Circle? {
    exitCircles.isEmpty ? regions[index].circle : exitCircles[index]
  }

  /// The circle whose edge the path can meet next; nil inside a region that is never left.
  private func nextCircle(_ index: Int) -> Circle? {
    isInside[index] ? exitCircle(index) : regions[index].circle
  }

  /// A lower bound of the distance to the next edge that the path can meet, or a limit, in meters.
  func clearanceMeters(from position: Position, upTo limit: Double) -> Double {
    var least = limit
    if exitCircles.isEmpty {
      for index in regions.indices {
        least = regions[index].circle.clearanceMeters(from: position, upTo: least)
      }
    } else {
      for index in regions.indices {
        least = nextCircle(index)?.clearanceMeters(from: position, upTo: least) ?? least
      }
    }
    return least
  }

  // MARK: Following the path

  /// Appends the crossings up to the fraction `end` of a leg, in no order, and updates the sides.
  mutating func follow(
    _ segment: GeodesicSegment, of leg: Engine.Leg, through end: Double,
    into found: inout [FoundCrossing]
  ) {
    for index in regions.indices {
      if !isInside[index] && !regions[index].circle.mayTouch(segment) { continue }
      var fraction = leg.fraction
      while let edge = nextEdge(of: index, on: segment, after: fraction), edge <= end {
        found.append(
          leg.crossing(
            of: regions[index], isEntry: !isInside[index], at: edge,
            distanceMeters: nextCircle(index)?.radiusMeters ?? 0))
        isInside[index].toggle()
        fraction = edge
      }
    }
  }

  private func nextEdge(
    of index: Int, on segment: GeodesicSegment, after fraction: Double
  ) -> Double? {
    guard let circle = nextCircle(index) else { return nil }
    let spans = segment.insideSpans(of: circle)
    guard isInside[index] else { return spans.firstStart(after: fraction) }
    guard let exit = spans.firstEnd(from: fraction), exit < 1 else { return nil }
    return exit
  }

  /// Appends a crossing for each side that differs at the end of a leg, and updates the sides.
  ///
  /// Used across breaks, and if sides are judged at fixes.
  mutating func compare(at leg: Engine.Leg, into found: inout [FoundCrossing]) {
    for index in regions.indices {
      let isInsideNow = side(index, at: leg)
      guard isInsideNow != isInside[index] else { continue }
      isInside[index] = isInsideNow
      found.append(
        leg.crossing(of: regions[index], isEntry: isInsideNow, isAcrossBreak: leg.isBreak))
    }
  }

  private func side(_ index: Int, at leg: Engine.Leg) -> Bool {
    guard options.judgesAccuracy else {
      return nextCircle(index)?.contains(leg.position) ?? true
    }
    return options.isInside(
      regions[index].circle, wasInside: isInside[index], at: leg.position,
      accuracyMeters: Double(leg.point.accuracyMeters))
  }

  // MARK: Replacing

  /// Replaces the set; a region in both keeps its side if it has the same circle.
  mutating func replace(
    with candidates: ArraySlice<Region>, isInsideNow: (Region) -> Bool
  ) -> Replacement {
    // Keys and indices are smaller to move than regions.
    var order = candidates.indices.map { (key: candidates[$0].key, index: $0) }
    order.sort { $0.key < $1.key }
    let incoming = order.map { candidates[$0.index] }
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

  private func noteRemoval(of index: Int, in result: inout Replacement) {
    result.removed.append(regions[index].key)
    if isInside[index] { result.removedInside.append(regions[index]) }
  }

  /// Adds a region with the device on a side of it; one with a known key stays as it is.
  mutating func add(_ region: Region, isInside side: Bool) {
    let index = regions.partitioningIndex { $0.key >= region.key }
    if index < regions.count, regions[index].key == region.key { return }
    regions.insert(region, at: index)
    isInside.insert(side, at: index)
    if options.exitMarginMeters > 0 {
      exitCircles.insert(options.exitCircle(of: region.circle), at: index)
    }
  }

  /// Drops the regions that the device is outside of.
  mutating func keepInside() {
    var kept = 0
    for index in regions.indices where isInside[index] {
      if kept < index {
        regions.swapAt(kept, index)
        isInside.swapAt(kept, index)
        if !exitCircles.isEmpty { exitCircles.swapAt(kept, index) }
      }
      kept += 1
    }
    let dropped = regions.count - kept
    guard dropped > 0 else { return }
    regions.removeLast(dropped)
    isInside.removeLast(dropped)
    if !exitCircles.isEmpty { exitCircles.removeLast(dropped) }
  }

  /// Restores the set; the regions must be in ascending order of key.
  mutating func adopt(_ regions: [Region], sides: [Bool]) {
    self.regions = regions
    isInside = sides
    if options.exitMarginMeters > 0 {
      exitCircles = regions.map { options.exitCircle(of: $0.circle) }
    }
  }
}
