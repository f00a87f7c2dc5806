import Geodesy
import Glibc

/// Looks for the point of a path that is nearest to a far place by geodesics, not by straight lines.
///
/// From afar the two disagree: the geodesic over a chord c is, to what matters here, an arc of a radius
/// that depends on where and in which direction the chord runs. What is nearest by the straight line can
/// therefore be 2 cm farther by the geodesic at 100 km, and 15 m at 1,000 km. The search begins
/// with the straight line's answer, whose arc's radius it knows, and looks wherever the path may be
/// nearer by ``sureMeters`` or more: over any other chord from the place the arc's radius is no greater
/// than the known one times 1 + ``radiusChange`` for each radian between the chords' directions and each
/// Earth's radius between their lengths.
struct FarApproach {
  /// Nearer than this both agree to 0.2 mm.
  static let leastMeters = 20_000.0
  /// A chord longer than this spans so much of the Earth that its arc's radius says little.
  private static let greatestChordMeters = 11_000_000.0
  /// A gain that is not worth a look.
  private static let sureMeters = 0.0005
  /// Greatest among 40,000 random pairs of chords of 50 to 11,000 km: 0.0067, which is e².
  private static let radiusChange = 0.008
  /// No arc on the ellipsoid is flatter: a²/b, and a little for rounding.
  private static let greatestRadiusMeters = 6_399_600.0

  private let block: PathBlock
  private let place: Position
  private let placeVector: SIMD3<Double>
  /// What is nearest so far, by the geodesic.
  private(set) var distanceMeters: Double
  /// Index of the vertex that ends its segment.
  private(set) var vertex: Int
  /// How far along that segment it is.
  private(set) var fraction: Double
  /// The chord that the radius of ``arcRadiusMeters`` belongs to: its direction and its length.
  private var direction = SIMD3<Double>()
  private var chordMeters = 0.0
  private var arcRadiusMeters = 0.0

  /// Begins with a known point.
  ///
  /// - Parameters:
  ///   - block: The path.
  ///   - place: The place.
  ///   - nearest: What is nearest by the straight line.
  init(_ block: PathBlock, place: Position, from nearest: PathBlock.Nearest) {
    self.block = block
    self.place = place
    placeVector = place.vector
    vertex = nearest.vertex
    fraction = nearest.fraction
    let point = block.position(of: nearest.vertex, nearest.fraction)
    distanceMeters = Geodesic.distanceMeters(place, point)
    learn(from: point)
  }

  /// Searches the whole path.
  ///
  /// - Complexity: O(log n) in practice.
  mutating func search() {
    guard distanceMeters > Self.leastMeters, chordMeters < Self.greatestChordMeters,
      let root = block.root
    else { return }
    visit(root)
  }

  /// Takes the radius of the arc over the chord to a point.
  private mutating func learn(from point: Position) {
    let chord = point.vector - placeVector
    chordMeters = lengthMeters(chord)
    guard chordMeters > 0 else { return }
    direction = chord / chordMeters
    // The longer the arc over a chord, the smaller its radius: halves the range of radii.
    var low = 6_335_000.0
    var high = Self.greatestRadiusMeters
    for _ in 0..<30 {
      let middle = (low + high) / 2
      if Self.arcMeters(chordMeters, radius: middle) > distanceMeters {
        low = middle
      } else {
        high = middle
      }
    }
    arcRadiusMeters = high
  }

  private static func arcMeters(_ chord: Double, radius: Double) -> Double {
    2 * radius * asin(min(1, chord / (2 * radius)))
  }

  private mutating func visit(_ part: PathBlock.Part) {
    guard let (first, second) = block.children(of: part) else {
      for vertex in block.vertexIndices(of: part) { look(vertex) }
      return
    }
    let near = leastMeters(of: first)
    guard let second else { return descend(first, near) }
    let far = leastMeters(of: second)
    if near <= far {
      descend(first, near)
      descend(second, far)
    } else {
      descend(second, far)
      descend(first, near)
    }
  }

  private mutating func descend(_ part: PathBlock.Part, _ least: Double) {
    if least < distanceMeters - Self.sureMeters { visit(part) }
  }

  /// No point within a sphere of the tree is nearer.
  private func leastMeters(of part: PathBlock.Part) -> Double {
    let sphere = block.sphere(of: part)
    let chord = sphere.center - placeVector
    let length = lengthMeters(chord)
    guard length > sphere.radiusMeters else { return 0 }
    let apart = lengthMeters(chord / length - direction) + sphere.radiusMeters / length
    return leastMeters(
      chord: length - sphere.radiusMeters, longest: length + sphere.radiusMeters, apart: apart)
  }

