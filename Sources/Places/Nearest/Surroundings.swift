import Geodesy

/// The leaves of the reach tree about a point, some of them perhaps not read yet.
struct Surroundings {
  /// The point; nil when there are no surroundings.
  private(set) var position: Position?
  /// Every circle that is not in one of the leaves has an edge farther than this from the point,
  /// by more than the margin: d − r − margin.
  private(set) var coveredMeters = -Double.infinity
  private(set) var marginMeters = 0.0
  private(set) var hulls: [ReachHull] = []
  private(set) var slots: [ReachTree.LeafSlot] = []

  init() {}

  /// Collects the leaves about a point.
  init(
    of position: Position, withinMeters meters: Double, marginMeters: Double,
    in tree: ReachTree
  ) throws(PlaceStoreError) {
    self.position = position
    self.marginMeters = marginMeters
    coveredMeters = meters
    var hulls: [ReachHull] = []
    var slots: [ReachTree.LeafSlot] = []
    try tree.forEachLeaf(from: Viewpoint(position), withinMeters: meters + marginMeters) { slot in
      hulls.append(slot.leaf?.hull ?? ReachHull(of: slot.box))
      slots.append(slot)
    }
    self.hulls = hulls
    self.slots = slots
  }

  /// How far about another point every circle is in one of the leaves, in metres.
  func roomMeters(at other: Position, marginMeters margin: Double) -> Double {
    guard let position, margin <= marginMeters else { return -.infinity }
    if coveredMeters == .infinity { return .infinity }
    return coveredMeters - Geodesic.distanceMeters(position, other)
      - NearestCache.toleranceMeters
  }

  /// The leaf of an index, read where it was not yet and may hold something within a distance.
  ///
  /// - Parameters:
  ///   - index: Which leaf.
  ///   - viewpoint: From where.
  ///   - meters: How far the circles' edges or their centres may be.
  ///   - countsRadius: Whether it is the edges.
  ///   - tree: Where it is read from.
  /// - Returns: The leaf, or nil where what is known of it without reading rules it out.
  /// - Throws: ``PlaceStoreError``.
  mutating func leaf(
    _ index: Int, from viewpoint: @autoclosure () -> Viewpoint, withinMeters meters: Double,
    countsRadius: Bool, in tree: ReachTree
  ) throws(PlaceStoreError) -> ReachLeaf? {
    let slot = slots[index]
    if let leaf = slot.leaf { return leaf }
    let box = slot.box
    let limit = countsRadius ? meters + box.greatestRadiusMeters : meters
    guard viewpoint().leastMeters(to: box, limitMeters: limit) <= limit else { return nil }
    let leaf = try tree.load(slot)
    hulls[index] = leaf.hull
    return leaf
  }
}
