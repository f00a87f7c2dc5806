import Fencepost
import FencepostGeodesy
import FencepostMonitoring

/// The places and the rule after the changes chosen so far, and the resulting runs.
struct AdviceStand: Sendable {
  var trial: Trial
  var runs: [PersonRun]
  var approaches: ApproachTable
  /// Alerts per day before any change, by person.
  let firstAlertsByDay: [[Int: Int]]
  /// The number of the spot that a place shares with others, by id.
  var spots: [String: Int] = [:]
  var moved: Set<String> = []

  var rule: MonitoringOptions { trial.options.monitoring }

  var tally: AdviceTally { runs.reduce(into: AdviceTally()) { $0 += AdviceTally($1) } }

  static func circles(of change: AdviceChange) -> [Circle] {
    (change.before + (change.after.map { [$0] } ?? [])).map {
      Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters)
    }
  }

  /// Returns the groups of two or more places at one spot, each ascending by id.
  ///
  /// Places within the given distance share a spot, and so do chains of such places.
  static func spots(of places: PlaceIndex, withinMeters meters: Double) -> [[Place]] {
    var seen: Set<Int64> = []
    var spots: [[Place]] = []
    for place in places.places where seen.insert(place.key).inserted {
      var spot = [place]
      var next = 0
      while next < spot.count {
        for neighbor in neighbors(of: spot[next], in: places, withinMeters: meters)
        where seen.insert(neighbor.key).inserted { spot.append(neighbor) }
        next += 1
      }
      if spot.count > 1 { spots.append(spot.sorted { $0.id < $1.id }) }
    }
    return spots
  }

  /// Returns the other places whose centers are within a distance of a place, nearest first.
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
