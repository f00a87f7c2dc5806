/// Cuts a path that streams by into stretches, each of which becomes a ``PathTree``.
///
/// A stretch begins with the vertex that the one before it ends with, so that no segment is lost.
package struct PathBlocks: Sendable {
  /// Most vertices of a stretch: some tens of megabytes.
  package static let mostVertices = 65_536

  private var vertices: [PathTree.Vertex] = []

  /// Begins a path.
  package init() {}

  /// Takes the path's next vertex.
  ///
  /// - Parameters:
  ///   - coordinate: Where, a valid coordinate.
  ///   - isJoined: Whether the path runs straight to it from the vertex before.
  /// - Returns: The stretch before it, if that is full.
  package mutating func take(_ coordinate: Coordinate, isJoined: Bool) -> PathTree? {
    let full = vertices.count == Self.mostVertices ? cut() : nil
    vertices.append(.init(position: Position(coordinate), isJoined: isJoined))
    return full
  }

  /// Ends the path, and begins another.
  ///
  /// - Returns: The last stretch; nil for a path without vertices.
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
