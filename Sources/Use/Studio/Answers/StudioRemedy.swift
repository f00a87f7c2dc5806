#if Command
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostSession
import FencepostFixes
import FencepostNotifications
import FencepostReporting

/// Tries changes of one story on the tracks near it, with the same random numbers, step by step.
///
/// A change is offered only with the alerts that it gains, and changes no more than it must.
final class StudioRemedy {
  /// The most tracks that changes are tried on, the nearest first.
  private static let mostTracks = 8
  /// The most radii to try for each position and dates.
  private static let mostRadii = 5
  /// A larger circle no longer says that the story is nearby.
  private static let greatestRadiusMeters = 1000.0
  /// Smaller circles are not offered.
  private static let leastRadiusMeters = 30.0
  /// Few trials choose among changes; the chosen one is measured with all of them.
  private static let searchingTrials = 40
  /// Gains that differ by less are nearly equal.
  private static let leastDifference = 0.02
  /// A change that gains less is not offered.
  private static let leastGain = 0.05

  /// The number of the question, by which the page knows what the answer is about.
  let question: Int
  /// The stories of the store, without the changes of the what-if.
  private let base: [Place]
  private let place: Place
  private let whatIf: WhatIf
  /// The phone whose simulated alerts are counted; nil counts those of the rules alone.
  private let chance: ChanceOptions?
  private let tracks: [RecordedTrack]
  /// The changes left to try, from the one that changes most to the one that changes least.
  ///
  /// The last is tried first.
  private var candidates: [Place]
  /// The alerts on each track without a change, with so many trials.
  private var before: [Double] = []
  private var trialsBefore = 0
  /// The change that gains most so far, and how many alerts; nil before one gains enough.
  private var best: (place: Place, gain: Double)?
  /// Whether all changes are tried and the best one is measured.
  private(set) var isDone = false

  /// Begins with a place of a what-if.
  ///
  /// `tracks` are those to try changes on, and `forest` has their paths.
  init(
    question: Int, base: [Place], _ place: Place, _ whatIf: WhatIf, _ chance: ChanceOptions?,
    _ tracks: [RecordedTrack], _ forest: PathForest
  ) {
    (self.question, self.base, self.place) = (question, base, place)
    (self.whatIf, self.chance) = (whatIf, chance)
    var changed = place
    let farMillimeters = Int64(HeadlineStory.farMeters * 1000)
    if let swapped = place.coordinate.swapped,
      forest.nearest(to: Position(place.coordinate), withinMillimeters: farMillimeters) == nil
    {
      changed.coordinate = swapped
    }
    let near = forest.paths(
      near: Position(changed.coordinate),
      withinMillimeters: Int64(Self.greatestRadiusMeters * 1000)
    ).sorted {
      ($0.millimeters, tracks[$0.path].name) < ($1.millimeters, tracks[$1.path].name)
    }.prefix(Self.mostTracks)
    self.tracks = near.map { tracks[$0.path] }
    var radii: [Double] = []
    func add(_ meters: Double) {
      let whole = (meters / 5).rounded() * 5
      if whole >= Self.leastRadiusMeters, whole <= Self.greatestRadiusMeters,
        whole != place.radiusMeters, !radii.contains(whole)
      {
        radii.append(whole)
      }
    }
    for found in near {
      let (meters, track) = (Double(found.millimeters) / 1000, tracks[found.path])
      // Only just reached, the path may be inside for a meter.
      if meters > place.radiusMeters { [meters + 5, meters * 1.3 + 5].forEach(add) }
      guard let first = track.fixes.first else { continue }
      let start = Geodesic.distanceMeters(first.coordinate, changed.coordinate)
      // A smaller circle is entered after the beginning.
      if start <= place.radiusMeters { [start - 5, start * 0.75].forEach(add) }
    }
    // Phones notice a path into a small circle too late.
    if chance != nil { StoryPrediction.candidates(besides: place.radiusMeters).forEach(add) }
    candidates = []
    for isUndated in isOutdated ? [true, false] : [false] {
      var changed = changed
      if isUndated {
        (changed.publishedMilliseconds, changed.expiresMilliseconds) = (nil, nil)
      }
      for radius in radii.prefix(Self.mostRadii).sorted().reversed() {
        var resized = changed
        resized.radiusMeters = radius
        candidates.append(resized)
      }
      if isUndated || changed.coordinate != place.coordinate { candidates.append(changed) }
    }
  }

  /// Whether the place's dates leave out a track that changes are tried on.
  private var isOutdated: Bool {
    guard whatIf.options.alerts.dates == nil else { return false }
    return tracks.contains { track in
      let time = track.fixes.lazy.compactMap { $0.timeMilliseconds }.first
      return time.flatMap { place.lifetime.obstacle(atMilliseconds: $0) } != nil
    }
  }

  /// Tries one more change, or measures the best one; false once nothing is left.
  func step() throws(TrackFailure) -> Bool {
    guard !isDone else { return false }
    guard let after = candidates.popLast() else {
      isDone = true
      if let chosen = best?.place {
        let gain = try gain(of: chosen, trials: chance?.simulation.trials ?? 1)
        best = gain >= Self.leastGain ? (chosen, gain) : nil
      }
      return false
    }
    let gain = try gain(of: after, trials: Self.searchingTrials)
    // Of nearly equal gains, that of the least change.
    if gain >= max(Self.leastGain, (best?.gain ?? 0) + Self.leastDifference) {
      best = (after, gain)
      // Swapping alone corrects a mistake, which another circle is not needed for.
      let isSwapped = after.coordinate != place.coordinate
      if isSwapped, after.radiusMeters == place.radiusMeters { candidates = [] }
    }
    return true
  }

  /// The alerts that a changed place gains on the tracks near it, of this story and of others.
  private func gain(of after: Place, trials: Int) throws(TrackFailure) -> Double {
    var changes = whatIf.changes
    changes.byID[after.id] = after
    guard
      let changed = try? WhatIf(
        base: base, changes: changes, options: whatIf.options, after: whatIf)
    else { return 0 }
    if trialsBefore != trials {
      before = []
      for track in tracks { before.append(try alerts(on: track, whatIf, trials: trials)) }
      trialsBefore = trials
    }
    var gain = 0.0
    for (index, track) in tracks.enumerated() {
      gain += try alerts(on: track, changed, trials: trials) - before[index]
    }
    return gain
  }

  /// The alerts on a track: those of the rules, or on average those that the phone shows.
  private func alerts(
    on track: RecordedTrack, _ whatIf: WhatIf, trials: Int
  ) throws(TrackFailure) -> Double {
    guard var chance else {
      return Double(try whatIf.follow(track, after: nil)?.run.counts.alerts ?? 0)
    }
    chance.simulation.trials = min(trials, chance.simulation.trials)
    return try whatIf.chances(on: track, chance)?.phones.first?.meanAlerts ?? 0
  }

  /// Appends the best change so far, which nothing is offered for before it is measured.
  func write(to output: inout OutputBuffer) {
    output.member("question", question)
    output.member("done", isDone)
    guard isDone, let (after, gain) = best else { return }
    output.member("radius", after.radiusMeters, decimals: 3)
    output.member("undated", after.lifetime != place.lifetime)
    output.member("swapped", after.coordinate != place.coordinate)
    output.member("gain", gain, decimals: 3)
  }
}
#endif
