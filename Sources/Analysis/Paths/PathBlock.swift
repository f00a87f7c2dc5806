import Geodesy

/// A stretch of a path in a tree of spheres, which finds the point that is nearest to a place.
///
/// The path's vertices are its leaves in groups of neighbours; a joined segment belongs to the
/// vertex at its end.
struct PathBlock {
  /// A vertex, and whether the path runs straight to it from the vertex before.
  struct Vertex {
    var position: Position
    var isJoined: Bool
  }

  /// A sphere, in earth-centred metres, about all of a part of the path.
  struct Sphere {
    var center: SIMD3<Double>
    var radiusMeters: Double

    /// A sphere that nothing is in.
    static var nothing: Sphere { Sphere(center: .zero, radiusMeters: -.infinity) }
  }

  /// What is nearest so far.
  struct Nearest {
    /// The square of the chord from the place, in square metres.
    var chordSquared = Double.infinity
    /// Index of the vertex that ends the segment.
    var vertex = 0
    /// How far along the segment.
    var fraction = 1.0

    var chordMeters: Double { chordSquared.squareRoot() }
  }

  private static let leafCount = 8

  let vertices: [Vertex]
  /// The vertices' vectors, close together for the search.
  private let points: [SIMD3<Double>]
  /// Lengths of the segments that end at the vertices, 0 where not joined.
  let lengths: [Double]
  /// The tree: node i has the nodes 2i and 2i + 1 below it; the leaves begin at ``firstLeaf``.
  private let nodes: [Sphere]
  private let firstLeaf: Int
  /// From how far on the nearest vertex stands for the nearest point, in metres.
  private let farMeters: Double

