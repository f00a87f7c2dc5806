#if Command
import CoreMetrics
import FencepostNotifications
import FoundationEssentials
import Glibc
import Synchronization

/// What came of one attempt to deliver an event.
///
/// A ``DeliverySchedule`` tries a failed delivery again, and drops one that was delivered or
/// refused.
package enum DeliveryOutcome: Equatable {
  /// The sink has the event.
  case delivered
  /// The sink may take the event later.
  case failed(DeliveryFailure)
  /// The sink can never take this event, with the reason in words.
  case refused(String)
  /// The program ended first, so it is still owed.
  case unfinished
  /// Nothing more can be delivered, so end the program; no reason if a reader closed its pipe.
  case closed(String?)
}

/// A sink's queue and the thread that empties it, so that a slow sink never delays the engine.
///
/// A ``DeliverySchedule`` decides what to deliver next and when. Deliveries lost to a full queue or
/// a deadline are counted and reported.
final class SinkQueue: Sendable {
  /// Callbacks, which may come from any thread.
  ///
  /// They connect a queue to its sink, the state file and the user.
  struct Hooks: Sendable {
    /// Delivers an event, or stops unfinished as soon as the program must stop.
    typealias Deliver = @Sendable (OwedDelivery, _ mustStop: () -> Bool) -> DeliveryOutcome

    /// Called with the numbers of deliveries that are done or given up.
    ///
    /// The state forgets them.
    var onSettled: @Sendable ([Int]) -> Void
    var say: @Sendable (String) -> Void
    /// Called when nothing more can be delivered; without a reason, a reader closed its pipe.
    var onClosed: @Sendable (String?) -> Void
    var deliver: Deliver
  }

  /// What the lock protects: what waits, and what was said about it.
  private struct Contents {
    var schedule: DeliverySchedule
    var losses: SinkLosses
    var reportedFailures: [DeliveryFailure] = []
    var isOver = false
    var isEnding = false
    let zone: ClockZone

    /// Whether to report a failure, which happens once per kind until it is over.
    mutating func isNews(_ failure: DeliveryFailure) -> Bool {
      guard !reportedFailures.contains(where: { $0.kind == failure.kind }) else { return false }
      reportedFailures.append(failure)
      return true
    }

    /// The end of a requested pause of a minute or more, and how many deliveries wait; else nil.
    func longPause(_ now: Int64) -> String? {
      guard let end = schedule.askedPauseEndMilliseconds, end - now >= 60_000, schedule.count > 0
      else { return nil }
      let time =
        zone.text(milliseconds: SystemTime.epochMilliseconds + end - now)
        .split(separator: "T").last?.prefix(5) ?? ""
      let alerts = schedule.count == 1 ? "1 alert" : "\(schedule.count) alerts"
      return " at \(time) \(zone.name) (\(alerts) waiting)"
    }

  }

  let kind: LiveSinkKind
  private let hooks: Hooks
  private let metrics: SinkMetrics
  private let contents: Mutex<Contents>
  private let wakeSignal = Waker()
  /// Signaled when the thread has emptied the queue, or ends.
  private let idleSignal = Waker()

  init(
    kind: LiveSinkKind, rule: DeliverySchedule.Rule, zone: ClockZone, metrics: SinkMetrics,
    hooks: Hooks
  ) {
    self.kind = kind
    self.hooks = hooks
    self.metrics = metrics
    contents = Mutex(
      Contents(
        schedule: DeliverySchedule(rule: rule),
        losses: SinkLosses(sink: kind, deadlineMilliseconds: rule.deadlineMilliseconds),
        zone: zone))
    startThread { [self] in run() }
  }

  func enqueue(_ deliveries: [OwedDelivery], runMilliseconds: Int64) {
    let now = SystemTime.monotonicMilliseconds
    let (dropped, sentence) = contents.withLock { contents in
      let dropped = contents.schedule.add(
        deliveries, now: now, runMilliseconds: runMilliseconds)
      metrics.waiting.record(contents.schedule.count)
      return (dropped, contents.losses.noteDropped(dropped.count))
    }
    metrics.lost.increment(by: dropped.count)
    wakeSignal.signal()
    if !dropped.isEmpty { hooks.onSettled(dropped.map(\.sequence)) }
    if let sentence { hooks.say(sentence) }
  }

  var owed: [OwedDelivery] { contents.withLock { $0.schedule.owed } }

  /// Waits for all deliveries until the timeout or `isHurried`, and returns how many stay owed.
  func end(withinMilliseconds milliseconds: Int, unless isHurried: () -> Bool) -> Int {
    contents.withLock {
      $0.isEnding = true
      $0.schedule.hasten()
    }
    wakeSignal.signal()
    var left = milliseconds
    while left > 0, !isHurried(), !idleSignal.wait(milliseconds: min(left, 50)) {
      left -= 50
    }
    contents.withLock { $0.isOver = true }
    wakeSignal.signal()
    // Give a delivery in progress a moment to stop cleanly.
    idleSignal.wait(milliseconds: 100)
    return contents.withLock { $0.schedule.count }
  }

  var losses: SinkLosses { contents.withLock { $0.losses } }

  // MARK: The thread

  private func run() {
    while true {
      let (step, isEnding, isOver) = contents.withLock { contents in
        (
          contents.isOver ? .rest : contents.schedule.next(now: SystemTime.monotonicMilliseconds),
          contents.isEnding, contents.isOver
        )
      }
      if isOver {
        idleSignal.signal()
        return
      }
      switch step {
      case .deliver(let delivery):
        let outcome = hooks.deliver(delivery) { contents.withLock { $0.isOver } }
        guard settle(delivery, outcome) else { return }
      case .wait(let until):
        wait(milliseconds: Int(max(0, until - SystemTime.monotonicMilliseconds)))
      case .rest:
        if isEnding { idleSignal.signal() }
        wait(milliseconds: -1)
      }
    }
  }

