import FencepostGeodesy
import ProjGeodesics
import TestSupport

/// Classes of pairs of points that together reach every branch of the inverse problem often.
enum PairClass: String, CaseIterable, Sendable {
  case anywhere, short, long, meridional, overThePole, nearlyMeridional
  case equatorial, nearlyEquatorial, symmetric, nearlyAntipodal, antipodalParallel
  case atAPole, coincident, acrossTheAntimeridian

  /// A pair of this kind.
  func pair(_ random: inout SplitMix64) -> (a: Coordinate, b: Coordinate) {
    func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(
        latitudeDegrees: min(90, max(-90, latitude)),
        longitudeDegrees: longitude.remainder(dividingBy: 360))
    }
    let a = random.coordinate()
    let (latitude, longitude) = (a.latitudeDegrees, a.longitudeDegrees)
    func there(_ least: Double, _ greatest: Double) -> Coordinate {
      Proj.point(from: a, azimuth: random.azimuth(), meters: random.scale(least, greatest))
    }
    let tiny = random.scale(1e-13, 1) * (random.next() % 2 == 0 ? 1 : -1)
    switch self {
    case .anywhere: return (a, random.coordinate())
    case .short: return (a, there(1e-6, 200_000))
    case .long: return (a, there(200_000, 20_003_900))
    case .meridional: return (a, point(random.double(-90...90), longitude))
    case .overThePole: return (a, point(random.double(-90...90), longitude + 180))
    case .equatorial: return (point(0, longitude), point(0, random.double(-180...180)))
    case .nearlyAntipodal:
      return (a, point(-latitude + random.double(-1...1), longitude + 180 + random.double(-1...1)))
    case .antipodalParallel:
      return (a, point(-latitude, longitude + 180 + random.double(-1...1)))
    case .symmetric:
      return (
        a, point(random.next() % 2 == 0 ? latitude : -latitude, random.double(-180...180))
      )
    case .nearlyMeridional:
      return (
        a, point(random.double(-90...90), longitude + (random.next() % 2 == 0 ? 0 : 180) + tiny)
      )
    case .nearlyEquatorial:
      return (point(tiny, longitude), point(random.scale(1e-13, 1), random.double(-180...180)))
    case .atAPole: return (point(random.next() % 2 == 0 ? 90 : -90, longitude), random.coordinate())
    case .coincident: return (a, point(latitude, longitude))
    case .acrossTheAntimeridian:
      return (point(latitude, 180 - abs(tiny)), point(random.double(-90...90), -180 + abs(tiny)))
    }
  }
}
