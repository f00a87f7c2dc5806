import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// What happens to one person under a what-if.
///
/// One person is followed as a whole, because the alert rules remember earlier tracks.
struct PersonRun: Sendable {
  /// The runs of the tracks, for a later what-if to reuse.
  let tracks: [WhatIf.Kept]
  /// The numbers of this person, who counts as one.
  let tally: AdviceTally

  /// Whether no track had to be followed again.
  var isTakenOver: Bool { tracks.allSatisfy(\.isTakenOver) }

  /// Follows all tracks of a person; nil if the task is canceled.
  ///
  /// The alert policy carries over between tracks. An earlier run is reused if the what-if certainly
  /// cannot change it.
  init?(
    _ person: PersonTracks<RecordedTrack>, _ whatIf: WhatIf, _ options: AdviceOptions,
    after earlier: PersonRun?
  ) throws(TrackFailure) {
    let margin = options.chance?.marginMeters ?? 0
    guard
      let tracks = try whatIf.follow(
        person.tracks, after: earlier?.tracks ?? [], marginMeters: margin)
    else { return nil }
    self.tracks = tracks
    if let earlier, tracks.allSatisfy(\.isTakenOver) {
      tally = earlier.tally
      return
    }
    var tally = AdviceTally()
    (tally.tracks, tally.persons) = (tracks.count, 1)
    for run in tracks.lazy.map(\.run) {
      tally.sums.counts += run.counts
      tally.sums.refreshes += run.refreshes
      tally.sums.lengthMillimeters += Int(clamping: Int64((run.lengthMeters * 1000).rounded()))
      for entry in run.entries where entry.isAlert {
        let id = whatIf.stories.stories[entry.story].id
        tally.stories[id, default: .init(persons: 1)].alerts += 1
      }
    }
    if let chance = options.chance {
      let circles = whatIf.stories.stories.indices.map { whatIf.stories.circle(of: $0) }
      let scenes = zip(person.tracks, tracks).map {
        TrackScene($0, $1.run, circles, marginMeters: margin)
      }
      tally.simulated = Self.simulate(chance, scenes, whatIf, options)
      if Task.isCancelled { return nil }
    }
    self.tally = tally
  }

  /// Simulates the first profile under the what-if's rule.
  private static func simulate(
    _ chance: ChanceOptions, _ scenes: [TrackScene], _ whatIf: WhatIf, _ options: AdviceOptions
  ) -> SimulatedAlerts {
    let (rule, stories) = (whatIf.options.monitoring, whatIf.stories.stories)
    let simulator = TrackSimulator(
      chance.following(rule, refreshMeters: rule.significantChangeMeters), whatIf.stories,
      source: whatIf.places, session: whatIf.options, zone: options.zone)
    var alerts = SimulatedAlerts()
    var phones: [PhoneCourse] = []
    for scene in scenes {
      let chances = simulator.run(scene, &phones) { options.weight(of: stories[$0].id) }
      if let first = chances.first { alerts.add(first) { stories[$0].id } }
    }
    return alerts
  }
}

extension TrackScene {
  /// A track that was followed, as simulated phones see it.
  ///
  /// Stories whose circles the path may come within a margin of count as on it.
  fileprivate convenience init(
    _ track: RecordedTrack, _ run: TrackRun, _ circles: [Circle], marginMeters: Double
  ) {
    var (batch, recorder) = (PathBatch(), PathRecorder())
    batch.prepare(track.fixes)
    for (number, point) in batch.points.enumerated() {
      recorder.take(point, isJoined: run.joins(number))
    }
    self.init(
      recorder, entries: run.entries,
      nearestMeters: circles.map {
        track.hull.mayCome(within: marginMeters, of: $0) ? 0 : .infinity
      })
  }
}

extension Coordinate {
  func distanceMeters(to other: Coordinate) -> Double { Geodesic.distanceMeters(self, other) }
}
