package import FencepostGeodesy

/// The true path of a phone over time.
///
/// The phone moves at constant speed along the chord between two fixes. Chord and geodesic differ
/// there by less than a millimeter, which is far below any position error.
package struct PhonePath: Sendable {
  /// A point of the true path, on the path's own clock.
  ///
  /// Entries and alerts of a simulation are on the same clock.
  package struct Fix: Equatable, Sendable {
    /// The time in seconds since any origin, later than that of the previous fix.
    package var seconds: Double
    /// The position, which must be valid.
    package var coordinate: Coordinate
    /// The accuracy radius reported by the receiver in meters; 0 if unknown.
    package var accuracyMeters: Double
    /// Whether the path leads here from the previous fix; false after a break.
    package var isJoined: Bool

    /// Creates a fix, which the path joins to the one before unless told otherwise.
    package init(
      seconds: Double, coordinate: Coordinate, accuracyMeters: Double = 0, isJoined: Bool = true
    ) {
      self.seconds = seconds
      self.coordinate = coordinate
      self.accuracyMeters = accuracyMeters
      self.isJoined = isJoined
    }
  }

  struct Vertex {
    var seconds: Double
    var point: SIMD3<Double>
    var accuracyMeters: Double
    var isJoined: Bool
  }

  let vertices: [Vertex]
  let greatestAccuracyMeters: Double
  /// Balls that enclose stretches of the path, in path order.
  private let stretches: [Stretch]

  private struct Stretch {
    static let vertexCount = 32

    var vertices: Range<Int>
    var center: SIMD3<Double>
    var radiusMeters: Double

    init(_ range: Range<Int>, of path: [Vertex]) {
      vertices = range
      let reached = path[range.lowerBound...min(range.upperBound, path.count - 1)].map { $0.point }
      let sum = reached.reduce(SIMD3()) { $0 + $1 }
      let center = sum / Double(reached.count)
      self.center = center
      radiusMeters = reached.map { ($0 - center).length }.max() ?? 0
    }
  }

  /// Creates a path from the fixes, skipping any that is not later than its predecessor.
  package init(_ fixes: [Fix]) {
    var vertices: [Vertex] = []
    for fix in fixes where fix.seconds > vertices.last?.seconds ?? -.infinity {
      vertices.append(
        Vertex(
          seconds: fix.seconds, point: Position(fix.coordinate).vector,
          accuracyMeters: fix.accuracyMeters,
          isJoined: fix.isJoined && !vertices.isEmpty))
    }
    self.vertices = vertices
    greatestAccuracyMeters = vertices.map { $0.accuracyMeters }.max() ?? 0
    stretches = stride(from: 0, to: vertices.count, by: Stretch.vertexCount).map {
      Stretch($0..<min($0 + Stretch.vertexCount, vertices.count), of: vertices)
    }
  }

  /// The number of fixes on the path.
  package var count: Int { vertices.count }

  /// The index of the last fix at or before a time; 0 before the first fix.
  func index(atSeconds seconds: Double) -> Int {
    var (low, high) = (0, vertices.count)
    while low < high {
      let middle = (low + high) / 2
      if vertices[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The position at a time: an end of the path beyond it, the last fix before it within a break.
  func point(atSeconds seconds: Double) -> SIMD3<Double> {
    point(atSeconds: seconds, after: index(atSeconds: seconds))
  }

  func point(atSeconds seconds: Double, after index: Int) -> SIMD3<Double> {
    let start = vertices[index]
    guard seconds > start.seconds, index + 1 < vertices.count, vertices[index + 1].isJoined
    else { return start.point }
    let end = vertices[index + 1]
    return start.point
      + (seconds - start.seconds) / (end.seconds - start.seconds) * (end.point - start.point)
  }

  /// Whether the phone moved less than 50 m in the five minutes before a time.
  func isAtRest(atSeconds seconds: Double) -> Bool {
    guard let first = vertices.first, seconds - first.seconds >= 300 else { return false }
    let here = point(atSeconds: seconds)
    var index = index(atSeconds: seconds)
    while index >= 0, vertices[index].seconds > seconds - 300 {
      if (vertices[index].point - here).length >= 50 { return false }
      index -= 1
    }
    return (point(atSeconds: seconds - 300) - here).length < 50
  }

  /// The times within a distance of a point, sorted and merged where they touch.
  func spans(within meters: Double, of center: SIMD3<Double>) -> [ClosedRange<Double>] {
    var spans: [ClosedRange<Double>] = []
    func add(_ from: Double, _ to: Double) {
      if let last = spans.last, last.upperBound >= from {
        spans[spans.count - 1] = last.lowerBound...max(last.upperBound, to)
      } else {
        spans.append(from...to)
      }
    }
    for index in indices(near: center, within: meters) {
      let vertex = vertices[index]
      let rest = vertex.point - center
      if rest.squaredLength <= meters * meters { add(vertex.seconds, vertex.seconds) }
      guard index + 1 < vertices.count, vertices[index + 1].isJoined else { continue }
      let next = vertices[index + 1]
      let way = next.point - vertex.point
      guard let shares = Self.shares(from: rest, along: way, within: meters) else { continue }
      let length = next.seconds - vertex.seconds
      add(vertex.seconds + shares.lowerBound * length, vertex.seconds + shares.upperBound * length)
    }
    return spans
  }

  /// Candidate vertices within a distance of a point, including those whose segments come near.
  private func indices(near point: SIMD3<Double>, within meters: Double) -> [Int] {
    var found: [Int] = []
    for stretch in stretches
    where (stretch.center - point).length <= stretch.radiusMeters + meters + 1 {
      found += stretch.vertices
    }
    return found
  }

  /// The part of a segment within a distance of the origin, as fractions of its length.
  static func shares(
    from start: SIMD3<Double>, along way: SIMD3<Double>, within meters: Double
  ) -> ClosedRange<Double>? {
    let a = way.squaredLength
    let c = start.squaredLength - meters * meters
    guard a > 0 else { return c <= 0 ? 0...1 : nil }
    let half = (start * way).sum()
    let discriminant = half * half - a * c
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let (from, to) = (max(0, (-half - root) / a), min(1, (root - half) / a))
    return from <= to ? from...to : nil
  }
}

extension SIMD3<Double> {
  var squaredLength: Double { (self * self).sum() }
  var length: Double { squaredLength.squareRoot() }
}
