import FencepostMonitoring
import FencepostTime

/// Determines from the phone's trace what happened to each occurrence.
struct FateMatcher {
  private let document: ReminderDocument
  private let kinds: KindRegistry
  private let owners: [String: Int]
  private let keptBack: [String: [StrategyRun.KeptBack]]
  private var records: [[OccurrenceRecord]]
  private var extras: [SimulationResult.Extra] = []
  private var wasForgotten: Set<String> = []
  private var lastLoss: [String: Loss] = [:]

  /// Why a request was lost or waited, and the identifier of the request that took its place.
  private typealias Loss = (reason: FateReason, by: String?)

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
      case .droppedInSecond(let fire, let other):
        noteSameSecond(event.identifier, fireMilliseconds: fire, by: other)
      case .droppedOnOverflow(let other): lastLoss[event.identifier] = (.overflow, other)
      case .notRetainedRegion: lastLoss[event.identifier] = (.overflow, nil)
      case .passedByZoneChange: lastLoss[event.identifier] = (.zoneChange, nil)
      case .notRetainedDead: lastLoss[event.identifier] = (.dead, nil)
      case .forgotten:
        lastLoss[event.identifier] = (.restored, nil)
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
      extras.append(
        SimulationResult.Extra(
          reminderID: reminderID(of: delivery.identifier) ?? delivery.identifier,
          shownMilliseconds: delivery.shownMilliseconds))
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

  private mutating func noteSameSecond(
    _ identifier: String, fireMilliseconds: Int64, by other: String
  ) {
    guard let (owner, index) = find(identifier, fireMilliseconds: fireMilliseconds),
      records[owner][index].fate == .dropped
    else { return }
    records[owner][index].reason = .sameSecond
    records[owner][index].displacedBy = reminderID(of: other)
  }

  /// The id of the reminder that a request belongs to; the identifier itself if it has none.
  private func reminderID(of identifier: String?) -> String? {
    identifier.map { name in
      owners[name].map { document.reminders[$0].id } ?? ReminderRun.WatchedCircle.shownID(of: name)
    }
  }

  /// The occurrence of a notification: the last one due by then, or else the next.
  private func find(_ identifier: String, fireMilliseconds: Int64) -> (Int, Int)? {
    guard let owner = owners[identifier] else { return nil }
    let own = records[owner]
    let next = own.partitioningIndex { $0.dueMilliseconds > fireMilliseconds }
    let reach = isInterval(document.reminders[owner]) ? .max : Self.reachMilliseconds
    if next > 0, fireMilliseconds - own[next - 1].dueMilliseconds < reach {
      return (owner, next - 1)
    }
    if next < own.count, own[next].dueMilliseconds - fireMilliseconds < Self.foresightMilliseconds {
      return (owner, next)
    }
    return nil
  }

  private mutating func explainDropped(_ owner: Int) {
    for index in records[owner].indices {
      let record = records[owner][index]
      guard record.fate == .dropped, record.reason != .sameSecond else { continue }
      let due = record.dueMilliseconds
      let names = document.reminders[owner].identifiers(ofOccurrenceAt: record.local)
      let loss = names.compactMap { name -> Loss? in
        let wait = keptBack[name]?.first {
          $0.fromMilliseconds <= due && due < $0.untilMilliseconds
        }
        return wait.map { ($0.reason, $0.displacedBy) } ?? lastLoss[name]
      }.first
      records[owner][index].reason = loss?.reason ?? .notRefreshed
      records[owner][index].displacedBy = reminderID(of: loss?.by)
    }
  }

  private func summary(under strategy: ScheduleStrategy, pending: Set<String>) -> SimulationResult {
    var result = SimulationResult(strategy: strategy)
    var byKind: [NotificationKind: SimulationTally] = [:]
    for (reminder, own) in zip(document.reminders, records) {
      let kind = kinds.kind(ofIdentifier: reminder.id)
      let loss = own.isEmpty ? lossWithoutOccurrence(reminder, pending) : (.shown, nil)
      var record = ReminderRecord(id: reminder.id, kind: kind, reason: loss.reason)
      record.displacedBy = reminderID(of: loss.by)
      if reminder.isAtCircle {
        record.isAtCircle = true
        result.circles.count += 1
        if loss.reason == .watched { result.circles.watched += 1 }
      }
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
    result.extras = extras
    result.waits = waits
    return result
  }

  private func lossWithoutOccurrence(_ reminder: Reminder, _ pending: Set<String>) -> Loss {
    if reminder.isAtCircle, pending.contains(reminder.id) { return (.watched, nil) }
    return reminder.requests(askedMilliseconds: 0).lazy.compactMap { request in
      lastLoss[request.identifier]
        ?? keptBack[request.identifier]?.last.map { ($0.reason, $0.displacedBy) }
    }.first ?? (.notDue, nil)
  }

  private var waits: [SimulationResult.Wait] {
    keptBack.flatMap { identifier, episodes in
      episodes.filter { $0.reason == .stored }.compactMap { episode in
        owners[identifier].map { owner in
          SimulationResult.Wait(
            reminderID: document.reminders[owner].id, identifier: identifier,
            fromMilliseconds: episode.fromMilliseconds,
            untilMilliseconds: episode.untilMilliseconds == .max
              ? nil : episode.untilMilliseconds,
            displacedBy: reminderID(of: episode.displacedBy))
        }
      }
    }.sorted { ($0.fromMilliseconds, $0.identifier) < ($1.fromMilliseconds, $1.identifier) }
  }
}
