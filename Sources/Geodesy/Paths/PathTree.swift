/// A stretch of a path in a tree of spheres, which finds the point of it that is nearest to a place.
///
/// The vertices are the tree's leaves, in groups of neighbours; a joined segment belongs to the vertex
/// at its end. ``improve(_:to:)`` measures by the straight line, ``approach(to:from:)`` by geodesics.
public struct PathTree: Sendable {
  /// A vertex, and whether the path runs straight to it from the vertex before.
  public struct Vertex: Sendable {
    var position: Position
    /// Whether a segment ends here.
    public var isJoined: Bool

    /// Makes a vertex.
    public init(position: Position, isJoined: Bool) {
      self.position = position
      self.isJoined = isJoined
    }
  }

  /// A sphere, in earth-centred metres, about all of a part of the path.
  struct Sphere {
    var center: SIMD3<Double>
    var radiusMeters: Double

    /// A sphere that contains nothing.
    static let empty = Sphere(center: .zero, radiusMeters: -.infinity)
  }

  /// The nearest point so far, by the straight line.
  public struct Nearest: Sendable {
    /// The square of the chord from the place, in square metres; infinite where there is no point.
    public var chordSquared: Double
    /// Index of the vertex that ends the segment.
    public var vertex = 0
    /// How far along the segment, 0 … 1.
    public var fraction = 1.0

    /// The chord from the place, in metres.
    public var chordMeters: Double { chordSquared.squareRoot() }

    /// Makes a bound without a point: only what is nearer is of interest.
    public init(chordSquared: Double = .infinity) { self.chordSquared = chordSquared }
  }

  private static let leafCount = 8

  let vertices: [Vertex]
  /// The vertices' vectors, close together for the search.
  private let points: [SIMD3<Double>]
  /// Lengths of the segments that end at the vertices, 0 where not joined.
  let lengths: [Double]
  /// Node i has the nodes 2i and 2i + 1 below it; the leaves begin at ``firstLeaf``.
  private let nodes: [Sphere]
  private let firstLeaf: Int
  /// From how far on the nearest vertex stands for the nearest point, in metres.
  private let farMeters: Double

  /// Makes the tree of some vertices, the first of which must not be joined.
  ///
  /// - Complexity: O(n)
  public init(_ vertices: [Vertex]) {
    self.vertices = vertices
    points = vertices.map(\.position.vector)
    lengths = vertices.indices.map { index in
      vertices[index].isJoined && index > 0
        ? Geodesic.distanceMeters(vertices[index - 1].position, vertices[index].position) : 0
    }
    let leaves = Self.leaves(vertices, lengths)
    var firstLeaf = 1
    while firstLeaf < leaves.count { firstLeaf *= 2 }
    var nodes = [Sphere](repeating: .empty, count: 2 * firstLeaf)
    for (index, leaf) in leaves.enumerated() { nodes[firstLeaf + index] = leaf }
    for index in stride(from: firstLeaf - 1, to: 0, by: -1) {
      nodes[index] = Self.union(nodes[2 * index], nodes[2 * index + 1])
    }
    self.firstLeaf = firstLeaf
    self.nodes = nodes
    let longest = lengths.max() ?? 0
    farMeters = max(Self.leastFarMeters, longest * longest / (8 * Self.farErrorMeters))
  }

  /// The point of a segment of length L that is nearest to a place at a distance d is nearer than
  /// one of its ends by at most L²/8d: a gain up to this is passed over.
  private static let farErrorMeters = 0.001
  private static let leastFarMeters = 200_000.0

  private static func leaves(_ vertices: [Vertex], _ lengths: [Double]) -> [Sphere] {
    stride(from: 0, to: vertices.count, by: leafCount).map { begin in
      let end = min(begin + leafCount, vertices.count)
      // The first segment begins at a vertex of the leaf before.
      let first = begin > 0 && vertices[begin].isJoined ? begin - 1 : begin
      let vectors = vertices[first..<end].map(\.position.vector)
      let low = vectors.reduce(vectors[0], pointwiseMin)
      let high = vectors.reduce(vectors[0], pointwiseMax)
      let center = (low + high) / 2
      let radius = vectors.reduce(0) { max($0, length($1 - center)) }
      let longest = lengths[begin..<end].max() ?? 0
      return Sphere(center: center, radiusMeters: radius + strayMeters(longest))
    }
  }

