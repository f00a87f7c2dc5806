import FencepostGeodesy
import FencepostMonitoring

/// The leaves of the circle index about a point, some of them perhaps not read yet.
struct LeafCache {
  /// The point; nil for an empty cache.
  private(set) var position: Position?
  /// For every circle outside of the leaves, d − r − margin exceeds this.
  private(set) var coveredMeters = -Double.infinity
  private(set) var marginMeters = 0.0
  private(set) var hulls: [CircleHull] = []
  private(set) var slots: [CircleIndex.LeafSlot] = []

  init() {}

  /// Collects the leaves about a point.
  init(
    of position: Position, withinMeters meters: Double, marginMeters: Double,
    in index: CircleIndex
  ) throws(PlaceStoreError) {
    self.position = position
    self.marginMeters = marginMeters
    coveredMeters = meters
    var slots: [CircleIndex.LeafSlot] = []
    try index.forEachLeaf(from: QueryPoint(position), withinMeters: meters + marginMeters) {
      slots.append($0)
    }
    self.slots = slots
    hulls = slots.map { $0.leaf?.hull ?? $0.cell.hull }
  }

  /// The distance from another point within which the leaves hold every circle, in metres; −∞ if
  /// unknown.
  func roomMeters(at other: Position, marginMeters margin: Double) -> Double {
    guard let position, margin <= marginMeters else { return -.infinity }
    if coveredMeters == .infinity { return .infinity }
    return coveredMeters - Geodesic.distanceMeters(position, other)
      - NearestCache.toleranceMeters
  }

  /// A leaf, read if necessary and if it may hold a circle within a distance.
  ///
  /// - Parameters:
  ///   - number: Which leaf.
  ///   - point: Where distances are measured from.
  ///   - meters: The greatest distance of the circles' edges, or of their centres.
  ///   - countsRadius: Whether it is that of the edges.
  ///   - index: The index to read it from.
  /// - Returns: The leaf; nil if its cell rules it out.
  /// - Throws: ``PlaceStoreError``.
  mutating func leaf(
    _ number: Int, from point: @autoclosure () -> QueryPoint, withinMeters meters: Double,
    countsRadius: Bool, in index: CircleIndex
  ) throws(PlaceStoreError) -> CircleLeaf? {
    let slot = slots[number]
    if let leaf = slot.leaf { return leaf }
    let limit = countsRadius ? meters + slot.cell.greatestRadiusMeters : meters
    guard point().leastMeters(to: slot.cell.box, limitMeters: limit) <= limit else { return nil }
    let leaf = try index.load(slot)
    hulls[number] = leaf.hull
    return leaf
  }
}
