import FencepostGeodesy
import Testing

@Suite("Centroids of shapes")
struct ShapeCentroidTests {
  private static func centroid(
    _ parts: [(ShapeCentroid.Part, [(Double, Double)])]
  ) -> Coordinate? {
    var centroid = ShapeCentroid()
    for (part, vertices) in parts {
      centroid.begin(part)
      for (latitude, longitude) in vertices {
        centroid.add(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
      }
      centroid.end()
    }
    return centroid.coordinate
  }

  private static func distance(_ a: Coordinate?, _ b: (Double, Double)) -> Double {
    guard let a else { return .infinity }
    return Geodesic.distanceMeters(
      a, Coordinate(latitudeDegrees: b.0, longitudeDegrees: b.1))
  }

  @Test("Areas have the centroids that Shapely finds on maps that keep areas")
  func areas() throws {
    let table = try ReferenceTable("centroids.txt")
    #expect(table.cases.count >= 40)
    for (line, fields) in table.cases {
      var parts: [(ShapeCentroid.Part, [(Double, Double)])] = []
      var index = 3
      while index < fields.count {
        let count = Int(fields[index])
        let ring = (0..<count).map { (fields[index + 1 + 2 * $0], fields[index + 2 + 2 * $0]) }
        parts.append((parts.isEmpty ? .outline : .hole, ring))
        index += 1 + 2 * count
      }
      let size = fields[2]
      let error = Self.distance(Self.centroid(parts), (fields[0], fields[1]))
      // On a large area the mean on the sphere and on a map differ by its curvature.
      #expect(error < 0.004 + size * (size / 6.4e6) * (size / 6.4e6), "line \(line): \(error) m")
    }
  }

  @Test("A ring counts the same in both directions, closed or not, wherever it begins")
  func rings() throws {
    let ring = [(10.0, 20.0), (10.0, 20.02), (10.01, 20.02), (10.01, 20.0)]
    let expected = try #require(Self.centroid([(.outline, ring)]))
    let point = (expected.latitudeDegrees, expected.longitudeDegrees)
    for other in [ring.reversed(), ring + [ring[0]], Array(ring[2...] + ring[..<2])] {
      #expect(Self.distance(Self.centroid([(.outline, other)]), point) < 1e-5)
    }
    let hole = [(10.0, 20.0), (10.005, 20.0), (10.005, 20.01), (10.0, 20.01)]
    let a = Self.centroid([(.outline, ring), (.hole, hole)])
    let b = Self.centroid([(.outline, ring.reversed()), (.hole, hole.reversed())])
    #expect(Self.distance(a, (b?.latitudeDegrees ?? 0, b?.longitudeDegrees ?? 0)) < 1e-5)
    // A quarter is gone, so the centroid moves by a sixth of half the sides.
    #expect(Self.distance(a, (10.005 + 0.005 / 6, 20.01 + 0.01 / 6)) < 0.05)
  }

  @Test("The antimeridian and the poles are nothing special")
  func everywhere() {
    let west = [(-1.0, 179.0), (-1.0, -179.0), (1.0, -179.0), (1.0, 179.0)]
    #expect(Self.distance(Self.centroid([(.outline, west)]), (0, 180)) < 1e-6)
    let pole = [(89.0, 0.0), (89.0, 90.0), (89.0, 180.0), (89.0, -90.0)]
    #expect(Self.distance(Self.centroid([(.outline, pole)]), (90, 0)) < 1e-6)
  }

  @Test("Areas count before lines, and lines before points")
  func dimensions() {
    let square = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
    let line = [(50.0, 50.0), (60.0, 50.0)]
    let both = Self.centroid([(.line, line), (.outline, square), (.points, [(80, 80)])])
    #expect(Self.distance(both, (0.5, 0.5)) < 20)
    #expect(
      Self.distance(
        Self.centroid([(.points, [(80, 80)]), (.line, [(0, 0), (0, 1), (0, 1)])]), (0, 0.5))
        < 1e-5)
    // A third of the way is along the equator.
    #expect(
      Self.distance(
        Self.centroid([(.line, [(0, 0), (0, 0.01)]), (.line, [(0, 0.02), (0, 0.04)])]),
        (0, (0.005 + 2 * 0.03) / 3)) < 1e-5)
    #expect(Self.distance(Self.centroid([(.outline, [(5, 5), (5, 5), (5, 5)])]), (5, 5)) < 1e-4)
    #expect(Self.distance(Self.centroid([(.outline, [(0, 5), (0, 6), (0, 5)])]), (0, 5.5)) < 1e-6)
    #expect(Self.centroid([]) == nil)
    #expect(Self.centroid([(.points, [(90, 0), (-90, 0)])]) == nil)
  }
}
