import FencepostPhones

// Tries changes and chooses the best.
extension Advisor {
  struct Tried: Sendable {
    var change: AdviceChange
    var number: Int
    var alerts = 0
    /// The alerts gained, weighted for the purpose.
    var points = 0
    /// By how much days come nearer to the maximum, in alerts; nil if alerts are to be gained.
    var relief: Int?
    /// The gain in simulated alerts, weighted for the purpose, by run; empty if no phone is asked.
    var simulated: [Int] = []
    var persons = 0
    var refreshes = 0

    /// The weighted alerts gained, over all runs of the simulated phone if there is one.
    var gain: Int { simulated.isEmpty ? points : simulated.reduce(0, +) }

    /// Whether the gain is enough, and more than what the random numbers may have added.
    func isWorth(atLeast least: Int) -> Bool {
      if let relief { return relief >= least }
      guard !simulated.isEmpty else { return points >= least }
      let zero = SimulatedAlerts(byRun: simulated.map { _ in 0 })
      guard let gain = SimulatedAlerts(byRun: simulated).gain(over: zero) else { return false }
      return gain.mean >= Double(least) && gain.interval.lowerBound > 0
    }

    func precedes(_ other: Tried) -> Bool {
      let kinds = AdviceOptions.Kind.allCases
      func order(_ tried: Tried) -> Int { kinds.firstIndex(of: tried.change.kind) ?? 0 }
      if let relief, let others = other.relief {
        // The loss for each alert of relief, first as weighted, then in alerts.
        for (mine, theirs) in [(points, other.points), (alerts, other.alerts)]
        where mine * others != theirs * relief { return mine * others > theirs * relief }
        if relief != others { return relief > others }
      } else if gain != other.gain {
        return gain > other.gain
      }
      if persons != other.persons { return persons > other.persons }
      if refreshes != other.refreshes { return refreshes < other.refreshes }
      return (order(self), change.extent, number)
        < (order(other), other.change.extent, other.number)
    }
  }

  /// Returns the change with the largest gain; nil if none gains enough.
  func choose(
    at stand: AdviceStand, _ mostAlerts: [Int], _ tried: inout Int
  ) async throws -> Tried? {
    let bound = GainBound(stand, persons: advised, mostAlerts: mostAlerts, options)
    let isLosing = options.mostAfterwards != nil
    let isOnPhone = options.chance != nil && !isLosing
    let finder = CandidateFinder(stand: stand, options: options)
    var candidates = finder.changes.enumerated().map { number, change in
      (
        number: number, change: change,
        most: isOnPhone
          ? bound.mostGain(of: change, besides: finder.lostOnPhone(by: change))
          : options.skipsHopeless && !isLosing ? bound.mostGain(of: change) : Int.max
      )
    }
    .filter { isOnPhone || $0.most >= options.leastGain }
    .sorted { ($1.most, $0.number) < ($0.most, $1.number) }
    // The bound holds for the rule's alerts alone, so on a phone it only orders the changes.
    if isOnPhone { candidates = Array(candidates.prefix(AdviceOptions.mostTriedOnPhone)) }
    var best: Tried?
    var next = 0
    while next < candidates.count,
      isOnPhone || candidates[next].most >= best?.points ?? options.leastGain
    {
      let batch = candidates[next...].prefix(Self.batchCount).map { ($0.number, $0.change) }
      next += batch.count
      try await OrderedTaskPool(jobs: options.jobs, for: batch.count) {}.run { _, number in
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
    tried.relief = options.mostAfterwards.map { _ in 0 }
    // Losses are chosen by the rule's alerts, for which each day's number is certain.
    let searching = options.mostAfterwards == nil ? searching : nil
    for person in seeing(change, at: stand) {
      guard
        let run = try trial.follow(
          advised[person], zone: options.zone, chance: searching, weight: options.weight)
      else { return nil }
      if let most = options.mostAlertsPerDay ?? options.mostAfterwards {
        // Each day must stay within the maximum, or within its number before any change.
        let first = stand.firstAlertsByDay[person]
        guard run.alertsByDay.allSatisfy({ $0.value <= max(most, first[$0.key] ?? 0) }) else {
          return nil
        }
      }
      tried.alerts += run.counts.alerts - stand.runs[person].counts.alerts
      tried.points += options.points(of: run) - options.points(of: stand.runs[person])
      if let most = options.mostAfterwards {
        tried.relief? += stand.runs[person].excess(over: most) - run.excess(over: most)
      }
      tried.persons += run.reached - stand.runs[person].reached
      tried.refreshes += run.refreshes - stand.runs[person].refreshes
      guard let after = run.simulated, let before = stand.runs[person].simulated else { continue }
      let gains = zip(after.byRun, before.byRun).map { $0 - $1 }
      tried.simulated =
        tried.simulated.isEmpty ? gains : zip(tried.simulated, gains).map { $0 + $1 }
    }
    return tried
  }
}