  private func wait(milliseconds: Int) {
    wakeSignal.wait(milliseconds: milliseconds)
    wakeSignal.clear()
  }

  /// Records a delivery's outcome and returns false if the thread should end.
  private func settle(_ delivery: OwedDelivery, _ outcome: DeliveryOutcome) -> Bool {
    defer { metrics.waiting.record(contents.withLock { $0.schedule.count }) }
    switch outcome {
    case .delivered:
      metrics.delivered.increment()
      let wasFailing = contents.withLock { contents in
        contents.schedule.noteSettled()
        // Failures of single deliveries last as long as those wait.
        let count = contents.reportedFailures.count
        let hasRefused = contents.schedule.hasRefused
        contents.reportedFailures.removeAll { !$0.isOfDelivery || !hasRefused }
        return contents.reportedFailures.count < count
      }
      if wasFailing { hooks.say("\(kind.rawValue): delivering alerts again") }
      hooks.onSettled([delivery.sequence])
    case .failed(let failure): note(failure)
    case .refused(let reason):
      metrics.lost.increment()
      contents.withLock {
        $0.schedule.noteSettled()
        $0.losses.noteRefused(reason)
      }
      hooks.say("\(kind.rawValue): \(reason)")
      hooks.onSettled([delivery.sequence])
    case .unfinished:
      contents.withLock { $0.schedule.noteUnfinished() }
      idleSignal.signal()
      return false
    case .closed(let reason):
      contents.withLock { $0.schedule.noteSettled() }
      idleSignal.signal()
      hooks.onClosed(reason)
      return false
    }
    return true
  }

  private func note(_ failure: DeliveryFailure) {
    let now = SystemTime.monotonicMilliseconds
    let (abandoned, isNews, pause, sentence) = contents.withLock { contents in
      let abandoned = contents.schedule.noteFailure(failure, now: now)
      return (
        abandoned, contents.isNews(failure), contents.longPause(now),
        contents.losses.noteAbandoned(abandoned, failure.reason)
      )
    }
    metrics.failed.increment()
    metrics.lost.increment(by: abandoned.count)
    if isNews || pause != nil {
      hooks.say("\(kind.rawValue): \(failure.reason); trying again\(pause ?? "")")
    }
    if let sentence { hooks.say(sentence) }
    if !abandoned.isEmpty { hooks.onSettled(abandoned.map(\.sequence)) }
  }
}

/// Deliveries that never reached a sink, and why.
///
/// The user hears of them as they grow, and the exit status shows them at the end.
struct SinkLosses {
  private let sink: LiveSinkKind
  private let deadlineMilliseconds: Int64?
  private var dropped = DoublingCount()
  private var abandoned = DoublingCount()
  private var refusedCount = 0
  private var lastReason = ""

  /// A count that is reported at first and whenever it has doubled.
  ///
  /// So a sink that fails for days does not fill a log.
  private struct DoublingCount {
    var count = 0
    var reportedCount = 0

    mutating func add(_ more: Int) -> Bool {
      count += more
      guard more > 0, count >= 2 * reportedCount else { return false }
      reportedCount = count
      return true
    }
  }

  init(sink: LiveSinkKind, deadlineMilliseconds: Int64?) {
    self.sink = sink
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// Counts deliveries dropped from a full queue; returns a sentence for the user, if due.
  mutating func noteDropped(_ count: Int) -> String? {
    guard dropped.add(count) else { return nil }
    return "\(sink.rawValue): its queue is full; \(dropped.count) dropped so far"
  }

  /// Counts deliveries given up after their deadline; returns a sentence for the user, if due.
  mutating func noteAbandoned(_ deliveries: [OwedDelivery], _ reason: String) -> String? {
    if !deliveries.isEmpty { lastReason = reason }
    guard abandoned.add(deliveries.count), let last = deliveries.last else { return nil }
    let title = last.fields["TITLE"].map { ", last “\($0)” of \(last.fields["TIME"] ?? "")" } ?? ""
    return "\(sink.rawValue): \(abandoned.count) given up after \(deadlineWords)\(title): \(reason)"
  }

  mutating func noteRefused(_ reason: String) {
    refusedCount += 1
    lastReason = reason
  }

  /// A summary as a sentence, counting what is undelivered; nil without losses.
  func sentence(undeliveredCount: Int) -> String? {
    var parts: [String] = []
    if undeliveredCount > 0 { parts.append("\(undeliveredCount) not delivered") }
    if abandoned.count > 0 { parts.append("\(abandoned.count) given up after \(deadlineWords)") }
    if dropped.count > 0 { parts.append("\(dropped.count) dropped because its queue was full") }
    if refusedCount > 0 { parts.append("\(refusedCount) failed") }
    guard !parts.isEmpty else { return nil }
    let reason = lastReason.isEmpty ? "" : " (\(lastReason))"
    return "\(sink.rawValue): \(parts.joined(separator: ", "))\(reason)"
  }

  private var deadlineWords: String {
    let seconds = Double(deadlineMilliseconds ?? 0) / 1000
    for (unit, size) in [("h", 3600.0), ("min", 60.0)] where seconds >= size {
      let count = seconds / size
      if count == count.rounded() { return "\(Int(count)) \(unit)" }
    }
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
#endif
