import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

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
  /// Places within the distance of one spot share it, and so do chains of such places.
  static func spots(of trial: Trial) -> [[Place]] {
    let (places, meters) = (trial.places, trial.options.alerts.spotMeters)
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

/// All alerts, and which of them came on a person's day with more than a maximum.
struct CrowdedDays {
  struct Alert {
    var id: String
    /// When it was shown, in milliseconds since 1970; nil if the track has no times.
    var milliseconds: Int64?
    var isCrowded: Bool
  }

  private(set) var alerts: [Alert] = []
  private var byStory: [String: [Alert]] = [:]

  init(_ stand: AdviceStand, most: Int, zone: ClockZone) {
    let stories = stand.trial.stories.stories
    for run in stand.runs {
      for entry in run.tracks.lazy.flatMap(\.run.entries) where entry.isAlert {
        let day = entry.shownMilliseconds.map { DayCounter.day(of: $0, in: zone) }
        alerts.append(
          Alert(
            id: stories[entry.story].id, milliseconds: entry.shownMilliseconds,
            isCrowded: day.map { run.alertsByDay[$0, default: 0] > most } ?? false))
      }
    }
    byStory = Dictionary(grouping: alerts, by: \.id)
  }

  /// The ids of the stories that alerted on a crowded day, ascending.
  var stories: [String] { Set(alerts.lazy.filter(\.isCrowded).map(\.id)).sorted() }

  /// The alerts of the stories, or in the hours, that a change concerns.
  func alerts(concernedBy change: AdviceChange) -> [Alert] {
    guard let hours = change.quietHours else {
      return change.before.flatMap { byStory[$0.id] ?? [] }
    }
    return alerts.filter { alert in
      alert.milliseconds.map { hours.contains(milliseconds: $0) } ?? false
    }
  }
}

/// Lost entries, and moments when the phone was found inside a circle without an alert.
struct StoryHappenings {
  struct TrackNumber: Hashable {
    var person: Int
    var track: Int
  }

  /// The tracks with a late or missed entry, by story id.
  private(set) var lostTracks: [String: Set<TrackNumber>] = [:]
  /// Distances to the center when a lookup or the first fix found the phone inside, by story id.
  private(set) var insideMeters: [String: [Double]] = [:]
  /// When entries that the story's dates held back met those dates, in milliseconds since 1970.
  private(set) var heldBackTimes: [String: [Int64]] = [:]
  /// When the quiet hours held back an entry, in milliseconds since 1970.
  private(set) var quietTimes: [Int64] = []

  init(_ stand: AdviceStand) {
    let stories = stand.trial.stories
    for (person, run) in stand.runs.enumerated() {
      for (number, track) in run.tracks.enumerated() {
        let run = track.run
        quietTimes += run.entries.lazy.filter { $0.suppression == .quietHours }
          .compactMap(\.timeMilliseconds)
        for entry in run.entries
        where entry.suppression == .notPublished || entry.suppression == .expired {
          guard
            let met = stand.trial.options.alerts.dateMilliseconds(ofEntryAt: entry.timeMilliseconds)
          else { continue }
          heldBackTimes[stories.stories[entry.story].id, default: []].append(met)
        }
        for entry in run.entries where entry.cause == .late || entry.cause == .missed {
          let story = stories.stories[entry.story]
          lostTracks[story.id, default: []].insert(.init(person: person, track: number))
          guard let found = entry.foundFix,
            let renewal = run.renewals.first(where: { $0.fix == found })
          else { continue }
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: renewal.coordinate))
        }
        guard let first = run.renewals.first else { continue }
        for story in run.insideAtStart.map({ stories.stories[$0] }) {
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: first.coordinate))
        }
      }
    }
  }
}
