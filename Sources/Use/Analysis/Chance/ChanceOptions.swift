import FencepostMonitoring
package import FencepostPhones

/// Which phones to simulate along each track, and how often.
///
/// An analysis without them follows the rule alone.
package struct ChanceOptions: Equatable, Sendable {
  /// The phones or engines, each with a unique name.
  package var profiles: [PhoneProfile]
  /// The number of runs per track, 1 to 100,000, and the random seed.
  package var simulation: PhoneSimulationOptions
  /// Whether to run each track with the profiles' low and high values too.
  package var measuresDoubts = true

  /// Chooses the phones; the first of them counts where only one is needed, as in advice.
  package init(profiles: [PhoneProfile], simulation: PhoneSimulationOptions = .init()) {
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

  /// How far outside any circle the first phone may alert, in meters.
  var marginMeters: Double {
    guard let profile = profiles.first else { return 0 }
    guard profile.test.accuracy.value != .intersects else { return .infinity }
    return profile.limits.leastRadiusMeters.value
      + 4 * profile.position.sigmaMeters[simulation.surroundings].value
  }

  /// Runs per track with a low or high value: a tenth of the trials, at least 20, at most all.
  package var doubtTrials: Int { min(simulation.trials, max(20, simulation.trials / 10)) }
}

/// Rules of an app that replace those in a phone's profile.
///
/// A profile describes what a system allows; an app may use less of it, such as fewer regions or
/// rarer lookups. `PhoneProfile.following(_:)` applies them.
package struct AppRules: Equatable, Sendable {
  /// The maximum number of regions; nil, or more than the profile's, uses the profile's.
  package var limit: Int?
  /// Whether one region is used for the circle around the phone that triggers the next lookup.
  package var hasTripwire = false
  /// The distance between lookups in meters; nil uses the profile's.
  package var refreshMeters: Double?
  /// The minimum time between two lookups in milliseconds; the profile's applies if it is longer.
  package var leastIntervalMilliseconds: Int64 = 0
  /// How long a stay must last before it alerts, in milliseconds; nil uses the profile's.
  package var dwellMilliseconds: Int64?

  /// Creates rules that use everything a profile allows.
  package init() {}
}

extension PhoneProfile {
  /// The profile as far as an app's own rules change it.
  package func following(_ app: AppRules) -> PhoneProfile {
    var profile = self
    if let limit = app.limit {
      profile.limits.regions.value = .at(min(limit, limits.regions.value.value ?? .max))
    }
    if app.hasTripwire, let regions = profile.limits.regions.value.value, regions > 1 {
      profile.limits.regions.value = .at(regions - 1)
    }
    if let meters = app.refreshMeters { profile.refresh.distanceMeters.value = meters }
    profile.refresh.leastIntervalSeconds.value = max(
      refresh.leastIntervalSeconds.value, Double(app.leastIntervalMilliseconds) / 1000)
    if let dwell = app.dwellMilliseconds {
      profile.confirmation.dwellSeconds.value = Double(dwell) / 1000
    }
    return profile
  }
}
