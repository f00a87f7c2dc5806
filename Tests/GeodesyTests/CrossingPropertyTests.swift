import FencepostGeodesy
import Glibc
import ProjGeodesics
import TestSupport
import Testing

/// The ranges a family of scenes is drawn from, and how well it must be solved.
struct CrossingFamily: Sendable, CustomTestStringConvertible {
  let lengths: ClosedRange<Double>
  let radii: ClosedRange<Double>
  let count: Int
  /// By how much the distance from the center may miss the radius where a span ends.
  let edgeMeters: Double

  var testDescription: String { "lengths \(lengths) m, radii \(radii) m" }

  static let all = [
    CrossingFamily(lengths: 1e-3...1_000, radii: 0.1...1_000, count: 100_000, edgeMeters: 1e-8),
    CrossingFamily(lengths: 100...10_000, radii: 10...10_000, count: 100_000, edgeMeters: 5e-8),
    CrossingFamily(lengths: 1...10_000, radii: 5_000...100_000, count: 80_000, edgeMeters: 1e-6),
    CrossingFamily(lengths: 10_000...50_000, radii: 100...100_000, count: 80_000, edgeMeters: 2e-5),
    CrossingFamily(lengths: 50_000...1e6, radii: 10...100_000, count: 12_000, edgeMeters: 2e-5),
    CrossingFamily(lengths: 100...1e6, radii: 100_000...9.98e6, count: 12_000, edgeMeters: 2e-5),
    CrossingFamily(lengths: 100...1e6, radii: 9.98e6...2e7, count: 12_000, edgeMeters: 1e-6),
    CrossingFamily(lengths: 1e6...1.99e7, radii: 100...100_000, count: 8_000, edgeMeters: 2e-5),
    CrossingFamily(lengths: 1e6...1.99e7, radii: 100_000...2e7, count: 12_000, edgeMeters: 2e-5),
  ]
}

@Suite("Crossings of random scenes", .comparedWithPROJ)
struct CrossingPropertyTests {
  /// A path that starts within reach of the circle.
  private func scene(
    _ family: CrossingFamily, _ random: inout SplitMix64
  ) -> (circle: Circle, a: Coordinate, b: Coordinate) {
    let radius = random.scale(family.radii.lowerBound, family.radii.upperBound)
    let length = random.scale(family.lengths.lowerBound, family.lengths.upperBound)
    let center = random.coordinate()
    let least = max(radius - length, 0)
    let a = Proj.point(
      from: center, azimuth: random.azimuth(),
      meters: random.double(least...min(radius + length, 20_003_000)))
    // Every other path is aimed at the circle or just past it.
    let course = Proj.course(a, center)
    let span = asin(min(radius / max(course.meters, radius), 1)) * (180 / .pi)
    let aimed = course.startAzimuth + random.double(-1.2...1.2) * span
    let azimuth = random.next() % 2 == 0 ? aimed : random.azimuth()
    let b = Proj.point(from: a, azimuth: azimuth, meters: length)
    return (Circle(center: center, radiusMeters: radius), a, b)
  }

  @Test(
    "lie on the edge, are where PROJ sees them and miss nothing", arguments: CrossingFamily.all)
  func crossings(family: CrossingFamily) {
    var random = SplitMix64(seed: 9)
    var edge = Worst()
    var place = Worst()
    var spanEnds = 0
    for _ in 0..<family.count {
      let (circle, a, b) = scene(family, &random)
      let segment = GeodesicSegment(from: Position(a), to: Position(b))
      let spans = segment.insideSpans(of: circle)
      if let fault = faultInForm(spans, circle, segment.start, segment.end) {
        Issue.record("\(fault): \(circle) \(a) \(b)")
        return
      }
      var line = Proj.Line(a, b)
      for index in 0..<spans.count {
        for fraction in [spans[index].start, spans[index].end] where fraction > 0 && fraction < 1 {
          spanEnds += 1
          let (error, offset) = miss(circle, &line, fraction)
          edge.note(error, "\(circle) \(a) \(b)")
          place.note(offset, "\(circle) \(a) \(b)")
        }
      }
      if let fraction = wrongSample(spans, circle, &line, random.double(0...0.04)) {
        Issue.record("sample \(fraction): \(circle) \(a) \(b)")
        return
      }
    }
    #expect(spanEnds > family.count / 10)
    #expect(edge.error <= family.edgeMeters, "\(edge)")
    // The contract's bounds, 0.1 m up to 10 km and 1 m beyond.
    #expect(place.error <= (family.lengths.upperBound <= 10_000 ? 0.1 : 1), "\(place)")
  }

