import Fencepost
import FencepostGeodesy
import FencepostMonitoring

/// Where the advice stands: the places and the rule after the changes so far, and what happens with them.
struct AdviceStand: Sendable {
  /// The places and the rule.
  var trial: Trial
  /// The runs of the persons, in detail.
  var runs: [PersonRun]
  /// How near tracks come to stories.
  var approaches: ApproachTable
  /// The alerts of each person's days before any change.
  let firstAlertsByDay: [[Int: Int]]
  /// Places that share a spot with others, and the number of their spot.
  var spots: [String: Int] = [:]
  /// The ids of the stories that have been moved.
  var moved: Set<String> = []

  /// The rule of the device.
  var rule: MonitoringOptions { trial.options.monitoring }

  /// What happens on all tracks.
  var tally: AdviceTally {
    var tally = AdviceTally()
    for run in runs { tally.add(run) }
    return tally
  }

  /// The circles of a change, before and after.
  static func circles(of change: AdviceChange) -> [Circle] {
    (change.before + (change.after.map { [$0] } ?? [])).map {
      Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters)
    }
  }

  /// The groups of two or more places at one spot, each ascending by id.
  ///
  /// A spot is a chain: two places within the policy's distance of each other are of one spot.
  static func spots(of places: PlaceIndex, withinMeters meters: Double) -> [[Place]] {
    var seen: Set<Int64> = []
    var spots: [[Place]] = []
    for place in places.places where seen.insert(place.key).inserted {
      var spot = [place]
      var next = 0
      while next < spot.count {
        for neighbor in neighbors(of: spot[next], in: places, withinMeters: meters)
        where seen.insert(neighbor.key).inserted {
          spot.append(neighbor)
        }
        next += 1
      }
      if spot.count > 1 { spots.append(spot.sorted { $0.id < $1.id }) }
    }
    return spots
  }

  /// The other places whose centres are within a distance of a place's, the nearest first.
  static func neighbors(
    of place: Place, in places: PlaceIndex, withinMeters meters: Double
  ) -> [Place] {
    var count = 8
    while true {
      let nearest = places.nearest(to: place.coordinate, count: count)
      let near = nearest.prefix { $0.centerDistanceMeters <= meters }
      if near.count < nearest.count || nearest.count < count {
        return near.compactMap { places.place(forKey: $0.key) }.filter { $0.id != place.id }
      }
      count *= 4
    }
  }
}
