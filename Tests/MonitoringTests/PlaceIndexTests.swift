import FencepostCProj
import FencepostGeodesy
import FencepostMonitoring
import Foundation
import ProjGeodesics
import TestSupport
import Testing

@Suite("An index of places in memory, against PROJ and every place in turn", .comparedWithPROJ)
struct PlaceIndexTests {
  /// What the product's distance may differ by from PROJ's, in meters.
  static let toleranceMeters = 0.001
  static let ranks = [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 150)]

  @Test("the nearest places are those of least distance", arguments: World.allCases)
  func nearest(_ world: World) throws {
    let index = try PlaceIndex(world.places)
    for rank in Self.ranks {
      for point in world.points {
        let found = index.nearest(to: point, count: 20, rank: rank)
        let expected = index.places.map { place in
          rank.distanceMeters(
            centerDistanceMeters: Reference.distanceMeters(point, place.coordinate),
            radiusMeters: place.radiusMeters)
        }
        let sorted = expected.sorted()
        #expect(found.count == min(20, index.placeCount))
        #expect(Set(found.map(\.key)).count == found.count)
        for (number, neighbor) in found.enumerated() {
          let own = expected[Int(neighbor.key) - 1]
          #expect(abs(neighbor.rankDistanceMeters - sorted[number]) < Self.toleranceMeters)
          #expect(abs(neighbor.rankDistanceMeters - own) < Self.toleranceMeters)
        }
      }
    }
  }

  @Test("exactly the circles that reach a point contain it", arguments: World.allCases)
  func containing(_ world: World) throws {
    let index = try PlaceIndex(world.places)
    for point in world.points {
      for meters in [0.0, 700, 40_000] {
        let found = Set(index.circles(withinMeters: meters, of: point).map(\.key))
        for place in index.places {
          let slack =
            Reference.distanceMeters(point, place.coordinate) - place.radiusMeters - meters
          guard abs(slack) > Self.toleranceMeters else { continue }
          #expect(found.contains(place.key) == (slack < 0), "\(place.id) at \(slack) m")
        }
      }
    }
  }

  @Test("equally near places come in the order of their ids")
  func ties() throws {
    let spot = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let places = (0..<300).map { Place(id: "p\($0 * 37 % 300)", coordinate: spot) }
    let found = try PlaceIndex(places).nearest(to: spot, count: 25)
    let ids = places.map(\.id).sorted()
    #expect(found.map(\.key) == Array(1...25))
    #expect(try PlaceIndex(places).places.map(\.id) == ids)
  }

  @Test("replacing places one after another gives the index of the places as they are then")
  func replaced() throws {
    var random = SplitMix64(seed: 11)
    var places = World.cities.places
    var index = try PlaceIndex(places)
    for _ in 0..<60 {
      let moved = (0..<2).map { _ in Int(random.next() % UInt64(places.count)) }
      for number in moved {
        places[number].coordinate = Coordinate(
          latitudeDegrees: random.double(-80...80), longitudeDegrees: random.double(-180...180))
        places[number].radiusMeters = pow(10, random.double(0...6))
      }
      index = try PlaceIndex(index, replacing: moved.map { places[$0] })
      let fresh = try PlaceIndex(places)
      #expect(index.places == fresh.places)
      for point in World.cities.points + moved.map({ places[$0].coordinate }) {
        for rank in Self.ranks {
          #expect(
            index.nearest(to: point, count: 20, rank: rank)
              == fresh.nearest(to: point, count: 20, rank: rank))
        }
        #expect(
          index.circles(withinMeters: 700, of: point) == fresh.circles(withinMeters: 700, of: point)
        )
      }
    }
  }

  @Test("a place is found by its id and by its key")
  func lookup() throws {
    let index = try PlaceIndex(World.uniform.places)
    for place in index.places {
      #expect(index.place(withID: place.id) == place)
      #expect(index.place(forKey: place.key) == place)
    }
    #expect(index.place(withID: "nobody") == nil)
    #expect(index.place(forKey: 0) == nil)
    #expect(!index.hasPlace(forKey: Int64(index.placeCount) + 1))
  }

  @Test(
    "a place that cannot be indexed is named with its position and reason",
    arguments: [
      (Place(id: "", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: 0)), .emptyID),
      (Place(id: "a", coordinate: .init(latitudeDegrees: 1, longitudeDegrees: 1)), .repeatedID),
      (
        Place(id: "b", coordinate: .init(latitudeDegrees: 90.1, longitudeDegrees: 0)),
        .coordinateOutOfRange
      ),
      (
        Place(id: "b", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: .nan)),
        .coordinateOutOfRange
      ),
      (
        Place(
          id: "b", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 0),
        .radiusOutOfRange
      ),
      (
        Place(
          id: "b", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: 0),
          radiusMeters: 20_000_001),
        .radiusOutOfRange
      ),
    ] as [(Place, PlaceIndexError.Reason)])
  func refused(_ place: Place, _ reason: PlaceIndexError.Reason) {
    let good = Place(id: "a", coordinate: .init(latitudeDegrees: 0, longitudeDegrees: 0))
    #expect(throws: PlaceIndexError(index: 1, id: place.id, reason: reason)) {
      try PlaceIndex([good, place])
    }
  }

  @Test("an engine that asks an index misses nothing that a scan of every place finds")
  func engine() throws {
    for seed in UInt64(0)..<40 {
      let scene = RandomScene(seed: seed, isDense: seed % 2 == 0)
      guard scene.failures.isEmpty else { continue }
      let places = scene.scene.regions.map { region in
        // Keys are given by id; so many digits sort like numbers.
        Place(
          id: String(format: "%06d", region.key), coordinate: region.circle.center.coordinate,
          radiusMeters: region.circle.radiusMeters)
      }
      let index = try PlaceIndex(places)
      var engine = Engine(options: scene.options)
      var events: [EngineEvent] = []
      for point in scene.scene.path {
        var request = engine.advance(to: point, into: &events)
        while let asked = request {
          request = engine.resume(with: index.answer(asked), into: &events)
        }
      }
      engine.finish()
      #expect(events == scene.run().events.map(\.event), "seed \(seed)")
    }
  }
}

