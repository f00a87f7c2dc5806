import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("The spans of a segment inside a circle", .comparedWithPROJ)
struct CrossingTests {
  @Test("agree with the reference table, forwards and backwards")
  func table() throws {
    let table = try ReferenceTable("crossings.txt")
    #expect(table.cases.count > 120)
    for (line, f) in table.cases {
      let a = Position(Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1]))
      let b = Position(Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3]))
      let circle = Circle(
        center: Coordinate(latitudeDegrees: f[4], longitudeDegrees: f[5]), radiusMeters: f[6])
      let expected = Array(f[8...])
      let there = GeodesicSegment(from: a, to: b)
      let tolerance = f[7] / max(there.lengthMeters, 1e-9)
      check(there.insideSpans(of: circle), expected, tolerance, "line \(line)")
      let back = GeodesicSegment(from: b, to: a)
      let mirrored = expected.reversed().map { 1 - $0 }
      check(back.insideSpans(of: circle), mirrored, tolerance, "line \(line), back")
    }
  }

  @Test("are looked through for the next edge: a start behind where one is, an end also there")
  func nextEdges() {
    let a = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let b = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.14)
    let middle = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15)
    let spans = GeodesicSegment(from: Position(a), to: Position(b))
      .insideSpans(of: Circle(center: middle, radiusMeters: 100))
    #expect(spans.count == 1)
    let (start, end) = (spans[0].start, spans[0].end)
    #expect(0 < start && start < end && end < 1)
    #expect(spans.firstStart(after: start.nextDown) == start)
    #expect(spans.firstStart(after: start) == nil)
    #expect(spans.firstEnd(from: start) == end)
    #expect(spans.firstEnd(from: end) == end)
    #expect(spans.firstEnd(from: end.nextUp) == nil)
  }

  private func check(
    _ spans: InsideSpans, _ expected: [Double], _ tolerance: Double, _ comment: Comment
  ) {
    let found = (0..<spans.count).flatMap { [spans[$0].start, spans[$0].end] }
    #expect(found.count == expected.count, comment)
    for (found, expected) in zip(found, expected) {
      #expect(abs(found - expected) <= tolerance, comment)
      // The path's own ends are exact, and nothing else is taken for them.
      #expect((found == 0) == (expected == 0) && (found == 1) == (expected == 1), comment)
    }
  }

  private func position(_ latitude: Double, _ longitude: Double) -> Position {
    Position(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  @Test("of a segment that has no length are all of it or none")
  func noLength() {
    for (latitude, longitude) in [(51.5, -0.1), (90, 12), (0, 180), (-90.0, 0.0)] {
      let here = position(latitude, longitude)
      for radius in [1e-6, 100, 50_000, 3e6, 2e7] {
        let spans = GeodesicSegment(from: here, to: here)
          .insideSpans(of: Circle(center: here, radiusMeters: radius))
        #expect(spans.count == 1)
        #expect(spans[0].start == 0 && spans[0].end == 1)
      }
      let elsewhere = Circle(center: position(12, 12), radiusMeters: 5)
      #expect(GeodesicSegment(from: here, to: here).insideSpans(of: elsewhere).isEmpty)
    }
    let pole = GeodesicSegment(from: position(90, 10), to: position(90, -100))
    #expect(pole.lengthMeters == 0)
    let about = Circle(center: position(89.999, 0), radiusMeters: 112)
    #expect(pole.insideSpans(of: about)[0].end == 1)
  }

  @Test("of a circle smaller than rounding are found and are no longer than it")
  func tiny() {
    let segment = GeodesicSegment(from: position(40, -75), to: position(40, -74.99))
    for radius in [1e-12, 1e-9, 1e-6] {
      let spans = segment.insideSpans(
        of: Circle(center: segment.start, radiusMeters: radius))
      #expect(spans.count == 1)
      #expect(spans[0].start == 0)
      #expect(spans[0].end > 0)
      #expect(spans[0].end * segment.lengthMeters <= radius + 1e-8)
    }
  }

  @Test("of segments shorter than rounding stay within the segment")
  func short() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50_000 {
      let circle = Circle(center: random.coordinate(), radiusMeters: random.scale(1, 150_000))
      let edge = Proj.point(
        from: circle.center.coordinate, azimuth: random.azimuth(),
        meters: circle.radiusMeters + random.double(-3e-9...3e-9))
      let a = Position(edge)
      let b = Position(
        Proj.point(from: edge, azimuth: random.azimuth(), meters: random.scale(1e-10, 1e-6)))
      let spans = GeodesicSegment(from: a, to: b).insideSpans(of: circle)
      if let fault = faultInForm(spans, circle, a, b) {
        Issue.record("\(fault): \(circle) \(a) \(b)")
        return
      }
    }
  }

  @Test("of what is not a number are none, and come back at once")
  func notANumber() {
    let nowhere = position(.nan, 0)
    let here = position(10, 10)
    let there = position(-10, 170)
    for radius in [100, 1e5, 1e6, 2e7] {
      for (a, b, c) in [
        (nowhere, here, here), (here, nowhere, here), (here, there, nowhere),
        (nowhere, nowhere, nowhere),
      ] {
        let spans = GeodesicSegment(from: a, to: b)
          .insideSpans(of: Circle(center: c, radiusMeters: radius))
        for index in 0..<spans.count {
          #expect(spans[index].start <= spans[index].end)
        }
      }
    }
  }
}

/// What is wrong with the form of spans, whatever the numbers: order, range, agreement with the
/// ends.
func faultInForm(
  _ spans: InsideSpans, _ circle: Circle, _ start: Position, _ end: Position
) -> String? {
  var last = -1.0
  for index in 0..<spans.count {
    let (from, to) = spans[index]
    guard from >= 0, to <= 1, from <= to, from > last else { return "order" }
    last = to
  }
  let startsInside = spans.count > 0 && spans[0].start == 0
  let endsInside = spans.count > 0 && spans[spans.count - 1].end == 1
  if startsInside != circle.contains(start) { return "start" }
  if endsInside != circle.contains(end) { return "end" }
  return nil
}
