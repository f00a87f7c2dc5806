import FencepostMonitoring
package import FencepostPhones

package struct ChanceOptions: Equatable, Sendable {
  /// The phones or engines, each with a unique name.
  package var profiles: [PhoneProfile]
  /// The number of runs per track, 1 to 100,000, and the random seed.
  package var simulation: PhoneSimulation.Options
  /// Whether to run each track with the profiles' low and high values too.
  package var measuresDoubts = true

  package init(profiles: [PhoneProfile], simulation: PhoneSimulation.Options = .init()) {
    self.profiles = profiles
    self.simulation = simulation
  }

  /// The first phone alone, as far as it can follow a rule, without its low and high values.
  func following(_ rule: MonitoringOptions, refreshMeters: Double?) -> ChanceOptions {
    var app = AppRules()
    (app.limit, app.refreshMeters) = (rule.limit, refreshMeters)
    app.leastIntervalMilliseconds = rule.minIntervalMilliseconds
    var chance = self
    chance.profiles = profiles.prefix(1).map { $0.following(app) }
    chance.measuresDoubts = false
    return chance
  }

  /// Runs per track with a low or high value: a tenth of the trials, at least 20, at most all.
  package var doubtTrials: Int { min(simulation.trials, max(20, simulation.trials / 10)) }
}