@Suite("A place as JSON")
struct PlaceCodingTests {
  @Test("the least that a place needs is an id and a position")
  func least() throws {
    let json = #"[{"id": "hall", "lat": 39.9496, "lon": -75.1503}]"#
    let places = try JSONDecoder().decode([Place].self, from: Data(json.utf8))
    #expect(
      places == [
        Place(id: "hall", coordinate: .init(latitudeDegrees: 39.9496, longitudeDegrees: -75.1503))
      ])
  }

  @Test("an id that is a whole number becomes its digits, and no other value is an id")
  func numericID() throws {
    let json = #"[{"id": 7, "lat": 1, "lon": 2}, {"id": -9007199254740993, "lat": 1, "lon": 2}]"#
    let places = try JSONDecoder().decode([Place].self, from: Data(json.utf8))
    #expect(places.map(\.id) == ["7", "-9007199254740993"])
    for id in ["1.5", "true", "null", "[1]", "{}"] {
      let bad = "{\"id\": \(id), \"lat\": 1, \"lon\": 2}"
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Place.self, from: Data(bad.utf8))
      }
    }
  }

  @Test("an id may be called identifier, as in many apps, and id goes first")
  func identifier() throws {
    let json = """
      [{"identifier": "lib", "lat": 1, "lon": 2}, {"identifier": 7, "lat": 1, "lon": 2},
      {"id": "a", "identifier": "b", "lat": 1, "lon": 2}]
      """
    let places = try JSONDecoder().decode([Place].self, from: Data(json.utf8))
    #expect(places.map(\.id) == ["lib", "7", "a"])
  }

  @Test("a place that is written is read back equal")
  func roundTrip() throws {
    let place = Place(
      id: "hall", title: "Hall", blurb: "A bell.", url: "https://example.org/hall",
      category: "history", priority: 2,
      coordinate: .init(latitudeDegrees: 39.9496, longitudeDegrees: -75.1503), radiusMeters: 40,
      publishedMilliseconds: 1_772_643_612_250, expiresMilliseconds: 1_772_643_700_000)
    let json = try JSONEncoder().encode(place)
    #expect(try JSONDecoder().decode(Place.self, from: json) == place)
  }

  @Test(
    "a place that no circle can be drawn around is refused",
    arguments: [
      #"{"id": "", "lat": 0, "lon": 0}"#, #"{"id": "a", "lat": 91, "lon": 0}"#,
      #"{"id": "a", "lat": 0, "lon": 181}"#, #"{"id": "a", "lat": 0, "lon": 0, "radius": 0}"#,
      #"{"id": "a", "lat": 0}"#, #"{"id": "a", "lat": 0, "lon": 0, "published": "soon"}"#,
    ])
  func refused(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Place.self, from: Data(json.utf8))
    }
  }
}

