import FencepostPhones

// MARK: - The simulated phone

extension Advisor {
  /// The runs that choose among changes, few because there are many changes.
  var searching: ChanceOptions? {
    var chance = options.chance
    chance?.simulation.trials = min(options.chance?.simulation.trials ?? 0, 40)
    return chance
  }

  /// The runs that measure the chosen changes, with other random numbers than those that chose.
  private var measuring: ChanceOptions? {
    var chance = options.chance
    chance?.simulation.seed &+= 1
    return chance
  }

  /// Measures each trial on a phone, on the tracks that chose the changes.
  func measureOnPhone(_ trials: [Trial], in advice: inout Advice) async throws {
    guard options.chance != nil else { return }
    let alerts = try await tallies(of: trials, on: advised).map(\.simulated)
    advice.effect.before.simulated = alerts[0]
    advice.effect.after.simulated = alerts[alerts.count - 1]
    for index in advice.proposals.indices {
      advice.proposals[index].effect.before.simulated = alerts[index]
      advice.proposals[index].effect.after.simulated = alerts[index + 1]
    }
  }
}

// MARK: - The tracks kept back

extension Advisor {
  func measureKeptBack(_ trials: [Trial], in advice: inout Advice) async throws {
    guard !keptBack.isEmpty else { return }
    let tallies = try await tallies(of: trials, on: keptBack.map { persons[$0] })
    advice.keptBack = .init(before: tallies[0], after: tallies[tallies.count - 1])
    for index in advice.proposals.indices {
      advice.proposals[index].keptBack = .init(
        before: tallies[index], after: tallies[index + 1])
    }
  }

  private func tallies(
    of trials: [Trial], on tested: [PersonTracks]
  ) async throws -> [AdviceTally] {
    let (options, measuring) = (options, measuring)
    return try await Task.detached {
      let workers = Self.workers(options.jobs, for: tested.count)
      var tallies = trials.map { _ in AdviceTally() }
      try await OrderedTaskPool(workers).run(count: tested.count) { _, number in
        Self.outcome { () throws(TrackFailure) -> [PersonRun]? in
          var runs: [PersonRun] = []
          for trial in trials {
            guard
              let run = try trial.follow(
                tested[number], zone: options.zone, chance: measuring, weight: options.weight)
            else { return nil }
            runs.append(run)
          }
          return runs
        }
      } handOver: { outcome in
        for (trial, run) in try outcome.get().enumerated() {
          tallies[trial] += AdviceTally(run)
        }
      }
      return tallies
    }.value
  }
}
