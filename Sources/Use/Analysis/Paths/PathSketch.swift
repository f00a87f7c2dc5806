package import FencepostGeodesy

/// A path simplified for drawing.
///
/// Vertices closer together than a tolerance are dropped as they arrive. If too many remain, the
/// tolerance doubles. Never use a sketch for counts or distances.
package struct PathSketch {
  /// A point to draw, and whether it begins a new line.
  private struct Vertex {
    var coordinate: Coordinate
    var startsLine: Bool
  }

  private let mostVertices: Int
  private var vertices: [Vertex] = []
  private var last: Vertex?
  private var grainMeters = 1.0

  /// Starts a track with a maximum number of vertices; 0 draws nothing.
  package init(mostVertices: Int) { self.mostVertices = mostVertices }

  /// Adds the next point; unless joined, it begins a new line.
  package mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    guard mostVertices > 0 else { return }
    let vertex = Vertex(coordinate: coordinate, startsLine: !isJoined)
    if isJoined, let kept = vertices.last, isNear(kept.coordinate, coordinate) {
      last = vertex
      return
    }
    // A line ends where the path does, even within the tolerance.
    if !isJoined, let last { vertices.append(last) }
    last = nil
    vertices.append(vertex)
    if vertices.count >= 4 * mostVertices { thin() }
  }

  /// Returns one line per unbroken piece of the path.
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
      // The path ends where it did. Another piece smaller than the tolerance is drawn as its first
      // vertex.
      if let last = kept.last, !vertex.startsLine, offset + 1 < vertices.count,
        isNear(last.coordinate, vertex.coordinate)
      {
        continue
      }
      kept.append(vertex)
    }
    vertices = kept
  }

  /// Returns whether two points are certainly within the tolerance of each other.
  private func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool {
    SafeDisc(center: a, radiusMeters: grainMeters).contains(b)
  }
}
