import FencepostGeodesy
import FencepostMonitoring

extension AlertPolicy {
  mutating func decide(_ moment: Range<Int>, of entries: inout [AlertEntry]) {
    let time = entries[moment.lowerBound].timeMilliseconds
    if let time { state.forgetDeliveries(before: time) }
    for index in moment {
      decideAlone(&entries[index])
      if let time {
        observe(speedMetersPerSecond: entries[index].speedMetersPerSecond, atMilliseconds: time)
      }
    }
    for spot in spots(of: moment.filter { entries[$0].isAlert }, in: entries) {
      decideSpot(spot, of: &entries)
    }
  }

  // MARK: One entry

  /// Applies the rules that look at one entry; the first refusal decides.
  private func decideAlone(_ entry: inout AlertEntry) {
    var reason: SuppressionReason?
    func apply(_ rule: AlertCheck.Rule, _ test: (AlertEntry) -> AlertCheck) {
      let check = reason == nil ? test(entry) : AlertCheck(rule, .notReached)
      note([check], in: &entry)
      reason = reason ?? check.reason
    }
    // As closures, because a method's name would copy the policy.
    apply(.validity) { validity(of: $0) }
    apply(.quietHours) { quietHours(at: $0) }
    apply(.driving) { driving(at: $0) }
    apply(.cooldown) { cooldown(at: $0) }
    guard let reason else { return }
    entry.decision = .suppressed(reason)
    note([.spot, .sameSecond, .budget].map { AlertCheck($0, .notReached) }, in: &entry)
  }

  /// Adds what rules found to an entry, if it is wanted.
  private func note(_ checks: @autoclosure () -> [AlertCheck], in entry: inout AlertEntry) {
    if explains { entry.checks += checks() }
  }

  /// What a rule looked at, if it is wanted.
  private func noted(_ inputs: @autoclosure () -> [AlertCheck.Input]) -> [AlertCheck.Input] {
    explains ? inputs() : []
  }

  private func validity(of entry: AlertEntry) -> AlertCheck {
    let lifetime = entry.place.lifetime
    let time = options.dateMilliseconds(ofEntryAt: entry.timeMilliseconds)
    let reason = time.flatMap { lifetime.obstacle(atMilliseconds: $0) }
    var inputs = noted([
      .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
      .init(name: "published", value: .instant(orUnlimited: lifetime.publishedMilliseconds)),
      .init(name: "expires", value: .instant(orUnlimited: lifetime.expiresMilliseconds)),
    ])
    if let time, time != entry.timeMilliseconds, !inputs.isEmpty {
      inputs.insert(.init(name: "counts-as", value: .instant(time)), at: 1)
    }
    return AlertCheck(.validity, isApplied: time != nil, refusing: reason, inputs: inputs)
  }

  private func quietHours(at entry: AlertEntry) -> AlertCheck {
    guard let quietHours = options.quietHours else { return AlertCheck(.quietHours, .notApplied) }
    let time = entry.timeMilliseconds
    let local = time.flatMap {
      TimeOfDay(secondOfDay: quietHours.zone.secondOfDay(atMilliseconds: $0))
    }
    let isQuiet = time.map { quietHours.contains(milliseconds: $0) } ?? false
    return AlertCheck(
      .quietHours, isApplied: time != nil, refusing: isQuiet ? .quietHours : nil,
      inputs: noted([
        .init(name: "local-time", value: local.map { .timeOfDay($0) } ?? .unknown),
        .init(name: "quiet-from", value: .timeOfDay(quietHours.start)),
        .init(name: "quiet-until", value: .timeOfDay(quietHours.end)),
      ]))
  }

  private func driving(at entry: AlertEntry) -> AlertCheck {
    guard let limit = options.maxAlertSpeedMetersPerSecond else {
      return AlertCheck(.driving, .notApplied)
    }
    let speed = entry.speedMetersPerSecond
    var isDriving = speed > limit
    if let time = entry.timeMilliseconds, let last = state.drivingMilliseconds, last <= time {
      isDriving = isDriving || time - last < AlertOptions.drivingMemoryMilliseconds
    }
    return AlertCheck(
      .driving, isApplied: !speed.isNaN, refusing: isDriving ? .driving : nil,
      inputs: noted([
        .init(name: "speed", value: speed.isNaN ? .unknown : .metersPerSecond(speed)),
        .init(name: "last-driving", value: .instant(orUnknown: state.drivingMilliseconds)),
        .init(name: "limit", value: .metersPerSecond(limit)),
      ]))
  }

