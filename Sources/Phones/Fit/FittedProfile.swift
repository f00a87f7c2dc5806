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
    (profile, self.entries, self.exits, self.extraReports) = (base, entries, exits, extraReports)
    let data =
      "\(walks) test walks: \(entries.reported) of \(entries.of) entries and "
      + "\(exits.reported) of \(exits.of) exits reported"
    var found: [FitGrid.Parameter: Value] = [:]
    for parameter in FitGrid.Parameter.allCases { found[parameter] = grid.value(of: parameter) }
    values = FitGrid.Parameter.allCases.compactMap { found[$0] }
    func sourced<Member: Equatable & Sendable>(
      _ value: Value, _ member: (Double) -> Member
    ) -> Sourced<Member> {
      Sourced(
        member(value.value), low: member(value.low), high: member(value.high), basis: .fitted,
        source: data)
    }
    if let enter = found[.enterCushion] {
      profile.confirmation.enterCushionMeters = sourced(enter) { $0 }
    }
    if let exit = found[.exitCushion] {
      profile.confirmation.exitCushionMeters = sourced(exit) { $0 }
    }
    if let median = found[.delay], let sigma = found[.spread] {
      profile.delivery.seconds[options.state] = sourced(median) {
        .lognormal(median: $0, sigma: sigma.value)
      }
    }
    if let never = found[.neverShare] {
      profile.delivery.neverShare[options.surroundings] = sourced(never) { $0 }
    }
    profile.card =
      [
        "Fitted to \(data); \(extraReports) reports belong to no crossing.",
        "By likelihood from \(options.trials) simulated phones per crossing, seed \(options.seed), "
          + "\(options.surroundings.rawValue); everything else is taken from \(base.name).",
      ] + values.map(\.sentence)
      + ["Not tested. Hold it to walks that did not fit it before you rely on it."]
  }
}

extension FittedProfile.Value {
  /// The value with its interval, for people.
  package var sentence: String {
    "\(name): \(value.words) (95 % interval \(low.words) to \(high.words))"
      + (isUnbounded ? "; these walks do not bound it" : "")
  }
}
