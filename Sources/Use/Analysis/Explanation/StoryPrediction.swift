import FencepostGeodesy
import FencepostMonitoring
package import FencepostPhones

/// How a simulated phone handles one story on one track, and which changes would help.
///
/// A track alone tells what a perfect phone does. The prediction tells how many of many simulated
/// phones alert, and what to change if few do.
package struct StoryPrediction: Sendable {
  /// A change that was simulated, with the same random numbers.
  ///
  /// Its chance may therefore be compared with that of the unchanged story: what differs is the
  /// change and not luck.
  package struct Tried: Equatable, Sendable {
    /// A change to the story or the rule that may make the phone alert more often.
    ///
    /// Each is tried alone.
    package enum Change: Equatable, Sendable {
      /// The circle has another radius, in meters.
      case radius(Double)
      /// The circle is moved by this many meters, onto the path.
      case moved(Double)
      /// The app looks its places up whenever the phone has moved this many meters.
      case lookups(Double)
      /// The phone always watches the story.
      case alwaysWatched
    }

    /// What was changed.
    package var change: Change
    /// The result with the change.
    package var chance: StoryChance
  }

  /// Whether the path should cause an alert.
  ///
  /// A report chooses its sentence by the case before it looks at any number.
  package enum Case: Sendable {
    /// An alert is due.
    case entered
    /// The path enters the circle, but the alert rules hold back every alert.
    case heldBack
    /// The path does not enter the circle.
    case notEntered
    /// The track has no times, so nothing can be simulated.
    case untimed
  }

  /// The phone that was simulated.
  package var profile: PhoneProfile
  /// The number of trials, the seed and the surroundings.
  package var simulation: PhoneSimulationOptions
  /// Whether an alert was due at all, so that the numbers have a meaning.
  package var kind: Case
  /// The result without a change.
  package var chance: StoryChance
  /// The results of the changes that were tried, larger radii first, ascending; nil if none was.
  package var tried: [Tried]?

  /// The share of phones that alert, due or not.
  package var share: Double { chance.shown.share }

  /// The first change with a clear gain that comes close to the best; nil if none gains clearly.
  ///
  /// A gain is clear if the two confidence intervals do not overlap and at least 10 % more phones
  /// alert. A change within 5 percentage points of the best one is good enough.
  package var remedy: Tried? {
    let clear = (tried ?? []).filter {
      $0.chance.shown.share >= share + 0.1
        && $0.chance.shown.interval.low > chance.shown.interval.high
    }
    // A radius is the story's own, so it comes first.
    let radii = clear.filter { $0.radiusMeters != nil }
    let choice = radii.isEmpty ? clear : radii
    let best = choice.map { $0.chance.shown.share }.max() ?? 0
    return choice.first { $0.chance.shown.share >= best - 0.05 }
  }

  /// The radii worth trying instead, in meters.
  package static func candidates(besides meters: Double) -> [Double] {
    [100, 150, 200, 250, 300, 400, 500].filter { $0 > meters }
  }
}

extension StoryPrediction.Tried {
  /// The radius that was tried, in meters; nil for another change.
  package var radiusMeters: Double? {
    if case .radius(let meters) = change { meters } else { nil }
  }
}

extension TrackSimulator {
  /// Simulates one story along a track as it is and, if wanted and if that may help, with changes.
  func predictions(
    of story: Story, _ number: Int, nearest: Coordinate?, on scene: TrackScene,
    triesChanges: Bool = true
  ) -> [StoryPrediction] {
    profiles.map { profile in
      var prediction = StoryPrediction(
        profile: profile, simulation: simulation, kind: .entered, chance: StoryChance())
      guard !scene.fixes.isEmpty else {
        prediction.kind = .untimed
        return prediction
      }
      prediction.kind =
        scene.due.contains(number)
        ? .entered : scene.entries[number] == nil ? .notEntered : .heldBack
      prediction.chance = chance(of: number, on: scene, with: profile)
      // No change of a circle helps where the alert rules hold the alerts back.
      guard triesChanges, prediction.kind != .heldBack else { return prediction }
      prediction.tried =
        prediction.share < 0.9
        ? tried(with: profile, story, number, nearest: nearest, on: scene) : []
      return prediction
    }
  }
}
