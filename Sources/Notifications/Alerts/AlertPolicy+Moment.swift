import FencepostGeodesy

/// Deciding about the entries of a moment, of which there may be one, together.
extension AlertPolicy {
  /// Decides about entries in path order, moment by moment, and explains each check if asked to.
  mutating func evaluate(_ entries: [Entry], explaining: Bool) -> [AlertExplanation] {
    var results: [AlertExplanation] = []
    results.reserveCapacity(entries.count)
    var start = 0
    while start < entries.count {
      let time = entries[start].timeMilliseconds
      var end = start + 1
      while end < entries.count, entries[end].timeMilliseconds == time { end += 1 }
      evaluateMoment(entries, start..<end, explaining: explaining, &results)
      start = end
    }
    return results
  }

  private mutating func evaluateMoment(
    _ entries: [Entry], _ moment: Range<Int>, explaining: Bool,
    _ results: inout [AlertExplanation]
  ) {
    if let time = entries[moment.lowerBound].timeMilliseconds {
      state.forgetDeliveries(before: time)
    }
    var candidates: [Int] = []
    for index in moment {
      let entry = entries[index]
      let result = evaluateSingle(entry, explaining: explaining)
      results.append(result)
      if result.decision.suppressionReason == nil { candidates.append(index) }
      if let time = entry.timeMilliseconds {
        observe(speedMetersPerSecond: entry.speedMetersPerSecond, atMilliseconds: time)
      }
    }
    for spot in spots(of: candidates, in: entries) {
      decideSpot(spot, in: entries, explaining: explaining, &results)
    }
  }

  /// Applies the rules that look at one entry; the first refusal decides.
  private func evaluateSingle(_ entry: Entry, explaining: Bool) -> AlertExplanation {
    var reason: SuppressionReason?
    var checks: [AlertCheck] = []
    for rule in Self.singleRules where reason == nil || explaining {
      let result = reason == nil ? check(rule, entry) : SingleResult(outcome: .notReached)
      reason = reason ?? result.reason
      guard explaining else { continue }
      let inputs = result.outcome == .notReached ? [] : inputs(of: rule, entry)
      checks.append(AlertCheck(rule: rule, outcome: result.outcome, inputs: inputs))
    }
    guard let reason else {
      return AlertExplanation(
        decision: .alert(deliveryMilliseconds: entry.timeMilliseconds, group: []), checks: checks)
    }
    if explaining { checks += Self.notReached([.spot, .sameSecond, .budget]) }
    return AlertExplanation(decision: .suppressed(reason), checks: checks)
  }

  static func notReached(_ rules: [AlertCheck.Rule]) -> [AlertCheck] {
    rules.map { AlertCheck(rule: $0, outcome: .notReached, inputs: []) }
  }

  /// Groups candidates by spot, the one that speaks for its group first, in the order in which
  /// spots are decided.
  private func spots(of candidates: [Int], in entries: [Entry]) -> [[Int]] {
    guard candidates.count > 1 else { return candidates.map { [$0] } }
    let ranked = candidates.sorted {
      (entries[$0].priority, $0) < (entries[$1].priority, $1)
    }
    var spots: [[Int]] = []
    for index in ranked {
      let shared = spots.firstIndex { isOneSpot(entries[$0[0]].center, entries[index].center) }
      if let shared {
        spots[shared].append(index)
      } else {
        spots.append([index])
      }
    }
    return spots
  }

  private func isOneSpot(_ first: Coordinate, _ second: Coordinate) -> Bool {
    // A degree of latitude is at least 110,574 m long: most pairs need no geodesic.
    let apartDegrees = abs(first.latitudeDegrees - second.latitudeDegrees)
    guard apartDegrees * 110_574 <= options.spotMeters else { return false }
    return Geodesic.distanceMeters(first, second) <= options.spotMeters
  }

