public import Fencepost
import FencepostGeodesy
public import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// One question of an editor.
///
/// What would happen on recorded tracks with these places and these rules?
///
/// Places are in memory, and a run that certainly stays the same is taken over from an earlier trial.
public struct Trial: Sendable {
  /// A run of an earlier trial.
  public struct Kept: Sendable {
    /// What happened.
    public let run: TrackRun
    /// The places as the run numbers them.
    public var stories: StoryIndex { trial.stories }
    let trial: Trial
    /// Whether the run is that of an earlier trial.
    package let isTakenOver: Bool
  }

  /// What differs from the places of the store.
  public let changes: PlaceChanges
  /// The rules of the device.
  public let options: TrackSession.Options
  /// The phone that notices the circles elsewhere than at their edges; nil for none.
  public let phone: PhoneRules?
  /// The places as they are noticed, searchable.
  public let places: PlaceIndex
  /// The places as runs number them.
  public let stories: StoryIndex

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
  public init(
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
  public func follow(_ track: RecordedTrack, after kept: Kept?) throws(TrackFailure) -> Kept? {
    if let kept, let run = takeOver(kept, on: track) {
      return Kept(run: run, trial: self, isTakenOver: true)
    }
    let recorder = TrackRecorder(index: stories, source: places, options: options)
    return try recorder.record(track).map {
      Kept(run: $0, trial: self, isTakenOver: false)
    }
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

extension Trial {
  /// Says how likely alerts are on a simulated phone along a track, as an analysis does.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - chance: The phone to simulate, and how often.
  /// - Returns: The trials; nil if the task was cancelled.
  /// - Throws: ``TrackFailure``.
  public func chances(
    on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> [TrackChances]? {
    let device = DeviceRun(stories, source: places, options: options, ranksMisses: false)
    var pass = TrackPass(
      .recorded(track), stories, source: places, rule: options, devices: [device])
    var approach = NearestApproach(stories)
    var recorder = PathRecorder()
    let isWhole = try pass.follow { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      recorder.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    approach.finish()
    let crossed = StoryVerdict.all(
      of: pass.devices[0].entries, insideAtStart: pass.oracle.insideAtStart)
    let simulator = TrackSimulator(chance, stories, source: places, rule: options.monitoring)
    let chances = simulator.run(
      track.name, recorder.fixes, crossed: crossed, nearestMeters: approach.distancesMeters)
    return Task.isCancelled ? nil : chances
  }
}

/// What differs from the places of a store, as an editor has changed them: by id, the place as it is now,
/// nil where it was removed.
public struct PlaceChanges: Hashable, Sendable {
  /// The changes, by id.
  public var byID: [String: Place?]

  /// Makes changes.
  public init(_ byID: [String: Place?] = [:]) {
    self.byID = byID
  }

  /// The places after the changes.
  public func applied(to places: [Place]) -> [Place] {
    guard !byID.isEmpty else { return places }
    var left = byID
    var changed: [Place] = []
    changed.reserveCapacity(places.count)
    for place in places {
      guard let change = left.removeValue(forKey: place.id) else {
        changed.append(place)
        continue
      }
      if let change { changed.append(change) }
    }
    changed += left.values.compactMap { $0 }
    return changed
  }

  /// The ids whose places differ under other changes of the same places.
  func ids(differingFrom other: PlaceChanges) -> Set<String> {
    Set(byID.keys).union(other.byID.keys).filter { byID[$0] != other.byID[$0] }
  }
}
