import FencepostFixes
import FencepostMonitoring
import FencepostNotifications

extension TrackSession {
  private struct Reportable {
    var crossing: Crossing
    var kind: AlertTrigger
    /// The place, or a stand-in with the reminder's id and title.
    var place: Place
    var isReminder = false
    /// What was shown instead of a reminder.
    var displacedBy: String?
    /// The decision of the policy; nil if this cannot alert.
    var decision: AlertDecision?
  }

  /// Reports everything on the way to a fix, with its speed in meters per second or NaN.
  ///
  /// The policy decides on all entries together. Events between two lookups that tie along the path
  /// are sorted by place id.
  mutating func report(speed: Double, emit: (Event) -> Void) {
    var stretches: [(crossings: [Reportable], refresh: Refresh?)] = [([], nil)]
    for event in follower.found {
      if let (crossing, kind) = event.encounter {
        guard let reportable = reportable(crossing, kind) else { continue }
        stretches[stretches.count - 1].crossings.append(reportable)
      } else if case .refresh(let refresh) = event {
        stretches[stretches.count - 1].refresh = refresh
        stretches.append(([], nil))
      }
    }
    var decided = decide(stretches.flatMap { $0.crossings }, speed: speed).makeIterator()
    for stretch in stretches {
      let crossings = stretch.crossings.map { decided.next() ?? $0 }
      // The engine breaks ties by key, but users see ids.
      let ordered = crossings.sorted {
        ($0.crossing.fraction, $0.place.id, $0.kind.order)
          < ($1.crossing.fraction, $1.place.id, $1.kind.order)
      }
      for crossing in ordered { report(crossing, emit: emit) }
      if let refresh = stretch.refresh { report(refresh, emit: emit) }
    }
  }

  /// A crossing with its place; nil if it is only counted or its place was deleted.
  private mutating func reportable(_ crossing: Crossing, _ kind: AlertTrigger) -> Reportable? {
    let source = follower.source
    if kind == .exit, alertsOn != .exit, !selection.contains(.exit),
      source.hasPlace(forKey: crossing.key)
    {
      summary.exits += 1
      return nil
    }
    if let place = try? source.place(forKey: crossing.key) {
      return Reportable(crossing: crossing, kind: kind, place: place)
    }
    guard kind != .dwell, let reminder = observer?.reminder(firedBy: crossing) else { return nil }
    return Reportable(
      crossing: crossing, kind: kind,
      place: Place(id: reminder.id, title: reminder.title, coordinate: crossing.coordinate),
      isReminder: true, displacedBy: reminder.displacedBy)
  }

  private mutating func decide(_ crossings: [Reportable], speed: Double) -> [Reportable] {
    let asked = crossings.indices.filter {
      crossings[$0].kind == alertsOn && !crossings[$0].isReminder
    }
    guard !asked.isEmpty else { return crossings }
    var crossings = crossings
    let entries = follower.decide(
      asked.map { (crossings[$0].place, crossings[$0].crossing) }, speed: speed)
    for (index, entry) in zip(asked, entries) {
      crossings[index].decision = entry.decision
      if entry.crossing.timeMilliseconds == nil { noteRulesWithoutTime(entry) }
    }
    return crossings
  }

  /// Records the time rules that could not apply to an entry without a time.
  private mutating func noteRulesWithoutTime(_ entry: AlertPolicy.Entry) {
    let options = follower.policy.options
    summary.rulesWithoutTime.formUnion(RulesWithoutTime(options, place: entry.place))
    guard case .seconds = options.cooldown, entry.isAlert,
      !alertedWithoutTime.insert(entry.place.key).inserted
    else { return }
    summary.rulesWithoutTime.insert(.cooldown)
  }

  private mutating func report(_ one: Reportable, emit: (Event) -> Void) {
    guard !one.isReminder else {
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
      if let deliveryMilliseconds {
        observer?.alerted(placeID: one.place.id, atMilliseconds: deliveryMilliseconds)
      }
      guard selection.contains(.alert) else { return }
      emit(
        .alert(encounter(one), Alert(deliveryMilliseconds: deliveryMilliseconds, group: group)))
    case .suppressed(let reason)?:
      summary.suppressed[reason.rawValue, default: 0] += 1
      guard selection.contains(.suppressed) else { return }
      emit(.suppressed(encounter(one), reason: reason.rawValue))
    }
  }

  private func encounter(_ one: Reportable) -> Encounter {
    let (crossing, place) = (one.crossing, one.place)
    var encounter = Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: place.id, title: place.title,
      distanceMeters: crossing.distanceMeters, acrossBreak: crossing.isAcrossBreak,
      crossed: showsCrossed
        ? Encounter.Crossed(timeMilliseconds: crossing.crossedMilliseconds) : nil,
      url: place.url, blurb: place.blurb, category: place.category)
    encounter.displacedBy = one.displacedBy
    return encounter
  }

  private mutating func report(_ refresh: Refresh, emit: (Event) -> Void) {
    summary.refreshes += 1
    everMonitored.formUnion(refresh.added)
    guard selection.contains(.refresh) else { return }
    let failure = follower.source.lastFailure ?? "the store did not answer"
    emit(
      .refresh(
        RefreshEvent(
          track: name, device: device, segment: summary.segments - 1, fix: fixCount - 1,
          fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
          coordinate: refresh.coordinate, monitored: refresh.monitored,
          added: refresh.added.count, removed: refresh.removed.count,
          radiusMeters: refresh.radiusMeters, reachMeters: refresh.reachMeters,
          failure: refresh.hasFailed ? failure : nil)))
  }
}
