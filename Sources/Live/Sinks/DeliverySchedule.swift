/// Why a sink has not taken a delivery, where it may take it later.
package struct DeliveryFailure: Equatable, Sendable {
  /// What went wrong, as a sentence.
  package var reason: String
  /// Tells reasons apart whose sentences vary, as by a duration.
  package var kind: String
  /// Whether this delivery alone may be at fault, so that the ones behind it are worth a try.
  package var isOfDelivery: Bool
  /// The pause that the sink asked for, in milliseconds; nil where it did not.
  package var retryAfterMilliseconds: Int64?

  /// Makes a failure of its parts.
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

/// Which delivery a sink is to get next, and when.
///
/// Deliveries go out in order. One that the sink does not take is tried again, after pauses that grow,
/// until it is taken or its deadline has passed. While the sink fails as a whole everything waits behind
/// the first; where one delivery alone may be at fault the ones behind it go first. A pure value: times
/// are milliseconds of a clock that never goes back, and are passed in.
package struct DeliverySchedule {
  /// How deliveries are treated.
  package struct Rule: Sendable {
    /// How many may wait before the oldest is dropped, at least 1.
    package var capacity: Int
    /// How long a delivery is owed before it is given up, in milliseconds; nil for ever.
    package var deadlineMilliseconds: Int64?
    /// What share of its full length each pause has, above 0 and at most 1.
    package var share: @Sendable () -> Double

    /// The full length of the first pause.
    static var leastPauseMilliseconds: Int { 500 }
    /// The full length that no pause exceeds of which the sink said nothing.
    static var mostPauseMilliseconds: Int { 60_000 }
    /// The longest pause that a sink is granted where deliveries have no deadline.
    static var mostRetryAfterMilliseconds: Int64 { 86_400_000 }

    /// Makes a rule of its parts; what is left out is random pauses and no deadline.
    package init(
      capacity: Int, deadlineMilliseconds: Int64? = nil,
      share: @escaping @Sendable () -> Double = { Double.random(in: 0.5...1) }
    ) {
      self.capacity = capacity
      self.deadlineMilliseconds = deadlineMilliseconds
      self.share = share
    }
  }

  /// What to do.
  package enum Step: Equatable {
    /// Nothing waits.
    case rest
    /// Nothing is to be tried before that time.
    case wait(untilMilliseconds: Int64)
    /// This is to be delivered now; exactly one is out at a time.
    case deliver(OwedDelivery)
  }

  private struct Entry {
    var delivery: OwedDelivery
    /// When it may be given up; nil for never.
    var deadline: Int64?
  }

  private let rule: Rule
  /// Those not refused yet, in order, from `head` on; the ones before have been taken.
  private var fresh: [Entry] = []
  private var head = 0
  /// Those refused for what may be their own fault, the longest untried first.
  private var refused: [Entry] = []
  /// The one that is being delivered.
  private var current: Entry?
  private var backoff: Backoff
  /// When the sink may be tried again with what it has not refused yet, and with what it has.
  private var freshDue: Int64 = 0
  private var refusedDue: Int64 = 0
  /// Whether the sink itself asked for the pause.
  private var isPauseAskedFor = false

  /// Makes an empty schedule.
  package init(rule: Rule) {
    self.rule = rule
    backoff = Backoff(
      leastMilliseconds: Rule.leastPauseMilliseconds, mostMilliseconds: Rule.mostPauseMilliseconds,
      share: rule.share)
  }

  /// How many deliveries are owed, with the one that is out.
  package var count: Int { waitingCount + (current == nil ? 0 : 1) }

  /// Whether some wait that the sink has refused for what may be their own fault.
  var hasRefused: Bool { !refused.isEmpty }

  /// The deliveries that are owed, with the one that is out.
  package var owed: [OwedDelivery] {
    let out = current.map { [$0] } ?? []
    return (out + refused + fresh[head...]).map(\.delivery).sorted { $0.sequence < $1.sequence }
  }

  private var waitingCount: Int { fresh.count - head + refused.count }

  /// Adds deliveries.
  ///
  /// - Parameters:
  ///   - deliveries: In the order in which they are owed.
  ///   - now: The time.
  ///   - epochNow: The time in milliseconds since 1970, by which it is known for how long they have been
  ///     owed.
  /// - Returns: The ones that were dropped to make room, oldest first.
  package mutating func add(
    _ deliveries: [OwedDelivery], now: Int64, epochNow: Int64
  ) -> [OwedDelivery] {
    for delivery in deliveries {
      // A clock that was set back since makes nothing older.
      let age = max(0, epochNow - (delivery.owedSinceMilliseconds ?? epochNow))
      fresh.append(
        Entry(delivery: delivery, deadline: rule.deadlineMilliseconds.map { now - age + $0 }))
    }
    var dropped: [OwedDelivery] = []
    while waitingCount > max(1, rule.capacity) { dropped.append(takeOldest().delivery) }
    return dropped
  }

  /// The next delivery, which counts as out from then on.
  package mutating func next(now: Int64) -> Step {
    if head < fresh.count, freshDue <= now { return deliver(takeFresh()) }
    if !refused.isEmpty, refusedDue <= now { return deliver(refused.removeFirst()) }
    let due = [head < fresh.count ? freshDue : nil, refused.isEmpty ? nil : refusedDue]
    return due.compactMap { $0 }.min().map { .wait(untilMilliseconds: $0) } ?? .rest
  }

  // MARK: What came of it

  /// The sink has taken the delivery that was out, or will never take it.
  package mutating func noteSettled() {
    current = nil
    backoff.reset()
    (freshDue, refusedDue, isPauseAskedFor) = (0, 0, false)
  }

  /// The delivery that was out has not been finished: it is the next one again.
  package mutating func noteUnfinished() {
    guard let entry = current else { return }
    current = nil
    putBack(entry)
  }

  /// The sink has not taken the delivery that was out.
  ///
  /// - Returns: Those that are given up, as their deadline has passed: if the sink fails as a whole all
  ///   of them, else this one. Each has been tried, or the sink has failed, after its deadline.
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

  /// The program ends soon: what waits is tried at once, unless the sink asked for the pause.
  package mutating func hasten() {
    if !isPauseAskedFor { (freshDue, refusedDue) = (0, 0) }
  }

  // MARK: Parts

  private mutating func deliver(_ entry: Entry) -> Step {
    current = entry
    return .deliver(entry.delivery)
  }

  private mutating func takeFresh() -> Entry {
    defer {
      head += 1
      if head > 1024, head > fresh.count / 2 {
        fresh.removeFirst(head)
        head = 0
      }
    }
    return fresh[head]
  }

  private mutating func takeOldest() -> Entry {
    let oldest = refused.indices.min {
      refused[$0].delivery.sequence < refused[$1].delivery.sequence
    }
    guard let oldest else { return takeFresh() }
    if head < fresh.count,
      fresh[head].delivery.sequence < refused[oldest].delivery.sequence
    {
      return takeFresh()
    }
    return refused.remove(at: oldest)
  }

  private mutating func putBack(_ entry: Entry) {
    if head > 0 {
      head -= 1
      fresh[head] = entry
    } else {
      fresh.insert(entry, at: 0)
    }
  }

  private mutating func abandon(_ now: Int64, only sequence: Int?) -> [OwedDelivery] {
    func isOver(_ entry: Entry) -> Bool {
      guard let deadline = entry.deadline, deadline <= now else { return false }
      return sequence == nil || entry.delivery.sequence == sequence
    }
    let abandoned = (refused + fresh[head...]).filter(isOver)
    guard !abandoned.isEmpty else { return [] }
    refused.removeAll(where: isOver)
    fresh = fresh[head...].filter { !isOver($0) }
    head = 0
    return abandoned.map(\.delivery).sorted { $0.sequence < $1.sequence }
  }

  /// A pause that the sink asks for ends at the first deadline at the latest, so that there is a last try.
  private func longestPause(_ now: Int64) -> Int64 {
    let deadlines = (refused + fresh[head...]).compactMap(\.deadline)
    return max(0, (deadlines.min() ?? now + Rule.mostRetryAfterMilliseconds) - now)
  }
}
