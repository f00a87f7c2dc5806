import Geodesy
import Glibc

/// Looks for the point of a path that is nearest to a far place by geodesics, not by straight lines.
///
/// From afar the two disagree: the geodesic over a chord c is, to what matters here, an arc of a radius
/// that depends on where and in which direction the chord runs. What is nearest by the straight line can
/// therefore be 2 cm farther by the geodesic at 100 km, and 15 m at 1,000 km. The search begins
/// with the straight line's answer, whose arc's radius it knows, and looks wherever the path may be
/// nearer by more than is worth a look: over any other chord from the place the arc's radius is no greater
/// than the known one times 1 + ``radiusChange`` for each radian between the chords' directions and each
/// Earth's radius between their lengths.
struct FarApproach {
  /// Nearer than this both agree to 0.2 mm.
  static let leastMeters = 20_000.0
  /// A chord longer than this spans so much of the Earth that its arc's radius says little.
  private static let greatestChordMeters = 11_000_000.0
  /// A gain that is not worth a look: half a millimetre, and 2 cm for each 1,000 km.
  private var sureMeters: Double { 0.0005 + 2e-8 * distanceMeters }
  /// Greatest among 40,000 random pairs of chords of 50 to 11,000 km: 0.0067, which is e².
  private static let radiusChange = 0.008
  /// No arc on the ellipsoid is flatter: a²/b, and a little for rounding.
  private static let greatestRadiusMeters = 6_399_600.0
  /// Nor is any bent more: b²/a, and a little.
  private static let leastRadiusMeters = 6_335_000.0

  private let block: PathBlock
  private let place: Position
  private let placeVector: SIMD3<Double>
  private let placeCoordinate: Coordinate
  /// What is nearest so far, by the geodesic.
  private(set) var distanceMeters: Double
  /// Index of the vertex that ends its segment.
  private(set) var vertex: Int
  /// How far along that segment it is.
  private(set) var fraction: Double
  /// The chord to the nearest point: its direction and its length.
  private var direction = SIMD3<Double>()
  private var chordMeters = 0.0
  /// What is longer than this is not worth a look, if the radius of its arc is that of the chord above.
  private var limitMeters = 0.0
  /// By how much more it may be longer for each part by which the radius of its arc is greater.
  private var limitMetersPerPart = 0.0
  /// The greatest part by which any radius is greater.
  private var greatestPart = 0.0

