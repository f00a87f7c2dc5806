import FencepostMonitoring

/// Fits to a log what a test walk can measure of a phone: cushions, delay and loss.
///
/// For each value of a cushion, phones with the base profile are simulated along the known paths.
/// That gives the times at which they are sure of a crossing; what the log adds to them is the
/// delay. So the likelihood of a report is the density of its delay, averaged over the simulated
/// phones, and that of a missing one the share of phones that are silent or never sure. One report
/// in a hundred is taken to come at any time, so that a single odd one decides nothing.
///
/// All values within the bounds are equally likely beforehand, delay and spread on a logarithmic
/// scale. They form a grid, which is refined twice around the best ones.
package struct ProfileFit {
  package struct Options: Sendable {
    /// The simulated phones for each crossing and value, at least 1.
    package var trials = 64
    package var seed: UInt64 = 1
    package var surroundings = Surroundings.residential
    package var state = PhoneState.background

    package init() {}
  }

  private let base: PhoneProfile
  private let walks: [KnownWalk]
  private let passages: [[StoryPassage]]
  private let options: Options

  package init(base: PhoneProfile, walks: [KnownWalk], options: Options = Options()) {
    self.base = base
    self.walks = walks
    passages = walks.map { walk in walk.circles.map { StoryPassage($0, on: walk.path) } }
    self.options = options
  }

  /// Fits the profile; nil if the walks have no crossing, or if the work is stopped.
  ///
  /// - Complexity: O(crossings · trials), about 40 simulated phones per crossing and trial.
  package func fit(
    _ reports: [CrossingReport], shouldStop: () -> Bool = { false }
  ) -> FittedProfile? {
    var taken: [Int] = []
    let enters = crossings(.enter, reports, &taken)
    let exits = crossings(.exit, reports, &taken)
    guard !enters.isEmpty || !exits.isEmpty else { return nil }
    var grid = FitGrid()
    if enters.isEmpty { grid.axes[.enterCushion]?.count = 1 }
    if exits.isEmpty { grid.axes[.exitCushion]?.count = 1 }
    for threshold in [30, 8, nil] as [Double?] {
      grid.evaluate(
        enters.isEmpty ? [] : tables(.enter, enters, grid, shouldStop),
        exits.isEmpty ? [] : tables(.exit, exits, grid, shouldStop))
      if shouldStop() { return nil }
      if let threshold { grid.narrow(threshold) }
    }
    return FittedProfile(
      base, grid, options, walks: walks.count,
      entries: (enters.count { $0.report != nil }, enters.count),
      exits: (exits.count { $0.report != nil }, exits.count),
      extraReports: reports.count - taken.count)
  }

  // MARK: Crossings

  private struct Crossing {
    var walk: Int
    var circle: Int
    var entry: PhoneStory.Entry
    /// When the phone reported it; nil if it never did.
    var report: Double?
    /// How long a report may come before and after it.
    var windowSeconds: Double {
      entry.endSeconds - entry.seconds + 2 * PhoneStory.Entry.marginSeconds
    }
  }

  /// The crossings of all walks, each with the nearest report that may belong to it.
  private func crossings(
    _ side: CrossingSide, _ reports: [CrossingReport], _ taken: inout [Int]
  ) -> [Crossing] {
    var crossings: [Crossing] = []
    for (walk, known) in walks.enumerated() {
      for circle in known.circles.indices {
        crossings += known.entries(ofCircle: circle, side).map {
          Crossing(walk: walk, circle: circle, entry: $0)
        }
      }
    }
    let mine = reports.indices.filter { reports[$0].side == side }
      .sorted { reports[$0].seconds < reports[$1].seconds }
    for index in mine {
      let report = reports[index]
      let owner = crossings.indices.filter { place in
        let crossing = crossings[place]
        let key = walks[crossing.walk].circles[crossing.circle].key
        return crossing.report == nil && crossing.entry.mayOwn(report.seconds)
          && (report.circle ?? key) == key
      }.min {
        abs(crossings[$0].entry.seconds - report.seconds)
          < abs(crossings[$1].entry.seconds - report.seconds)
      }
      guard let owner else { continue }
      crossings[owner].report = report.seconds
      taken.append(index)
    }
    return crossings
  }

  // MARK: Likelihood

  /// For each value of a side's cushion, the logarithm of the likelihood by delay, spread and loss.
  private func tables(
    _ side: CrossingSide, _ crossings: [Crossing], _ grid: FitGrid,
    _ shouldStop: () -> Bool
  ) -> [[Double]] {
    let kernels = grid.delayKernels
    let nevers = grid.values(.neverShare)
    return grid.values(side == .enter ? .enterCushion : .exitCushion).map { cushion in
      let sure = sureSeconds(side, cushion, crossings, shouldStop)
      var table = [Double](repeating: 0, count: kernels.count * nevers.count)
      for (crossing, sure) in zip(crossings, sure) {
        let bins = sure.map { DelayKernel.bin(of: (crossing.report ?? 0) - $0) }
        let share = Double(sure.count) / Double(options.trials)
        for (index, kernel) in kernels.enumerated() {
          let density =
            bins.reduce(0) { $0 + kernel.density[$1] } / Double(options.trials)
          for (place, never) in nevers.enumerated() {
            let likelihood =
              crossing.report == nil
              ? never + (1 - never) * (1 - share)
              : (1 - never) * (0.99 * density + 0.01 / crossing.windowSeconds)
            table[index * nevers.count + place] += Numerics.logarithm(max(likelihood, 1e-300))
          }
        }
      }
      return table
    }
  }

  /// When simulated phones are sure of each crossing; phones that never are have no time.
  private func sureSeconds(
    _ side: CrossingSide, _ cushion: Double, _ crossings: [Crossing],
    _ shouldStop: () -> Bool
  ) -> [[Double]] {
    let profile = profile(side, cushion)
    var sure = crossings.map { _ in [Double]() }
    for (walk, known) in walks.enumerated() {
      let mine = crossings.indices.filter { crossings[$0].walk == walk }
      guard !mine.isEmpty else { continue }
      let simulation = PhoneSimulation(
        profile: profile,
        options: .init(
          trials: options.trials, seed: options.seed, surroundings: options.surroundings,
          state: options.state, event: side),
        path: known.path, trackKey: known.key)
      let times = options.trials / simulation.runs
      _ = simulation.chances(
        of: passages[walk], monitored: { _ in [] }, shouldStop: shouldStop,
        applyRules: { _, attempts in
          for circle in known.circles.indices {
            let places = mine.filter { crossings[$0].circle == circle }
            let entries = places.map { crossings[$0].entry }
            var taken: [Int] = []
            for attempt in attempts where attempt.story == circle {
              let owner = entries.owner(of: attempt.confirmedSeconds, taken: taken)
              guard let owner else { continue }
              taken.append(owner)
              sure[places[owner]] += Array(repeating: attempt.confirmedSeconds, count: times)
            }
          }
        })
    }
    return sure
  }

  /// The base profile with one cushion changed, told at once of all it is sure of.
  private func profile(_ side: CrossingSide, _ cushion: Double) -> PhoneProfile {
    var profile = base
    profile.limits.regions.value = .none
    profile.delivery.neverShare[options.surroundings].value = 0
    for state in PhoneState.allCases { profile.delivery.seconds[state].value = .constant(0) }
    switch side {
    case .enter: profile.confirmation.enterCushionMeters.value = cushion
    case .exit:
      profile.confirmation.exitCushionMeters.value = cushion
      // An entry noticed farther out than the exit would turn into an exit on the way in.
      let enter = max(profile.confirmation.enterCushionMeters.value, -cushion)
      profile.confirmation.enterCushionMeters.value = enter
    }
    return profile
  }
}
