#if Command
import FencepostMQTT
import FoundationEssentials
import Synchronization

/// A thread that keeps a connection to a broker, and reconnects after ever longer pauses.
///
/// Nothing carries over from one connection to the next: the broker resends what was not
/// acknowledged, or the caller publishes it again.
final class MQTTLink: Sendable {
  /// What the owner of a link adds to it; all closures run on the link's thread.
  struct Hooks: Sendable {
    /// Called with each new connection, before anything else is sent.
    var onConnected: @Sendable (MQTTClient) throws(MQTTError) -> Void = { _ in }
    /// Called with each message; true acknowledges it, false ends the connection.
    var onMessage: @Sendable (MQTTMessage) -> Bool = { _ in true }
    /// Called before a clean disconnection, for a last message.
    var onFarewell: @Sendable (MQTTClient) throws(MQTTError) -> Void = { _ in }
    /// Called with a sentence if a permanent fault prevents the first connection.
    ///
    /// The thread then ends. If this is nil, it keeps trying.
    var onHopeless: (@Sendable (String) -> Void)?
    /// Puts an error into a sentence with advice.
    var describe: @Sendable (MQTTError) -> String = { $0.description }
    /// What to say after a connection, behind the broker's name.
    var greeting = "connected"
    var say: @Sendable (String) -> Void
  }

  /// What the lock protects: the message on its way, and the state of the connection.
  private struct Contents {
    var isConnected = false
    var isOver = false
    var failure = "no connection yet"
    var outgoing: (number: Int, message: MQTTMessage)?
    /// The numbers of the last message published and the last one that the broker acknowledged.
    var putCount = 0
    var deliveredNumber = 0
  }

  /// What was said to the user, so that each thing is said once.
  private struct Report {
    var hasConnected = false
    /// How many disconnections without a reason were ignored.
    var passedOverCount = 0
    /// Whether a loss was reported and the connection has not been stable since.
    var isLossSaid = false
    var lastingFault: String?
    /// How many connections in a row the broker ended early, and whether that was reported.
    var shortCount = 0
    var isRivalSaid = false
  }

  private let name: String
  private let options: MQTTOptions
  private let hooks: Hooks
  private let contents = Mutex(Contents())
  private let wakeSignal = Waker()
  /// Signaled when the state of a message changes, or the thread ends.
  private let newsSignal = Waker()

  private static var leastPauseMilliseconds: Int { 500 }
  private static var mostPauseMilliseconds: Int { 30_000 }
  /// A connection that lasts this long is stable.
  private static var soundMilliseconds: Int64 { 5000 }
  /// A connection that ends within this time is short; several in a row are suspicious.
  private static var shortMilliseconds: Int64 { 3000 }
  private static var suspiciousCount: Int { 3 }

  init(name: String, options: MQTTOptions, hooks: Hooks) {
    self.name = name
    self.options = options
    self.hooks = hooks
  }

  func start() { startThread { [self] in run() } }

  /// Ends the connection, with a farewell if there is time.
  func stop(withinMilliseconds milliseconds: Int) {
    contents.withLock { $0.isOver = true }
    wakeSignal.signal()
    let end = SystemTime.monotonicMilliseconds + Int64(milliseconds)
    while contents.withLock({ $0.isConnected }), SystemTime.monotonicMilliseconds < end {
      newsSignal.wait(milliseconds: 20)
      newsSignal.clear()
    }
  }

  var isOver: Bool { contents.withLock { $0.isOver } }

  /// A few words while the broker is not connected; else nil.
  var fault: String? { contents.withLock { $0.isConnected } ? nil : "\(name) is not connected" }

  /// Publishes a message and waits until the broker has it; only one caller at a time.
  func put(
    _ message: MQTTMessage, withinMilliseconds milliseconds: Int, unless mustStop: () -> Bool
  ) -> DeliveryOutcome {
    let end = SystemTime.monotonicMilliseconds + Int64(milliseconds)
    let number = contents.withLock { contents in
      contents.putCount += 1
      contents.outgoing = (contents.putCount, message)
      return contents.putCount
    }
    wakeSignal.signal()
    while true {
      let (isDelivered, failure) = contents.withLock { contents in
        (contents.deliveredNumber == number, contents.failure)
      }
      if isDelivered { return .delivered }
      let isLate = SystemTime.monotonicMilliseconds >= end
      if isLate || mustStop() {
        contents.withLock { $0.outgoing = nil }
        return isLate ? .failed(DeliveryFailure(reason: failure, kind: failure)) : .unfinished
      }
      newsSignal.wait(milliseconds: 50)
      newsSignal.clear()
    }
  }

