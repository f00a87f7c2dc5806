import Fencepost
import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// Proposes the few changes that gain the most alerts, one after another.
///
/// Each round tries every change that can matter (see `CandidateFinder`) on the tracks that it may
/// affect, and takes the one that gains the most alerts on the phone, weighted for the purpose; with
/// a phone to simulate, the most alerts of that, among the most promising changes. Ties go to more
/// persons reached, then fewer lookups, the order of kinds, the smaller change, and the id. The
/// result depends neither on the number of jobs nor on the order of the files. A change is skipped
/// only if a proof shows that it cannot win (see `GainBound`); nothing is estimated.
///
/// With `mostAfterwards`, alerts are to be lost: a round takes the change that costs least for each
/// alert by which it brings a day nearer to that number.
///
/// - Complexity: A round indexes all places once per change tried, and follows the tracks near it.
package struct Advisor: Sendable {
  /// The number of changes tried between comparisons, fixed so that jobs do not affect results.
  static let batchCount = 32

  private let base: [Place]
  let persons: [PersonTracks]
  let options: AdviceOptions
  let keptBack: [Int]
  let advised: [PersonTracks]

  package init(places: [Place], persons: [PersonTracks], options: AdviceOptions) {
    base = places
    self.persons = persons
    self.options = options
    let keptBack = KeptBack.choose(
      persons.map(\.name), share: options.testShare, seed: options.seed)
    self.keptBack = keptBack
    advised = persons.indices.filter { !keptBack.contains($0) }.map { persons[$0] }
  }

  /// Searches for the best changes.
  ///
  /// - Parameter onRound: Called after each round with the number of changes chosen so far.
  /// - Returns: The advice; if the task is canceled, the changes chosen by then.
  /// - Throws: `PlaceIndexError` for an invalid place, ``TrackFailure``, or `CancellationError` if
  ///   the task is canceled before the unchanged tracks have been followed.
  package func advise(onRound: (Int) -> Void = { _ in }) async throws -> Advice {
    let first = try Trial(base: base, changes: PlaceChanges(), options: options.session)
    var stand = try await begin(first)
    let before = stand.tally
    var advice = Advice(
      options: options, proposals: [], effect: .init(before: before, after: before),
      keptBack: nil, places: first.places.places, session: options.session)
    let mostAlerts = advised.map { $0.mostAlerts(under: options.session.alerts.cooldown) }
    advice.best = BestPossible(stand, persons: advised, mostAlerts: mostAlerts, options).points
    var trials = [first]
    var tally = before
    while advice.proposals.count < options.mostChanges {
      guard let best = try await choose(at: stand, mostAlerts, &advice.tried) else { break }
      if Task.isCancelled { break }
      let reason = AdviceReason(best.change, stand, options)
      stand = try await move(stand, by: best.change)
      let next = stand.tally
      advice.proposals.append(
        .init(change: best.change, reason: reason, effect: .init(before: tally, after: next)))
      tally = next
      trials.append(stand.trial)
      onRound(advice.proposals.count)
    }
    advice.isInterrupted = Task.isCancelled
    advice.effect.after = tally
    advice.places = stand.trial.places.places
    advice.session = stand.trial.options
    try await measureOnPhone(trials, in: &advice)
    try await measureKeptBack(trials, in: &advice)
    return advice
  }
}

// MARK: - The stand

extension Advisor {
  private func begin(_ trial: Trial) async throws -> AdviceStand {
    var table = ApproachTable()
    let (advised, options, searching) = (advised, options, searching)
    // If entries are tested only at fixes, the path between them does not count.
    let joins = trial.options.monitoring.test == .path
    let followed = try await inParallel(advised.count) { number throws(TrackFailure) in
      var blocks = advised[number].tracks.map { _ in (PathBlocks(), [PathTree]()) }
      let run = try trial.follow(
        advised[number], zone: options.zone, isDetailed: true, chance: searching,
        weight: options.weight
      ) { track, coordinate, isJoined in
        if let full = blocks[track].0.take(coordinate, isJoined: isJoined && joins) {
          blocks[track].1.append(full)
        }
      }
      let paths = blocks.map { block -> [PathTree] in
        var (last, stretches) = block
        return stretches + (last.finish().map { [$0] } ?? [])
      }
      return run.map { ($0, paths) }
    }
    for (person, (_, paths)) in followed.enumerated() {
      for (track, stretches) in paths.enumerated() {
        table.add(person: person, track: track, advised[person].tracks[track], stretches)
      }
    }
    let runs = followed.map(\.0)
    try Task.checkCancellation()
    var stand = AdviceStand(
      trial: trial, runs: runs, approaches: table, firstAlertsByDay: runs.map(\.alertsByDay))
    for place in trial.places.places { measure(place, in: &stand.approaches) }
    stand.spots = Self.spots(of: trial)
    return stand
  }

