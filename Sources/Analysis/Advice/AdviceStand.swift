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

/// What happened to stories beside alerts: where entries were lost, and where the device was inside unnoticed.
struct StoryHappenings {
  /// A track, by the numbers of its person and among the person's.
  struct TrackNumber: Hashable {
    var person: Int
    var track: Int
  }

  /// The tracks on which an entry was late or missed, by the story's id.
  private(set) var lostTracks: [String: Set<TrackNumber>] = [:]
  /// The distances at which a refresh or the first fix found the device inside, by the story's id.
  private(set) var insideMeters: [String: [Double]] = [:]

  init(_ stand: AdviceStand) {
    let stories = stand.trial.stories
    for (person, run) in stand.runs.enumerated() {
      for (number, track) in run.tracks.enumerated() {
        let run = track.run
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

/// What the tracks say for a change, before it is made.
public struct AdviceReason: Equatable, Sendable {
  /// Tracks that pass outside the circle and come into the new one.
  public var passing = 0
  /// The least and the greatest distance at which they pass, in metres; nil without any.
  public var passingMeters: ClosedRange<Double>?
  /// Tracks on which an entry into the circle was late or missed.
  public var lost = 0
  /// The best rank at a refresh that left the story out before such an entry; nil without one.
  public var rank: Int?
  /// How often a refresh or the first fix found the device inside the circle, unnoticed.
  public var insideUnnoticed = 0
  /// Whether other stories share its spot, so that another radius lets it alert apart from them.
  public var sharesSpot = false
  /// For stories that go: how often a refresh took one into the monitored set.
  public var monitored = 0
  /// The distance in metres beyond which no track comes near the stories that go; nil for other changes.
  public var farMeters: Double?

  /// Makes a reason of nothing.
  public init() {}

  /// Looks for what speaks for a change.
  init(_ change: AdviceChange, _ stand: AdviceStand, _ options: AdviceOptions) {
    switch change.kind {
    case .radius, .position: look(atCircleOf: change, stand)
    case .merge, .drop:
      let going = Set(change.removed.map(\.id))
      let stories = stand.trial.stories
      for renewal in stand.runs.lazy.flatMap(\.tracks).flatMap(\.run.renewals) {
        monitored += renewal.added.count { going.contains(stories.stories[$0].id) }
      }
      if change.kind == .drop { farMeters = options.radiusRangeMeters.upperBound }
    case .rule: break
    }
  }

  private mutating func look(atCircleOf change: AdviceChange, _ stand: AdviceStand) {
    guard let before = change.before.first, let after = change.after else { return }
    let moved = after.coordinate.distanceMeters(to: before.coordinate)
    let outside = stand.approaches[before.id].filter { $0.distanceMeters > before.radiusMeters }
    // Towards the aim of a move the nearest point comes nearer by all of it, elsewhere by less.
    let reached = outside.filter {
      after.coordinate.distanceMeters(to: $0.coordinate) <= after.radiusMeters
        && $0.distanceMeters <= after.radiusMeters + moved
    }
    passing = reached.count
    if let first = reached.first, let last = reached.last {
      passingMeters = first.distanceMeters...last.distanceMeters
    }
    sharesSpot = stand.spots[before.id] != nil
    let happenings = StoryHappenings(stand)
    lost = happenings.lostTracks[before.id]?.count ?? 0
    insideUnnoticed = happenings.insideMeters[before.id]?.count ?? 0
    rank = stand.runs.lazy.flatMap(\.tracks).flatMap(\.run.entries)
      .filter { stand.trial.stories.stories[$0.story].id == before.id }
      .compactMap { $0.atRefresh?.rank }.min()
  }
}
