package import FencepostPhones

/// The phones on which an analysis simulates each track, and how.
package struct ChanceOptions: Equatable, Sendable {
  /// The phones or engines, each with a name of its own.
  package var profiles: [PhoneProfile]
  /// How often each track is run, 1 … 100,000, and from what random numbers.
  package var simulation: PhoneSimulation.Options
  /// Whether to run each track with the low and high values of the profiles too.
  package var measuresDoubts = true

  /// Makes options.
  package init(profiles: [PhoneProfile], simulation: PhoneSimulation.Options = .init()) {
    self.profiles = profiles
    self.simulation = simulation
  }

  /// How often each track is run with a profile's low or high value: a tenth of the trials, but no fewer
  /// than 20 where there are as many.
  package var doubtTrials: Int { min(simulation.trials, max(20, simulation.trials / 10)) }
}