  static func union(_ a: Sphere, _ b: Sphere) -> Sphere {
    if a.radiusMeters < 0 { return b }
    if b.radiusMeters < 0 { return a }
    let apart = length(b.center - a.center)
    if apart + b.radiusMeters <= a.radiusMeters { return a }
    if apart + a.radiusMeters <= b.radiusMeters { return b }
    let radius = (apart + a.radiusMeters + b.radiusMeters) / 2
    let center = a.center + (b.center - a.center) * ((radius - a.radiusMeters) / apart)
    // Above the rounding of positions.
    return Sphere(center: center, radiusMeters: radius + 1e-6)
  }

  /// How far a geodesic can be from its chord, in metres: L²/8r, because it curves by at most 1/r,
  /// r being the least radius of curvature.
  static func strayMeters(_ length: Double) -> Double {
    length * length / (8 * Ellipsoid.leastCurvatureRadiusMeters)
  }

  // MARK: Nodes

  /// A node of the tree.
  struct Part {
    fileprivate var node: Int
  }

  /// All of the path; nil for one without vertices.
  var root: Part? { vertices.isEmpty ? nil : Part(node: 1) }

  /// The sphere about a part.
  func sphere(of part: Part) -> Sphere { nodes[part.node] }

  /// The one or two halves of a part; nil for a leaf.
  func children(of part: Part) -> (Part, Part?)? {
    guard part.node < firstLeaf else { return nil }
    let second = Part(node: 2 * part.node + 1)
    return (Part(node: 2 * part.node), nodes[second.node].radiusMeters < 0 ? nil : second)
  }

  /// All leaves.
  var leaves: [Part] {
    stride(from: 0, to: vertices.count, by: Self.leafCount).map {
      Part(node: firstLeaf + $0 / Self.leafCount)
    }
  }

  /// The vertices of a leaf.
  func vertexIndices(of leaf: Part) -> Range<Int> {
    let begin = (leaf.node - firstLeaf) * Self.leafCount
    return begin..<min(begin + Self.leafCount, vertices.count)
  }

  /// The point at a fraction of the segment that ends at a vertex.
  ///
  /// - Parameters:
  ///   - vertex: Index of the vertex.
  ///   - fraction: 0 … 1; where no segment ends the point is the vertex.
  /// - Returns: The point.
  public func position(of vertex: Int, fraction: Double) -> Position {
    guard fraction < 1, vertices[vertex].isJoined, vertex > 0 else {
      return vertices[vertex].position
    }
    return GeodesicSegment(from: vertices[vertex - 1].position, to: vertices[vertex].position)
      .position(atFraction: fraction)
  }

  // MARK: The search by the straight line

  /// Improves `nearest` to the point of the path that is nearest to a position by the straight line, if
  /// it is nearer.
  ///
  /// - Complexity: O(log n) in practice.
  public func improve(_ nearest: inout Nearest, to position: Position) {
    guard !vertices.isEmpty else { return }
    let place = position.vector
    let least = leastMeters(1, place)
    visit(1, least, isFar: least > farMeters, &nearest, place)
  }

  /// Tries one segment, to have a bound to begin with.
  public func seed(_ nearest: inout Nearest, with vertex: Int, to position: Position) {
    look(vertex, &nearest, position.vector)
  }

