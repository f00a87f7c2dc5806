import FencepostMonitoring
package import FencepostPhones

/// How a simulated phone handles one story on one track, and whether another radius would help.
package struct StoryPrediction: Sendable {
  package struct Radius: Equatable, Sendable {
    package var meters: Double
    package var chance: StoryChance
  }

  /// Whether the path should cause an alert.
  package enum Case: Sendable {
    /// The path enters the circle, and the alert rules allow an alert.
    case entered
    /// The path enters the circle, but the alert rules hold back every alert.
    case heldBack
    /// The path does not enter the circle.
    case notEntered
    /// The track has no times, so nothing can be simulated.
    case untimed
  }

  package var profile: PhoneProfile
  package var simulation: PhoneSimulation.Options
  package var kind: Case
  /// The result with the story's own radius.
  package var chance: StoryChance
  /// The results with other radii, ascending.
  package var tried: [Radius] = []

  /// The smallest radius with a clear gain; nil if no radius gains clearly.
  ///
  /// A gain is clear if the two confidence intervals do not overlap and at least 10 % more phones
  /// alert. A radius that comes within 5 percentage points of the best one is good enough.
  package var betterRadius: Radius? {
    let (now, high) = (chance.share(.alert), chance.alertInterval.high)
    let clear = tried.filter {
      $0.chance.share(.alert) >= now + 0.1 && $0.chance.alertInterval.low > high
    }
    let best = clear.map { $0.chance.share(.alert) }.max() ?? 0
    return clear.first { $0.chance.share(.alert) >= best - 0.05 }
  }

  /// The radii worth trying instead, in meters.
  static func candidates(besides meters: Double) -> [Double] {
    [100, 150, 200, 250, 300, 400, 500].filter { $0 > meters }
  }
}

extension TrackSimulator {
  /// Simulates one story along a track with its own radius, and with larger ones if wanted and needed.
  func predictions(
    of story: Int, radiusMeters: Double, _ verdict: StoryVerdict, _ track: String,
    _ fixes: [PhonePath.Fix], triesRadii: Bool = true
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
      if triesRadii, prediction.chance.share(.alert) < 0.9 {
        prediction.tried = StoryPrediction.candidates(besides: radiusMeters)
          .map { .init(meters: $0, chance: chance($0)) }
      }
      return prediction
    }
  }
}
