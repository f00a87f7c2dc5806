/// Computes the centroid of areas, lines or points on the ellipsoid, vertex by vertex.
///
/// Lines count only if there are no areas, and points only if there are no lines. An area no wider
/// than a line counts as the lines of its edges, and a line of length 0 as its points. Holes are
/// subtracted. Edges are the shortest lines between vertices, even at poles and the antimeridian.
///
/// The centroid is the direction of the mean vector on the authalic sphere. Rounding moves it by
/// millimeters. Up to 10 km it is within 3 cm of the centroid on a local equal-area map.
package struct ShapeCentroid: Sendable {
  /// What the next vertices form, which decides how they count toward the centroid.
  ///
  /// Readers of GeoJSON and KML name one with ``ShapeCentroid/begin(_:)`` for each ring, line or
  /// list of points.
  package enum Part: Sendable {
    /// The edge of an area smaller than half the Earth, in either direction, closed or not.
    case outline
    /// The edge of a hole in an area, in either direction, closed or not.
    case hole
    /// A line from vertex to vertex.
    case line
    /// Separate points.
    case points
  }

  private var part = Part.points
  private var first: SIMD3<Double>?
  private var last = SIMD3<Double>.zero
  /// The integral of the direction over the area within the open ring.
  private var ring = SIMD3<Double>.zero
  private var ringVertices = SIMD3<Double>.zero
  private var ringLength = 0.0
  /// The integrals over areas and over lines, and the sum of all vertices.
  private var area = SIMD3<Double>.zero
  private var line = SIMD3<Double>.zero
  private var vertices = SIMD3<Double>.zero
  private var lengths = 0.0
  private var vertexCount = 0.0

  /// Creates a shape without vertices.
  package init() {}

  /// Begins a part; add its vertices, then call ``end()``.
  package mutating func begin(_ part: Part) {
    self.part = part
    first = nil
    (ring, ringVertices, ringLength) = (.zero, .zero, 0)
  }

  /// Adds the next vertex of the part, which must be valid (``Coordinate/isValid``).
  package mutating func add(_ coordinate: Coordinate) {
    let vertex = AuthalicSphere.direction(of: coordinate)
    vertices += vertex
    vertexCount += 1
    ringVertices += vertex
    if first == nil { first = vertex } else if part != .points { addEdge(to: vertex) }
    last = vertex
  }

  /// Ends a part; a ring is closed.
  package mutating func end() {
    guard let first, part == .outline || part == .hole else { return }
    addEdge(to: first)
    // Rings may have either direction. The area is on the side of the vertices.
    let side = dot(ring, ringVertices)
    guard abs(side) > Self.leastWidth * ringLength * length(ringVertices) else { return }
    area += (side > 0) == (part == .outline) ? ring : -ring
  }

  /// The centroid, or nil if there are no vertices or it could be anywhere, as for two poles.
  package var coordinate: Coordinate? {
    // Holes larger than their areas leave nothing.
    if dot(area, vertices) > Self.leastWidth * lengths * length(vertices) {
      return AuthalicSphere.coordinate(along: area)
    }
    if length(line) > Self.leastMean * lengths { return AuthalicSphere.coordinate(along: line) }
    guard lengths == 0, length(vertices) > Self.leastMean * vertexCount else { return nil }
    return AuthalicSphere.coordinate(along: vertices)
  }

  /// A shorter mean direction is only rounding.
  private static var leastMean: Double { 1e-12 }

  /// The least width of an area, as a fraction of the Earth's radius: a tenth of a micrometer.
  private static var leastWidth: Double { 1e-14 }

  private mutating func addEdge(to vertex: SIMD3<Double>) {
    let chord = vertex - last
    let half = length(chord) / 2
    let (normal, between) = (cross(last, chord), last + vertex)
    // Stokes's theorem: the integral of the direction over an area is half that of r × dr along its
    // edge. For an arc, this is its angle times its unit normal.
    ring += normal * (Self.angleOverSine(halfChord: half) / 2)
    // The integral of the direction along the arc: its chord's length toward its middle.
    let middle = length(between) > 0 ? between / length(between) : .zero
    line += middle * (2 * half)
    ringLength += 2 * half
    lengths += 2 * half
  }

  /// The angle of an arc divided by the sine of that angle, from half its chord.
  private static func angleOverSine(halfChord s: Double) -> Double {
    guard s > 0.03 else {
      let square = s * s
      return 1 + square
        * (2 / 3.0 + square * (8 / 15.0 + square * (16 / 35.0 + square * 128 / 315)))
    }
    let sine = 2 * s * (1 - s * s).squareRoot()
    // Between antipodes any arc is shortest, and the sum omits it.
    return sine > 0 ? 2 * asin(sine: min(1, s)) / sine : 0
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
