extension Geodesic {
  /// The geodesic distance between two points in meters, within 1 mm.
  ///
  /// Up to 200 km it is ``distanceMeters(_:_:)-(Position,_)``. Beyond, Vincenty's iteration takes a
  /// third of the time because the vectors hold all the sines and cosines it starts from. Near the
  /// antipode, where it would be slow, the distance is exact.
  package static func approximateDistanceMeters(_ a: Position, _ b: Position) -> Double {
    let chord = b.vector - a.vector
    guard dot(chord, chord) > seriesChordMeters * seriesChordMeters,
      let auxiliary = AuxiliarySphere(from: a.vector, to: b.vector)
    else { return distanceMeters(a, b) }
    return auxiliary.distanceMeters
  }
}

/// The great circle on Bessel's auxiliary sphere that corresponds to a geodesic.
///
/// T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid with application of
/// nested equations, Survey Review XXIII 176, 1975, with Helmert's expansion parameter.
private struct AuxiliarySphere {
  /// The products of the sines and of the cosines of both reduced latitudes.
  private let sines: Double
  private let cosines: Double
  private let sine1: Double
  private let sine2: Double
  private let cosine1: Double
  private let cosine2: Double
  private let sineLongitude: Double
  private let cosineLongitude: Double

  // For the arc between the points: its angle, the sine of its azimuth at the equator, and the
  // cosine of twice the angle from there to its middle.
  private var angle = 0.0
  private var sineAngle = 0.0
  private var cosineAngle = 1.0
  private var sineAzimuth = 0.0
  private var cosineAzimuthSquared = 1.0
  private var cosineMiddle = 0.0

  /// Returns nil if the iteration would be slow or a point is a pole.
  init?(from a: SIMD3<Double>, to b: SIMD3<Double>) {
    let parallel1 = (a.x * a.x + a.y * a.y).squareRoot()
    let parallel2 = (b.x * b.x + b.y * b.y).squareRoot()
    guard parallel1 > 1, parallel2 > 1 else { return nil }
    // On the ellipsoid p = a·cos β and z = b·sin β.
    let perEquatorial = 1 / Ellipsoid.equatorialRadiusMeters
    let perPolar = 1 / Ellipsoid.polarRadiusMeters
    sine1 = a.z * perPolar
    sine2 = b.z * perPolar
    cosine1 = parallel1 * perEquatorial
    cosine2 = parallel2 * perEquatorial
    sines = sine1 * sine2
    cosines = cosine1 * cosine2
    let perParallels = 1 / (parallel1 * parallel2)
    cosineLongitude = (a.x * b.x + a.y * b.y) * perParallels
    sineLongitude = (a.x * b.y - a.y * b.x) * perParallels
    // Beyond about 160° of arc.
    guard sines + cosines * cosineLongitude > -0.94 else { return nil }
    var before = 0.0
    var last = correction(0)
    for _ in 0..<6 {
      let next = correction(last)
      let step = next - last
      let stepBefore = last - before
      before = last
      last = next
      // The rest is a geometric series, whose sum follows from two terms.
      if abs(step) < 1e-7 {
        let ratio = stepBefore == 0 ? 0 : step / stepBefore
        last = next + step * ratio / (1 - ratio)
        break
      }
    }
    turn(last)
  }

  /// Places the arc so that its longitudes differ by `excess` radians more than on the ellipsoid.
  private mutating func turn(_ excess: Double) {
    let square = excess * excess
    // Never above 0.02, where the series is exact.
    let sine = excess * (1 - square * (1.0 / 6 - square * (1.0 / 120)))
    let cosine = 1 - square * (0.5 - square * (1.0 / 24 - square * (1.0 / 720)))
    let sineLambda = sineLongitude * cosine + cosineLongitude * sine
    let cosineLambda = cosineLongitude * cosine - sineLongitude * sine
    let east = cosine2 * sineLambda
    let north = cosine1 * sine2 - sine1 * cosine2 * cosineLambda
    sineAngle = (east * east + north * north).squareRoot()
    cosineAngle = sines + cosines * cosineLambda
    angle = atan2(y: sineAngle, x: cosineAngle)
    sineAzimuth = cosines * sineLambda / sineAngle
    cosineAzimuthSquared = 1 - sineAzimuth * sineAzimuth
    // On the equator the middle does not matter.
    cosineMiddle =
      cosineAzimuthSquared > 1e-12 ? cosineAngle - 2 * sines / cosineAzimuthSquared : 0
  }

  /// Improves an estimate of how much more the longitudes differ on the sphere, in radians.
  private mutating func correction(_ estimate: Double) -> Double {
    turn(estimate)
    let f = Ellipsoid.flattening
    let c = f / 16 * cosineAzimuthSquared * (4 + f * (4 - 3 * cosineAzimuthSquared))
    let bracket = cosineMiddle + c * cosineAngle * (2 * cosineMiddle * cosineMiddle - 1)
    return (1 - c) * f * sineAzimuth * (angle + c * sineAngle * bracket)
  }

  var distanceMeters: Double {
    let root = (1 + cosineAzimuthSquared * Ellipsoid.stretch).squareRoot()
    let k = (root - 1) / (root + 1)
    let a = (1 + k * k / 4) / (1 - k)
    let b = k * (1 - 3.0 / 8 * k * k)
    let middle = cosineMiddle * cosineMiddle
    let inner =
      cosineAngle * (2 * middle - 1)
      - b / 6 * cosineMiddle * (4 * sineAngle * sineAngle - 3) * (4 * middle - 3)
    let less = b * sineAngle * (cosineMiddle + b / 4 * inner)
    return Ellipsoid.polarRadiusMeters * a * (angle - less)
  }
}