/// Worlds of places, each with points to ask from.
enum World: String, CaseIterable, Sendable {
  case empty, one, twenty, uniform, cities, antimeridian, poles, oneSpot, anyRadius

  var places: [Place] {
    var random = SplitMix64(seed: 7)
    var places: [Place] = []
    func add(_ latitude: Double, _ longitude: Double, radius: Double = 100) {
      places.append(
        Place(
          id: "\(places.count)",
          coordinate: .init(latitudeDegrees: latitude, longitudeDegrees: longitude),
          radiusMeters: radius))
    }
    func addAnywhere(_ count: Int, radius: (inout SplitMix64) -> Double) {
      for _ in 0..<count {
        let latitude = asin(random.double(-1...1)) * 180 / .pi
        let longitude = random.double(-180...180)
        add(latitude, longitude, radius: radius(&random))
      }
    }
    switch self {
    case .empty: break
    case .one: addAnywhere(1) { _ in 100 }
    case .twenty: addAnywhere(20) { _ in 100 }
    case .uniform: addAnywhere(2000) { _ in 100 }
    case .cities:
      for city in 0..<20 {
        let (latitude, longitude) = (random.double(-60...70), random.double(-180...179))
        for _ in 0..<(20 + city * 8) {
          add(latitude + random.double(0...0.1), longitude + random.double(0...0.1))
        }
      }
    case .antimeridian:
      for _ in 0..<800 {
        let east = random.double(-0.3...0.3)
        add(random.double(-17 ... -16.5), east > 0 ? 180 - east : -180 - east)
      }
    case .poles:
      for number in 0..<800 {
        let latitude = 90 - random.double(0...0.5)
        add(number % 2 == 0 ? latitude : -latitude, random.double(-180...180))
      }
      add(90, 0)
      add(-90, 77)
    case .oneSpot:
      for _ in 0..<500 { add(39.9526, -75.1652) }
      addAnywhere(100) { _ in 100 }
    case .anyRadius:
      addAnywhere(1500) { random in min(2e7, pow(10, random.double(0...7.3))) }
    }
    return places
  }

  var points: [Coordinate] {
    var random = SplitMix64(seed: 5)
    let fixed = [
      (90, 12), (-90, 0), (-16.8, 180), (-16.8, -179.99), (0, 0), (39.9526, -75.1652),
      (89.999, -100),
    ].map { Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
    let anywhere = (0..<6).map { _ in
      Coordinate(
        latitudeDegrees: asin(random.double(-1...1)) * 180 / .pi,
        longitudeDegrees: random.double(-180...180))
    }
    return fixed + anywhere + places.prefix(3).map(\.coordinate)
  }
}