  /// What is known of all points of a part of the path.
  private struct Prospect {
    /// No chord from the place to one of them is shorter, in metres.
    var chordMeters: Double
    /// The radius of no arc to one of them is greater than the known one by more than so many parts.
    var radiusPart: Double
  }

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
    placeCoordinate = place.coordinate
    vertex = nearest.vertex
    fraction = nearest.fraction
    let point = block.position(of: nearest.vertex, nearest.fraction)
    distanceMeters = Geodesic.approximateDistanceMeters(place, point)
    learn(from: point)
  }

  /// Searches the whole path.
  ///
  /// - Complexity: O(log n) in practice.
  mutating func search() {
    guard distanceMeters > Self.leastMeters, chordMeters < Self.greatestChordMeters,
      let root = block.root
    else { return }
    visit(root, prospect(of: root))
  }

  /// Takes the chord to a point, which is nearest now, and what its arc's radius tells of others.
  private mutating func learn(from point: Position) {
    let chord = point.vector - placeVector
    chordMeters = lengthMeters(chord)
    guard chordMeters > 0 else { return }
    direction = chord / chordMeters
    let radius = Self.radiusMeters(ofArc: distanceMeters, over: chordMeters)
    greatestPart = Self.greatestRadiusMeters / radius - 1
    // The chord of an arc that is just worth a look is 2r·sin(s/2r). As a function of r it is concave,
    // so that it is nowhere above its tangent.
    let half = (distanceMeters - sureMeters) / (2 * radius)
    limitMeters = 2 * radius * sin(half)
    limitMetersPerPart = 2 * radius * (sin(half) - half * cos(half))
  }

  /// The radius of an arc over a chord, at most that of the flattest on the ellipsoid.
  ///
  /// Half its angle is the x of which sin x / x is the chord's part of the arc: the beginning of a
  /// series, and two steps of Newton's.
  private static func radiusMeters(ofArc arc: Double, over chord: Double) -> Double {
    let ratio = chord / arc
    let less = 1 - ratio
    guard less > 0 else { return greatestRadiusMeters }
    var half = (less * (6 + less * (1.8 + less * 0.823))).squareRoot()
    for _ in 0..<2 { half -= (sin(half) - ratio * half) / (cos(half) - ratio) }
    let radius = arc / (2 * half) * (1 + 1e-9)
    return min(max(radius, leastRadiusMeters), greatestRadiusMeters)
  }

  /// By how many metres the shortest chord of a part may be longer and still be worth a look; not
  /// above 0 where none of it is.
  @inline(__always)
  private func promise(_ prospect: Prospect) -> Double {
    limitMeters + limitMetersPerPart * min(prospect.radiusPart, greatestPart) - prospect.chordMeters
  }

  private mutating func visit(_ part: PathBlock.Part, _ prospect: Prospect) {
    guard let (first, second) = block.children(of: part) else {
      for vertex in block.vertexIndices(of: part) { look(vertex, radiusPart: prospect.radiusPart) }
      return
    }
    let near = self.prospect(of: first)
    guard let second else { return descend(first, near) }
    let far = self.prospect(of: second)
    if promise(near) >= promise(far) {
      descend(first, near)
      descend(second, far)
    } else {
      descend(second, far)
      descend(first, near)
    }
  }

  private mutating func descend(_ part: PathBlock.Part, _ prospect: Prospect) {
    if promise(prospect) > 0 { visit(part, prospect) }
  }

  /// What the sphere about a part tells of it.
  private func prospect(of part: PathBlock.Part) -> Prospect {
    let sphere = block.sphere(of: part)
    let chord = sphere.center - placeVector
    let length = lengthMeters(chord)
    guard length > sphere.radiusMeters else {
      return Prospect(chordMeters: 0, radiusPart: .infinity)
    }
    let apart = lengthMeters(chord / length - direction) + sphere.radiusMeters / length
    let longer = abs(length - chordMeters) + sphere.radiusMeters
    return Prospect(
      chordMeters: length - sphere.radiusMeters,
      radiusPart: Self.radiusChange * (min(.pi, apart * .pi / 2) + longer / 6_400_000))
  }

  /// Looks at a vertex and at the segment that ends there.
  ///
  /// - Parameters:
  ///   - vertex: Its index.
  ///   - part: What is known of the radii of all arcs to the vertex's part of the path.
  private mutating func look(_ vertex: Int, radiusPart part: Double) {
    let end = block.vertices[vertex].position
    let length = block.lengths[vertex]
    guard length > 0 else {
      let gap = lengthMeters(end.vector - placeVector)
      if promise(Prospect(chordMeters: gap, radiusPart: part)) > 0 { note(end, vertex, 1) }
      return
    }
    let start = block.vertices[vertex - 1].position
    let chord = end.vector - start.vector
    let along = ((placeVector - start.vector) * chord).sum() / (chord * chord).sum()
    let straight = start.vector + chord * min(1, max(0, along))
    let gap = lengthMeters(straight - placeVector)
    let least = gap - Self.strayMeters(length, seenFrom: gap)
    guard promise(Prospect(chordMeters: least, radiusPart: part)) > 0 else { return }
    note(end, vertex, 1)
    // Between its ends a short segment comes nearer by no more than L²/8D.
    if length * length > 8 * distanceMeters * sureMeters {
      follow(GeodesicSegment(from: start, to: end), vertex, from: min(1, max(0, along)))
    }
  }

  /// How much nearer a geodesic can be than its chord is.
  ///
  /// It lies above its chord, and whatever is farther away than the segment is long lies below the
  /// horizon there, the ellipsoid being convex: so only what its torsion moves it to a side counts,
  /// κτL³/15 with τ at most e²/2R.
  private static func strayMeters(_ length: Double, seenFrom distance: Double) -> Double {
    guard length <= distance else { return PathBlock.strayMeters(length) }
    return 6e-18 * length * length * length + 1e-6
  }

  /// Searches a segment: goes along it as far as the angle between it and the direction to the place
  /// says (Newton's method), again and again.
  private mutating func follow(
    _ segment: GeodesicSegment, _ vertex: Int, from start: Double
  ) {
    // A quarter of the Earth away the circles about a place are straight, beyond they bend the other
    // way: what is nearest is an end then.
    guard distanceMeters < 9_900_000 else { return }
    var fraction = segment.lengthMeters > 500_000 ? best(of: 16, on: segment) : start
    // A point that is off by x along the path is farther by about x²/2D.
    let grain = max(0.05, (sureMeters * distanceMeters).squareRoot()) / segment.lengthMeters
    for _ in 0..<12 {
      let step = step(on: segment, at: fraction)
      let next = min(1, max(0, fraction + step / segment.lengthMeters))
      defer { fraction = next }
      if abs(next - fraction) < grain { break }
    }
    note(segment.position(atFraction: fraction), vertex, fraction)
  }

  /// The best of some points of a segment, evenly spaced.
  private func best(of count: Int, on segment: GeodesicSegment) -> Double {
    let fractions = (0...count).map { Double($0) / Double(count) }
    let distances = fractions.map {
      Geodesic.approximateDistanceMeters(place, segment.position(atFraction: $0))
    }
    return distances.indices.min { distances[$0] < distances[$1] }.map { fractions[$0] } ?? 0
  }

  /// How far along the path from a point the distance is least, as far as the point tells, in metres.
  private func step(on segment: GeodesicSegment, at fraction: Double) -> Double {
    let point = segment.position(atFraction: fraction).coordinate
    let course = Geodesic.inverse(from: point, to: placeCoordinate)
    let azimuth =
      fraction < 0.5
      ? Geodesic.inverse(from: point, to: segment.end.coordinate).startAzimuthDegrees
      : Geodesic.inverse(from: segment.start.coordinate, to: point).endAzimuthDegrees
    let angle = (course.startAzimuthDegrees - azimuth) * .pi / 180
    let square = max(sin(angle) * sin(angle), 1e-6)
    return cos(angle) / square * 6_370_000 * tan(course.distanceMeters / 6_370_000)
  }

  /// Takes a point that is nearer.
  private mutating func note(_ point: Position, _ vertex: Int, _ fraction: Double) {
    let found = Geodesic.approximateDistanceMeters(place, point)
    guard found < distanceMeters else { return }
    (distanceMeters, self.vertex, self.fraction) = (found, vertex, fraction)
    learn(from: point)
  }
}
