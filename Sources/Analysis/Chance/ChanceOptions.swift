public import FencepostPhones

/// The phones on which an analysis simulates each track, and how.
public struct ChanceOptions: Equatable, Sendable {
  /// The phones or engines, each with a name of its own.
  public var profiles: [PhoneProfile]
  /// How often each track is run, 1 … 100,000, and from what random numbers.
  public var simulation: PhoneSimulation.Options
  /// Whether to run each track with the low and high values of the profiles too.
  public var measuresDoubts = true

  /// Makes options.
  public init(profiles: [PhoneProfile], simulation: PhoneSimulation.Options = .init()) {
    self.profiles = profiles
    self.simulation = simulation
  }

  /// How often each track is run with a profile's low or high value: a tenth of the trials, but no fewer
  /// than 20 where there are as many.
  public var doubtTrials: Int { min(simulation.trials, max(20, simulation.trials / 10)) }
}

/// What an app, or the rules that somebody tries, ask of a simulated phone in place of what its profile says.
public struct AppRules: Equatable, Sendable {
  /// How many regions it monitors at most; nil leaves it to the profile, which is never exceeded.
  public var limit: Int?
  /// Whether one of the regions is the circle whose exit wakes the phone.
  public var hasTripwire = false
  /// How far the device goes before the regions are replaced, in metres; nil leaves it to the profile.
  public var refreshMeters: Double?
  /// The least time between two refreshes in milliseconds; the profile's, if that is longer.
  public var leastIntervalMilliseconds: Int64 = 0
  /// How long a stay lasts before it alerts, in milliseconds; nil leaves it to the profile.
  public var dwellMilliseconds: Int64?

  /// Leaves everything to the profile.
  public init() {}
}

extension PhoneProfile {
  /// The profile with what an app asks of the phone.
  public func following(_ app: AppRules) -> PhoneProfile {
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
