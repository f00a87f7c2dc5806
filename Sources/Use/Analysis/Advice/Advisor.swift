import FencepostSession
import FencepostGeodesy
package import FencepostMonitoring
import FencepostPhones

/// Proposes the few changes that gain the most alerts, one after another.
///
/// Each round tries every change that can matter (see `CandidateFinder`) on the tracks that it may
/// affect, and takes the one that gains the most alerts on the phone, weighted for the purpose. Ties
/// go to more persons reached, then fewer lookups, the order of kinds, the smaller change, and the
/// id. Nothing is estimated, and the result depends neither on the number of jobs nor on the order
/// of the files.
///
/// - Complexity: A round follows, for each change, the tracks near it.
package struct Advisor: Sendable {
  /// Few runs choose among changes, because there are many changes.
  private static let mostSearchingTrials = 40

  private let base: [Place]
  private let persons: [PersonTracks<RecordedTrack>]
  private let options: AdviceOptions

  /// Creates a search over places and the recorded tracks of persons.
  ///
  /// - Parameters:
  ///   - places: All places of the store, before any change.
  ///   - persons: The tracks in memory. A person's tracks must be in order of time.
  ///   - options: What may change, and which alerts to gain.
  package init(places: [Place], persons: [PersonTracks<RecordedTrack>], options: AdviceOptions) {
    (base, self.persons, self.options) = (places, persons, options)
  }

  /// Searches for the best changes.
  ///
  /// - Parameter onRound: Called after each round with the number of changes chosen so far.
  /// - Returns: The advice; if the task is canceled, the changes chosen by then.
  /// - Throws: `PlaceIndexError` for an invalid place, ``TrackFailure``, or `CancellationError` if
  ///   the task is canceled before the unchanged tracks have been followed.
  package func advise(onRound: (Int) -> Void = { _ in }) async throws -> Advice {
    var state = try await begin()
    var (whatIfs, tally) = ([state.whatIf], state.tally)
    var advice = Advice(
      options: options, effect: .init(before: tally, after: tally), places: [],
      session: options.session)
    while advice.proposals.count < options.mostChanges {
      guard let change = try await choose(at: state, &advice.tried) else { break }
      let reason = AdviceReason(change, state)
      try await make(change, at: &state)
      let before = tally
      tally = state.tally
      advice.proposals.append(
        .init(change: change, reason: reason, effect: .init(before: before, after: tally)))
      whatIfs.append(state.whatIf)
      onRound(advice.proposals.count)
    }
    advice.isInterrupted = Task.isCancelled
    advice.effect.after = tally
    (advice.places, advice.session) = (state.whatIf.places.places, state.whatIf.options)
    try await measureOnPhone(whatIfs, in: &advice)
    return advice
  }

  // MARK: The state

  /// Follows the unchanged tracks.
  private func begin() async throws -> AdviceState {
    let whatIf = try WhatIf(base: base, changes: PlaceChanges(), options: options.session)
    let runs = try await follow(whatIf, searching)
    try Task.checkCancellation()
    var state = AdviceState(whatIf: whatIf, runs: runs)
    for (number, run) in state.tracks {
      let track = persons[number.person].tracks[number.track]
      state.approaches.add(track, run, as: number, testsPath: state.rule.test == .path)
    }
    for place in whatIf.places.places { measure(place, in: &state.approaches) }
    return state
  }

  /// Makes a change and follows the tracks that it may affect again.
  private func make(_ change: AdviceChange, at state: inout AdviceState) async throws {
    state.whatIf = try whatIf(of: change, at: state)
    let (whatIf, searching, earlier) = (state.whatIf, searching, state.runs)
    // Detached, so that canceling cannot leave a chosen change half measured.
    state.runs = try await Task.detached {
      try await follow(whatIf, searching, after: earlier)
    }.value
    guard let (_, after) = change.story else { return }
    if change.kind == .position { state.moved.insert(after.id) }
    measure(after, in: &state.approaches)
  }

  private func measure(_ place: Place, in table: inout ApproachTable) {
    let radius = max(place.radiusMeters, options.radiusRangeMeters.upperBound)
    table.measure(
      place, reachMeters: radius + options.moveWithinMeters + CandidateFinder.certainMeters)
  }

  private func whatIf(of change: AdviceChange, at state: AdviceState) throws -> WhatIf {
    var (changes, session) = (state.whatIf.changes, state.whatIf.options)
    switch change {
    case .story(_, let after): changes.byID[after.id] = after
    case .rule(let rule): session.monitoring = rule
    }
    return try WhatIf(base: base, changes: changes, options: session, after: state.whatIf)
  }

  /// Follows the tracks of all persons, or reuses earlier runs.
  private func follow(
    _ whatIf: WhatIf, _ options: AdviceOptions, after earlier: [PersonRun]? = nil
  ) async throws -> [PersonRun] {
    var runs: [PersonRun] = []
    try await OrderedTaskPool(jobs: options.jobs, for: persons.count) {}.run { _, number in
      TrackOutcome { () throws(TrackFailure) in
        try PersonRun(persons[number], whatIf, options, after: earlier?[number])
      }
    } handOver: { outcome in
      runs.append(try outcome.get())
    }
    return runs
  }

  // MARK: A round

  /// Returns the change with the largest gain; nil if none gains or the task is canceled.
  private func choose(at state: AdviceState, _ tried: inout Int) async throws -> AdviceChange? {
    let changes = CandidateFinder(state, options).changes
    var best: AdviceAttempt?
    try await OrderedTaskPool(jobs: options.jobs, for: changes.count) {}.run { _, number in
      Result { try attempt(changes[number], number, at: state) }
    } handOver: { outcome in
      guard let one = try outcome.get(), one.gains else { return }
      if best.map({ one.precedes($0) }) ?? true { best = one }
    }
    tried += changes.count
    return Task.isCancelled ? nil : best?.change
  }

  /// Tries a change; nil if the task was canceled.
  private func attempt(
    _ change: AdviceChange, _ number: Int, at state: AdviceState
  ) throws -> AdviceAttempt? {
    let whatIf = try whatIf(of: change, at: state)
    var effect = Advice.Effect(before: AdviceTally(), after: AdviceTally())
    for (person, before) in zip(persons, state.runs) {
      guard let after = try PersonRun(person, whatIf, searching, after: before) else { return nil }
      if after.isTakenOver { continue }
      effect.before += before.tally
      effect.after += after.tally
    }
    return AdviceAttempt(
      change: change, number: number, effect: effect, points: options.points(of: effect))
  }

  // MARK: The simulated phone

  /// The options with the runs that choose among changes.
  private var searching: AdviceOptions {
    var searching = options
    let trials = options.chance?.simulation.trials ?? 0
    searching.chance?.simulation.trials = min(trials, Self.mostSearchingTrials)
    return searching
  }

  /// Measures each what-if on a phone, with other random numbers than those that chose the changes.
  private func measureOnPhone(_ whatIfs: [WhatIf], in advice: inout Advice) async throws {
    guard options.chance != nil else { return }
    var measuring = options
    measuring.chance?.simulation.seed &+= 1
    let others = measuring
    let alerts = try await Task.detached {
      var alerts: [SimulatedAlerts] = []
      for whatIf in whatIfs {
        let runs = try await follow(whatIf, others)
        alerts.append(runs.compactMap(\.tally.simulated).reduce(SimulatedAlerts(), +))
      }
      return alerts
    }.value
    (advice.effect.before.simulated, advice.effect.after.simulated) = (alerts.first, alerts.last)
    for index in advice.proposals.indices {
      advice.proposals[index].effect.before.simulated = alerts[index]
      advice.proposals[index].effect.after.simulated = alerts[index + 1]
    }
  }
}

/// A change that was tried.
private struct AdviceAttempt: Sendable {
  let change: AdviceChange
  /// The change's place in the order that breaks ties.
  let number: Int
  /// The effect on the tracks that are affected.
  let effect: Advice.Effect
  /// The alerts gained by the rule, weighted for the purpose.
  let points: Int

  /// The weighted alerts gained, in a mean run of the simulated phone if there is one.
  private var gain: Double { effect.simulated?.mean ?? Double(points) }

  /// Whether an alert is gained, and not only by the random numbers.
  var gains: Bool { gain >= 1 && effect.simulated?.interval.lowerBound ?? 1 > 0 }

  func precedes(_ other: AdviceAttempt) -> Bool {
    let (mine, others) = (effect, other.effect)
    if gain != other.gain { return gain > other.gain }
    if mine.persons != others.persons { return mine.persons > others.persons }
    if mine.refreshes != others.refreshes { return mine.refreshes < others.refreshes }
    return (change.kind, change.extent, number)
      < (other.change.kind, other.change.extent, other.number)
  }
}
