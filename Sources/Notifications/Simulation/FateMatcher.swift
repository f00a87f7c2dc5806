import FencepostTime

/// Determines from the phone's trace what happened to each occurrence.
struct FateMatcher {
  private let document: ReminderDocument
  private let kinds: KindRegistry
  private let owners: [String: Int]
  private let keptBack: [String: [StrategyRun.KeptBack]]
  private var records: [[OccurrenceRecord]]
  private var extra = 0
  private var wasForgotten: Set<String> = []
  private var lastLoss: [String: FateReason] = [:]

  /// The largest delay at which a notification still belongs to an occurrence.
  private static let reachMilliseconds: Int64 = 3_600_000
  /// The largest amount by which it can be early: staggering needs this if the day is full.
  private static let foresightMilliseconds: Int64 = 600_000

  init(
    document: ReminderDocument, kinds: KindRegistry, due: [[Occurrence]], owners: [String: Int],
    keptBack: [String: [StrategyRun.KeptBack]]
  ) {
    self.document = document
    self.kinds = kinds
    self.owners = owners
    self.keptBack = keptBack
    records = zip(document.reminders, due).map { reminder, occurrences in
      let kind = kinds.kind(ofIdentifier: reminder.id)
      return occurrences.map {
        OccurrenceRecord(
          reminderID: reminder.id, kind: kind, local: $0.local, dueMilliseconds: $0.dueMilliseconds)
      }
    }
  }

  mutating func match(
    _ trace: [PhoneEvent], under strategy: ScheduleStrategy, pending: Set<String>
  ) -> SimulationResult {
    for event in trace {
      switch event.happening {
      case .delivered(let delivery): noteDelivery(delivery)
      case .droppedInSecond(let fire): noteSameSecond(event.identifier, fireMilliseconds: fire)
      case .droppedOnOverflow, .notRetainedRegion: lastLoss[event.identifier] = .overflow
      case .passedByZoneChange: lastLoss[event.identifier] = .zoneChange
      case .notRetainedDead: lastLoss[event.identifier] = .dead
      case .forgotten:
        lastLoss[event.identifier] = .restored
        wasForgotten.insert(event.identifier)
      case .added, .replaced: lastLoss[event.identifier] = nil
      case .removed: break
      }
    }
    for index in records.indices { explainDropped(index) }
    return summary(under: strategy, pending: pending)
  }

  private mutating func noteDelivery(_ delivery: PhoneDelivery) {
    guard
      let (owner, index) = find(delivery.identifier, fireMilliseconds: delivery.fireMilliseconds),
      records[owner][index].shownMilliseconds == nil
    else {
      extra += 1
      return
    }
    let lateness = delivery.shownMilliseconds - records[owner][index].dueMilliseconds
    let isOnTime = lateness <= ScheduleSimulation.toleranceMilliseconds
    records[owner][index].shownMilliseconds = delivery.shownMilliseconds
    records[owner][index].fate = isOnTime ? .onTime : .late
    records[owner][index].reason =
      isOnTime ? .shown : reason(forLateness: delivery, of: document.reminders[owner])
  }

  private func reason(forLateness delivery: PhoneDelivery, of reminder: Reminder) -> FateReason {
    if delivery.shownMilliseconds > delivery.fireMilliseconds { return .lowPower }
    guard isInterval(reminder) else { return .sameSecond }
    return wasForgotten.contains(delivery.identifier) ? .restored : .stored
  }

  /// Whether the reminder is a repeating interval, which counts from when the phone receives it.
  private func isInterval(_ reminder: Reminder) -> Bool {
    if case .interval(let interval) = reminder.schedule { interval.repeats } else { false }
  }

  private mutating func noteSameSecond(_ identifier: String, fireMilliseconds: Int64) {
    guard let (owner, index) = find(identifier, fireMilliseconds: fireMilliseconds),
      records[owner][index].fate == .dropped
    else { return }
    records[owner][index].reason = .sameSecond
  }

  /// The occurrence of a notification: the last one due by then, or else the next.
  private func find(_ identifier: String, fireMilliseconds: Int64) -> (Int, Int)? {
    guard let owner = owners[identifier] else { return nil }
    let own = records[owner]
    var (low, high) = (0, own.count)
    while low < high {
      let middle = (low + high) / 2
      if own[middle].dueMilliseconds <= fireMilliseconds { low = middle + 1 } else { high = middle }
    }
    let reach = isInterval(document.reminders[owner]) ? .max : Self.reachMilliseconds
    if low > 0, fireMilliseconds - own[low - 1].dueMilliseconds < reach { return (owner, low - 1) }
    if low < own.count, own[low].dueMilliseconds - fireMilliseconds < Self.foresightMilliseconds {
      return (owner, low)
    }
    return nil
  }

  private mutating func explainDropped(_ owner: Int) {
    for index in records[owner].indices {
      let record = records[owner][index]
      guard record.fate == .dropped, record.reason != .sameSecond else { continue }
      let weekday = Weekday(daysSince1970: record.local.date.daysSince1970)
      // The request may have had any of these identifiers.
      let suffixes = [
        "@\(record.local)", Reminder.suffix(weekday, record.local.time),
        Reminder.suffix(nil, record.local.time), "",
      ]
      let due = record.dueMilliseconds
      let reasons = suffixes.map { record.reminderID + $0 }.compactMap { name in
        keptBack[name]?.first { $0.fromMilliseconds <= due && due < $0.untilMilliseconds }?.reason
          ?? lastLoss[name]
      }
      records[owner][index].reason = reasons.first ?? .notRefreshed
    }
  }

  private func summary(under strategy: ScheduleStrategy, pending: Set<String>) -> SimulationResult {
    var result = SimulationResult(strategy: strategy)
    var byKind: [NotificationKind: SimulationTally] = [:]
    for (reminder, own) in zip(document.reminders, records) {
      let kind = kinds.kind(ofIdentifier: reminder.id)
      var record = ReminderRecord(
        id: reminder.id, kind: kind,
        reason: own.isEmpty ? reasonWithoutOccurrence(reminder, pending) : .shown)
      for occurrence in own {
        record.tally.note(occurrence.fate)
        result.total.note(occurrence.fate)
        byKind[kind, default: SimulationTally()].note(occurrence.fate)
      }
      record.reason = own.first { $0.fate != .onTime }?.reason ?? record.reason
      result.reminders.append(record)
    }
    result.byKind = byKind.map { SimulationResult.KindTally(kind: $0.key, tally: $0.value) }
      .sorted { ($0.kind.priority, $0.kind.name) < ($1.kind.priority, $1.kind.name) }
    result.occurrences = records.joined().sorted {
      ($0.dueMilliseconds, $0.reminderID) < ($1.dueMilliseconds, $1.reminderID)
    }
    result.extra = extra
    return result
  }

  private func reasonWithoutOccurrence(
    _ reminder: Reminder, _ pending: Set<String>
  ) -> FateReason {
    if reminder.isAtCircle, pending.contains(reminder.id) { return .watched }
    let requests = reminder.requests(askedMilliseconds: 0).map(\.identifier)
    return requests.compactMap { lastLoss[$0] ?? keptBack[$0]?.last?.reason }.first ?? .notDue
  }
}
