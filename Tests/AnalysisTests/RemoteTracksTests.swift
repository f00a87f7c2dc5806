import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import TestSupport
import Testing

@Suite("Tracks that come near no place")
struct RemoteTracksTests {
  private func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private func reader(_ places: [(Double, Double)], radius: Double = 100) throws -> PlaceReader {
    let places = places.enumerated().map { number, position in
      Place(
        id: "p\(number)", title: number == 0 ? "Bell" : "",
        coordinate: coordinate(position.0, position.1), radiusMeters: radius)
    }
    return try PlaceStore.inMemory(of: places, path: "memory").makeReader()
  }

  private func extent(_ fixes: [(Double, Double)]) -> TrackExtent {
    var extent = TrackExtent()
    extent.take(fixes.map { Fix(coordinate: coordinate($0.0, $0.1)) })
    return extent
  }

  private func sentence(
    _ tracks: [[(Double, Double)]], _ places: [(Double, Double)], radius: Double = 100
  ) throws -> String? {
    var remote = RemoteTracks()
    for (number, track) in tracks.enumerated() { remote.take(extent(track), of: "\(number).gpx") }
    return try remote.sentence(try reader(places, radius: radius)) {
      "\(Int(($0 / 1000).rounded())) km"
    }
  }

  @Test("Exchanged coordinates are asked about where exchanging them would help")
  func exchanged() throws {
    let walk = [(39.95, -75.15), (39.96, -75.16)]
    let sentence = try #require(try sentence([walk], [(-75.15, 39.95), (-75.1, 39.9)]))
    #expect(sentence.hasPrefix("no walk came within 50 km of a story. The nearest, “p1”, is 1"))
    #expect(sentence.contains(" km from the start of 0.gpx. Are latitude and longitude swapped"))
  }

  @Test("Tracks in another country are far, and nothing is said of exchanged coordinates")
  func elsewhere() throws {
    let sentence = try #require(
      try sentence([[(48.1, 11.5)], [(52.5, 13.4), (52.6, 13.5)]], [(39.95, -75.15)]))
    // By Vincenty's formula 52.5,13.4 is 6,531.9 km away, and 48.1,11.5 6,631.3 km.
    #expect(
      sentence
        == "no walk came within 50 km of a story. The nearest, “Bell”, is 6532 km from "
        + "the start of 1.gpx")
  }

  @Test(
    "Nothing is said if a fix may have come near, or there is no place",
    arguments: [
      ([[(39.95, -75.15)]], [(39.96, -75.15)], 100.0),
      // 44 km, and 60 km with a circle of 20 km.
      ([[(39.95, -75.15)]], [(40.35, -75.15)], 100),
      ([[(39.95, -75.15)]], [(40.49, -75.15)], 20_000),
      // One of two tracks is near.
      ([[(48, 11)], [(39.95, -75.15)]], [(39.95, -75.15)], 100),
      // The path may have come near on its way.
      ([[(30, -75), (50, -75)]], [(40, -75)], 100),
      ([[(0, -179), (0, 179)]], [(0, 0)], 100), ([[(39.95, -75.15)]], [], 100),
      ([[]], [(1, 2)], 100),
    ] as [([[(Double, Double)]], [(Double, Double)], Double)])
  func silent(tracks: [[(Double, Double)]], places: [(Double, Double)], radius: Double) throws {
    #expect(try sentence(tracks, places, radius: radius) == nil)
  }

  @Test("Whatever is said of a random track is true of each of its fixes")
  func random() throws {
    var random = SplitMix64(seed: 11)
    var said = 0
    for _ in 0..<300 {
      let center = (
        Double.random(in: -89...89, using: &random), Double.random(in: -179...179, using: &random)
      )
      let spread = Double.random(in: 0.01...8, using: &random)
      func near() -> (Double, Double) {
        (
          max(-90, min(90, center.0 + Double.random(in: -spread...spread, using: &random))),
          max(-180, min(180, center.1 + Double.random(in: -spread...spread, using: &random)))
        )
      }
      let (track, places) = (
        (0..<20).map { _ in near() },
        (0..<3).map { _ in
          (near().0, max(-180, min(180, near().1 + 4 * spread)))
        }
      )
      guard try sentence([track], places) != nil else { continue }
      said += 1
      for fix in track {
        for place in places {
          let meters = Geodesic.distanceMeters(
            coordinate(fix.0, fix.1), coordinate(place.0, place.1))
          #expect(meters > RemoteTracks.leastMeters)
        }
      }
    }
    #expect(said > 20)
  }
}
