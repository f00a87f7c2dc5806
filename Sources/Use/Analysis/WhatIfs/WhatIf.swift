package import FencepostSession
import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications

/// Tries edited places and rules on recorded tracks.
///
/// A run of an earlier what-if is reused if the edits certainly cannot change it.
package final class WhatIf: Sendable {
  /// A finished run that a later what-if may reuse.
  ///
  /// It holds on to the what-if that made it, whose index gives the run's story numbers their
  /// meaning.
  package struct Kept: Sendable {
    /// What happened on the track.
    package let run: TrackRun
    /// The places as the run numbers them.
    package var stories: StoryIndex { whatIf.stories }
    let whatIf: WhatIf
    /// Whether the run was reused from an earlier what-if.
    package let isTakenOver: Bool
  }

  /// How the places differ from those of an earlier what-if.
  private struct Difference {
    /// The changed circles, before and after.
    var circles: [Circle] = []
    /// Whether no place was added or removed, so that all keep their numbers and keys.
    var keepsNumbers = true
  }

  /// The edits that this what-if tries.
  package let changes: PlaceChanges
  /// The rules that it tries.
  package let options: TrackSessionOptions
  /// A phone that detects circles with other radii than their own; nil for none.
  package let phone: PhoneRules?
  /// The places with the radii that the phone detects.
  package let places: PlaceIndex
  /// The same places, as runs number them.
  package let stories: StoryIndex

  /// Applies changes to a store's places and indexes the result.
  ///
  /// The options must already include the rules of `phone`, which here only changes the radii at
  /// which circles are detected. The index of `previous`, a what-if of the same base, is reused if
  /// possible.
  ///
  /// - Throws: `PlaceIndexError` for an invalid place.
  package init(
    base: [Place], changes: PlaceChanges, options: TrackSessionOptions,
    phone: PhoneRules? = nil, after previous: WhatIf? = nil
  ) throws(PlaceIndexError) {
    self.changes = changes
    self.options = options
    self.phone = phone
    if let previous, previous.changes == changes, previous.phone == phone {
      (places, stories) = (previous.places, previous.stories)
    } else if let previous, previous.phone == phone,
      let replaced = changes.replacements(after: previous.changes, in: previous.places, phone)
    {
      places = try PlaceIndex(previous.places, replacing: replaced)
      stories = StoryIndex(previous.stories, places, replacing: replaced)
    } else {
      let now = changes.applied(to: base)
      places = try PlaceIndex(phone?.noticed(now) ?? now)
      stories = StoryIndex(places)
    }
  }

  /// Follows a track, or reuses an earlier run of it; nil if the task is canceled.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func follow(_ track: RecordedTrack, after kept: Kept?) throws(TrackFailure) -> Kept? {
    let difference = kept.flatMap { self.difference(from: $0.whatIf) }
    if let kept, let difference, let run = takeOver(kept, difference, on: track, 0) {
      return Kept(run: run, whatIf: self, isTakenOver: true)
    }
    var course = PersonCourse()
    return try record(track, &course, from: places).map {
      Kept(run: $0, whatIf: self, isTakenOver: false)
    }
  }

  /// Follows the tracks of one person in order, or reuses earlier runs; nil if canceled.
  ///
  /// The alert policy carries over, so a change that may affect one track affects all of them. A
  /// change affects a track that comes within `marginMeters` of the circle.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func follow(
    _ person: [RecordedTrack], after kept: [Kept] = [], marginMeters: Double = 0
  ) throws(TrackFailure) -> [Kept]? {
    let reused = zip(person, kept).compactMap { track, kept in
      difference(from: kept.whatIf).flatMap { takeOver(kept, $0, on: track, marginMeters) }
    }
    if reused.count == person.count {
      return reused.map { Kept(run: $0, whatIf: self, isTakenOver: true) }
    }
    var course = PersonCourse()
    var runs: [Kept] = []
    for track in person {
      guard let run = try record(track, &course, from: places) else { return nil }
      runs.append(Kept(run: run, whatIf: self, isTakenOver: false))
    }
    return runs
  }

  private func record(
    _ track: RecordedTrack, _ course: inout PersonCourse, from source: any PlaceSource
  ) throws(TrackFailure) -> TrackRun? {
    let phone = LimitedRun(
      stories, source: source, options: options, ranksMisses: false, logsRefreshes: true,
      memory: course.limited)
    var runs = ComparedRuns(
      track.name, stories, source: source, rule: options, limited: [phone],
      memory: course.unlimited)
    runs.edges = []
    var run = TrackRun()
    var vertex = 0
    let isWhole = try runs.follow(track) { _, isJoined in
      if !isJoined, vertex > 0 { run.breaks.append(vertex) }
      vertex += 1
    }
    guard isWhole else { return nil }
    (course.unlimited, course.limited) = (runs.memory, runs.limited[0].memory)
    run.entries = runs.limited[0].entries
    for entry in run.entries { run.counts.add(entry) }
    run.refreshLog = runs.limited[0].refreshLog ?? []
    run.refreshes = runs.limited[0].refreshes
    run.edges = runs.edges ?? []
    run.insideAtStart = runs.insideAtStart
    run.lengthMeters = runs.lengthMeters
    run.isCertified = runs.limited[0].isCertified
    return run
  }

  /// Explains a story on a track, after the earlier tracks of the same person; nil if canceled.
  ///
  /// Tries on the simulated phone which changes would help only if asked to.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func explain(
    _ story: Int, on track: RecordedTrack, after earlier: [RecordedTrack] = [],
    chance: ChanceOptions? = nil, triesChanges: Bool = true
  ) throws(TrackFailure) -> StoryExplanation? {
    var course = PersonCourse()
    for track in earlier {
      guard try record(track, &course, from: places) != nil else { return nil }
    }
    return try StoryExplainer(
      index: stories, source: places, session: options, chance: chance,
      memory: course.limited, triesChanges: triesChanges
    ).explain(story, on: track)
  }

  /// Returns nil if the what-ifs have different phones, so that any circle may differ.
  private func difference(from earlier: WhatIf) -> Difference? {
    guard earlier.phone == phone else { return nil }
    var difference = Difference()
    for id in changes.ids(differingFrom: earlier.changes) {
      let (old, new) = (earlier.stories.index(ofID: id), stories.index(ofID: id))
      if (old == nil) != (new == nil) { difference.keepsNumbers = false }
      if let old { difference.circles.append(earlier.stories.circle(of: old)) }
      if let new { difference.circles.append(stories.circle(of: new)) }
    }
    return difference
  }

  /// Returns an earlier run with this what-if's story numbers, unless the difference may affect it.
  private func takeOver(
    _ kept: Kept, _ difference: Difference, on track: RecordedTrack, _ marginMeters: Double
  ) -> TrackRun? {
    let before = kept.whatIf
    guard before.options.isSame(as: options) else { return nil }
    guard !difference.circles.isEmpty else { return kept.run }
    guard
      !kept.run.maySee(
        difference.circles, on: track, rule: options.monitoring, marginMeters: marginMeters)
    else { return nil }
    guard !difference.keepsNumbers else { return kept.run }
    var run = kept.run
    // Stories in the run are near the path, so removing one would have ruled out reuse.
    run.renumber { stories.index(ofID: before.stories.stories[$0].id) ?? $0 }
    return run
  }
}

extension TrackSessionOptions {
  func isSame(as other: TrackSessionOptions) -> Bool {
    monitoring == other.monitoring && alerts == other.alerts && alertsOn == other.alertsOn
      && maxAccuracyMeters == other.maxAccuracyMeters
  }
}