  /// Makes the tree of some vertices, the first of which must not be joined.
  ///
  /// - Complexity: O(n).
  init(_ vertices: [Vertex]) {
    self.vertices = vertices
    points = vertices.map(\.position.vector)
    lengths = vertices.indices.map { index in
      vertices[index].isJoined && index > 0
        ? Geodesic.distanceMeters(vertices[index - 1].position, vertices[index].position) : 0
    }
    let leaves = Self.leaves(vertices, lengths)
    var firstLeaf = 1
    while firstLeaf < leaves.count { firstLeaf *= 2 }
    var nodes = [Sphere](repeating: .nothing, count: 2 * firstLeaf)
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
  /// one of its ends by at most L²/8d: up to this much is passed over.
  private static var farErrorMeters: Double { 0.001 }
  private static var leastFarMeters: Double { 200_000 }

  private static func leaves(_ vertices: [Vertex], _ lengths: [Double]) -> [Sphere] {
    stride(from: 0, to: vertices.count, by: leafCount).map { begin in
      let end = min(begin + leafCount, vertices.count)
      // The first segment begins at a vertex of the leaf before.
      let first = begin > 0 && vertices[begin].isJoined ? begin - 1 : begin
      var low = vertices[first].position.vector
      var high = low
      for index in first..<end {
        low = pointwiseMin(low, vertices[index].position.vector)
        high = pointwiseMax(high, vertices[index].position.vector)
      }
      let center = (low + high) / 2
      var radius = 0.0
      for index in first..<end {
        radius = max(radius, Analysis.lengthMeters(vertices[index].position.vector - center))
      }
      let longest = lengths[begin..<end].max() ?? 0
      return Sphere(center: center, radiusMeters: radius + strayMeters(longest))
    }
  }

  private static func union(_ a: Sphere, _ b: Sphere) -> Sphere {
    if a.radiusMeters < 0 { return b }
    if b.radiusMeters < 0 { return a }
    let apart = Analysis.lengthMeters(b.center - a.center)
    if apart + b.radiusMeters <= a.radiusMeters { return a }
    if apart + a.radiusMeters <= b.radiusMeters { return b }
    let radius = (apart + a.radiusMeters + b.radiusMeters) / 2
    let center = a.center + (b.center - a.center) * ((radius - a.radiusMeters) / apart)
    // Above the rounding of positions.
    return Sphere(center: center, radiusMeters: radius + 1e-6)
  }

  /// How far a geodesic can be from its chord, in metres: no farther than the circle that bends
  /// most, L²/8R with R the least radius of curvature, b²/a.
  static func strayMeters(_ length: Double) -> Double {
    length * length / (8 * 6_335_439)
  }

  // MARK: The tree, for whoever searches it by another measure

  /// A node of the tree.
  struct Part {
    fileprivate var node: Int
  }

  /// All of the path; nil where there is none.
  var root: Part? { vertices.isEmpty ? nil : Part(node: 1) }

  /// The sphere about a part.
  func sphere(of part: Part) -> Sphere { nodes[part.node] }

  /// The one or two halves of a part; nil for a leaf.
  func children(of part: Part) -> (Part, Part?)? {
    guard part.node < firstLeaf else { return nil }
    let second = Part(node: 2 * part.node + 1)
    return (Part(node: 2 * part.node), nodes[second.node].radiusMeters < 0 ? nil : second)
  }

  /// The vertices of a leaf.
  func vertexIndices(of leaf: Part) -> Range<Int> {
    let begin = (leaf.node - firstLeaf) * Self.leafCount
    return begin..<min(begin + Self.leafCount, vertices.count)
  }

  /// The point at a fraction of the segment that ends at a vertex.
  func position(of vertex: Int, _ fraction: Double) -> Position {
    guard fraction < 1, vertices[vertex].isJoined, vertex > 0 else {
      return vertices[vertex].position
    }
    return GeodesicSegment(from: vertices[vertex - 1].position, to: vertices[vertex].position)
      .position(atFraction: fraction)
  }

  // MARK: Searching

  /// Improves `nearest` to the point of the path that is nearest to a position, measured along the
  /// straight line, if it is nearer.
  ///
  /// - Returns: Whether it was.
  /// - Complexity: O(log n) in practice.
  func improve(_ nearest: inout Nearest, to position: Position) -> Bool {
    guard !vertices.isEmpty else { return false }
    let before = nearest.chordSquared
    let place = position.vector
    let isFar = leastMeters(1, place) > farMeters
    // The nearer child is looked at first; the other waits with its distance.
    var waiting = InlineArray<64, Int32>(repeating: 0)
    var waitingMeters = InlineArray<64, Double>(repeating: 0)
    var count = 0
    var node = 1
    var best = nearest.chordMeters
    while true {
      if node >= firstLeaf {
        let begin = (node - firstLeaf) * Self.leafCount
        let end = min(begin + Self.leafCount, points.count)
        if isFar {
          lookFar(begin, end, &nearest, place)
        } else {
          for vertex in begin..<end { look(vertex, &nearest, place) }
        }
        best = nearest.chordMeters
      } else {
        let left = leastMeters(2 * node, place)
        let right = leastMeters(2 * node + 1, place)
        let isLeft = left <= right
        if max(left, right) < best {
          waiting[count] = Int32(truncatingIfNeeded: isLeft ? 2 * node + 1 : 2 * node)
          waitingMeters[count] = max(left, right)
          count += 1
        }
        if min(left, right) < best {
          node = isLeft ? 2 * node : 2 * node + 1
          continue
        }
      }
      repeat {
        guard count > 0 else { return nearest.chordSquared < before }
        count -= 1
      } while waitingMeters[count] >= best
      node = Int(waiting[count])
    }
  }

  /// Tries one segment first, to have a bound.
  func seed(_ nearest: inout Nearest, with vertex: Int, to position: Position) {
    look(vertex, &nearest, position.vector)
  }

  /// The distance from a place to a node's sphere, in metres; infinite where the node is empty.
  @inline(__always)
  private func leastMeters(_ node: Int, _ place: SIMD3<Double>) -> Double {
    let sphere = nodes[node]
    let x = sphere.center.x - place.x
    let y = sphere.center.y - place.y
    let z = sphere.center.z - place.z
    return max(0, (x * x + y * y + z * z).squareRoot() - sphere.radiusMeters)
  }

  /// Looks at vertices only, as seen from afar.
  @inline(__always)
  private func lookFar(
    _ begin: Int, _ end: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>
  ) {
    for vertex in begin..<end {
      let x = points[vertex].x - place.x
      let y = points[vertex].y - place.y
      let z = points[vertex].z - place.z
      let square = x * x + y * y + z * z
      if square < nearest.chordSquared {
        nearest = Nearest(chordSquared: square, vertex: vertex, fraction: 1)
      }
    }
  }

  private func look(_ vertex: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>) {
    let end = points[vertex]
    let fromEnd = place - end
    let endSquared = (fromEnd * fromEnd).sum()
    if endSquared < nearest.chordSquared {
      nearest = Nearest(chordSquared: endSquared, vertex: vertex, fraction: 1)
    }
    let length = lengths[vertex]
    guard length > 0 else { return }
    let start = points[vertex - 1]
    let chord = end - start
    let chordLengthSquared = (chord * chord).sum()
    guard chordLengthSquared > 0 else { return }
    let along = ((place - start) * chord).sum() / chordLengthSquared
    let inside = min(1, max(0, along))
    let apart = place - (start + chord * inside)
    let gap = max(0, (apart * apart).sum().squareRoot() - Self.strayMeters(length))
    guard gap * gap < nearest.chordSquared else { return }
    refine(vertex, length: length, from: inside, &nearest, place)
  }

  /// Looks along one segment for the nearest point.
  private func refine(
    _ vertex: Int, length: Double, from start: Double, _ nearest: inout Nearest,
    _ place: SIMD3<Double>
  ) {
    let segment = GeodesicSegment(
      from: vertices[vertex - 1].position, to: vertices[vertex].position)
    func squared(_ fraction: Double) -> Double {
      let apart = segment.position(atFraction: fraction).vector - place
      return (apart * apart).sum()
    }
    // A short segment is as straight as its chord: the projection is the point to within
    // centimetres along the path, which changes the distance by far less.
    let fraction =
      length < 10_000 ? start : Self.leastFraction(near: start, length: length, squared)
    let found = squared(fraction)
    if found < nearest.chordSquared {
      nearest = Nearest(chordSquared: found, vertex: vertex, fraction: fraction)
    }
  }

  /// Golden-section search about the chord's projection, which on long segments is off.
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
