import CProj
import Geodesy
import Glibc

/// A seeded source of numbers and scenes, the same on every machine (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    Double.random(in: low...high, using: &self)
  }

  /// A number whose logarithm is uniform.
  mutating func scale(_ low: Double, _ high: Double) -> Double {
    min(max(exp(uniform(log(low), log(high))), low), high)
  }

  mutating func azimuth() -> Double { uniform(-180, 180) }

  /// A point anywhere, every other time at a pole, near one, near the equator or the antimeridian.
  mutating func coordinate() -> Coordinate {
    let latitude: Double
    switch next() % 8 {
    case 0: latitude = 90 - scale(1e-7, 1)
    case 1: latitude = scale(1e-7, 1) - 90
    case 2: latitude = uniform(-0.1, 0.1)
    case 3: latitude = next() % 2 == 0 ? 90 : -90
    default: latitude = uniform(-90, 90)
    }
    let longitude = next() % 4 == 0 ? 180 - scale(1e-9, 1e-2) : uniform(-180, 180)
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

/// PROJ's geodesics, the reference.
enum Proj {
  static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    course(a, b).distance_m
  }

  static func course(_ a: Coordinate, _ b: Coordinate) -> cproj_course {
    cproj_inverse(a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
  }

  static func point(from a: Coordinate, azimuth: Double, meters: Double) -> Coordinate {
    let point = cproj_direct(a.latitudeDegrees, a.longitudeDegrees, azimuth, meters)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  /// The geodesic between two points.
  struct Line {
    private var line: geod_geodesicline
    let lengthMeters: Double

    init(_ a: Coordinate, _ b: Coordinate) {
      line = cproj_inverse_line(
        a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
      lengthMeters = Proj.distanceMeters(a, b)
    }

    mutating func point(_ fraction: Double) -> (coordinate: Coordinate, azimuth: Double) {
      // The line is stored here and not kept by the callee.
      let point = unsafe cproj_position(&line, fraction * lengthMeters)
      return (Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon), point.azimuth)
    }
  }
}

/// The largest of some errors and what it belongs to.
struct Worst: CustomStringConvertible {
  private(set) var error = 0.0
  private(set) var scene = ""

  mutating func note(_ error: Double, _ scene: @autoclosure () -> String) {
    // Not a number is the worst of all.
    if !(error <= self.error) {
      self.error = error
      self.scene = scene()
    }
  }

  var description: String { "\(error) at \(scene)" }
}