  /// No point is nearer whose chord is at least so long, and no farther apart in direction than the
  /// straight line between two unit vectors.
  private func leastMeters(chord: Double, longest: Double, apart: Double) -> Double {
    let change =
      min(.pi, apart * .pi / 2)
      + max(abs(chord - chordMeters), abs(longest - chordMeters)) / 6_400_000
    let radius = min(
      arcRadiusMeters * (1 + Self.radiusChange * change), Self.greatestRadiusMeters)
    return Self.arcMeters(chord, radius: radius)
  }

  private mutating func look(_ vertex: Int) {
    let end = block.vertices[vertex].position
    let length = block.lengths[vertex]
    guard length > 0 else {
      let least = leastMeters(
        chord: lengthMeters(end.vector - placeVector), stray: 0, to: end.vector, end.vector)
      if least < distanceMeters - Self.sureMeters { note(end, vertex, 1) }
      return
    }
    let start = block.vertices[vertex - 1].position
    let chord = end.vector - start.vector
    let along = ((placeVector - start.vector) * chord).sum() / (chord * chord).sum()
    let straight = start.vector + chord * min(1, max(0, along))
    let least = leastMeters(
      chord: lengthMeters(straight - placeVector), stray: PathBlock.strayMeters(length),
      to: start.vector, end.vector)
    guard least < distanceMeters - Self.sureMeters else { return }
    note(end, vertex, 1)
    // Between its ends a short segment comes nearer by no more than L²/8D.
    if length * length > 8 * distanceMeters * Self.sureMeters {
      follow(GeodesicSegment(from: start, to: end), vertex)
    }
  }

  private func leastMeters(
    chord: Double, stray: Double, to start: SIMD3<Double>, _ end: SIMD3<Double>
  ) -> Double {
    let gap = chord - stray
    guard gap > 0 else { return 0 }
    let chords = (start - placeVector, end - placeVector)
    let lengths = (lengthMeters(chords.0), lengthMeters(chords.1))
    guard lengths.0 > 0, lengths.1 > 0 else { return 0 }
    // Between its ends a segment is in no direction that is farther off than theirs.
    let apart = max(
      lengthMeters(chords.0 / lengths.0 - direction), lengthMeters(chords.1 / lengths.1 - direction)
    )
    return leastMeters(
      chord: gap, longest: max(lengths.0, lengths.1) + stray, apart: apart + stray / gap)
  }

  /// Searches a segment: some points of it, then between the neighbours of the best.
  private mutating func follow(_ segment: GeodesicSegment, _ vertex: Int) {
    let samples = segment.lengthMeters > 500_000 ? 16 : 2
    func distance(_ fraction: Double) -> Double {
      Geodesic.distanceMeters(place, segment.position(atFraction: fraction))
    }
    let tried = (0...samples).map { distance(Double($0) / Double(samples)) }
    guard let best = tried.indices.min(by: { tried[$0] < tried[$1] }) else { return }
    let ratio = (5.0.squareRoot() - 1) / 2
    var low = Double(max(0, best - 1)) / Double(samples)
    var high = Double(min(samples, best + 1)) / Double(samples)
    var left = high - (high - low) * ratio
    var right = low + (high - low) * ratio
    var values = (distance(left), distance(right))
    // A point that is off by x along the path is farther by about x²/2D, here 0.1 mm.
    let grain = max(0.05, (0.0002 * distanceMeters).squareRoot())
    while (high - low) * segment.lengthMeters > grain {
      if values.0 < values.1 {
        (high, right, values.1) = (right, left, values.0)
        left = high - (high - low) * ratio
        values.0 = distance(left)
      } else {
        (low, left, values.0) = (left, right, values.1)
        right = low + (high - low) * ratio
        values.1 = distance(right)
      }
    }
    let fraction = (low + high) / 2
    note(segment.position(atFraction: fraction), vertex, fraction)
  }

  /// Takes a point that is nearer.
  private mutating func note(_ point: Position, _ vertex: Int, _ fraction: Double) {
    let found = Geodesic.distanceMeters(place, point)
    guard found < distanceMeters else { return }
    (distanceMeters, self.vertex, self.fraction) = (found, vertex, fraction)
    learn(from: point)
  }
}
