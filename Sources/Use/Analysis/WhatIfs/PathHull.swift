import FencepostFixes
import FencepostGeodesy

/// Balls that together contain a path, for ruling out circles far from it quickly.
///
/// A what-if asks it for each changed circle and track, before it follows the track again.
struct PathHull: Sendable {
  private static let verticesPerBall = 64

  private let tree: BallTree

  /// Bounds the path through these fixes; O(n).
  init(_ fixes: [Fix]) {
    let positions = fixes.map { Position($0.coordinate) }
    tree = BallTree(
      stride(from: 0, to: positions.count, by: Self.verticesPerBall).map { start in
        // Include the segment that leads to the first vertex.
        let piece = positions[
          max(0, start - 1)..<min(start + Self.verticesPerBall, positions.count)]
        let lengths = zip(piece, piece.dropFirst()).map { Geodesic.distanceMeters($0, $1) }
        return Ball(around: piece.lazy.map { $0.vector }, longestMeters: lengths.max() ?? 0)
      })
  }

  /// Returns false only if the path certainly stays farther than a distance from a circle.
  ///
  /// The chord is never longer than the geodesic, so comparing chords is safe.
  func mayCome(within marginMeters: Double, of circle: Circle) -> Bool {
    let reach = circle.radiusMeters + marginMeters
    return tree.count {
      $0.chordMeters(from: circle.center) <= $0.radiusMeters + reach ? nil : false
    } where: { _ in
      true
    } > 0
  }
}
