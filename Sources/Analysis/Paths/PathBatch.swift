import Fencepost
import FencepostFixes
package import FencepostGeodesy
import FencepostMonitoring

/// Some fixes of a track, prepared once for all rules that follow them.
struct PathBatch {
  /// The vertices.
  private(set) var points: [PathPoint] = []
  /// The speed on the way to each vertex in metres a second, NaN if unknown; empty if not needed.
  private var speeds: [Double] = []
  /// Index of the first vertex, counted over the track.
  private(set) var firstFix = 0

  private let watchesSpeed: Bool
  private var fixes: [Fix] = []
  /// The last fix before these.
  private var before: Fix?
  private var last: Fix?

  /// Begins a track.
  init(watchesSpeed: Bool) {
    self.watchesSpeed = watchesSpeed
  }

  /// Replaces the vertices with the next ones.
  mutating func prepare(_ fixes: [Fix]) {
    firstFix += points.count
    points.removeAll(keepingCapacity: true)
    speeds.removeAll(keepingCapacity: true)
    (self.fixes, before) = (fixes, last)
    for fix in fixes {
      let startsSegment = last.map { $0.segmentIndex != fix.segmentIndex } ?? false
      points.append(
        PathPoint(
          coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
          startsSegment: startsSegment, accuracyMeters: fix.knownAccuracyMeters))
      if watchesSpeed { speeds.append(fix.arrivalSpeedMetersPerSecond(from: last)) }
      last = fix
    }
  }

  /// The speed on the way to a vertex in metres a second, NaN if unknown or not needed.
  func speed(at offset: Int) -> Double {
    speeds.isEmpty ? .nan : speeds[offset]
  }

  /// The speed on the way to a vertex in metres a second, worked out if need be; nil if unknown.
  func arrivalSpeed(at offset: Int) -> Double? {
    let speed = fixes[offset].arrivalSpeedMetersPerSecond(
      from: offset > 0 ? fixes[offset - 1] : before)
    return speed.isNaN ? nil : speed
  }
}

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
