import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import Newsroom

/// Designs circles as published by Akita University (ISPRS IJGI 13(6), 174, 2024): a genetic
/// algorithm that keeps a circle near its story while enough users have a fix inside.
///
/// The objective is that of arXiv:2509.24679 (Toyota, 2025) for circles: the larger of the distance
/// from the story to the center and the radius, plus a penalty for each missing share of users. The
/// second paper then draws arbitrary shapes, which phones do not watch. Neither published code, so
/// the search here is an own one: tournaments, blended parents, normal mutations.
struct GeneticDesign {
  private static let population = 24
  private static let generations = 30
  private static let penalty = 10_000.0

  struct Circle {
    var east = 0.0
    var north = 0.0
    var radius = 100.0

    /// The published relevance, in meters; smaller is better.
    var relevance: Double { max((east * east + north * north).squareRoot(), radius) }
  }

  /// The share of users that the designer expects.
  var expectedShare: Double
  var moveWithinMeters: Double
  var radiusRangeMeters: ClosedRange<Double>

  /// The share of users with a fix inside a circle; fixes are in meters east and north.
  static func coverage(of circle: Circle, _ users: [[(east: Double, north: Double)]]) -> Double {
    let inside = users.count { fixes in
      fixes.contains {
        let (east, north) = ($0.east - circle.east, $0.north - circle.north)
        return east * east + north * north < circle.radius * circle.radius
      }
    }
    return Double(inside) / Double(users.count)
  }

  /// The fixes that a circle of a story may contain, in meters east and north of it.
  static func plane(
    _ users: [[Coordinate]], around place: Place
  ) -> [[(east: Double, north: Double)]] {
    let scale = 111_320 * cosine(place.coordinate.latitudeDegrees * .pi / 180)
    let reach = 400.0
    return users.map { fixes in
      fixes.compactMap {
        let north = ($0.latitudeDegrees - place.coordinate.latitudeDegrees) * 111_132
        let east = ($0.longitudeDegrees - place.coordinate.longitudeDegrees) * scale
        return abs(north) < reach && abs(east) < reach ? (east, north) : nil
      }
    }
  }

  /// The cosine by its series, which is exact enough for a scene of some kilometers.
  private static func cosine(_ angle: Double) -> Double {
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
  }

  func design(_ place: Place, _ users: [[Coordinate]], _ random: inout SceneRandom) -> Place {
    let fixes = Self.plane(users, around: place)
    func cost(_ circle: Circle) -> Double {
      circle.relevance + Self.penalty
        * max(0, expectedShare - Self.coverage(of: circle, fixes))
    }
    var members = (0..<Self.population).map { _ in
      let circle = allowed(
        Circle(
          east: .random(in: -moveWithinMeters...moveWithinMeters, using: &random),
          north: .random(in: -moveWithinMeters...moveWithinMeters, using: &random),
          radius: .random(in: radiusRangeMeters, using: &random)))
      return (circle: circle, cost: cost(circle))
    }
    for _ in 0..<Self.generations {
      // The best two survive.
      members.sort { $0.cost < $1.cost }
      var next = Array(members.prefix(2))
      while next.count < Self.population {
        let (mother, father) = (winner(members, &random), winner(members, &random))
        let blend = Double.random(in: 0...1, using: &random)
        func mix(_ part: KeyPath<Circle, Double>, _ spread: Double) -> Double {
          let noise = (0..<4).reduce(0) { sum, _ in
            sum + Double.random(in: -0.5...0.5, using: &random)
          }
          return mother[keyPath: part] * blend + father[keyPath: part] * (1 - blend)
            + noise * spread
        }
        let child = allowed(
          Circle(east: mix(\.east, 10), north: mix(\.north, 10), radius: mix(\.radius, 20)))
        next.append((child, cost(child)))
      }
      members = next
    }
    let best = members.min { $0.cost < $1.cost }?.circle ?? Circle()
    var designed = place
    designed.radiusMeters = best.radius
    designed.coordinate = Geodesic.direct(
      from: Geodesic.direct(
        from: place.coordinate, azimuthDegrees: 90, distanceMeters: best.east),
      azimuthDegrees: 0, distanceMeters: best.north)
    return designed
  }

  private func winner(
    _ members: [(circle: Circle, cost: Double)], _ random: inout SceneRandom
  ) -> Circle {
    let rivals = (0..<3).map { _ in members[Int.random(in: members.indices, using: &random)] }
    return rivals.min { $0.cost < $1.cost }?.circle ?? members[0].circle
  }

  /// The circle, brought back within the bounds that the advice has.
  private func allowed(_ circle: Circle) -> Circle {
    var circle = circle
    let moved = (circle.east * circle.east + circle.north * circle.north).squareRoot()
    if moved > moveWithinMeters {
      circle.east *= moveWithinMeters / moved
      circle.north *= moveWithinMeters / moved
    }
    circle.radius = min(
      max(circle.radius, radiusRangeMeters.lowerBound), radiusRangeMeters.upperBound)
    return circle
  }
}
