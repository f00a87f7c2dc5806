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
  /// Lengths of the segments that end at the vertices, 0 where not joined.
  let lengths: [Double]
  /// The tree, level by level from the leaves: `levels[k][i]` holds `levels[k-1][2i]` and its
  /// neighbour.
  private let levels: [[Sphere]]

  /// Makes the tree of some vertices, the first of which must not be joined.
  ///
  /// - Complexity: O(n).
  init(_ vertices: [Vertex]) {
    self.vertices = vertices
    lengths = vertices.indices.map { index in
      vertices[index].isJoined && index > 0
        ? Geodesic.distanceMeters(vertices[index - 1].position, vertices[index].position) : 0
    }
    var levels = [Self.leaves(vertices, lengths)]
    while let last = levels.last, last.count > 1 {
      levels.append(
        stride(from: 0, to: last.count, by: 2).map { index in
          index + 1 < last.count ? Self.union(last[index], last[index + 1]) : last[index]
        })
    }
    self.levels = levels
  }

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
        radius = max(radius, Fencepost.lengthMeters(vertices[index].position.vector - center))
      }
      let longest = lengths[begin..<end].max() ?? 0
      return Sphere(center: center, radiusMeters: radius + strayMeters(longest))
    }
  }

  private static func union(_ a: Sphere, _ b: Sphere) -> Sphere {
    let apart = Fencepost.lengthMeters(b.center - a.center)
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
    fileprivate var level: Int
    fileprivate var index: Int
  }

  /// All of the path; nil where there is none.
  var root: Part? {
    levels.last.flatMap { $0.isEmpty ? nil : Part(level: levels.count - 1, index: 0) }
  }

  /// The sphere about a part.
  func sphere(of part: Part) -> Sphere { levels[part.level][part.index] }

  /// The one or two halves of a part; nil for a leaf.
  func children(of part: Part) -> (Part, Part?)? {
    guard part.level > 0 else { return nil }
    let first = Part(level: part.level - 1, index: part.index * 2)
    let hasSecond = first.index + 1 < levels[first.level].count
    return (first, hasSecond ? Part(level: first.level, index: first.index + 1) : nil)
  }

  /// The vertices of a leaf.
  func vertexIndices(of leaf: Part) -> Range<Int> {
    let begin = leaf.index * Self.leafCount
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
    guard let top = levels.last, !top.isEmpty else { return false }
    let before = nearest.chordSquared
    visit(levels.count - 1, 0, &nearest, position.vector)
    return nearest.chordSquared < before
  }

  /// Tries one segment first, to have a bound.
  func seed(_ nearest: inout Nearest, with vertex: Int, to position: Position) {
    look(vertex, &nearest, position.vector)
  }

  private func visit(
    _ level: Int, _ index: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>
  ) {
    if level == 0 {
      let begin = index * Self.leafCount
      for vertex in begin..<min(begin + Self.leafCount, vertices.count) {
        look(vertex, &nearest, place)
      }
      return
    }
    let first = index * 2
    let near = leastSquared(level - 1, first, place)
    let second = first + 1
    guard second < levels[level - 1].count else {
      if near < nearest.chordSquared { visit(level - 1, first, &nearest, place) }
      return
    }
    let far = leastSquared(level - 1, second, place)
    let (one, other, oneLeast, otherLeast) =
      near <= far ? (first, second, near, far) : (second, first, far, near)
    if oneLeast < nearest.chordSquared { visit(level - 1, one, &nearest, place) }
    if otherLeast < nearest.chordSquared { visit(level - 1, other, &nearest, place) }
  }

  @inline(__always)
  private func leastSquared(_ level: Int, _ index: Int, _ place: SIMD3<Double>) -> Double {
    let sphere = levels[level][index]
    let apart = sphere.center - place
    let gap = max(0, (apart * apart).sum().squareRoot() - sphere.radiusMeters)
    return gap * gap
  }

  private func look(_ vertex: Int, _ nearest: inout Nearest, _ place: SIMD3<Double>) {
    let end = vertices[vertex].position.vector
    let fromEnd = place - end
    let endSquared = (fromEnd * fromEnd).sum()
    if endSquared < nearest.chordSquared {
      nearest = Nearest(chordSquared: endSquared, vertex: vertex, fraction: 1)
    }
    let length = lengths[vertex]
    guard length > 0 else { return }
    let start = vertices[vertex - 1].position.vector
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
