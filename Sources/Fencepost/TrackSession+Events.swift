import FencepostFixes
import FencepostMonitoring
import FencepostNotifications

/// A crossing that has an event to report, with its place or reminder.
///
/// A class, because it is passed on a few times and a place is large.
private final class ReportableCrossing {
  enum Owner {
    case place(Place)
    case reminder(FiredReminder)
  }

  let crossing: Crossing
  let kind: AlertTrigger
  let owner: Owner
  /// The policy's decision, for what can alert.
  var decision: AlertDecision?

  init(_ crossing: Crossing, _ kind: AlertTrigger, of owner: Owner) {
    self.crossing = crossing
    self.kind = kind
    self.owner = owner
  }

  /// What the policy decides about, if this alerts.
  func entry(_ trigger: AlertTrigger) -> EntryPolicy.Entry? {
    guard kind == trigger, case .place(let place) = owner else { return nil }
    return (place, crossing)
  }

  var id: String {
    switch owner {
    case .place(let place): place.id
    case .reminder(let reminder): reminder.id
    }
  }
}

/// Turns the engine's crossings and refreshes into events.
extension TrackSession {
  /// Reports everything found on the way to a fix.
  ///
  /// The policy decides about all entries together; events between two refreshes are sorted by place
  /// id where they tie along the path.
  mutating func report(at fix: Fix, emit: (Event) -> Void) {
    let reportable: [ReportableCrossing?] = found.map { event in
      switch event {
      case .crossing(let crossing): self.reportable(crossing, crossing.isEnter ? .enter : .exit)
      case .dwell(let dwell): self.reportable(dwell, .dwell)
      case .refresh: nil
      }
    }
    decide(reportable.compactMap(\.self), at: fix)
    var pending: [ReportableCrossing] = []
    for (event, crossing) in zip(found, reportable) {
      if let crossing { pending.append(crossing) }
      guard case .refresh(let refresh) = event else { continue }
      report(&pending, emit: emit)
      report(refresh, emit: emit)
    }
    report(&pending, emit: emit)
  }

  /// A crossing with its owner; nil if it is only counted or its place is gone.
  private mutating func reportable(
    _ crossing: Crossing, _ kind: AlertTrigger
  ) -> ReportableCrossing? {
    if kind == .exit, alertsOn != .exit, !selection.contains(.exit),
      source.hasPlace(forKey: crossing.key)
    {
      summary.exits += 1
      return nil
    }
    if let place = try? source.place(forKey: crossing.key) {
      return ReportableCrossing(crossing, kind, of: .place(place))
    }
    guard kind != .dwell else { return nil }
    return observer?.reminder(firedBy: crossing).map {
      ReportableCrossing(crossing, kind, of: .reminder($0))
    }
  }

  private mutating func decide(_ crossings: [ReportableCrossing], at fix: Fix) {
    let entries = crossings.compactMap { $0.entry(alertsOn) }
    guard !entries.isEmpty else { return }
    var decisions = policy.decide(entries, speed: speed(at: fix)).makeIterator()
    for crossing in crossings {
      guard let entry = crossing.entry(alertsOn) else { continue }
      crossing.decision = decisions.next()
      if entry.crossing.timeMilliseconds == nil { note(entry, crossing.decision) }
    }
  }

  /// Notes which rules about time an entry without one has escaped.
  private mutating func note(_ entry: EntryPolicy.Entry, _ decision: AlertDecision?) {
    let options = policy.policy.options
    summary.rulesWithoutTime.formUnion(RulesWithoutTime(options, place: entry.place))
    guard case .seconds = options.cooldown, case .alert? = decision,
      !alertedWithoutTime.insert(entry.place.key).inserted
    else { return }
    summary.rulesWithoutTime.insert(.cooldown)
  }

  private mutating func report(_ pending: inout [ReportableCrossing], emit: (Event) -> Void) {
    // The engine breaks ties by key; users know ids.
    pending.sort {
      ($0.crossing.fraction, $0.id, $0.kind.order) < ($1.crossing.fraction, $1.id, $1.kind.order)
    }
    for crossing in pending { report(crossing, emit: emit) }
    pending.removeAll()
  }

  private mutating func report(_ one: ReportableCrossing, emit: (Event) -> Void) {
    guard case .place = one.owner else {
      guard selection.contains(.reminder) else { return }
      return emit(.reminder(encounter(one), edge: one.crossing.isEnter ? .enter : .exit))
    }
    switch one.kind {
    case .enter:
      summary.enters += 1
      if selection.contains(.enter) { emit(.enter(encounter(one))) }
    case .dwell:
      summary.dwells = (summary.dwells ?? 0) + 1
      if selection.contains(.dwell) { emit(.dwell(encounter(one))) }
    case .exit:
      summary.exits += 1
      if selection.contains(.exit) { emit(.exit(encounter(one))) }
    }
    switch one.decision {
    case nil: return
    case .alert(let deliveryMilliseconds, let group)?:
      summary.alerts += 1
      guard selection.contains(.alert) else { return }
      emit(
        .alert(encounter(one), Alert(deliveryMilliseconds: deliveryMilliseconds, group: group)))
    case .suppressed(let reason)?:
      summary.suppressed[reason.rawValue, default: 0] += 1
      guard selection.contains(.suppressed) else { return }
      emit(.suppressed(encounter(one), reason: reason.rawValue))
    }
  }

  /// A crossing as reports show it.
  private func encounter(_ one: ReportableCrossing) -> Encounter {
    let crossing = one.crossing
    var encounter = Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: engine.fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: one.id, title: "",
      distanceMeters: crossing.distanceMeters, acrossBreak: crossing.isAcrossBreak,
      crossed: showsCrossed
        ? Encounter.Crossed(timeMilliseconds: crossing.crossedMilliseconds) : nil)
    switch one.owner {
    case .place(let place):
      encounter.title = place.title
      encounter.url = place.url
      encounter.blurb = place.blurb
      encounter.category = place.category
    case .reminder(let reminder):
      encounter.title = reminder.title
    }
    return encounter
  }

  private mutating func report(_ refresh: Refresh, emit: (Event) -> Void) {
    summary.refreshes += 1
    for key in refresh.added { everMonitored.insert(key) }
    guard selection.contains(.refresh) else { return }
    emit(
      .refresh(
        RefreshEvent(
          track: name, device: device, segment: summary.segments - 1,
          fix: engine.fixCount - 1, fraction: refresh.fraction,
          timeMilliseconds: refresh.timeMilliseconds, coordinate: refresh.coordinate,
          monitored: refresh.monitored, added: refresh.added.count,
          removed: refresh.removed.count, radiusMeters: refresh.radiusMeters,
          reachMeters: refresh.reachMeters,
          failure: refresh.hasFailed ? source.lastFailure ?? "the store did not answer" : nil)))
  }
}

extension AlertTrigger {
  /// The order of what one region has at one point of the path.
  package var order: Int {
    switch self {
    case .enter: 0
    case .dwell: 1
    case .exit: 2
    }
  }
}