  private func measure(_ place: Place, in table: inout ApproachTable) {
    let radius = max(place.radiusMeters, options.radiusRangeMeters.upperBound)
    table.measure(
      place, reachMeters: radius + options.moveWithinMeters + CandidateFinder.certainMeters)
  }

  private static func spots(of trial: Trial) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: AdviceStand.spots(of: trial).enumerated().flatMap { number, spot in
        spot.map { ($0.id, number) }
      })
  }

  /// Applies a change and follows the tracks that it may affect again.
  private func move(_ stand: AdviceStand, by change: AdviceChange) async throws -> AdviceStand {
    var next = stand
    next.trial = try trial(of: change, at: stand)
    let (trial, advised, options, searching) = (next.trial, advised, options, searching)
    let seeing = seeing(change, at: stand)
    // Detached, so that canceling cannot leave a chosen change half measured.
    let runs = try await Task.detached {
      try await inParallel(seeing.count) { number throws(TrackFailure) in
        try trial.follow(
          advised[seeing[number]], zone: options.zone, isDetailed: true, chance: searching)
      }
    }.value
    if !change.removed.isEmpty {
      for person in next.runs.indices {
        next.runs[person].renumber(from: stand.trial.stories, to: trial.stories)
      }
    }
    for (person, run) in zip(seeing, runs) { next.runs[person] = run }
    if change.kind == .position, let after = change.after { next.moved.insert(after.id) }
    if let after = change.after { measure(after, in: &next.approaches) }
    if !change.isForAll { next.spots = Self.spots(of: trial) }
    return next
  }

  /// Returns the persons whose runs a change may affect, ascending.
  func seeing(_ change: AdviceChange, at stand: AdviceStand) -> [Int] {
    guard !change.isForAll else { return Array(advised.indices) }
    let circles = AdviceStand.circles(of: change)
    return advised.indices.filter {
      stand.runs[$0].maySee(circles, on: advised[$0], rule: stand.rule)
    }
  }

  /// The results of work with each number below a count, in order.
  ///
  /// - Throws: The first failure, or `CancellationError` if work returned nil.
  private func inParallel<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) throws(TrackFailure) -> Result?
  ) async throws -> [Result] {
    var results: [Result] = []
    try await OrderedTaskPool(jobs: options.jobs, for: count) {}.run { _, number in
      TrackOutcome { () throws(TrackFailure) in try work(number) }
    } handOver: { outcome in
      results.append(try outcome.get())
    }
    return results
  }

  func trial(of change: AdviceChange, at stand: AdviceStand) throws -> Trial {
    var (changes, session) = (stand.trial.changes, stand.trial.options)
    change.apply(to: &changes)
    change.apply(to: &session)
    return try Trial(base: base, changes: changes, options: session, after: stand.trial)
  }
}

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
      advice.proposals[index].keptBack = .init(before: tallies[index], after: tallies[index + 1])
    }
  }

  private func tallies(
    of trials: [Trial], on tested: [PersonTracks]
  ) async throws -> [AdviceTally] {
    let (options, measuring) = (options, measuring)
    return try await Task.detached {
      let byPerson = try await inParallel(tested.count) { number throws(TrackFailure) in
        var tallies: [AdviceTally] = []
        for trial in trials {
          guard
            let run = try trial.follow(
              tested[number], zone: options.zone, chance: measuring, weight: options.weight)
          else { return nil as [AdviceTally]? }
          tallies.append(AdviceTally(run))
        }
        return tallies
      }
      return trials.indices.map { trial in
        byPerson.reduce(into: AdviceTally()) { $0 += $1[trial] }
      }
    }.value
  }
}

/// Chooses the persons held out to test the advice on tracks that did not shape it.
package enum KeptBack {
  /// Chooses a share of the persons, less than 1, and returns their indices, ascending.
  ///
  /// The choice depends only on names and seed. At least one person is chosen and at least one is
  /// not, unless `share` is 0 or there is only one person.
  package static func choose(_ names: [String], share: Double, seed: UInt64) -> [Int] {
    guard share > 0, names.count > 1 else { return [] }
    let count = min(names.count - 1, max(1, Int((Double(names.count) * share).rounded())))
    let hashes = names.map { AnalysisTotals.hash(of: $0, moment: Int(truncatingIfNeeded: seed)) }
    return names.indices.sorted { (hashes[$0], names[$0]) < (hashes[$1], names[$1]) }
      .prefix(count).sorted()
  }
}
