import FencepostGeodesy
import FencepostMonitoring

extension AlertPolicy {
  mutating func decideMoment(_ moment: Range<Int>, of entries: inout [Entry]) {
    if let time = entries[moment.lowerBound].timeMilliseconds {
      state.forgetDeliveries(before: time)
    }
    for index in moment {
      decideAlone(&entries[index])
      if let time = entries[index].timeMilliseconds {
        observe(speedMetersPerSecond: entries[index].speedMetersPerSecond, atMilliseconds: time)
      }
    }
    for spot in spots(of: moment.filter { entries[$0].isAlert }, in: entries) {
      decideSpot(spot, of: &entries)
    }
  }

  /// Applies the rules that look at one entry; the first refusal decides.
  private func decideAlone(_ entry: inout Entry) {
    var reason: SuppressionReason?
    for rule in Self.singleRules {
      let check = reason == nil ? check(rule, entry) : AlertCheck(rule, .notReached)
      entry.checks.append(check)
      reason = reason ?? check.reason
    }
    guard let reason else { return }
    entry.decision = .suppressed(reason)
    entry.checks += [.spot, .sameSecond, .budget].map { AlertCheck($0, .notReached) }
  }

  /// Groups candidates by position and priority; the first of a group stands for the rest.
  private func spots(of candidates: [Int], in entries: [Entry]) -> [[Int]] {
    guard candidates.count > 1 else { return candidates.map { [$0] } }
    let ranked = candidates.sorted {
      (entries[$0].place.priority, $0) < (entries[$1].place.priority, $1)
    }
    var spots: [[Int]] = []
    for index in ranked {
      let shared = spots.firstIndex { isOneSpot(entries[$0[0]].place, entries[index].place) }
      if let shared {
        spots[shared].append(index)
      } else {
        spots.append([index])
      }
    }
    return spots
  }

  private func isOneSpot(_ one: Place, _ other: Place) -> Bool {
    let (first, second) = (one.coordinate, other.coordinate)
    // A degree of latitude is at least 110,574 m, so most pairs need no geodesic.
    let apartDegrees = abs(first.latitudeDegrees - second.latitudeDegrees)
    guard apartDegrees * 110_574 <= options.spotMeters else { return false }
    return Geodesic.distanceMeters(first, second) <= options.spotMeters
  }

  private mutating func decideSpot(_ spot: [Int], of entries: inout [Entry]) {
    let time = entries[spot[0]].timeMilliseconds
    let outlook = outlook(atMilliseconds: time)
    for index in spot {
      entries[index].checks += spotChecks(index, of: spot, in: entries, outlook)
    }
    guard outlook.isGranted else {
      for index in spot { entries[index].decision = .suppressed(.budget) }
      return
    }
    for index in spot { state.noteAlert(placeID: entries[index].place.id, atMilliseconds: time) }
    for index in spot.dropFirst() { entries[index].decision = .suppressed(.grouped) }
    entries[spot[0]].decision = .alert(
      deliveryMilliseconds: outlook.deliveryMilliseconds,
      group: carriedIDs(spot.map { entries[$0].place.id }))
    guard let time, let delivery = outlook.deliveryMilliseconds else { return }
    state.insert(.init(enteredMilliseconds: time, deliveryMilliseconds: delivery))
  }

  private struct Outlook {
    var deliveryMilliseconds: Int64?
    var pendingCount: Int
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

  /// The other ids of a group, each once: a path can enter a circle twice within a millisecond.
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
      .init(name: "spoken-for-by", value: .place(entries[spot[0]].place.id)),
      .init(name: "within", value: .meters(options.spotMeters)),
    ]
    guard index == spot[0] || !outlook.isGranted else {
      return [AlertCheck(.spot, refusing: .grouped, inputs: speaker)]
        + [.sameSecond, .budget].map { AlertCheck($0, .notReached) }
    }
    return [
      AlertCheck(.spot, inputs: speaker),
      sameSecondCheck(entry, delivery: outlook.deliveryMilliseconds),
      AlertCheck(
        .budget, isApplied: options.pendingSlots != nil,
        refusing: outlook.isGranted ? nil : .budget,
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
      .sameSecond, isApplied ? (isDelayed ? .delayed : .passed) : .notApplied,
      inputs: [
        .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
        .init(name: "delivery", value: .instant(orUnknown: delivery)),
        .init(name: "limit", value: options.sameSecondLimit.map { .count($0) } ?? .unlimited),
      ])
  }
}
