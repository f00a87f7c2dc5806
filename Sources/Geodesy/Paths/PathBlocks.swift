/// Cuts a path that streams by into stretches, each of which becomes a ``PathTree``.
///
/// A stretch begins with the vertex that the one before it ends with, so that no segment is lost.
public struct PathBlocks: Sendable {
  /// Most vertices of a stretch: some tens of megabytes.
  public static let mostVertices = 65_536

  private var vertices: [PathTree.Vertex] = []

  /// Begins a path.
  public init() {}

  /// Takes the path's next vertex.
  ///
  /// - Parameters:
  ///   - coordinate: Where, a valid coordinate.
  ///   - isJoined: Whether the path runs straight to it from the vertex before.
  /// - Returns: The stretch before it, if that is full.
  public mutating func take(_ coordinate: Coordinate, isJoined: Bool) -> PathTree? {
    let full = vertices.count == Self.mostVertices ? cut() : nil
    vertices.append(.init(position: Position(coordinate), isJoined: isJoined))
    return full
  }

  /// Ends the path, and begins another.
  ///
  /// - Returns: The last stretch; nil for a path without vertices.
  public mutating func finish() -> PathTree? {
    let last = cut()
    vertices.removeAll(keepingCapacity: true)
    return last
  }

  private mutating func cut() -> PathTree? {
    guard let last = vertices.last else { return nil }
    vertices[0].isJoined = false
    let tree = PathTree(vertices)
    vertices.removeAll(keepingCapacity: true)
    vertices.append(last)
    return tree
  }
}

extension PathTree {
  /// How many vertices it has.
  public var vertexCount: Int { vertices.count }

  /// Where this stretch is nearer to a place than the stretches before it, by the straight line or,
  /// from afar, perhaps by the geodesic.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - chordSquared: The square of the least chord to the stretches before, infinite without any; becomes
  ///     that with this stretch.
  ///   - seed: The vertex to try first; becomes the nearest one, if that is nearer than before.
  /// - Returns: The approach; nil if the stretch cannot be nearer. It may be farther all the same.
  public func approach(
    to place: Position, improving chordSquared: inout Double, seed: inout Int
  ) -> Approach? {
    guard !vertices.isEmpty else { return nil }
    var nearest = Nearest(chordSquared: chordSquared)
    self.seed(&nearest, with: seed, to: place)
    improve(&nearest, to: place)
    if nearest.chordSquared < chordSquared {
      chordSquared = nearest.chordSquared
      seed = nearest.vertex
    } else if nearest.chordMeters > Self.nearChordMeters {
      // Along the geodesic this stretch may still be nearer than an earlier one.
      nearest = Nearest()
      improve(&nearest, to: place)
    } else {
      return nil
    }
    return approach(to: place, from: nearest)
  }

  /// The distance of a path from a place in metres.
  ///
  /// - Parameters:
  ///   - path: The path's stretches, in order.
  ///   - place: The place.
  /// - Returns: The distance, as exact as ``approach(to:from:)`` says; infinite for a path without vertices.
  public static func distanceMeters(of path: [PathTree], from place: Position) -> Double {
    var chordSquared = Double.infinity
    var least = Double.infinity
    for stretch in path {
      var seed = 0
      if let approach = stretch.approach(to: place, improving: &chordSquared, seed: &seed) {
        least = min(least, approach.distanceMeters)
      }
    }
    return least
  }
}