  /// How far the path is from the edge at a fraction, and about how far along the path the edge
  /// then is.
  private func miss(
    _ circle: Circle, _ line: inout Proj.Line, _ fraction: Double
  ) -> (error: Double, offset: Double) {
    let (point, azimuth) = line.point(fraction)
    let course = Proj.course(circle.center.coordinate, point)
    let error = abs(course.meters - circle.radiusMeters)
    let slope = abs(cos((course.endAzimuth - azimuth) * .pi / 180))
    // Near a touch the distance is a parabola along the path.
    return (error, min(error / slope, (2 * error * circle.radiusMeters).squareRoot()))
  }

  /// A fraction at which PROJ's inside or outside contradicts the spans, out of 26.
  private func wrongSample(
    _ spans: InsideSpans, _ circle: Circle, _ line: inout Proj.Line, _ offset: Double
  ) -> Double? {
    for step in 0...25 {
      let fraction = min(Double(step) / 25 + offset, 1)
      let distance = Proj.distanceMeters(
        circle.center.coordinate, line.point(fraction).coordinate)
      // What is nearer to the edge than the bound may be on either side.
      if abs(distance - circle.radiusMeters) <= 2e-5 { continue }
      var isInside = false
      for index in 0..<spans.count {
        isInside = isInside || (spans[index].start <= fraction && fraction <= spans[index].end)
      }
      if isInside != (distance <= circle.radiusMeters) { return fraction }
    }
    return nil
  }

  @Test(
    "are found where the path all but touches, and only there",
    arguments: [
      (lengths: 10.0...1_000, radii: 1.0...1_000, offsets: 1e-7...1.0),
      (lengths: 100...10_000, radii: 100...10_000, offsets: 1e-6...1),
      (lengths: 1_000...10_000, radii: 10_000...90_000, offsets: 1e-5...1),
      (lengths: 10_000...50_000, radii: 100...90_000, offsets: 2e-5...1),
      (lengths: 60_000...1e6, radii: 100...90_000, offsets: 2e-5...1),
      (lengths: 1_000...1e6, radii: 150_000...9e6, offsets: 2e-5...1),
    ])
  func touches(
    lengths: ClosedRange<Double>, radii: ClosedRange<Double>, offsets: ClosedRange<Double>
  ) {
    var random = SplitMix64(seed: 10)
    var place = Worst()
    for _ in 0..<(lengths.upperBound > 50_000 ? 4_000 : 60_000) {
      let circle = Circle(
        center: random.coordinate(),
        radiusMeters: random.scale(radii.lowerBound, radii.upperBound))
      let inward = random.next() % 2 == 0
      let offset = random.scale(offsets.lowerBound, offsets.upperBound) * (inward ? -1 : 1)
      guard circle.radiusMeters + offset > 0 else { continue }
      // The path's nearest point, and the path at right angles to the way there.
      let azimuth = random.azimuth()
      let center = circle.center.coordinate
      let foot = Proj.point(
        from: center, azimuth: azimuth, meters: circle.radiusMeters + offset)
      let across = Proj.course(center, foot).endAzimuth + 90
      let length = random.scale(lengths.lowerBound, lengths.upperBound)
      let share = random.double(0.1...0.9)
      let a = Proj.point(from: foot, azimuth: across, meters: -length * share)
      let b = Proj.point(from: foot, azimuth: across, meters: length * (1 - share))
      let segment = GeodesicSegment(from: Position(a), to: Position(b))
      let spans = segment.insideSpans(of: circle)
      guard spans.count == (inward ? 1 : 0) else {
        Issue.record("\(spans.count): \(circle) \(a) \(b) \(offset)")
        return
      }
      var line = Proj.Line(a, b)
      for index in 0..<spans.count {
        for fraction in [spans[index].start, spans[index].end] where fraction > 0 && fraction < 1 {
          place.note(miss(circle, &line, fraction).offset, "\(circle) \(a) \(b) \(offset)")
        }
      }
    }
    #expect(place.error <= (lengths.upperBound <= 10_000 ? 0.1 : 1), "\(place)")
  }

