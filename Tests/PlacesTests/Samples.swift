import FencepostGeodesy
import Glibc
import TestSupport

/// Synthetic worlds of places, each with query points.
enum Samples: String, CaseIterable, Sendable {
  case empty, one, nineteen, twenty, twentyOne
  case uniform, clustered, antimeridian, poles, oneSpot, hugeRadii

  var circles: [SampleCircle] {
    var random = SplitMix64(seed: 11)
    switch self {
    case .empty: return []
    case .one: return sphere(1, &random)
    case .nineteen: return sphere(19, &random)
    case .twenty: return sphere(20, &random)
    case .twentyOne: return sphere(21, &random)
    case .uniform: return sphere(5000, &random)
    case .clustered:
      return (0..<40).flatMap { city -> [SampleCircle] in
        let longitude = random.double(-180...179)
        let latitude = random.double(-60...70)
        return (0..<(20 + city * 10)).map { _ in
          circle(latitude + random.double(0...0.1), longitude + random.double(0...0.1), &random)
        }
      }
    case .antimeridian:
      return (0..<2000).map { index in
        let longitude = random.double(0...0.3)
        return circle(
          random.double(-17 ... -16.5), index % 2 == 0 ? 180 - longitude : longitude - 180, &random)
      } + [circle(-16.8, 180, &random), circle(-16.8, -180, &random)]
    case .poles:
      return (0..<2000).map { index in
        let latitude = 90 - random.double(0...0.5)
        return circle(index % 2 == 0 ? latitude : -latitude, random.double(-180...180), &random)
      } + [circle(90, 0, &random), circle(90, 77, &random), circle(-90, -180, &random)]
    case .oneSpot:
      return (0..<1500).map { _ in circle(39.9526, -75.1652, &random) } + sphere(500, &random)
    case .hugeRadii:
      return sphere(3000, &random).map { sample in
        let exponent = random.double(1...7.3)
        return SampleCircle(
          coordinate: sample.coordinate, radiusMeters: min(2e7, pow(10, exponent)))
      }
    }
  }

  var points: [Coordinate] {
    var random = SplitMix64(seed: 5)
    var points = [
      Coordinate(latitudeDegrees: 90, longitudeDegrees: 12),
      Coordinate(latitudeDegrees: -90, longitudeDegrees: 0),
      Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 180),
      Coordinate(latitudeDegrees: -16.8, longitudeDegrees: -179.99),
      Coordinate(latitudeDegrees: 0, longitudeDegrees: 0),
      Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652),
      Coordinate(latitudeDegrees: 89.999, longitudeDegrees: -100),
    ]
    for _ in 0..<8 { points.append(onSphere(&random)) }
    for circle in circles.shuffled(using: &random).prefix(8) {
      points.append(
        Coordinate(
          latitudeDegrees: max(
            -90, min(90, circle.coordinate.latitudeDegrees + random.double(-0.02...0.02))),
          longitudeDegrees: max(
            -180, min(180, circle.coordinate.longitudeDegrees + random.double(-0.02...0.02)))))
    }
    return points
  }

  private func sphere(_ count: Int, _ random: inout SplitMix64) -> [SampleCircle] {
    (0..<count).map { _ in
      let point = onSphere(&random)
      return circle(point.latitudeDegrees, point.longitudeDegrees, &random)
    }
  }

  private func onSphere(_ random: inout SplitMix64) -> Coordinate {
    Coordinate(
      latitudeDegrees: asin(random.double(-1...1)) * 180 / .pi,
      longitudeDegrees: random.double(-180...180))
  }

  private func circle(
    _ latitude: Double, _ longitude: Double, _ random: inout SplitMix64
  ) -> SampleCircle {
    SampleCircle(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      radiusMeters: [50.0, 100, 150, 400, 2000, 50_000][Int(random.next() % 6)])
  }
}
