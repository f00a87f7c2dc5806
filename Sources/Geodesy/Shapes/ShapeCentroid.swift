/// The centroid of areas, lines or points on the ellipsoid, gathered vertex by vertex.
///
/// ``begin(_:)`` begins each ring or line, ``add(_:)`` its vertices in turn, and ``end()`` closes a ring.
///
/// Areas count before lines, and lines before points: an area that is no wider than a line counts as the lines of its
/// edges, and a line without length as its points. Holes are taken off. Edges are the shortest lines between their
/// vertices, so that poles and the antimeridian are nothing special.
///
/// The centroid is the direction of the mean vector on the authalic sphere, which has the ellipsoid's areas. Rounding moves
/// it by millimetres. Up to 10 km it is within 3 cm of the centroid on a map of the place that keeps areas.
package struct ShapeCentroid: Sendable {
  /// What some vertices mean.
  package enum Part: Sendable {
    /// The edge of an area smaller than half the Earth, in either direction, closed or not.
    case outline
    /// The edge of a hole in it.
    case hole
    /// A line.
    case line
    /// Points for themselves.
    case points
  }

  private var part = Part.points
  private var first: SIMD3<Double>?
  private var last = SIMD3<Double>.zero
  /// The integral of the direction over the area within the open ring.
  private var ring = SIMD3<Double>.zero
  private var ringVertices = SIMD3<Double>.zero
  private var ringLength = 0.0
  /// The integrals over areas and lines, and the sum of all vertices.
  private var area = SIMD3<Double>.zero
  private var line = SIMD3<Double>.zero
  private var vertices = SIMD3<Double>.zero
  private var lengths = 0.0
  private var vertexCount = 0.0

  /// Makes the centroid of nothing.
  package init() {}

  /// Begins a ring, a line or points.
  package mutating func begin(_ part: Part) {
    self.part = part
    first = nil
    (ring, ringVertices, ringLength) = (.zero, .zero, 0)
  }

  /// Adds the next vertex, which must be valid (``Coordinate/isValid``).
  package mutating func add(_ coordinate: Coordinate) {
    let vertex = AuthalicSphere.direction(of: coordinate)
    vertices += vertex
    vertexCount += 1
    ringVertices += vertex
    if first == nil { first = vertex } else if part != .points { addEdge(to: vertex) }
    last = vertex
  }

  /// Ends what ``begin(_:)`` began; a ring is closed.
  package mutating func end() {
    guard let first, part == .outline || part == .hole else { return }
    addEdge(to: first)
    // Rings have either direction. This one's area is on the side of its vertices.
    let side = dot(ring, ringVertices)
    guard abs(side) > Self.leastWidth * ringLength * length(ringVertices) else { return }
    area += (side > 0) == (part == .outline) ? ring : -ring
  }

  /// The centroid; nil without a vertex, or if it could be anywhere, as for two poles.
  package var coordinate: Coordinate? {
    // Holes that are larger than their areas leave nothing.
    if dot(area, vertices) > Self.leastWidth * lengths * length(vertices) {
      return AuthalicSphere.coordinate(along: area)
    }
    if length(line) > Self.leastMean * lengths { return AuthalicSphere.coordinate(along: line) }
    guard lengths == 0, length(vertices) > Self.leastMean * vertexCount else { return nil }
    return AuthalicSphere.coordinate(along: vertices)
  }

  /// A mean direction that is shorter is rounding.
  private static var leastMean: Double { 1e-12 }

  /// How wide an area is at least, as a part of the Earth's radius: a tenth of a micrometre.
  private static var leastWidth: Double { 1e-14 }

  private mutating func addEdge(to vertex: SIMD3<Double>) {
    let chord = vertex - last
    let half = length(chord) / 2
    let (normal, between) = (cross(last, chord), last + vertex)
    // Stokes's theorem: the integral of the direction over an area is half that of r × dr along its edge, which for an
    // arc is its angle times its unit normal.
    ring += normal * (Self.angleOverSine(halfChord: half) / 2)
    // The integral of the direction along the arc: its chord's length towards its middle.
    let middle = length(between) > 0 ? between / length(between) : .zero
    line += middle * (2 * half)
    ringLength += 2 * half
    lengths += 2 * half
  }

  /// The angle of an arc over the sine of that angle, by half its chord.
  private static func angleOverSine(halfChord s: Double) -> Double {
    guard s > 0.03 else {
      let square = s * s
      return 1 + square
        * (2 / 3.0 + square * (8 / 15.0 + square * (16 / 35.0 + square * 128 / 315)))
    }
    let sine = 2 * s * (1 - s * s).squareRoot()
    // Between antipodes any arc is shortest, and the sum leaves it out.
    return sine > 0 ? 2 * asin(sine: min(1, s)) / sine : 0
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