  // MARK: The thread

  private func run() {
    var backoff = Backoff(
      leastMilliseconds: Self.leastPauseMilliseconds, mostMilliseconds: Self.mostPauseMilliseconds)
    var report = Report()
    while !isOver {
      let start = SystemTime.monotonicMilliseconds
      do throws(MQTTError) {
        try follow(&report)
      } catch {
        if error.cause == .endedHandshake, !report.hasConnected, report.passedOverCount < 3 {
          // The broker's reason may be lost with the connection, so wait for the next refusals.
          report.passedOverCount += 1
          continue
        }
        let isConnected = contents.withLock { $0.isConnected }
        lose(error, &report)
        let time = SystemTime.monotonicMilliseconds - start
        if isConnected { suspectRival(error, afterMilliseconds: time, &report) }
      }
      if SystemTime.monotonicMilliseconds - start >= Self.soundMilliseconds { backoff.reset() }
      guard !isOver else { break }
      wakeSignal.wait(milliseconds: backoff.next())
      wakeSignal.clear()
    }
  }

  /// Reports a loss once until the connection is stable; always reports a new permanent fault.
  private func lose(_ error: MQTTError, _ report: inout Report) {
    let reason = hooks.describe(error)
    contents.withLock {
      $0.isConnected = false
      $0.failure = reason
    }
    newsSignal.signal()
    guard !isOver else { return }
    if error.isLasting {
      if !report.hasConnected, let giveUp = hooks.onHopeless {
        contents.withLock { $0.isOver = true }
        return giveUp("\(name): \(reason)")
      }
      guard report.lastingFault != reason else { return }
      report.lastingFault = reason
      hooks.say("\(name): \(reason); trying again until that changes")
    } else if !report.isLossSaid {
      hooks.say("\(name): \(reason); waiting for it")
    }
    report.isLossSaid = true
  }

  /// Reports once that another client may use the same name, since the last to connect wins.
  private func suspectRival(
    _ error: MQTTError, afterMilliseconds time: Int64, _ report: inout Report
  ) {
    guard error.cause == .closed, time < Self.shortMilliseconds else {
      report.shortCount = 0
      return
    }
    report.shortCount += 1
    guard report.shortCount >= Self.suspiciousCount, !report.isRivalSaid, !isOver else { return }
    report.isRivalSaid = true
    hooks.say(
      "\(name): the broker closed \(report.shortCount) connections right away; another session "
        + "may be using the client id “\(options.clientID)”")
  }

  private func follow(_ report: inout Report) throws(MQTTError) {
    let client = try MQTTClient(options, handler: hooks.onMessage)
    try client.connect { isOver }
    try hooks.onConnected(client)
    contents.withLock {
      $0.isConnected = true
      $0.failure = "no acknowledgement in time"
    }
    report.hasConnected = true
    if !report.isLossSaid { hooks.say("\(name): \(hooks.greeting)") }
    let start = SystemTime.monotonicMilliseconds
    var current: (number: Int, identifier: Int32)?
    while !isOver {
      if let next = contents.withLock({ $0.outgoing }), next.number != current?.number {
        current = (next.number, try client.publish(next.message))
      }
      try client.turn(wakenBy: wakeSignal.descriptor, milliseconds: 1000)
      wakeSignal.clear()
      if let message = current, client.takeDelivered().contains(message.identifier) {
        contents.withLock { contents in
          contents.deliveredNumber = message.number
          if contents.outgoing?.number == message.number { contents.outgoing = nil }
        }
        newsSignal.signal()
      }
      if report.isLossSaid, SystemTime.monotonicMilliseconds - start >= Self.soundMilliseconds {
        report.isLossSaid = false
        report.lastingFault = nil
        hooks.say("\(name): connected again")
      }
    }
    try hooks.onFarewell(client)
    client.disconnect()
    contents.withLock { $0.isConnected = false }
    newsSignal.signal()
  }
}
#endif
