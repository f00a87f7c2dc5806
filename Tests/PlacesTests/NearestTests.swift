import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import ProjGeodesics
import Testing

@Suite("Nearest places, against PROJ and every place in turn", .comparedWithPROJ)
struct NearestTests {
  /// PROJ's distance.
  static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    Proj.distanceMeters(a, b)
  }

  /// How much the fast distance may differ from PROJ's, in meters.
  static let tolerance = 0.001

  @Test("the nearest places are those of least distance", arguments: Samples.allCases)
  func nearest(_ sample: Samples) throws {
    let scratch = Scratch()
    let circles = sample.circles
    let reader = try scratch.store(circles).makeReader()
    for rank in [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 150)] {
      for point in sample.points {
        let found = try reader.nearest(to: point, count: 20, rank: rank)
        let expected = circles.map { circle in
          rank.distanceMeters(
            centerDistanceMeters: Self.distance(point, circle.coordinate),
            radiusMeters: circle.radiusMeters)
        }
        let sorted = expected.sorted()
        #expect(found.count == min(20, circles.count))
        #expect(Set(found.map(\.key)).count == found.count)
        for (index, neighbor) in found.enumerated() {
          #expect(abs(neighbor.rankDistanceMeters - sorted[index]) < Self.tolerance)
          let place = try #require(try reader.place(forKey: neighbor.key))
          let number = try #require(Int(place.id))
          #expect(abs(neighbor.rankDistanceMeters - expected[number]) < Self.tolerance)
          #expect(neighbor.circle.radiusMeters == circles[number].radiusMeters)
        }
      }
    }
  }

  @Test(
    "exactly the circles whose radius reaches a point contain it",
    arguments: Samples.allCases)
  func containing(_ sample: Samples) throws {
    let scratch = Scratch()
    let circles = sample.circles
    let reader = try scratch.store(circles).makeReader()
    for point in sample.points {
      for meters in [0.0, 700, 40_000] {
        let ids = try reader.circles(withinMeters: meters, of: point).map { neighbor in
          try reader.place(forKey: neighbor.key)?.id ?? ""
        }
        let slack = circles.map { circle in
          Self.distance(point, circle.coordinate) - circle.radiusMeters - meters
        }
        let certain = slack.indices.filter { slack[$0] < -Self.tolerance }.map(String.init)
        let possible = slack.indices.filter { slack[$0] < Self.tolerance }.map(String.init)
        #expect(Set(certain).isSubset(of: ids))
        #expect(Set(ids).isSubset(of: possible))
        #expect(Set(ids).count == ids.count)
      }
    }
  }

  /// Where rings of places lie: at all latitudes, also about the antimeridian and a pole.
  static let rings: [(center: Coordinate, meters: Double)] = [
    0.0, 30, -60, 75, 85, -89, 89.9, 89.999,
  ].flatMap { latitude in
    [-75.1, 179.9999].flatMap { longitude in
      [10, 1_000, 30_000, 300_000, 1_000_000].map { meters in
        (Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), meters)
      }
    }
  }

  @Test("a ring of places is found whole just beyond its radius, and not at all just within")
  func ringIsWhole() throws {
    let scratch = Scratch()
    let azimuths = stride(from: 0.0, to: 360, by: 7.5)
    let circles = Self.rings.flatMap { ring in
      azimuths.map { azimuth in
        SampleCircle(
          coordinate: Geodesic.direct(
            from: ring.center, azimuthDegrees: azimuth, distanceMeters: ring.meters),
          radiusMeters: 1)
      }
    }
    let reader = try scratch.store(circles).makeReader()
    let count = circles.count / Self.rings.count
    for (number, ring) in Self.rings.enumerated() {
      let ids = Set((0..<count).map { String(number * count + $0) })
      for slack in [-0.01, 0.01] {
        let found = try reader.circles(withinMeters: ring.meters - 1 + slack, of: ring.center)
        let present = try found.filter { neighbor in
          ids.contains(try reader.place(forKey: neighbor.key)?.id ?? "")
        }
        #expect(present.count == (slack > 0 ? count : 0), "\(ring) \(slack)")
      }
    }
  }

  @Test("places at one spot come in the order of their ids, as text")
  func ties() throws {
    let scratch = Scratch()
    let circles = (0..<40).map { _ in
      SampleCircle(
        coordinate: Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652),
        radiusMeters: 100)
    }
    let reader = try scratch.store(circles).makeReader()
    let point = Coordinate(latitudeDegrees: 39.96, longitudeDegrees: -75.16)
    let ids = try reader.nearest(to: point, count: 20, rank: .center).map { neighbor in
      try reader.place(forKey: neighbor.key)?.id ?? ""
    }
    #expect(ids == Array((0..<40).map(String.init).sorted().prefix(20)))
  }

  @Test(
    "one spot written in two ways is equally far",
    arguments: [
      (
        Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 180),
        Coordinate(latitudeDegrees: -16.8, longitudeDegrees: -180)
      ),
      (
        Coordinate(latitudeDegrees: 90, longitudeDegrees: 17),
        Coordinate(latitudeDegrees: 90, longitudeDegrees: -120)
      ),
    ])
  func oneSpot(_ first: Coordinate, _ second: Coordinate) throws {
    let scratch = Scratch()
    let circles = [second, first].map { SampleCircle(coordinate: $0, radiusMeters: 100) }
    let reader = try scratch.store(circles).makeReader()
    let point = Coordinate(latitudeDegrees: 10, longitudeDegrees: 33)
    let found = try reader.nearest(to: point, count: 2, rank: .center)
    #expect(found[0].centerDistanceMeters == found[1].centerDistanceMeters)
    #expect(try reader.place(forKey: found[0].key)?.id == "0")
  }

  @Test("a count of 0 gives no places")
  func none() throws {
    let scratch = Scratch()
    let reader = try scratch.store(Samples.uniform.circles).makeReader()
    let point = Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)
    #expect(try reader.nearest(to: point, count: 0, rank: .center).isEmpty)
  }
}
