import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring

/// What a round of the search starts from: the what-if of the changes chosen so far, and its runs.
///
/// ``Advisor`` tries every candidate on it, takes the best, and starts the next round from the
/// result.
struct AdviceState: Sendable {
  /// One person's track, by their numbers.
  struct TrackNumber: Hashable {
    var person: Int
    var track: Int
  }

  /// The places and the rule with the changes chosen so far.
  var whatIf: WhatIf
  var runs: [PersonRun]
  /// How near the tracks come to the stories that may be moved or enlarged.
  var approaches = ApproachTable()
  /// The ids of the stories that were moved.
  var moved: Set<String> = []

  /// The rule with the changes chosen so far.
  var rule: MonitoringOptions { whatIf.options.monitoring }

  /// The numbers of all persons together.
  var tally: AdviceTally { runs.reduce(into: AdviceTally()) { $0 += $1.tally } }

  /// All tracks that were followed.
  var tracks: [(number: TrackNumber, run: TrackRun)] {
    runs.enumerated().flatMap { person, run in
      run.tracks.enumerated().map { (.init(person: person, track: $0), $1.run) }
    }
  }

  /// Late and missed entries, and moments when the phone was found inside a circle without an alert.
  ///
  /// They tell which stories a change could help.
  struct Losses {
    /// The tracks with a late or missed entry, by story id.
    private(set) var tracks: [String: Set<TrackNumber>] = [:]
    /// Distances to the center where a lookup or the first fix found the phone inside, by story id.
    private(set) var insideMeters: [String: [Double]] = [:]

    init(_ state: AdviceState) {
      let index = state.whatIf.stories
      for (number, run) in state.tracks {
        for entry in run.entries where entry.cause == .late || entry.cause == .missed {
          let story = index.stories[entry.story]
          tracks[story.id, default: []].insert(number)
          guard let found = entry.foundFix,
            let record = run.refreshLog.first(where: { $0.fix == found })
          else { continue }
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: record.coordinate))
        }
        guard let first = run.refreshLog.first else { continue }
        for story in run.insideAtStart.map({ index.stories[$0] }) {
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: first.coordinate))
        }
      }
    }
  }
}

/// How near the tracks come to the stories.
///
/// Tracks are added once; a story is measured again when it has moved.
struct ApproachTable {
  /// How near one track comes to a story: the distance to its center, and the point of the path.
  struct Approach {
    var track: AdviceState.TrackNumber
    var distanceMeters: Double
    var coordinate: Coordinate
  }

  /// Approaches within reach, by story id, nearest first.
  private var byID: [String: [Approach]] = [:]
  private var paths: [(track: AdviceState.TrackNumber, hull: PathHull, stretches: [PathTree])] = []

  /// The tracks that come within reach of a story, nearest first; empty if it was not measured.
  subscript(id: String) -> [Approach] { byID[id] ?? [] }

  /// Adds a track; unless `testsPath`, only its fixes count.
  mutating func add(
    _ track: RecordedTrack, _ run: TrackRun, as number: AdviceState.TrackNumber, testsPath: Bool
  ) {
    var (blocks, stretches) = (PathBlocks(), [PathTree]())
    for (index, fix) in track.fixes.enumerated() {
      let isJoined = testsPath && run.joins(index)
      if let full = blocks.take(fix.coordinate, isJoined: isJoined) { stretches.append(full) }
    }
    if let last = blocks.finish() { stretches.append(last) }
    paths.append((number, track.hull, stretches))
  }

  /// Measures a story, ignoring tracks farther away than `reachMeters`.
  mutating func measure(_ place: Place, reachMeters: Double) {
    let position = Position(place.coordinate)
    let circle = Circle(center: place.coordinate, radiusMeters: reachMeters)
    var found: [Approach] = []
    for (track, hull, stretches) in paths where hull.mayCome(within: 1, of: circle) {
      var chordSquared = Double.infinity
      var best: Approach?
      for stretch in stretches {
        var seed = 0
        guard
          let near = stretch.approach(to: position, improving: &chordSquared, seed: &seed),
          near.distanceMeters < best?.distanceMeters ?? .infinity
        else { continue }
        let point = stretch.position(of: near.vertex, fraction: near.fraction).coordinate
        best = Approach(track: track, distanceMeters: near.distanceMeters, coordinate: point)
      }
      if let best, best.distanceMeters <= reachMeters { found.append(best) }
    }
    found.sort {
      ($0.distanceMeters, $0.track.person, $0.track.track)
        < ($1.distanceMeters, $1.track.person, $1.track.track)
    }
    byID[place.id] = found.isEmpty ? nil : found
  }
}
