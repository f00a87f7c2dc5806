import FencepostFixes
import FencepostGeodesy

/// Balls that contain a path: says of most circles at once that the path is nowhere near them.
struct PathHull: Sendable {
  private static let verticesPerBall = 64

  private let tree: BallTree

  init(_ fixes: [Fix]) {
    let positions = fixes.map { Position($0.coordinate) }
    tree = BallTree(
      stride(from: 0, to: positions.count, by: Self.verticesPerBall).map { start in
        // The segment that leads to the first vertex belongs to it.
        let piece = positions[
          max(0, start - 1)..<min(start + Self.verticesPerBall, positions.count)]
        let lengths = zip(piece, piece.dropFirst()).map { Geodesic.distanceMeters($0, $1) }
        return Ball(around: piece.lazy.map(\.vector), longestMeters: lengths.max() ?? 0)
      })
  }

  /// Whether the path may come within a distance of a circle; true where that is not certain.
  ///
  /// A distance along the ellipsoid is never less than the chord.
  func mayCome(within marginMeters: Double, of circle: Circle) -> Bool {
    let reach = circle.radiusMeters + marginMeters
    return tree.count {
      $0.chordMeters(from: circle.center) <= $0.radiusMeters + reach ? nil : false
    } where: { _ in
      true
    } > 0
  }
}