  private func cooldown(at entry: AlertEntry) -> AlertCheck {
    let last = state.alerted[entry.place.id]
    var isApplied = true
    var isCooling = false
    let length: AlertCheck.Value
    switch options.cooldown {
    case .none: (isApplied, length) = (false, .seconds(0))
    case .forever: (isCooling, length) = (last != nil, .unlimited)
    case .seconds(let seconds):
      length = .seconds(Double(seconds))
      isApplied = entry.timeMilliseconds != nil
      if let time = entry.timeMilliseconds, let last = last ?? nil {
        // The parts of a file may be in any time order, so this checks both directions.
        let (needed, overflows) = seconds.magnitude.multipliedReportingOverflow(by: 1000)
        isCooling = overflows || (time - last).magnitude < needed
      }
    }
    return AlertCheck(
      .cooldown, isApplied: isApplied, refusing: isCooling ? .cooldown : nil,
      inputs: noted([
        .init(name: "entered", value: .instant(orUnknown: entry.timeMilliseconds)),
        .init(name: "last-alert", value: .instant(orUnknown: last ?? nil)),
        .init(name: "cooldown", value: length),
      ]))
  }

  // MARK: Entries at one position

  /// Groups candidates by position and priority; the first of a group stands for the rest.
  private func spots(of candidates: [Int], in entries: [AlertEntry]) -> [[Int]] {
    guard candidates.count > 1 else { return candidates.map { [$0] } }
    let ranked = candidates.sorted {
      (entries[$0].place.priority, $0) < (entries[$1].place.priority, $1)
    }
    var spots: [[Int]] = []
    for index in ranked {
      let here = entries[index].place.coordinate
      let shared = spots.firstIndex { spot in
        let there = entries[spot[0]].place.coordinate
        // A degree of latitude is at least 110,574 m, so most pairs need no geodesic.
        let apartDegrees = abs(there.latitudeDegrees - here.latitudeDegrees)
        return apartDegrees * 110_574 <= options.spotMeters
          && Geodesic.distanceMeters(there, here) <= options.spotMeters
      }
      if let shared { spots[shared].append(index) } else { spots.append([index]) }
    }
    return spots
  }

  private mutating func decideSpot(_ spot: [Int], of entries: inout [AlertEntry]) {
    let time = entries[spot[0]].timeMilliseconds
    let delivery = time.map { state.deliveryMilliseconds(from: $0, limit: options.sameSecondLimit) }
    let pendingCount = time.map { state.pendingCount(atMilliseconds: $0) } ?? 0
    let isGranted = options.pendingSlots.map { pendingCount < $0 } ?? true
    let isSecondLimited = options.sameSecondLimit != nil && delivery != nil
    let speaker = AlertCheck(
      .spot,
      inputs: noted([
        .init(name: "places-here", value: .count(spot.count)),
        .init(name: "spoken-for-by", value: .place(entries[spot[0]].place.id)),
        .init(name: "within", value: .meters(options.spotMeters)),
      ]))
    let sameSecond = AlertCheck(
      .sameSecond, !isSecondLimited ? .notApplied : delivery == time ? .passed : .delayed,
      inputs: noted([
        .init(name: "entered", value: .instant(orUnknown: time)),
        .init(name: "delivery", value: .instant(orUnknown: delivery)),
        .init(name: "limit", value: options.sameSecondLimit.map { .count($0) } ?? .unlimited),
      ]))
    let budget = AlertCheck(
      .budget, isApplied: options.pendingSlots != nil, refusing: isGranted ? nil : .budget,
      inputs: noted([
        .init(name: "pending", value: .count(pendingCount)),
        .init(name: "slots", value: options.pendingSlots.map { .count($0) } ?? .unlimited),
      ]))
    for index in spot where index == spot[0] || !isGranted {
      note([speaker, sameSecond, budget], in: &entries[index])
      if !isGranted { entries[index].decision = .suppressed(.budget) }
    }
    guard isGranted else { return }
    for index in spot.dropFirst() {
      note(
        [
          AlertCheck(.spot, refusing: .grouped, inputs: speaker.inputs),
          AlertCheck(.sameSecond, .notReached), AlertCheck(.budget, .notReached),
        ], in: &entries[index])
      entries[index].decision = .suppressed(.grouped)
    }
    for index in spot {
      let id = entries[index].place.id
      // An alert without a time must not restart a cooldown.
      if time != nil || state.alerted[id] == nil { state.alerted[id] = .some(time) }
    }
    entries[spot[0]].decision = .alert(
      deliveryMilliseconds: delivery, group: group(of: spot, in: entries))
    if let time, let delivery {
      state.insert(.init(enteredMilliseconds: time, deliveryMilliseconds: delivery))
    }
  }
  /// The ids of the other places that a spot's first entry stands for, each once, because a path
  /// can enter a circle twice within a millisecond.
  private func group(of spot: [Int], in entries: [AlertEntry]) -> [String] {
    guard spot.count > 1 else { return [] }
    var seen: Set<String> = [entries[spot[0]].place.id]
    return spot.map { entries[$0].place.id }.filter { seen.insert($0).inserted }
  }
}