  private mutating func decideSpot(
    _ spot: [Int], in entries: [Entry], explaining: Bool, _ results: inout [AlertExplanation]
  ) {
    let time = entries[spot[0]].timeMilliseconds
    let outlook = outlook(atMilliseconds: time)
    if explaining {
      for index in spot {
        results[index].checks += spotChecks(index, of: spot, in: entries, outlook)
      }
    }
    guard outlook.isGranted else {
      for index in spot { results[index].decision = .suppressed(.budget) }
      return
    }
    for index in spot { state.noteAlert(placeID: entries[index].placeID, atMilliseconds: time) }
    for index in spot.dropFirst() { results[index].decision = .suppressed(.grouped) }
    results[spot[0]].decision = .alert(
      deliveryMilliseconds: outlook.deliveryMilliseconds,
      group: carriedIDs(spot.map { entries[$0].placeID }))
    noteDelivery(outlook, atMilliseconds: time)
  }

  /// Delivery and budget of an alert at a moment.
  private struct Outlook {
    /// When it would be shown; nil without time.
    var deliveryMilliseconds: Int64?
    /// How many others wait for their delivery.
    var pendingCount: Int
    /// Whether a slot is free for it.
    var isGranted: Bool
  }

  private func outlook(atMilliseconds time: Int64?) -> Outlook {
    let delivery = time.map {
      state.deliveryMilliseconds(from: $0, limit: options.sameSecondLimit)
    }
    let pending = time.map { state.pendingCount(atMilliseconds: $0) } ?? 0
    return Outlook(
      deliveryMilliseconds: delivery, pendingCount: pending,
      isGranted: options.pendingSlots.map { pending < $0 } ?? true)
  }

  private mutating func noteDelivery(_ outlook: Outlook, atMilliseconds time: Int64?) {
    guard let time, let delivery = outlook.deliveryMilliseconds else { return }
    state.insert(.init(enteredMilliseconds: time, deliveryMilliseconds: delivery))
  }

  /// The ids of a spot without its speaker's, each once: a path can enter a circle twice within a
  /// millisecond.
  private func carriedIDs(_ ids: [String]) -> [String] {
    var seen: Set<String> = [ids[0]]
    return ids.filter { seen.insert($0).inserted }
  }

  private func spotChecks(
    _ index: Int, of spot: [Int], in entries: [Entry], _ outlook: Outlook
  ) -> [AlertCheck] {
    let entry = entries[index]
    let speaker: [AlertCheck.Input] = [
      .init(name: "places-here", value: .count(spot.count)),
      .init(name: "spoken-for-by", value: .place(entries[spot[0]].placeID)),
      .init(name: "within", value: .meters(options.spotMeters)),
    ]
    guard index == spot[0] || !outlook.isGranted else {
      return [AlertCheck(rule: .spot, outcome: .refused, inputs: speaker)]
        + Self.notReached([.sameSecond, .budget])
    }
    return [
      AlertCheck(rule: .spot, outcome: .passed, inputs: speaker),
      sameSecondCheck(entry, delivery: outlook.deliveryMilliseconds),
      AlertCheck(
        rule: .budget,
        outcome: options.pendingSlots == nil
          ? .notApplied : outlook.isGranted ? .passed : .refused,
        inputs: [
          .init(name: "pending", value: .count(outlook.pendingCount)),
          .init(name: "slots", value: options.pendingSlots.map { .count($0) } ?? .unlimited),
        ]),
    ]
  }

  private func sameSecondCheck(_ entry: Entry, delivery: Int64?) -> AlertCheck {
    let isApplied = options.sameSecondLimit != nil && delivery != nil
    let isDelayed = delivery != entry.timeMilliseconds
    return AlertCheck(
      rule: .sameSecond, outcome: isApplied ? (isDelayed ? .delayed : .passed) : .notApplied,
      inputs: [
        .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
        .init(name: "delivery", value: .instant(orUnknown: delivery)),
        .init(name: "limit", value: options.sameSecondLimit.map { .count($0) } ?? .unlimited),
      ])
  }
}
