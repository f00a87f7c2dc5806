package import Fencepost
import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications

/// One question of an editor.
///
/// What would happen on recorded tracks with these places and these rules?
///
/// Places are in memory, and a run that certainly stays the same is taken over from an earlier trial.
package struct Trial: Sendable {
  /// A run of an earlier trial.
  package struct Kept: Sendable {
    /// What happened.
    package let run: TrackRun
    /// The places as the run numbers them.
    package var stories: StoryIndex { trial.stories }
    let trial: Trial
    /// Whether the run is that of an earlier trial.
    package let isTakenOver: Bool
  }

  /// What differs from the places of the store.
  package let changes: PlaceChanges
  /// The rules of the device.
  package let options: TrackSession.Options
  /// The phone that notices the circles elsewhere than at their edges; nil for none.
  package let phone: PhoneRules?
  /// The places as they are noticed, searchable.
  package let places: PlaceIndex
  /// The places as runs number them.
  package let stories: StoryIndex

  /// Makes a trial.
  ///
  /// - Parameters:
  ///   - base: The places of the store.
  ///   - changes: What differs from them.
  ///   - options: The rules of the device.
  ///   - phone: The phone whose noticing applies, as in a replay with its profile; its other rules must be in
  ///     the options already.
  ///   - previous: An earlier trial of the same base, whose places are used again if they are the same.
  /// - Throws: `PlaceIndexError` for a place that cannot be.
  package init(
    base: [Place], changes: PlaceChanges, options: TrackSession.Options,
    phone: PhoneRules? = nil, after previous: Trial? = nil
  ) throws(PlaceIndexError) {
    self.changes = changes
    self.options = options
    self.phone = phone
    if let previous, previous.changes == changes, previous.phone == phone {
      (places, stories) = (previous.places, previous.stories)
    } else {
      let now = changes.applied(to: base)
      places = try PlaceIndex(phone?.noticed(now) ?? now)
      stories = StoryIndex(places.places)
    }
  }

  /// Follows a track, unless an earlier run of it certainly holds.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - kept: An earlier run of the same track.
  /// - Returns: What happens; nil if the task was cancelled.
  /// - Throws: ``TrackFailure``.
  package func follow(_ track: RecordedTrack, after kept: Kept?) throws(TrackFailure) -> Kept? {
    if let kept, let run = takeOver(kept, on: track) {
      return Kept(run: run, trial: self, isTakenOver: true)
    }
    return try record(track).map { Kept(run: $0, trial: self, isTakenOver: false) }
  }

  /// Follows a track as a phone would, and as the oracle, and records all that happens.
  private func record(_ track: RecordedTrack) throws(TrackFailure) -> TrackRun? {
    var device = DeviceRun(
      stories, source: places, options: options, ranksMisses: false, logsRenewals: true)
    var pass = TrackPass(track.name, stories, source: places, rule: options, devices: [device])
    pass.edges = []
    var run = TrackRun()
    var vertex = 0
    let isWhole = try pass.follow(track) { _, isJoined in
      if !isJoined, vertex > 0 { run.breaks.append(vertex) }
      vertex += 1
    }
    guard isWhole else { return nil }
    device = pass.devices[0]
    run.entries = device.entries
    for entry in device.entries { run.counts.add(entry) }
    run.renewals = device.renewals ?? []
    run.edges = pass.edges ?? []
    run.insideAtStart = pass.oracle.insideAtStart
    run.lengthMeters = pass.oracle.lengthMeters
    run.isCertified = device.isCertified
    return run
  }

  /// An earlier run with the numbers of this trial, if nothing that differs may change it.
  private func takeOver(_ kept: Kept, on track: RecordedTrack) -> TrackRun? {
    let before = kept.trial
    guard before.options.isSame(as: options), before.phone == phone else { return nil }
    let ids = changes.ids(differingFrom: before.changes)
    guard !ids.isEmpty else { return kept.run }
    var circles: [Circle] = []
    var keepsNumbers = true
    for id in ids {
      let (old, new) = (before.stories.index(ofID: id), stories.index(ofID: id))
      if (old == nil) != (new == nil) { keepsNumbers = false }
      if let old { circles.append(before.stories.circle(of: old)) }
      if let new { circles.append(stories.circle(of: new)) }
    }
    guard !kept.run.maySee(circles, on: track, rule: options.monitoring) else { return nil }
    guard !keepsNumbers else { return kept.run }
    var run = kept.run
    // A story of the run is near the path, so none of them is gone.
    run.renumber { stories.index(ofID: before.stories.stories[$0].id) ?? $0 }
    return run
  }
}

extension TrackSession.Options {
  /// Whether two sessions follow the same rules.
  func isSame(as other: TrackSession.Options) -> Bool {
    monitoring == other.monitoring && alerts == other.alerts && alertsOn == other.alertsOn
  }
}
