import FencepostGeodesy
import FencepostMonitoring

/// How near each track comes to the stories near it.
struct ApproachTable: Sendable {
  /// Where a track is nearest to a story.
  struct Approach {
    /// Whose track it is, by number.
    var person: Int
    /// The track among the person's, by number.
    var track: Int
    /// Distance of the story's centre in metres.
    var distanceMeters: Double
    /// The track's nearest point.
    var coordinate: Coordinate
  }

  /// Approaches by the stories' ids, the nearest first; tracks that are farther away than matters are left out.
  private(set) var byID: [String: [Approach]] = [:]
  private var paths: [(person: Int, track: Int, path: RecordedTrack, stretches: [PathTree])] = []

  /// The approaches to a story.
  subscript(id: String) -> [Approach] { byID[id] ?? [] }

  /// Takes a track.
  mutating func add(person: Int, track: Int, _ path: RecordedTrack, _ stretches: [PathTree]) {
    paths.append((person, track, path, stretches))
  }

  /// Measures a story, also one that has been moved.
  ///
  /// - Parameters:
  ///   - place: The story.
  ///   - reachMeters: Tracks that are farther away are left out.
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

  /// The least distance of a person's path from a story in metres; infinite beyond what was measured.
  func leastMeters(of person: Int, from id: String) -> Double {
    self[id].first { $0.person == person }?.distanceMeters ?? .infinity
  }
}
