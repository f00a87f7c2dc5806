package import FencepostGeodesy

/// A path as it is drawn: few vertices that look like all of them.
///
/// Vertices closer together than a grain are dropped as they arrive; when there are too many the
/// grain doubles. For drawing only: no count or distance comes from a sketch.
package struct PathSketch {
  private struct Vertex {
    var coordinate: Coordinate
    var startsLine: Bool
  }

  private let mostVertices: Int
  private var vertices: [Vertex] = []
  private var last: Vertex?
  private var grainMeters = 1.0

  /// Begins a track.
  ///
  /// - Parameter mostVertices: How many vertices may remain; 0 draws nothing.
  package init(mostVertices: Int) {
    self.mostVertices = mostVertices
  }

  /// Takes the path's next vertex.
  package mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    guard mostVertices > 0 else { return }
    let vertex = Vertex(coordinate: coordinate, startsLine: !isJoined)
    if isJoined, let kept = vertices.last, isNear(kept.coordinate, coordinate) {
      last = vertex
      return
    }
    // A line ends where the path does, even within the grain.
    if !isJoined, let last { vertices.append(last) }
    last = nil
    vertices.append(vertex)
    if vertices.count >= 4 * mostVertices { thin() }
  }

  /// Each unbroken piece.
  package mutating func finish() -> [[Coordinate]] {
    if let last { vertices.append(last) }
    last = nil
    while vertices.count > mostVertices, grainMeters < 1_000_000 { thin() }
    var lines: [[Coordinate]] = []
    for vertex in vertices {
      if vertex.startsLine || lines.isEmpty { lines.append([]) }
      lines[lines.count - 1].append(vertex.coordinate)
    }
    return lines
  }

  private mutating func thin() {
    grainMeters *= 2
    var kept: [Vertex] = []
    for (offset, vertex) in vertices.enumerated() {
      let endsLine = offset + 1 == vertices.count || vertices[offset + 1].startsLine
      if let last = kept.last, !vertex.startsLine, !endsLine,
        isNear(last.coordinate, vertex.coordinate)
      {
        continue
      }
      // Of a piece smaller than the grain only the first vertex is drawn.
      if let last = kept.last, endsLine, !vertex.startsLine,
        isNear(last.coordinate, vertex.coordinate), offset + 1 < vertices.count
      {
        continue
      }
      kept.append(vertex)
    }
    vertices = kept
  }

  /// Whether two points are certainly within a grain of each other.
  private func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool {
    SafeDisc(center: a, radiusMeters: grainMeters).contains(b)
  }
}
