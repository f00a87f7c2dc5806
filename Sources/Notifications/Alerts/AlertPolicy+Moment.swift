import Geodesy

// The checks that look at all enters of one moment together.
extension AlertPolicy {
  mutating func evaluate(_ enters: [Enter], explaining: Bool) -> [AlertExplanation] {
    var results: [AlertExplanation] = []
    results.reserveCapacity(enters.count)
    var start = 0
    while start < enters.count {
      let time = enters[start].timeMilliseconds
      var end = start + 1
      while end < enters.count, enters[end].timeMilliseconds == time { end += 1 }
      evaluateMoment(enters, start..<end, explaining: explaining, &results)
      start = end
    }
    return results
  }

  private mutating func evaluateMoment(
    _ enters: [Enter], _ moment: Range<Int>, explaining: Bool,
    _ results: inout [AlertExplanation]
  ) {
    if let time = enters[moment.lowerBound].timeMilliseconds {
      state.forgetDeliveries(before: time)
    }
    var candidates: [Int] = []
    for index in moment {
      let enter = enters[index]
      let result = evaluateSingle(enter, explaining: explaining)
      results.append(result)
      if result.decision.suppressionReason == nil { candidates.append(index) }
      if let time = enter.timeMilliseconds {
        observe(speedMetersPerSecond: enter.speedMetersPerSecond, atMilliseconds: time)
      }
    }
    for spot in spots(of: candidates, in: enters) {
      decideSpot(spot, in: enters, explaining: explaining, &results)
    }
  }

  /// Decides about an enter that is alone at its moment, as ``evaluate(_:explaining:)`` does, without
  /// an array.
  mutating func decideLone(_ enter: Enter) -> AlertDecision {
    let time = enter.timeMilliseconds
    if let time { state.forgetDeliveries(before: time) }
    let reason = refusal(of: enter)
    if let time {
      observe(speedMetersPerSecond: enter.speedMetersPerSecond, atMilliseconds: time)
    }
    if let reason { return .suppressed(reason) }
    let outlook = outlook(atMilliseconds: time)
    guard outlook.isGranted else { return .suppressed(.budget) }
    state.noteAlert(placeID: enter.placeID, atMilliseconds: time)
    noteDelivery(outlook, atMilliseconds: time)
    return .alert(deliveryMilliseconds: outlook.deliveryMilliseconds, group: [])
  }

  private func evaluateSingle(_ enter: Enter, explaining: Bool) -> AlertExplanation {
    guard explaining else {
      let alert = AlertDecision.alert(deliveryMilliseconds: enter.timeMilliseconds, group: [])
      return AlertExplanation(
        decision: refusal(of: enter).map { .suppressed($0) } ?? alert, checks: [])
    }
    var reason: SuppressionReason?
    var checks: [AlertCheck] = []
    for rule in Self.singleRules {
      let result = reason == nil ? check(rule, enter) : SingleResult(outcome: .notReached)
      reason = reason ?? result.reason
      let inputs = result.outcome == .notReached ? [] : inputs(of: rule, enter)
      checks.append(AlertCheck(rule: rule, outcome: result.outcome, inputs: inputs))
    }
    guard let reason else {
      return AlertExplanation(
        decision: .alert(deliveryMilliseconds: enter.timeMilliseconds, group: []), checks: checks)
    }
    checks += Self.notReached([.spot, .sameSecond, .budget])
    return AlertExplanation(decision: .suppressed(reason), checks: checks)
  }

  static func notReached(_ rules: [AlertCheck.Rule]) -> [AlertCheck] {
    rules.map { AlertCheck(rule: $0, outcome: .notReached, inputs: []) }
  }

  /// Candidates that share a spot, the one that speaks for the others first; spots in the order in
  /// which they are to be decided.
  private func spots(of candidates: [Int], in enters: [Enter]) -> [[Int]] {
    guard candidates.count > 1 else { return candidates.map { [$0] } }
    let ranked = candidates.sorted {
      (enters[$0].priority, $0) < (enters[$1].priority, $1)
    }
    var spots: [[Int]] = []
    for index in ranked {
      let shared = spots.firstIndex { isOneSpot(enters[$0[0]].center, enters[index].center) }
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
    _ spot: [Int], in enters: [Enter], explaining: Bool, _ results: inout [AlertExplanation]
  ) {
    let time = enters[spot[0]].timeMilliseconds
    let outlook = outlook(atMilliseconds: time)
    if explaining {
      for index in spot {
        results[index].checks += spotChecks(index, of: spot, in: enters, outlook)
      }
    }
    guard outlook.isGranted else {
      for index in spot { results[index].decision = .suppressed(.budget) }
      return
    }
    for index in spot { state.noteAlert(placeID: enters[index].placeID, atMilliseconds: time) }
    for index in spot.dropFirst() { results[index].decision = .suppressed(.grouped) }
    results[spot[0]].decision = .alert(
      deliveryMilliseconds: outlook.deliveryMilliseconds,
      group: carriedIDs(spot.map { enters[$0].placeID }))
    noteDelivery(outlook, atMilliseconds: time)
  }

  /// What an alert at a moment could count on.
  private struct Outlook {
    /// When it would be shown, nil without time.
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

  /// The ids of a spot without its speaker's, each once: within a millisecond a path can enter a
  /// circle twice.
  private func carriedIDs(_ ids: [String]) -> [String] {
    var seen: Set<String> = [ids[0]]
    return ids.filter { seen.insert($0).inserted }
  }

  private func spotChecks(
    _ index: Int, of spot: [Int], in enters: [Enter], _ outlook: Outlook
  ) -> [AlertCheck] {
    let enter = enters[index]
    let speaker: [AlertCheck.Input] = [
      .init(name: "places-here", value: .count(spot.count)),
      .init(name: "spoken-for-by", value: .place(enters[spot[0]].placeID)),
      .init(name: "within", value: .meters(options.spotMeters)),
    ]
    guard index == spot[0] || !outlook.isGranted else {
      return [AlertCheck(rule: .spot, outcome: .refused, inputs: speaker)]
        + Self.notReached([.sameSecond, .budget])
    }
    return [
      AlertCheck(rule: .spot, outcome: .passed, inputs: speaker),
      sameSecondCheck(enter, delivery: outlook.deliveryMilliseconds),
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

  private func sameSecondCheck(_ enter: Enter, delivery: Int64?) -> AlertCheck {
    let isApplied = options.sameSecondLimit != nil && delivery != nil
    let isDelayed = delivery != enter.timeMilliseconds
    return AlertCheck(
      rule: .sameSecond, outcome: isApplied ? (isDelayed ? .delayed : .passed) : .notApplied,
      inputs: [
        .init(name: "entered", value: .instant(orUnknown: enter.timeMilliseconds)),
        .init(name: "delivery", value: .instant(orUnknown: delivery)),
        .init(name: "limit", value: options.sameSecondLimit.map { .count($0) } ?? .unlimited),
      ])
  }
}