  /// Searches a node, the nearer half first.
  private func visit(
    _ node: Int, _ least: Double, isFar: Bool, _ nearest: inout Nearest, _ place: SIMD3<Double>
  ) {
    guard least < nearest.chordMeters else { return }
    guard node < firstLeaf else {
      for vertex in vertexIndices(of: Part(node: node)) {
        if isFar { lookFar(vertex, &nearest, place) } else { look(vertex, &nearest, place) }
      }
      return
    }
    let left = leastMeters(2 * node, place)
    let right = leastMeters(2 * node + 1, place)
    let nearer = left <= right ? 2 * node : 2 * node + 1
    visit(nearer, min(left, right), isFar: isFar, &nearest, place)
    visit(nearer ^ 1, max(left, right), isFar: isFar, &nearest, place)
  }

  /// The distance from a place to a node's sphere, in metres; infinite where the node is empty.
  private func leastMeters(_ node: Int, _ place: SIMD3<Double>) -> Double {
    max(0, length(nodes[node].center - place) - nodes[node].radiusMeters)
  }

  /// Looks at a vertex only, as seen from afar.
  private func lookFar(_ vertex: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>) {
    let apart = points[vertex] - place
    let square = dot(apart, apart)
    guard square < nearest.chordSquared else { return }
    nearest = Nearest(chordSquared: square)
    nearest.vertex = vertex
  }

  private func look(_ vertex: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>) {
    lookFar(vertex, &nearest, place)
    guard lengths[vertex] > 0 else { return }
    let (point, along) = nearestOfChord(vertex, to: place)
    let gap = max(0, length(place - point) - Self.strayMeters(lengths[vertex]))
    guard gap * gap < nearest.chordSquared else { return }
    refine(vertex, from: along, &nearest, place)
  }

  /// The point of the chord of a segment that is nearest to a place, and its fraction.
  func nearestOfChord(
    _ vertex: Int, to place: SIMD3<Double>
  ) -> (point: SIMD3<Double>, fraction: Double) {
    let start = points[vertex - 1]
    let chord = points[vertex] - start
    // The least positive term keeps a chord of no length from being 0/0.
    let along = dot(place - start, chord) / (dot(chord, chord) + .leastNormalMagnitude)
    let fraction = min(1, max(0, along))
    return (start + chord * fraction, fraction)
  }

  /// Looks along one segment for the nearest point.
  private func refine(
    _ vertex: Int, from start: Double, _ nearest: inout Nearest, _ place: SIMD3<Double>
  ) {
    let segment = GeodesicSegment(
      from: vertices[vertex - 1].position, to: vertices[vertex].position)
    func squared(_ fraction: Double) -> Double {
      let apart = segment.position(atFraction: fraction).vector - place
      return dot(apart, apart)
    }
    // A short segment is as straight as its chord: the projection is the point to within
    // centimetres along the path, which changes the distance by far less.
    let length = lengths[vertex]
    let fraction =
      length < 10_000 ? start : Self.leastFraction(near: start, length: length, squared)
    let found = squared(fraction)
    guard found < nearest.chordSquared else { return }
    nearest = Nearest(chordSquared: found)
    (nearest.vertex, nearest.fraction) = (vertex, fraction)
  }

  /// Golden-section search about the chord's projection, which is off on long segments.
  private static func leastFraction(
    near start: Double, length: Double, _ squared: (Double) -> Double
  ) -> Double {
    // Beyond half a turn the distance may have two minima; the whole segment is searched then.
    let reach = length < 2_000_000 ? 0.25 : 1
    var low = max(0, start - reach)
    var high = min(1, start + reach)
    let ratio = (5.0.squareRoot() - 1) / 2
    var left = high - (high - low) * ratio
    var right = low + (high - low) * ratio
    var leftValue = squared(left)
    var rightValue = squared(right)
    // To 10 cm along the path.
    while (high - low) * length > 0.1 {
      if leftValue < rightValue {
        (high, right, rightValue) = (right, left, leftValue)
        left = high - (high - low) * ratio
        leftValue = squared(left)
      } else {
        (low, left, leftValue) = (left, right, rightValue)
        right = low + (high - low) * ratio
        rightValue = squared(right)
      }
    }
    return (low + high) / 2
  }
}
