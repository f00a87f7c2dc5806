import Foundation
import Glibc
import Synchronization

/// What one delivery came to.
enum DeliveryOutcome {
  /// The sink has it.
  case delivered
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
/// The queue is bounded: what does not fit drives out the oldest, which is counted and said.
final class SinkQueue: Sendable {
  /// What a delivery may do while it waits.
  struct Patience: Sendable {
    fileprivate let queue: SinkQueue
    /// Whether the program ends, so that the delivery should be left unfinished.
    var isOver: Bool { queue.contents.withLock { $0.isOver } }
    /// Waits; false when the program ends meanwhile.
    func wait(milliseconds: Int) -> Bool { queue.pause(milliseconds: milliseconds) }
    /// Says something to the user.
    func say(_ sentence: String) { queue.hooks.say(sentence) }
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
    /// Those from `head` on; the ones before have been taken.
    var items: [OwedDelivery] = []
    var head = 0
    var isBusy = false
    var isOver = false
    var isEnding = false
    var droppedCount = 0
    var toldDroppedCount = 0
    var refusedCount = 0
    var lastRefusal = ""

    var count: Int { items.count - head }

    mutating func takeFirst(_ number: Int) -> [OwedDelivery] {
      let taken = Array(items[head..<head + number])
      head += number
      if head > 1024, head > items.count / 2 {
        items.removeFirst(head)
        head = 0
      }
      return taken
    }
  }

  let kind: LiveSinkKind
  private let capacity: Int
  private let hooks: Hooks
  private let deliver: @Sendable (OwedDelivery, Patience) -> DeliveryOutcome
  private let contents = Mutex(Contents())
  /// Counts up when something happens that the thread should see.
  private let wakeWaker = Waker()
  /// Readable for ever once the program ends.
  private let endWaker = Waker()
  /// Readable when the thread has emptied the queue.
  private let idleWaker = Waker()

  /// Makes a queue and starts its thread.
  init(
    kind: LiveSinkKind, capacity: Int, hooks: Hooks,
    deliver: @escaping @Sendable (OwedDelivery, Patience) -> DeliveryOutcome
  ) {
    self.kind = kind
    self.capacity = max(1, capacity)
    self.hooks = hooks
    self.deliver = deliver
    let thread = Thread { [self] in run() }
    thread.name = "sink \(kind.rawValue)"
    thread.start()
  }

  /// Adds deliveries; returns at once.
  func enqueue(_ deliveries: [OwedDelivery]) {
    let dropped = contents.withLock { contents in
      contents.items.append(contentsOf: deliveries)
      let excess = contents.count - capacity
      guard excess > 0 else { return [Int]() }
      let dropped = contents.takeFirst(excess).map(\.sequence)
      contents.droppedCount += excess
      return dropped
    }
    wakeWaker.signal()
    guard !dropped.isEmpty else { return }
    hooks.onSettled(dropped)
    sayDropped()
  }

  /// Waits until everything is delivered, but no longer than told; then leaves the rest as owed.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait.
  ///   - isHurried: Asked now and then whether not to wait any longer.
  /// - Returns: How many deliveries are left.
  func end(withinMilliseconds milliseconds: Int, unless isHurried: () -> Bool) -> Int {
    contents.withLock { $0.isEnding = true }
    wakeWaker.signal()
    var left = milliseconds
    while left > 0, !isHurried(), !idleWaker.wait(milliseconds: min(left, 50)) {
      left -= 50
    }
    contents.withLock { $0.isOver = true }
    endWaker.signal()
    wakeWaker.signal()
    // What is under way is given a moment to notice, so that it is not cut off half-way.
    idleWaker.wait(milliseconds: 100)
    return contents.withLock { $0.count + ($0.isBusy ? 1 : 0) }
  }

  /// What was lost on the way, as a sentence; nil when nothing was.
  var lossSentence: String? {
    let (dropped, refused, reason) = contents.withLock {
      ($0.droppedCount, $0.refusedCount, $0.lastRefusal)
    }
    var parts: [String] = []
    if dropped > 0 { parts.append("\(dropped) dropped because its queue was full") }
    if refused > 0 { parts.append("\(refused) failed (\(reason))") }
    return parts.isEmpty ? nil : "\(kind.rawValue): " + parts.joined(separator: ", ")
  }

  // MARK: The thread

  private func run() {
    while true {
      let next: OwedDelivery? = contents.withLock { contents in
        contents.isBusy = false
        guard !contents.isOver, contents.count > 0 else { return nil }
        contents.isBusy = true
        return contents.takeFirst(1).first
      }
      guard let next else {
        let isEnding = contents.withLock { $0.isEnding }
        if isEnding { idleWaker.signal() }
        if contents.withLock({ $0.isOver }) { return }
        wakeWaker.wait(milliseconds: -1)
        wakeWaker.clear()
        continue
      }
      guard settle(next, deliver(next, Patience(queue: self))) else { return }
    }
  }

  /// Notes what came of a delivery; false when the thread should end.
  private func settle(_ delivery: OwedDelivery, _ outcome: DeliveryOutcome) -> Bool {
    switch outcome {
    case .delivered:
      hooks.onSettled([delivery.sequence])
    case .refused(let reason):
      contents.withLock {
        $0.refusedCount += 1
        $0.lastRefusal = reason
      }
      hooks.say("\(kind.rawValue): \(reason)")
      hooks.onSettled([delivery.sequence])
    case .unfinished:
      contents.withLock {
        $0.items.insert(delivery, at: $0.head)
        $0.isBusy = false
      }
      idleWaker.signal()
      return false
    case .closed(let reason):
      contents.withLock { $0.isBusy = false }
      idleWaker.signal()
      hooks.onClosed(reason)
      return false
    }
    return true
  }

  private func sayDropped() {
    let count = contents.withLock { contents -> Int? in
      // First at once, then whenever there are twice as many.
      guard contents.droppedCount >= 2 * contents.toldDroppedCount else { return nil }
      contents.toldDroppedCount = contents.droppedCount
      return contents.droppedCount
    }
    if let count {
      hooks.say("\(kind.rawValue): its queue is full; \(count) dropped so far")
    }
  }

  private func pause(milliseconds: Int) -> Bool {
    endWaker.wait(milliseconds: milliseconds)
    return !contents.withLock { $0.isOver }
  }
}
