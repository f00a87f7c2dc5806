import Foundation
import Glibc
import Synchronization

/// What one delivery came to.
package enum DeliveryOutcome: Equatable {
  /// The sink has it.
  case delivered
  /// The sink has not taken it yet, and may later.
  case failed(DeliveryFailure)
  /// It is given up, for the reason told.
  case refused(String)
  /// The program ends; it is still owed.
  case unfinished
  /// Nothing can be delivered any more, so that the program should end; the reason, nil where a reader
  /// had enough.
  case closed(String?)
}

/// A queue before a sink, with a thread of its own that empties it, so that a sink that hangs or fails
/// never holds up the engine.
///
/// What comes next and when a ``DeliverySchedule`` says; the queue lends it the clocks. What is lost on the
/// way, because there was no room or a deadline has passed, is counted and said.
final class SinkQueue: Sendable {
  /// What a delivery may ask while it is under way.
  struct Patience: Sendable {
    fileprivate let queue: SinkQueue
    /// Whether the program ends, so that the delivery should be left unfinished.
    var isOver: Bool { queue.contents.withLock { $0.isOver } }
  }

  /// Whom the queue tells what.
  struct Hooks: Sendable {
    /// Told the numbers of what is not owed any more.
    var onSettled: @Sendable ([Int]) -> Void
    /// Told sentences for the user.
    var say: @Sendable (String) -> Void
    /// Told that nothing can be delivered any more, and why; nil where a reader had enough.
    var onClosed: @Sendable (String?) -> Void
  }

  private struct Contents {
    var schedule: DeliverySchedule
    var losses: SinkLosses
    /// The failures that were told and are not over.
    var toldFailures: [DeliveryFailure] = []
    var isOver = false
    var isEnding = false

    /// Whether a failure is to be told: each kind is once, until it is over.
    mutating func isNews(_ failure: DeliveryFailure) -> Bool {
      guard !toldFailures.contains(where: { $0.kind == failure.kind }) else { return false }
      toldFailures.append(failure)
      return true
    }

    /// The sink has taken something; what it refused for itself alone still waits.
    ///
    /// - Returns: Whether a failure that was told is over.
    mutating func endFailures() -> Bool {
      let count = toldFailures.count
      toldFailures.removeAll { !$0.isOfDelivery || !schedule.hasRefused }
      return toldFailures.count < count
    }
  }

  let kind: LiveSinkKind
  private let hooks: Hooks
  private let deliver: @Sendable (OwedDelivery, Patience) -> DeliveryOutcome
  private let contents: Mutex<Contents>
  /// Counts up when something happens that the thread should see.
  private let wakeWaker = Waker()
  /// Readable when the thread has emptied the queue, or ends.
  private let idleWaker = Waker()

  /// Makes a queue and starts its thread.
  init(
    kind: LiveSinkKind, rule: DeliverySchedule.Rule, hooks: Hooks,
    deliver: @escaping @Sendable (OwedDelivery, Patience) -> DeliveryOutcome
  ) {
    self.kind = kind
    self.hooks = hooks
    self.deliver = deliver
    contents = Mutex(
      Contents(
        schedule: DeliverySchedule(rule: rule),
        losses: SinkLosses(sink: kind, deadlineMilliseconds: rule.deadlineMilliseconds)))
    let thread = Thread { [self] in run() }
    thread.name = "sink \(kind.rawValue)"
    thread.start()
  }

  /// Adds deliveries; returns at once.
  func enqueue(_ deliveries: [OwedDelivery]) {
    let now = MonotonicClock.milliseconds
    let epochNow = MonotonicClock.epochMilliseconds
    let (dropped, sentence) = contents.withLock { contents in
      let dropped = contents.schedule.add(deliveries, now: now, epochNow: epochNow)
      return (dropped, contents.losses.noteDropped(dropped.count))
    }
    wakeWaker.signal()
    if !dropped.isEmpty { hooks.onSettled(dropped.map(\.sequence)) }
    if let sentence { hooks.say(sentence) }
  }

  /// The deliveries that are owed.
  var owed: [OwedDelivery] { contents.withLock { $0.schedule.owed } }

  /// Waits until everything is delivered, but no longer than told; then leaves the rest as owed.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait.
  ///   - isHurried: Asked now and then whether not to wait any longer.
  /// - Returns: How many deliveries are left.
  func end(withinMilliseconds milliseconds: Int, unless isHurried: () -> Bool) -> Int {
    contents.withLock {
      $0.isEnding = true
      $0.schedule.hasten()
    }
    wakeWaker.signal()
    var left = milliseconds
    while left > 0, !isHurried(), !idleWaker.wait(milliseconds: min(left, 50)) {
      left -= 50
    }
    contents.withLock { $0.isOver = true }
    wakeWaker.signal()
    // What is under way is given a moment to notice, so that it is not cut off half-way.
    idleWaker.wait(milliseconds: 100)
    return contents.withLock { $0.schedule.count }
  }

  /// What was lost on the way.
  var losses: SinkLosses { contents.withLock { $0.losses } }

  // MARK: The thread

  private func run() {
    while true {
      let (step, isEnding, isOver) = contents.withLock { contents in
        (
          contents.isOver ? .rest : contents.schedule.next(now: MonotonicClock.milliseconds),
          contents.isEnding, contents.isOver
        )
      }
      if isOver {
        idleWaker.signal()
        return
      }
      switch step {
      case .deliver(let delivery):
        guard settle(delivery, deliver(delivery, Patience(queue: self))) else { return }
      case .wait(let until):
        wait(milliseconds: Int(max(0, until - MonotonicClock.milliseconds)))
      case .rest:
        if isEnding { idleWaker.signal() }
        wait(milliseconds: -1)
      }
    }
  }

  private func wait(milliseconds: Int) {
    wakeWaker.wait(milliseconds: milliseconds)
    wakeWaker.clear()
  }

  /// Notes what came of a delivery; false when the thread should end.
  private func settle(_ delivery: OwedDelivery, _ outcome: DeliveryOutcome) -> Bool {
    switch outcome {
    case .delivered:
      let wasFailing = contents.withLock { contents in
        contents.schedule.noteSettled()
        return contents.endFailures()
      }
      if wasFailing { hooks.say("\(kind.rawValue): takes alerts again") }
      hooks.onSettled([delivery.sequence])
    case .failed(let failure): note(failure)
    case .refused(let reason):
      contents.withLock {
        $0.schedule.noteSettled()
        $0.losses.noteRefused(reason)
      }
      hooks.say("\(kind.rawValue): \(reason)")
      hooks.onSettled([delivery.sequence])
    case .unfinished:
      contents.withLock { $0.schedule.noteUnfinished() }
      idleWaker.signal()
      return false
    case .closed(let reason):
      contents.withLock { $0.schedule.noteSettled() }
      idleWaker.signal()
      hooks.onClosed(reason)
      return false
    }
    return true
  }

  private func note(_ failure: DeliveryFailure) {
    let now = MonotonicClock.milliseconds
    let (abandoned, isNews, sentence) = contents.withLock { contents in
      let abandoned = contents.schedule.noteFailure(failure, now: now)
      return (
        abandoned, contents.isNews(failure),
        contents.losses.noteAbandoned(abandoned, failure.reason)
      )
    }
    if isNews { hooks.say("\(kind.rawValue): \(failure.reason); trying again") }
    if let sentence { hooks.say(sentence) }
    if !abandoned.isEmpty { hooks.onSettled(abandoned.map(\.sequence)) }
  }
}
