import FencepostMonitoring
package import FencepostPhones

/// What a simulated phone makes of one story on one track, and whether another radius would help.
package struct StoryPrediction: Sendable {
  /// A radius and what the trials came to with it.
  package struct Radius: Equatable, Sendable {
    /// The radius in metres.
    package var meters: Double
    /// The trials.
    package var chance: StoryChance
  }

  /// Whether the path gives the phone an alert to make.
  package enum Case: Sendable {
    /// It enters, and the alert policy lets an alert through.
    case entered
    /// It enters, and the policy holds the story back each time.
    case heldBack
    /// It does not enter.
    case notEntered
    /// The track has no times, so that nothing can be simulated.
    case untimed
  }

  /// The phone.
  package var profile: PhoneProfile
  /// How it was simulated.
  package var simulation: PhoneSimulation.Options
  /// What the path gives it to do.
  package var kind: Case
  /// The trials with the story's own radius.
  package var chance: StoryChance
  /// The other radii that were simulated, ascending.
  package var tried: [Radius] = []

  /// The smallest of the other radii that brings a clear gain; nil if none does.
  ///
  /// A gain is clear if the intervals of both radii lie apart and at least a tenth of the phones is gained.
  /// Of radii with a clear gain, the smallest that is within a twentieth of the best counts.
  package var betterRadius: Radius? {
    let (now, high) = (chance.share(.alert), chance.alertInterval.high)
    let clear = tried.filter {
      $0.chance.share(.alert) >= now + 0.1 && $0.chance.alertInterval.low > high
    }
    let best = clear.map { $0.chance.share(.alert) }.max() ?? 0
    return clear.first { $0.chance.share(.alert) >= best - 0.05 }
  }

  /// The radii worth a trial in place of one, in metres.
  static func candidates(besides meters: Double) -> [Double] {
    [100, 150, 200, 250, 300, 400, 500].filter { $0 > meters }
  }
}

extension TrackSimulator {
  /// Simulates one story along a track with its own radius, and with others if that may help.
  func predictions(
    of story: Int, radiusMeters: Double, _ verdict: StoryVerdict, _ track: String,
    _ fixes: [PhonePath.Fix]
  ) -> [StoryPrediction] {
    profiles.map { profile in
      var prediction = StoryPrediction(
        profile: profile, simulation: simulation, kind: .entered, chance: StoryChance())
      guard !fixes.isEmpty else {
        prediction.kind = .untimed
        return prediction
      }
      guard verdict.counts.entries == 0 || verdict.counts.oracleAlerts > 0 else {
        prediction.kind = .heldBack
        return prediction
      }
      let isEntered = verdict.counts.oracleAlerts > 0
      func chance(_ meters: Double) -> StoryChance {
        run(
          profile, story: story, radiusMeters: meters, isEntered: isEntered, track, fixes)
      }
      prediction.kind = isEntered ? .entered : .notEntered
      prediction.chance = chance(radiusMeters)
      if prediction.chance.share(.alert) < 0.9 {
        prediction.tried = StoryPrediction.candidates(besides: radiusMeters)
          .map { .init(meters: $0, chance: chance($0)) }
      }
      return prediction
    }
  }
}
