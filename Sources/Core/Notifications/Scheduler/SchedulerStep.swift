import FencepostMonitoring
import FencepostTime

/// One update as a value: computes what to save, remove and add.
struct SchedulerStep {
  private let state: SchedulerState
  private let pending: [String: NotificationRequest]
  /// The requests shown since the last update; nil if the center does not know.
  private let deliveredByCenter: Set<String>?
  private let situation: NotificationScheduler.Situation
  private let budget: NotificationBudget
  private let isRestoring: Bool
  private(set) var shown: [SchedulerState.Shown]

  private(set) var live: [NotificationRequest] = []
  private(set) var newState = SchedulerState()
  /// The requests to add, the most important last.
  private(set) var additions: [NotificationRequest] = []
  private(set) var report = SchedulerReport()

  init(
    state: SchedulerState, pending: [NotificationRequest], deliveredByCenter: Set<String>?,
    situation: NotificationScheduler.Situation, budget: NotificationBudget, isRestoring: Bool
  ) {
    self.state = state
    self.deliveredByCenter = deliveredByCenter
    self.budget = budget
    self.pending = Dictionary(pending.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    self.situation = situation
    self.isRestoring = isRestoring
    shown = state.shown.filter { $0.untilMilliseconds > situation.nowMilliseconds }
    findLive()
  }

  /// The new state with the additions confirmed; nil if that makes no difference.
  var confirmedState: SchedulerState? {
    guard additions.contains(where: \.trigger.needsConfirmation) else { return nil }
    var confirmed = newState
    for index in confirmed.entries.indices where confirmed.entries[index].isScheduled {
      confirmed.entries[index].isConfirmed = true
    }
    return confirmed
  }

  /// Finds the live requests, and what happened to the others.
  private mutating func findLive() {
    var found: [(fire: Int64, request: NotificationRequest)] = []
    for entry in state.entries {
      let request = entry.request
      let isHeld = entry.isScheduled && entry.isConfirmed
      let isGone = !isRestoring && pending[request.identifier] == nil
      let next = request.nextFire(afterMilliseconds: situation.nowMilliseconds, in: situation.zone)
      switch next {
      case .never where !entry.isScheduled || wasPassedOver(entry):
        report.missed.append(request.identifier)
      case .never: noteDelivered(request)
      // After a crash before confirmation it is shown twice, which is better than never.
      case .immediately where isHeld: noteDelivered(request)
      case .immediately: found.append((.min, request))
      case .atCrossing where isHeld && isGone && !request.trigger.repeats: noteDelivered(request)
      case .atCrossing: found.append((.max, request))
      case .at where isGone && hasFiredElsewhere(entry): noteDelivered(request)
      case .at(let milliseconds): found.append((milliseconds, request))
      }
    }
    live = found.sorted(on: { ($0.fire, $0.request.identifier) }, by: <).map(\.request)
  }

  private mutating func noteDelivered(_ request: NotificationRequest) {
    report.delivered.append(request.identifier)
    guard request.trigger.dateByAnyClock != nil else { return }
    shown.append(
      .init(
        identifier: request.identifier, trigger: request.trigger,
        untilMilliseconds: situation.nowMilliseconds + Self.widestMoveMilliseconds))
  }

  // MARK: After the change

  /// Plans the changed requests, and if asked for also those of other owners that are pending.
  mutating func settle(_ changed: [NotificationRequest], rankingOthers: Bool = false) {
    var requests = withoutReplaced(changed)
    for index in requests.indices where requests[index].askedMilliseconds == nil {
      requests[index].askedMilliseconds = situation.nowMilliseconds
    }
    // A request that fired on another zone's clock must not fire again.
    let fired = Dictionary(shown.map { ($0.identifier, $0.trigger) }, uniquingKeysWith: { $1 })
    func isAgain(_ request: NotificationRequest) -> Bool {
      // Both have the same floating date and time, apart from staggering.
      guard let own = request.trigger.dateByAnyClock,
        let last = fired[request.identifier]?.dateByAnyClock
      else { return false }
      return abs(own - last) < 60
    }
    let again = fired.isEmpty ? [] : requests.filter(isAgain)
    if !again.isEmpty { requests.removeAll(where: isAgain) }
    let owned = Set(state.entries.map(\.request.identifier))
    let kept = Set(requests.map(\.identifier))
    let others = strangers { owned.contains($0) || kept.contains($0) }
    report.plan = budget.plan(
      requests + (rankingOthers ? others : []), nowMilliseconds: situation.nowMilliseconds,
      zone: situation.zone, location: situation.location,
      occupied: rankingOthers ? .init() : .init(of: others))
    if rankingOthers { evict(Set(others.map(\.identifier))) }
    report.plan.purged += again.map { budget.item($0, .never, .shown, situation.nowMilliseconds) }
    report.cancelled = live.map(\.identifier).filter { !kept.contains($0) }
    findDifference(owned: owned)
    buildState()
  }

  /// Of equal identifiers, leaves one that the change added or edited, and of several the first.
  private mutating func withoutReplaced(
    _ changed: [NotificationRequest]
  ) -> [NotificationRequest] {
    let groups = Dictionary(grouping: changed.indices, by: { changed[$0].identifier })
    guard groups.count < changed.count else { return changed }
    let known = Set(live)
    let kept = groups.values.compactMap { group in
      group.first { !known.contains(changed[$0]) } ?? group.first
    }
    report.replaced = groups.filter { $0.value.count > 1 }.keys.sorted()
    return kept.sorted().map { changed[$0] }
  }

  /// The pending requests of other owners; a leaving request is theirs if they replaced it.
  private func strangers(besides isOurs: (String) -> Bool) -> [NotificationRequest] {
    let leaving = Dictionary(state.leaving.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
    return pending.values.filter { request in
      !isOurs(request.identifier)
        && !(leaving[request.identifier]?.isSame(as: request) ?? false)
    }
  }

  /// Takes the requests of other owners out of the plan, and notes those that lost their slots.
  private mutating func evict(_ others: Set<String>) {
    func isOther(_ item: BudgetPlan.Item) -> Bool { others.contains(item.request.identifier) }
    report.evicted = (report.plan.waiting + report.plan.purged).filter(isOther)
    report.plan.scheduled.removeAll(where: isOther)
    report.plan.waiting.removeAll(where: isOther)
    report.plan.purged.removeAll(where: isOther)
  }

  private mutating func findDifference(owned: Set<String>) {
    var leaving: [String: NotificationRequest] = [:]
    for request in state.leaving where pending[request.identifier]?.isSame(as: request) ?? false {
      leaving[request.identifier] = request
    }
    for (identifier, request) in pending where owned.contains(identifier) {
      leaving[identifier] = request
    }
    for item in report.plan.scheduled { leaving[item.request.identifier] = nil }
    newState.leaving = leaving.values.sorted { $0.identifier < $1.identifier }
    report.removed =
      newState.leaving.map(\.identifier) + report.evicted.map(\.request.identifier)
    additions = report.plan.scheduled.reversed().map(\.request.asHandedOver).filter { request in
      !(pending[request.identifier]?.isSame(as: request) ?? false)
    }
    report.added = additions.map(\.identifier)
  }

  private mutating func buildState() {
    let scheduled = Set(report.plan.scheduled.map(\.request.identifier))
    let known = Dictionary(
      state.entries.lazy.filter { scheduled.contains($0.request.identifier) }
        .map { ($0.request.identifier, $0) }, uniquingKeysWith: { $1 })
    func isConfirmed(_ request: NotificationRequest) -> Bool {
      if let held = pending[request.identifier] { return held.isSame(as: request.asHandedOver) }
      let last = known[request.identifier]
      return !isRestoring && last?.request == request && last?.isConfirmed ?? false
    }
    func entry(_ item: BudgetPlan.Item, isScheduled: Bool) -> SchedulerEntry {
      SchedulerEntry(
        request: item.request, isScheduled: isScheduled,
        isConfirmed: isScheduled && isConfirmed(item.request),
        plannedMilliseconds: item.request.trigger.comesOnceByAnyClock ? item.fireMilliseconds : nil)
    }
    newState.shown = shown
    newState.updatedMilliseconds = situation.nowMilliseconds
    newState.entries =
      (report.plan.scheduled.map { entry($0, isScheduled: true) }
      + report.plan.waiting.map { entry($0, isScheduled: false) })
      .sorted(on: \.request.identifier, by: <)
  }

  // MARK: What has fired by a clock that the phone no longer shows

  /// The largest offset ahead of UTC.
  private static let farthestEastSeconds: Int64 = 14 * 3600
  private static let widestMoveMilliseconds: Int64 = 26 * 3_600_000

  /// Whether a future local time is missing from the phone, so that its deliveries matter.
  static func needsDelivered(
    _ state: SchedulerState, pending: [NotificationRequest], nowMilliseconds: Int64
  ) -> Bool {
    let held = Set(pending.map(\.identifier))
    return state.entries.contains { entry in
      entry.isConfirmed && !held.contains(entry.request.identifier)
        && entry.plannedMilliseconds.map { $0 > nowMilliseconds } ?? false
    }
  }

  /// Whether a missing request fired on the clock of a zone that the phone has left since.
  private func hasFiredElsewhere(_ entry: SchedulerEntry) -> Bool {
    guard entry.isScheduled, let planned = entry.plannedMilliseconds else { return false }
    if planned <= situation.nowMilliseconds { return true }
    guard entry.isConfirmed,
      earliestMilliseconds(of: entry.request, planned: planned) <= situation.nowMilliseconds
    else { return false }
    return deliveredByCenter?.contains(entry.request.identifier) ?? !phoneHasLostRequests
  }

  /// Whether a move east set the clock past the time of a request, so that it never fired.
  private func wasPassedOver(_ entry: SchedulerEntry) -> Bool {
    guard let planned = entry.plannedMilliseconds, planned > situation.nowMilliseconds else {
      return false
    }
    return !(deliveredByCenter?.contains(entry.request.identifier) ?? false)
  }

  /// Whether the phone may have lost requests; showing one twice is better than never.
  private var phoneHasLostRequests: Bool {
    if let totalLimit = budget.totalLimit, pending.count >= totalLimit { return true }
    return state.entries.contains { entry in
      entry.isScheduled && entry.isConfirmed && pending[entry.request.identifier] == nil
        && isToCome(entry)
    }
  }

  /// Whether a request is still in the future on every clock, so that it should be pending.
  private func isToCome(_ entry: SchedulerEntry) -> Bool {
    let request = entry.request
    guard !request.trigger.repeats else { return true }
    guard
      case .at = request.nextFire(afterMilliseconds: situation.nowMilliseconds, in: situation.zone)
    else { return false }
    guard let planned = entry.plannedMilliseconds else { return true }
    return earliestMilliseconds(of: request, planned: planned) > situation.nowMilliseconds
  }

  /// The first time at which any clock shows the request's time, in milliseconds since 1970.
  private func earliestMilliseconds(of request: NotificationRequest, planned: Int64) -> Int64 {
    request.trigger.dateByAnyClock.map { ($0 - Self.farthestEastSeconds) * 1000 }
      ?? planned - Self.widestMoveMilliseconds
  }
}

extension NotificationTrigger {
  fileprivate var comesOnceByAnyClock: Bool {
    if case .calendar(_, false, .floating) = self { true } else { false }
  }

  /// Whether a missing request counts as shown only if it was confirmed.
  fileprivate var needsConfirmation: Bool {
    switch self {
    case .region(let region): !region.repeats
    case .immediate: true
    case .calendar: comesOnceByAnyClock
    case .interval: false
    }
  }

  /// The date and time of a single floating trigger, in seconds since 1970 on its own clock.
  fileprivate var dateByAnyClock: Int64? {
    guard case .calendar(let pattern, false, .floating) = self,
      let year = pattern.year, let month = pattern.month, let day = pattern.day
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return Int64(date.daysSince1970) * 86_400 + Int64(pattern.secondOfPeriod)
  }
}

extension NotificationRequest {
  /// The request as sent to the center, which would count an interval from when it is added.
  fileprivate var asHandedOver: NotificationRequest {
    guard case .interval(let interval) = trigger, !interval.repeats, let asked = askedMilliseconds
    else { return self }
    var copy = self
    copy.trigger = .at(milliseconds: asked + interval.milliseconds)
    return copy
  }
}

/// Everything a scheduler must remember; saved before each change of the center.
///
/// It holds all requests of the owner, including those that wait for a slot and exist nowhere else.
public struct SchedulerState: Codable, Hashable, Sendable {
  struct Shown: Codable, Hashable, Sendable {
    var identifier: String
    var trigger: NotificationTrigger
    /// After this, no change of zone can bring its time back.
    var untilMilliseconds: Int64
  }

  private var version = 1
  /// The requests of the owner, sorted by identifier.
  package internal(set) var entries: [SchedulerEntry] = []
  /// Requests to remove that the center may still hold.
  var leaving: [NotificationRequest] = []
  /// Requests that must not fire when the clock shows their time again.
  var shown: [Shown] = []
  /// The time of the last update in milliseconds since 1970; nil if unknown.
  var updatedMilliseconds: Int64?

  /// Creates an empty state.
  public init() {}

  /// Creates a state of stored requests, such as those that an app kept before it had a scheduler.
  public init(_ requests: [NotificationRequest]) {
    entries = requests.map { SchedulerEntry(request: $0, isScheduled: false, isConfirmed: false) }
  }

  /// All requests, scheduled and stored.
  public var requests: [NotificationRequest] { entries.map(\.request) }

  /// Reads a state, including the oldest form without a version; can throw `NewerVersionError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkVersion(.version, newest: version, of: "scheduler state")
    entries = try container.decode([SchedulerEntry].self, forKey: .entries)
    leaving = try container.decode([NotificationRequest].self, forKey: .leaving)
    shown = try container.decodeIfPresent([Shown].self, forKey: .shown) ?? []
    updatedMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .updatedMilliseconds)
  }
}

/// A request of a scheduler, and whether the notification center has it.
///
/// ``SchedulerState`` keeps one for each live request. The next update compares them with what is
/// pending, to find out what has fired.
package struct SchedulerEntry: Codable, Hashable, Sendable {
  /// The request as the app made it.
  package var request: NotificationRequest
  /// Whether the center should hold the request; otherwise it waits for a slot.
  package var isScheduled: Bool
  /// Whether the center is known to have held the request in this form.
  var isConfirmed: Bool
  /// When a single floating request fires on the clock it was planned with.
  ///
  /// After a move west the same time comes again; only this value shows that it has fired.
  var plannedMilliseconds: Int64?
}