  @Test("with an edge that is nearly a geodesic are found all along it")
  func quarter() {
    var random = SplitMix64(seed: 15)
    var divided = 0
    for _ in 0..<4_000 {
      let circle = Circle(
        center: random.coordinate(), radiusMeters: random.double(9_975_000...10_030_000))
      // Two points within and without the edge, and a good part of the Earth apart.
      let azimuth = random.azimuth()
      let a = Proj.point(
        from: circle.center.coordinate, azimuth: azimuth,
        meters: circle.radiusMeters + random.double(-10_000...2_000))
      let b = Proj.point(
        from: circle.center.coordinate, azimuth: azimuth + random.double(10...170),
        meters: circle.radiusMeters + random.double(-10_000...2_000))
      let segment = GeodesicSegment(from: Position(a), to: Position(b))
      let spans = segment.insideSpans(of: circle)
      divided +=
        circle.contains(segment.start) && circle.contains(segment.end)
          && !(spans.count == 1) ? 1 : 0
      var line = Proj.Line(a, b)
      let fault =
        faultInForm(spans, circle, segment.start, segment.end)
        ?? wrongSample(spans, circle, &line, random.double(0...0.04)).map { "sample \($0)" }
      if let fault {
        Issue.record("\(fault): \(circle) \(a) \(b)")
        return
      }
    }
    #expect(divided > 100)
  }

  @Test("do not change when the scene is turned across the antimeridian")
  func antimeridian() {
    var random = SplitMix64(seed: 11)
    let family = CrossingFamily(lengths: 1...20_000, radii: 1...50_000, count: 0, edgeMeters: 0)
    for _ in 0..<40_000 {
      let (circle, a, b) = scene(family, &random)
      let turn = random.double(-360...360)
      func turned(_ c: Coordinate) -> Coordinate {
        let longitude = (c.longitudeDegrees + turn).remainder(dividingBy: 360)
        return Coordinate(latitudeDegrees: c.latitudeDegrees, longitudeDegrees: longitude)
      }
      let here = GeodesicSegment(from: Position(a), to: Position(b))
      let there = GeodesicSegment(from: Position(turned(a)), to: Position(turned(b)))
      let spans = here.insideSpans(of: circle)
      let others = there.insideSpans(
        of: Circle(center: turned(circle.center.coordinate), radiusMeters: circle.radiusMeters))
      // Turning rounds the longitudes, which moves the points by up to 10 nm.
      var difference = abs(here.lengthMeters - there.lengthMeters)
      if spans.count == others.count {
        for index in 0..<spans.count {
          let shift = max(
            abs(spans[index].start - others[index].start),
            abs(spans[index].end - others[index].end))
          difference = max(difference, shift * here.lengthMeters)
        }
        let middle = here.position(atFraction: 0.5).coordinate
        let other = there.position(atFraction: 0.5).coordinate
        difference = max(difference, Proj.distanceMeters(turned(middle), other))
      }
      if spans.count != others.count || difference > 1e-3 {
        Issue.record("\(difference): \(circle) \(a) \(b) \(turn)")
        return
      }
    }
  }
}
