import Fixes
import Monitoring
import Notifications
import Places

/// From what the engine found to what a report shows.
extension TrackSession {
  /// A crossing of an edge that has something to say.
  ///
  /// A class, for it is handed on a few times and a place is large.
  private final class Met {
    /// Whose circle it was.
    enum Owner {
      case place(Place)
      case reminder(FiredReminder)
    }

    let crossing: Crossing
    let isEnter: Bool
    let owner: Owner
    /// What the policy said of an enter into a place's circle.
    var decision: AlertDecision?

    init(crossing: Crossing, isEnter: Bool, owner: Owner) {
      self.crossing = crossing
      self.isEnter = isEnter
      self.owner = owner
    }

    /// What the policy is asked, for an enter into a place's circle.
    var entry: EntryPolicy.Entry? {
      guard isEnter, case .place(let place) = owner else { return nil }
      return EntryPolicy.Entry(place: place, crossing: crossing)
    }

    var id: String {
      switch owner {
      case .place(let place): place.id
      case .reminder(let reminder): reminder.id
      }
    }
  }

  mutating func report(at fix: Fix, emit: (Event) -> Void) {
    // Most often it is one thing, which needs no arrays.
    if found.count == 1 { return reportOnly(found[0], at: fix, emit: emit) }
    var met: [Met] = []
    var refreshes: [(met: Int, refresh: Refresh)] = []
    for event in found {
      switch event {
      case .enter, .exit: if let one = self.met(event) { met.append(one) }
      case .refresh(let refresh):
        // What was met before a refresh stands before it, and is decided with what comes after.
        guard met.isEmpty else {
          refreshes.append((met.count, refresh))
          continue
        }
        report(refresh, emit: emit)
      }
    }
    guard !met.isEmpty else { return }
    decide(met, at: fix)
    var begin = 0
    for (end, refresh) in refreshes {
      report(&met, begin..<end, emit: emit)
      report(refresh, emit: emit)
      begin = end
    }
    report(&met, begin..<met.count, emit: emit)
  }

  private mutating func reportOnly(_ event: EngineEvent, at fix: Fix, emit: (Event) -> Void) {
    if case .refresh(let refresh) = event { return report(refresh, emit: emit) }
    guard let only = met(event) else { return }
    if let entry = only.entry { only.decision = policy.decide(entry, speed: speed(at: fix)) }
    report(only, emit: emit)
  }

  /// What there is to say of a crossing; nil where it is only counted, and of anything else.
  private mutating func met(_ event: EngineEvent) -> Met? {
    let (crossing, isEnter): (Crossing, Bool)
    switch event {
    case .enter(let enter): (crossing, isEnter) = (enter, true)
    case .exit(let exit): (crossing, isEnter) = (exit, false)
    case .refresh: return nil
    }
    if !isEnter, !selection.contains(.exit), source.hasPlace(forKey: crossing.key) {
      summary.exits += 1
      return nil
    }
    if let place = try? source.place(forKey: crossing.key) {
      return Met(crossing: crossing, isEnter: isEnter, owner: .place(place))
    }
    // A place that vanished from the store since it was monitored has no story to tell.
    return witness?.reminder(firedBy: crossing, entering: isEnter).map {
      Met(crossing: crossing, isEnter: isEnter, owner: .reminder($0))
    }
  }

  /// Has the policy decide about all enters on the way to the fix.
  private mutating func decide(_ met: [Met], at fix: Fix) {
    let entries = met.compactMap(\.entry)
    guard !entries.isEmpty else { return }
    var decisions = policy.decide(entries, speed: speed(at: fix)).makeIterator()
    for one in met where one.entry != nil { one.decision = decisions.next() }
  }

  private mutating func report(
    _ met: inout [Met], _ range: Range<Int>, emit: (Event) -> Void
  ) {
    if range.count > 1 {
      // Ties in the engine's order are by key; users know ids.
      met[range].sort { ($0.crossing.fraction, $0.id) < ($1.crossing.fraction, $1.id) }
    }
    for one in met[range] { report(one, emit: emit) }
  }

  private mutating func report(_ one: Met, emit: (Event) -> Void) {
    guard case .place = one.owner else {
      guard selection.contains(.reminder) else { return }
      return emit(.reminder(encounter(one), edge: one.isEnter ? .enter : .exit))
    }
    switch one.decision {
    case nil:
      summary.exits += 1
      if selection.contains(.exit) { emit(.exit(encounter(one))) }
    case .alert(let deliveryMilliseconds, let group)?:
      reportEnter(one, emit: emit)
      summary.alerts += 1
      guard selection.contains(.alert) else { return }
      emit(
        .alert(encounter(one), Alert(deliveryMilliseconds: deliveryMilliseconds, group: group)))
    case .suppressed(let reason)?:
      reportEnter(one, emit: emit)
      summary.suppressed[reason.rawValue, default: 0] += 1
      guard selection.contains(.suppressed) else { return }
      emit(.suppressed(encounter(one), reason: reason.rawValue))
    }
  }

  private mutating func reportEnter(_ one: Met, emit: (Event) -> Void) {
    summary.enters += 1
    if selection.contains(.enter) { emit(.enter(encounter(one))) }
  }

  /// A crossing as reports show it.
  private func encounter(_ one: Met) -> Encounter {
    let crossing = one.crossing
    var encounter = Encounter(
      track: name, device: device, segment: summary.segments - 1, fix: engine.fixCount - 1,
      fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds,
      coordinate: crossing.coordinate, placeID: one.id, title: "",
      distanceMeters: crossing.distanceMeters, acrossBreak: crossing.isAcrossBreak)
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
