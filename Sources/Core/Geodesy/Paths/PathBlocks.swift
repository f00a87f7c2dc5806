/// Cuts a path, as it streams by, into stretches that each become a ``PathTree``.
///
/// Each stretch begins with the last vertex of the one before, so that no segment is lost.
package struct PathBlocks: Sendable {
  /// The most vertices of a stretch, which take some tens of megabytes.
  package static let mostVertices = 65_536

  private var vertices: [PathTree.Vertex] = []

  /// Creates an empty path.
  package init() {}

  /// Adds a valid vertex, and returns the stretch before it if that is full.
  ///
  /// `isJoined` tells whether the path runs straight to it from the vertex before.
  package mutating func take(_ coordinate: Coordinate, isJoined: Bool) -> PathTree? {
    let full = vertices.count == Self.mostVertices ? cut() : nil
    vertices.append(.init(position: Position(coordinate), isJoined: isJoined))
    return full
  }

  /// Ends the path and returns its last stretch, or nil if it has no vertices.
  package mutating func finish() -> PathTree? {
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
