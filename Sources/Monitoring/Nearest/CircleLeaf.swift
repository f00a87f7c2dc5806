public import FencepostGeodesy

/// Some tens of circles that lie close together: the unit in which a search looks at places.
public final class CircleLeaf: Sendable {
  /// The keys of the places, one for each circle.
  public let keys: [Int64]
  /// The circles of the places.
  public let circles: [Circle]
  /// The same circles four by four, to find the near ones among them.
  public let blocks: [CircleBlock]
  /// Bounds how near or far any of the circles is.
  public let hull: CircleHull

  /// Makes a leaf.
  ///
  /// - Precondition: There are as many keys as circles.
  public init(keys: [Int64], circles: [Circle]) {
    precondition(keys.count == circles.count, "each circle has a key")
    self.keys = keys
    self.circles = circles
    blocks = CircleBlock.blocks(of: circles)
    hull = CircleHull(of: circles)
  }

  /// Appends the circles that contain a point or whose edges are within a distance of it, in no order.
  ///
  /// - Parameters:
  ///   - meters: The distance, at least 0.
  ///   - position: The point.
  ///   - neighbors: Receives the circles, ranked by their centres.
  package func append(
    circlesWithinMeters meters: Double, of position: Position, to neighbors: inout [Neighbor]
  ) {
    for (first, block) in zip(stride(from: 0, to: .max, by: CircleBlock.capacity), blocks) {
      let reach = block.radiiMeters + meters
      // No geodesic is shorter than its chord.
      let isNear = block.chordsSquared(from: position.vector) .<= reach * reach
      guard any(isNear) else { continue }
      for place in 0..<CircleBlock.capacity where isNear[place] {
        let neighbor = Neighbor(
          key: keys[first + place], circle: circles[first + place], from: position, rank: .center)
        if neighbor.centerDistanceMeters - neighbor.circle.radiusMeters <= meters {
          neighbors.append(neighbor)
        }
      }
    }
  }
}
