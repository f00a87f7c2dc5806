import FencepostGeodesy
import FencepostMonitoring

/// The leaves of the circle index about a point, some of them perhaps not read yet.
struct LeafCache {
  /// The point; nil for an empty cache.
  private(set) var position: Position?
  /// Every circle that is in none of the leaves has an edge farther than this from the point, by more
  /// than the margin: d − r − margin.
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

  /// How far about another point every circle is in one of the leaves, in metres; −∞ where nothing is
  /// known.
  func roomMeters(at other: Position, marginMeters margin: Double) -> Double {
    guard let position, margin <= marginMeters else { return -.infinity }
    if coveredMeters == .infinity { return .infinity }
    return coveredMeters - Geodesic.distanceMeters(position, other)
      - NearestCache.toleranceMeters
  }

  /// A leaf, read where it was not yet and may hold something within a distance.
  ///
  /// - Parameters:
  ///   - number: Which leaf.
  ///   - point: From where.
  ///   - meters: How far the circles' edges or their centres may be.
  ///   - countsRadius: Whether it is the edges.
  ///   - index: Where it is read from.
  /// - Returns: The leaf, or nil where its cell rules it out.
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
