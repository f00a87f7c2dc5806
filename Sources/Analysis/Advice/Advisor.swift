import Fencepost
import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// Proposes the few changes that gain the most alerts, one after another.
///
/// Each round tries every change that can matter (see `CandidateFinder`) on the tracks that it may
/// affect, and takes the one that gains the most alerts on the phone; with a phone to simulate, the
/// most alerts of that, among the most promising changes. Ties go to more persons reached, then fewer lookups, the order of kinds, the smaller change, and the id. The result
/// depends neither on the number of jobs nor on the order of the files. A change is skipped only if
/// a proof shows that it cannot win (see `GainBound`); nothing is estimated.
///
/// - Complexity: A round indexes all places once per change tried, and follows the tracks near it.
package struct Advisor: Sendable {
  /// The number of changes tried between comparisons, fixed so that jobs do not affect results.
  private static let batchCount = 32

  private let base: [Place]
  private let persons: [PersonTracks]
  private let options: AdviceOptions
  private let keptBack: [Int]
  private let advised: [PersonTracks]

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
  /// Follows all tracks without any change.
  private func begin(_ trial: Trial) async throws -> AdviceStand {
    var runs: [PersonRun] = []
    var table = ApproachTable()
    let (advised, zone, searching) = (advised, options.zone, searching)
    // If entries are tested only at fixes, the path between them does not count.
    let joins = trial.options.monitoring.test == .path
    try await OrderedTaskPool(workers(for: advised.count)).run(count: advised.count) { _, number in
      Self.outcome { () throws(TrackFailure) in
        var blocks = advised[number].tracks.map { _ in (PathBlocks(), [PathTree]()) }
        let run = try trial.follow(
          advised[number], zone: zone, isDetailed: true, chance: searching
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
    } handOver: { outcome in
      let (run, paths) = try outcome.get()
      for (track, stretches) in paths.enumerated() {
        table.add(
          person: runs.count, track: track, advised[runs.count].tracks[track], stretches)
      }
      runs.append(run)
    }
    try Task.checkCancellation()
    var stand = AdviceStand(
      trial: trial, runs: runs, approaches: table, firstAlertsByDay: runs.map(\.alertsByDay))
    for place in trial.places.places { measure(place, in: &stand.approaches) }
    stand.spots = Self.spots(of: trial)
    return stand
  }

  private func measure(_ place: Place, in table: inout ApproachTable) {
    table.measure(
      place,
      reachMeters: max(place.radiusMeters, options.radiusRangeMeters.upperBound)
        + options.moveWithinMeters + CandidateFinder.certainMeters)
  }

  private static func spots(of trial: Trial) -> [String: Int] {
    let spots = AdviceStand.spots(
      of: trial.places, withinMeters: trial.options.alerts.spotMeters)
    return Dictionary(
      uniqueKeysWithValues: spots.enumerated().flatMap { number, spot in
        spot.map { ($0.id, number) }
      })
  }

  /// Applies a change and follows the tracks that it may affect again.
  private func move(_ stand: AdviceStand, by change: AdviceChange) async throws -> AdviceStand {
    var next = stand
    next.trial = try trial(of: change, at: stand)
    let (trial, advised, zone, searching) = (next.trial, advised, options.zone, searching)
    let seeing = seeing(change, at: stand)
    // Detached, so that canceling cannot leave a chosen change half measured.
    let runs = try await Task.detached { [jobs = options.jobs] in
      let workers = Self.workers(jobs, for: seeing.count)
      var runs: [PersonRun] = []
      try await OrderedTaskPool(workers).run(count: seeing.count) { _, number in
        Self.outcome { () throws(TrackFailure) in
          try trial.follow(
            advised[seeing[number]], zone: zone, isDetailed: true, chance: searching)
        }
      } handOver: { outcome in
        runs.append(try outcome.get())
      }
      return runs
    }.value
    if !change.removed.isEmpty {
      for person in next.runs.indices {
        next.runs[person].renumber(from: stand.trial.stories, to: trial.stories)
      }
    }
    for (person, run) in zip(seeing, runs) { next.runs[person] = run }
    if change.kind == .position, let after = change.after {
      next.moved.insert(after.id)
    }
    if let after = change.after { measure(after, in: &next.approaches) }
    if change.kind != .rule { next.spots = Self.spots(of: trial) }
    return next
  }

  /// Returns the persons whose runs a change may affect, ascending.
  private func seeing(_ change: AdviceChange, at stand: AdviceStand) -> [Int] {
    guard change.kind != .rule else { return Array(advised.indices) }
    let circles = AdviceStand.circles(of: change)
    return advised.indices.filter {
      stand.runs[$0].maySee(circles, on: advised[$0], rule: stand.rule)
    }
  }

  private func trial(of change: AdviceChange, at stand: AdviceStand) throws -> Trial {
    var (changes, session) = (stand.trial.changes, stand.trial.options)
    change.apply(to: &changes)
    if let rule = change.rule { session.monitoring = rule }
    return try Trial(base: base, changes: changes, options: session, after: stand.trial)
  }

  private final class Worker {}

  private func workers(for count: Int) -> [Worker] { Self.workers(options.jobs, for: count) }

  private static func workers(_ jobs: Int, for count: Int) -> [Worker] {
    (0..<max(1, min(jobs, count))).map { _ in Worker() }
  }

  private static func outcome<Value: Sendable>(
    _ work: () throws(TrackFailure) -> Value?
  ) -> Result<Value, any Error> {
    do throws(TrackFailure) {
      return try work().map { .success($0) } ?? .failure(CancellationError())
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - The choice

extension Advisor {
  private struct Tried: Sendable {
    var change: AdviceChange
    var number: Int
    var alerts = 0
    /// The gain in simulated alerts, by run; empty if no phone is asked.
    var simulated: [Int] = []
    var persons = 0
    var refreshes = 0

    /// The alerts gained, over all runs of the simulated phone if there is one.
    var gain: Int { simulated.isEmpty ? alerts : simulated.reduce(0, +) }

    /// Whether the gain is enough, and more than what the random numbers may have added.
    func isWorth(atLeast least: Int) -> Bool {
      guard !simulated.isEmpty else { return alerts >= least }
      let zero = SimulatedAlerts(byRun: simulated.map { _ in 0 })
      guard let gain = SimulatedAlerts(byRun: simulated).gain(over: zero) else { return false }
      return gain.mean >= Double(least) && gain.interval.lowerBound > 0
    }

    func precedes(_ other: Tried) -> Bool {
      let kinds = AdviceOptions.Kind.allCases
      func order(_ tried: Tried) -> Int { kinds.firstIndex(of: tried.change.kind) ?? 0 }
      if gain != other.gain { return gain > other.gain }
      if persons != other.persons { return persons > other.persons }
      if refreshes != other.refreshes { return refreshes < other.refreshes }
      return (order(self), change.extent, number)
        < (order(other), other.change.extent, other.number)
    }
  }

  /// Returns the change with the largest gain; nil if none gains enough.
  private func choose(
    at stand: AdviceStand, _ mostAlerts: [Int], _ tried: inout Int
  ) async throws -> Tried? {
    let bound = GainBound(stand, persons: advised, mostAlerts: mostAlerts)
    let isOnPhone = options.chance != nil
    let finder = CandidateFinder(stand: stand, options: options)
    var candidates = finder.changes.enumerated()
      .map { number, change in
        (
          number: number, change: change,
          most: isOnPhone
            ? bound.mostGain(of: change) + finder.lostOnPhone(by: change)
            : options.skipsHopeless ? bound.mostGain(of: change) : Int.max
        )
      }
      .filter { isOnPhone || $0.most >= options.leastGain }
      .sorted { ($1.most, $0.number) < ($0.most, $1.number) }
    // The bound holds for the rule's alerts alone, so on a phone it only orders the changes.
    if isOnPhone { candidates = Array(candidates.prefix(AdviceOptions.mostTriedOnPhone)) }
    var best: Tried?
    var next = 0
    while next < candidates.count,
      isOnPhone || candidates[next].most >= best?.alerts ?? options.leastGain
    {
      let batch = candidates[next...].prefix(Self.batchCount).map { ($0.number, $0.change) }
      next += batch.count
      try await OrderedTaskPool(workers(for: batch.count)).run(count: batch.count) { _, number in
        Result { try attempt(batch[number].1, batch[number].0, at: stand) }
      } handOver: { outcome in
        guard let one = try outcome.get(), one.isWorth(atLeast: options.leastGain) else { return }
        if best.map({ one.precedes($0) }) ?? true { best = one }
      }
      tried += batch.count
      if Task.isCancelled { return nil }
    }
    return best
  }

  /// Tries a change; nil if a day exceeds its maximum or the task was canceled.
  private func attempt(
    _ change: AdviceChange, _ number: Int, at stand: AdviceStand
  ) throws -> Tried? {
    let trial = try trial(of: change, at: stand)
    var tried = Tried(change: change, number: number)
    for person in seeing(change, at: stand) {
      guard
        let run = try trial.follow(advised[person], zone: options.zone, chance: searching)
      else { return nil }
      guard isBearable(run.alertsByDay, stand.firstAlertsByDay[person]) else { return nil }
      tried.alerts += run.counts.alerts - stand.runs[person].counts.alerts
      tried.persons += run.reached - stand.runs[person].reached
      tried.refreshes += run.refreshes - stand.runs[person].refreshes
      guard let after = run.simulated, let before = stand.runs[person].simulated else { continue }
      let gains = zip(after.byRun, before.byRun).map { $0 - $1 }
      tried.simulated =
        tried.simulated.isEmpty ? gains : zip(tried.simulated, gains).map { $0 + $1 }
    }
    return tried
  }

  /// Returns whether each day stays within the maximum, or within its number before any change.
  private func isBearable(_ days: [Int: Int], _ first: [Int: Int]) -> Bool {
    guard let most = options.mostAlertsPerDay else { return true }
    return days.allSatisfy { $0.value <= max(most, first[$0.key] ?? 0) }
  }
}

// MARK: - The simulated phone

extension Advisor {
  /// The runs that choose among changes, few because there are many changes.
  private var searching: ChanceOptions? {
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
  private func measureOnPhone(_ trials: [Trial], in advice: inout Advice) async throws {
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
  /// Measures each trial on the tracks held out for testing.
  private func measureKeptBack(_ trials: [Trial], in advice: inout Advice) async throws {
    guard !keptBack.isEmpty else { return }
    let tallies = try await tallies(of: trials, on: keptBack.map { persons[$0] })
    advice.keptBack = .init(before: tallies[0], after: tallies[tallies.count - 1])
    for index in advice.proposals.indices {
      advice.proposals[index].keptBack = .init(
        before: tallies[index], after: tallies[index + 1])
    }
  }

  /// What happens on the tracks of some persons in each trial.
  private func tallies(
    of trials: [Trial], on tested: [PersonTracks]
  ) async throws -> [AdviceTally] {
    let (zone, measuring) = (options.zone, measuring)
    return try await Task.detached { [jobs = options.jobs] in
      let workers = Self.workers(jobs, for: tested.count)
      var tallies = trials.map { _ in AdviceTally() }
      try await OrderedTaskPool(workers).run(count: tested.count) { _, number in
        Self.outcome { () throws(TrackFailure) -> [PersonRun]? in
          var runs: [PersonRun] = []
          for trial in trials {
            guard let run = try trial.follow(tested[number], zone: zone, chance: measuring) else {
              return nil
            }
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
