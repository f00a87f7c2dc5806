#if Command
/// Why a sink has not accepted a delivery that it may accept later.
///
/// The sink decides whether it or the event is at fault; ``DeliverySchedule`` decides when to try
/// again.
package struct DeliveryFailure: Equatable, Sendable {
  /// The reason in words, for the user.
  package var reason: String
  /// Identifies the reason even if its sentence varies, for example by a duration.
  package var kind: String
  /// Whether the delivery itself may be at fault, so that later ones should be tried.
  package var isOfDelivery: Bool
  /// The pause that the sink requested, in milliseconds, if any.
  package var retryAfterMilliseconds: Int64?

  /// Creates the failure of one attempt.
  package init(
    reason: String, kind: String, isOfDelivery: Bool = false,
    retryAfterMilliseconds: Int64? = nil
  ) {
    self.reason = reason
    self.kind = kind
    self.isOfDelivery = isOfDelivery
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}

/// Decides which delivery a sink gets next, and when.
///
/// Deliveries go out in order. A failed one is retried after growing pauses until it succeeds or
/// its deadline passes. While the sink as a whole fails, everything waits behind the first
/// delivery. If a delivery itself may be at fault, later ones overtake it. A pure value: the caller
/// passes in times, in milliseconds of a monotonic clock.
package struct DeliverySchedule {
  /// How many deliveries may wait, and how long each is tried.
  ///
  /// Memory is bounded by the capacity, and the age of alerts by the deadline.
  package struct Rule: Sendable {
    /// How many deliveries may wait before the oldest is dropped, at least 1.
    package var capacity: Int
    /// How long to retry a delivery, in milliseconds; nil for no limit.
    package var deadlineMilliseconds: Int64?
    /// Returns the fraction of its full length that each pause lasts, in (0, 1].
    package var share: @Sendable () -> Double

    static var leastPauseMilliseconds: Int { 500 }
    /// The greatest full length, unless the sink requests more.
    static var mostPauseMilliseconds: Int { 60_000 }
    /// The longest pause a sink may request, so that one bad response cannot delay a day of alerts.
    static var mostRetryAfterMilliseconds: Int64 { 600_000 }

    /// Creates a rule, by default with random pauses and no deadline.
    package init(
      capacity: Int, deadlineMilliseconds: Int64? = nil,
      share: @escaping @Sendable () -> Double = { Double.random(in: 0.5...1) }
    ) {
      self.capacity = capacity
      self.deadlineMilliseconds = deadlineMilliseconds
      self.share = share
    }
  }

  /// What the sink must do next.
  ///
  /// The sink's thread asks for it again after each delivery and each pause.
  package enum Step: Equatable {
    /// Nothing waits; ask again after the next delivery is added.
    case rest
    /// Ask again at this time, or after a delivery is added.
    case wait(untilMilliseconds: Int64)
    /// Deliver this now; only one delivery is in progress at a time.
    case deliver(OwedDelivery)
  }

  private let rule: Rule
  /// Deliveries without a failure of their own; a slice is cheap to shorten at its start.
  private var fresh: ArraySlice<ScheduledDelivery> = []
  /// Deliveries that may themselves be at fault, longest untried first.
  private var refused: [ScheduledDelivery] = []
  private var current: ScheduledDelivery?
  private var backoff: Backoff
  /// When `fresh` and `refused` deliveries are next due.
  private var freshDue: Int64 = 0
  private var refusedDue: Int64 = 0
  private var isPauseAskedFor = false

  /// Creates an empty schedule.
  package init(rule: Rule) {
    self.rule = rule
    backoff = Backoff(
      leastMilliseconds: Rule.leastPauseMilliseconds, mostMilliseconds: Rule.mostPauseMilliseconds,
      share: rule.share)
  }

  /// The number of deliveries that are owed, with the one in progress.
  package var count: Int { waitingCount + (current == nil ? 0 : 1) }

  /// When everything is retried, if the sink requested that pause.
  package var askedPauseEndMilliseconds: Int64? { isPauseAskedFor ? refusedDue : nil }

  var hasRefused: Bool { !refused.isEmpty }

  /// All deliveries that are owed, ascending by number, with the one in progress.
  package var owed: [OwedDelivery] {
    let out = current.map { [$0] } ?? []
    return (out + refused + fresh).map(\.delivery).sorted { $0.sequence < $1.sequence }
  }

  private var waitingCount: Int { fresh.count + refused.count }

  /// Adds deliveries and returns those dropped to make room, oldest first.
  ///
  /// Their age is how long the session has run since they happened.
  ///
  /// - Complexity: O(1) amortized for each delivery, unless deliveries were refused.
  package mutating func add(
    _ deliveries: [OwedDelivery], now: Int64, runMilliseconds: Int64
  ) -> [OwedDelivery] {
    for delivery in deliveries {
      // A kill may have come before the time that the session ran was saved.
      let age = max(0, runMilliseconds - (delivery.runMilliseconds ?? runMilliseconds))
      fresh.append(
        ScheduledDelivery(
          delivery: delivery, deadline: rule.deadlineMilliseconds.map { now - age + $0 }))
    }
    var dropped: [OwedDelivery] = []
    while waitingCount > max(1, rule.capacity) { dropped.append(takeOldest().delivery) }
    return dropped
  }

  /// Returns the next step; a delivery counts as in progress from then on.
  package mutating func next(now: Int64) -> Step {
    if !fresh.isEmpty, freshDue <= now { return deliver(fresh.removeFirst()) }
    if !refused.isEmpty, refusedDue <= now { return deliver(refused.removeFirst()) }
    let due = [fresh.isEmpty ? nil : freshDue, refused.isEmpty ? nil : refusedDue]
    return due.compactMap { $0 }.min().map { .wait(untilMilliseconds: $0) } ?? .rest
  }

  // MARK: Outcomes

  /// Records that the delivery in progress is done or given up.
  package mutating func noteSettled() {
    current = nil
    backoff.reset()
    (freshDue, refusedDue, isPauseAskedFor) = (0, 0, false)
  }

  /// Records that the delivery in progress was interrupted, so it is next again.
  package mutating func noteUnfinished() {
    guard let entry = current else { return }
    current = nil
    putBack(entry)
  }

  /// Records that the delivery in progress failed.
  ///
  /// - Returns: Deliveries past their deadline that are given up: any of them if the whole sink
  ///   fails, else only this one. Each was tried, or the sink failed, after its deadline.
  package mutating func noteFailure(_ failure: DeliveryFailure, now: Int64) -> [OwedDelivery] {
    guard let entry = current else { return [] }
    current = nil
    if failure.isOfDelivery { refused.append(entry) } else { putBack(entry) }
    let abandoned = abandon(now, only: failure.isOfDelivery ? entry.delivery.sequence : nil)
    let pause = Int64(backoff.next())
    let asked = failure.retryAfterMilliseconds.map { min($0, longestPause(now)) }
    refusedDue = now + max(pause, asked ?? 0)
    freshDue =
      failure.isOfDelivery && asked == nil
      ? now + min(pause, Int64(Rule.leastPauseMilliseconds)) : refusedDue
    isPauseAskedFor = asked != nil
    return abandoned
  }

  /// Retries everything at once before the program ends, unless the sink requested the pause.
  package mutating func hasten() {
    if !isPauseAskedFor { (freshDue, refusedDue) = (0, 0) }
  }

  // MARK: Queue

  private mutating func deliver(_ entry: ScheduledDelivery) -> Step {
    current = entry
    return .deliver(entry.delivery)
  }

  private mutating func takeOldest() -> ScheduledDelivery {
    let oldest = refused.indices.min {
      refused[$0].delivery.sequence < refused[$1].delivery.sequence
    }
    if let oldest,
      fresh.first.map({ $0.delivery.sequence > refused[oldest].delivery.sequence }) ?? true
    {
      return refused.remove(at: oldest)
    }
    return fresh.removeFirst()
  }

  private mutating func putBack(_ entry: ScheduledDelivery) {
    fresh.insert(entry, at: fresh.startIndex)
  }

  private mutating func abandon(_ now: Int64, only sequence: Int?) -> [OwedDelivery] {
    func isOver(_ entry: ScheduledDelivery) -> Bool {
      guard let deadline = entry.deadline, deadline <= now else { return false }
      return sequence == nil || entry.delivery.sequence == sequence
    }
    let abandoned = (refused + fresh).filter(isOver)
    guard !abandoned.isEmpty else { return [] }
    refused.removeAll(where: isOver)
    fresh.removeAll(where: isOver)
    return abandoned.map(\.delivery).sorted { $0.sequence < $1.sequence }
  }

  /// The longest pause a sink may request; leaves time for a last try before a deadline.
  private func longestPause(_ now: Int64) -> Int64 {
    let deadlines = (refused + fresh).compactMap(\.deadline)
    let left = deadlines.min().map { max(0, $0 - now) }
    return min(left ?? .max, Rule.mostRetryAfterMilliseconds)
  }
}

/// A delivery that waits, and when to give it up; nil for never.
private struct ScheduledDelivery {
  var delivery: OwedDelivery
  var deadline: Int64?
}

/// Pauses between attempts, each twice as long as the previous one, up to a limit.
///
/// Sources, brokers and sinks wait by it after a failure.
struct Backoff: Sendable {
  private let leastMilliseconds: Int
  private let mostMilliseconds: Int
  /// Returns the fraction of its full length that a pause lasts, in (0, 1].
  private let share: @Sendable () -> Double
  private var fullMilliseconds: Int

  /// Creates pauses whose full length doubles; random shares keep clients from retrying in step.
  init(
    leastMilliseconds: Int, mostMilliseconds: Int,
    share: @escaping @Sendable () -> Double = { Double.random(in: 0.5...1) }
  ) {
    self.leastMilliseconds = leastMilliseconds
    self.mostMilliseconds = mostMilliseconds
    self.share = share
    fullMilliseconds = leastMilliseconds
  }

  /// Returns the next pause in milliseconds, and doubles the one after it.
  mutating func next() -> Int {
    defer { fullMilliseconds = min(2 * fullMilliseconds, mostMilliseconds) }
    return Int(Double(fullMilliseconds) * share())
  }

  /// Begins with the shortest pause again, after a success.
  mutating func reset() { fullMilliseconds = leastMilliseconds }
}
#endif
