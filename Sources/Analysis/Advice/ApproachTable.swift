import FencepostGeodesy
import FencepostMonitoring

struct ApproachTable: Sendable {
  struct Approach {
    var person: Int
    var track: Int
    var distanceMeters: Double
    var coordinate: Coordinate
  }

  /// Approaches within reach, by story id, nearest first.
  private(set) var byID: [String: [Approach]] = [:]
  private var paths: [(person: Int, track: Int, path: RecordedTrack, stretches: [PathTree])] = []

  subscript(id: String) -> [Approach] { byID[id] ?? [] }

  mutating func add(person: Int, track: Int, _ path: RecordedTrack, _ stretches: [PathTree]) {
    paths.append((person, track, path, stretches))
  }

  /// Measures a story, ignoring tracks farther away than `reachMeters`.
  mutating func measure(_ place: Place, reachMeters: Double) {
    let position = Position(place.coordinate)
    let circle = Circle(center: place.coordinate, radiusMeters: reachMeters)
    var found: [Approach] = []
    for (person, track, path, stretches) in paths where path.hull.mayCome(within: 1, of: circle) {
      var chordSquared = Double.infinity
      var best: Approach?
      for stretch in stretches {
        var seed = 0
        guard
          let near = stretch.approach(to: position, improving: &chordSquared, seed: &seed),
          near.distanceMeters < best?.distanceMeters ?? .infinity
        else { continue }
        let point = stretch.position(of: near.vertex, fraction: near.fraction).coordinate
        best = Approach(
          person: person, track: track, distanceMeters: near.distanceMeters, coordinate: point)
      }
      if let best, best.distanceMeters <= reachMeters { found.append(best) }
    }
    found.sort {
      ($0.distanceMeters, $0.person, $0.track) < ($1.distanceMeters, $1.person, $1.track)
    }
    byID[place.id] = found.isEmpty ? nil : found
  }

  /// Returns the distance from a person's path to a story in meters; infinite if out of reach.
  func leastMeters(of person: Int, from id: String) -> Double {
    self[id].first { $0.person == person }?.distanceMeters ?? .infinity
  }
}
