/// A profile fitted to a phone's log, with what it was fitted to.
package struct FittedProfile: Sendable {
  package struct Value: Sendable {
    /// What it is, for people.
    package let name: String
    package let value: Double
    /// The bounds of the 95 % interval.
    package let low: Double
    package let high: Double
    /// Whether the interval ends only where the search did.
    package let isUnbounded: Bool
  }

  /// The base profile with the fitted values, each with its interval; the card says what they rest
  /// on.
  package private(set) var profile: PhoneProfile
  package private(set) var values: [Value] = []
  /// How many entries were reported, and how many there were.
  package let entries: (reported: Int, of: Int)
  package let exits: (reported: Int, of: Int)
  /// The reports that belong to no crossing.
  package let extraReports: Int

  init(
    _ base: PhoneProfile, _ grid: FitGrid, _ options: ProfileFit.Options, walks: Int,
    entries: (reported: Int, of: Int), exits: (reported: Int, of: Int), extraReports: Int
  ) {
    profile = base
    (self.entries, self.exits, self.extraReports) = (entries, exits, extraReports)
    let data =
      "\(walks) own walks: \(entries.reported) of \(entries.of) entries and "
      + "\(exits.reported) of \(exits.of) exits reported"
    set(
      \.confirmation.enterCushionMeters, "confirmation.enterCushionMeters",
      grid.quantiles(of: .enterCushion), perUnit: 1, data)
    set(
      \.confirmation.exitCushionMeters, "confirmation.exitCushionMeters",
      grid.quantiles(of: .exitCushion), perUnit: 1, data)
    setDelay(options.state, grid, data)
    set(
      \.delivery.neverShare[options.surroundings], "share never reported",
      grid.quantiles(of: .neverShare), perUnit: 1000, data)
    profile.card =
      [
        "Fitted to \(data); \(extraReports) reports belong to no crossing.",
        "By likelihood from \(options.trials) simulated phones a crossing, seed \(options.seed), "
          + "\(options.surroundings.rawValue); everything else is taken from \(base.name).",
      ] + values.map(\.sentence)
      + ["Not tested. Hold it to walks that did not fit it before you rely on it."]
  }

  private mutating func set(
    _ path: WritableKeyPath<PhoneProfile, Sourced<Double>>, _ name: String,
    _ quantiles: FitGrid.Quantiles?, perUnit scale: Double, _ source: String
  ) {
    guard let found = Value(name, quantiles, perUnit: scale) else { return }
    values.append(found)
    profile[keyPath: path] = Sourced(
      found.value, low: found.low, high: found.high, basis: .fitted, source: source)
  }

  private mutating func setDelay(_ state: PhoneState, _ grid: FitGrid, _ source: String) {
    guard let median = Value("median delay, s", grid.quantiles(of: .delay), perUnit: 10),
      let sigma = Value("sigma of the delay", grid.quantiles(of: .spread), perUnit: 100)
    else { return }
    values += [median, sigma]
    func delay(_ median: Double) -> Distribution {
      .lognormal(median: median, sigma: sigma.value)
    }
    profile.delivery.seconds[state] = Sourced(
      delay(median.value), low: delay(median.low), high: delay(median.high), basis: .fitted,
      source: source)
  }
}

extension FittedProfile.Value {
  fileprivate init?(_ name: String, _ quantiles: FitGrid.Quantiles?, perUnit scale: Double) {
    guard let quantiles else { return nil }
    self.name = name
    value = (quantiles.median * scale).rounded() / scale
    low = (quantiles.low * scale).rounded() / scale
    high = (quantiles.high * scale).rounded() / scale
    isUnbounded = quantiles.isAtBound
  }

  /// The value with its interval, for people.
  package var sentence: String {
    "\(name): \(value.words) (95 % interval \(low.words) to \(high.words))"
      + (isUnbounded ? "; these walks do not bound it" : "")
  }
}
