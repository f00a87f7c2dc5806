import FencepostGeodesy
import Glibc
import TestSupport

/// Scenes for geodesics, with difficult ones more often than by chance.
extension SplitMix64 {
  /// A number whose logarithm is uniform.
  mutating func scale(_ low: Double, _ high: Double) -> Double {
    min(max(exp(double(log(low)...log(high))), low), high)
  }

  mutating func azimuth() -> Double { double(-180...180) }

  /// A point anywhere, every other time at a pole, near one, near the equator or the antimeridian.
  mutating func coordinate() -> Coordinate {
    let latitude: Double
    switch next() % 8 {
    case 0: latitude = 90 - scale(1e-7, 1)
    case 1: latitude = scale(1e-7, 1) - 90
    case 2: latitude = double(-0.1...0.1)
    case 3: latitude = next() % 2 == 0 ? 90 : -90
    default: latitude = double(-90...90)
    }
    let longitude = next() % 4 == 0 ? 180 - scale(1e-9, 1e-2) : double(-180...180)
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}
