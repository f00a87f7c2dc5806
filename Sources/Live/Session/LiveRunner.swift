public import Fixes
import Foundation
import Glibc
public import Places
import StateFile
import Synchronization

/// Follows a live source until it ends or is told to stop.
///
/// One thread reads, decodes and runs the engine; each sink has its own. What arrives is processed at
/// once: an alert goes out when its line or epoch is complete.
public final class LiveRunner: Sendable {
  /// How a session ended.
  public enum Ending: Sendable {
    /// The source ended, or whoever read the output had enough.
    case finished
    /// It was told to stop.
    case stopped
    /// The input was no track, or a damaged one; what was good has been delivered.
    case badInput(String)
    /// The source cannot be opened.
    case missingInput(String)
    /// Reading or writing failed for good.
    case failed(String)
  }

  private struct Signals {
    var isStopped = false
    var isHangUp = false
    var isOutputClosed = false
    var outputFailure: String?
  }

  private let options: LiveOptions
  private let signals = Mutex(Signals())
  private let waker = Waker()
  private let say: @Sendable (String) -> Void

  /// Makes a runner.
  ///
  /// - Parameters:
  ///   - options: How the session runs.
  ///   - say: Told sentences for the user, from any thread.
  public init(options: LiveOptions, say: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.say = say
  }

  /// Ends the session soon: what is owed is delivered within half a second or stays owed.
  ///
  /// From any thread.
  public func stop() {
    signals.withLock { $0.isStopped = true }
    waker.signal()
  }

  /// Has the store asked anew at once, as after an edit.
  ///
  /// From any thread.
  public func renewPlaces() {
    signals.withLock { $0.isHangUp = true }
    waker.signal()
  }

  /// Follows the source.
  ///
  /// - Parameters:
  ///   - reader: Where the places are; it should wait for locks for a short time only.
  ///   - state: The file that the session is kept in, if any.
  ///   - observer: Hears what happens.
  ///   - onRejection: Told every rejection, and of which device it was.
  /// - Returns: How it ended.
  public func run(
    reader: PlaceReader, state: LiveState?, observer: LiveObserver? = nil,
    onRejection: ((Rejection, String?) -> Void)? = nil
  ) -> Ending {
    var contents = LiveState.Contents()
    var usedState = state
    do {
      if let state { contents = try state.load() }
    } catch {
      say("\(error); going on without it")
      usedState = nil
    }
    let instance = contents.identity?.instance ?? UUID().uuidString.lowercased()
    let queues = makeQueues(state: usedState, instance: instance)
    let loop = LiveLoop(
      options: options, runner: self, reader: reader, state: usedState, queues: queues,
      observer: observer, say: say)
    loop.session.onRejection = onRejection
    var ending = loop.run(contents, instance: instance)
    let losses = endSinks(queues, isStateKept: loop.isStateKept)
    if case .finished = ending, usedState == nil, state != nil {
      ending = .failed("the state is not saved")
    }
    do throws(StateFileError) {
      try usedState?.close()
    } catch {
      say("\(error)")
    }
    return Self.ending(ending, losses, say)
  }

  /// A session that finished well, but for events that never reached a sink, has not.
  private static func ending(
    _ ending: Ending, _ losses: [String], _ say: (String) -> Void
  ) -> Ending {
    guard case .finished = ending, let last = losses.last else {
      for loss in losses { say(loss) }
      return ending
    }
    for loss in losses.dropLast() { say(loss) }
    return .failed(last)
  }

  // MARK: For the loop

  var isStopped: Bool { signals.withLock { $0.isStopped || $0.isOutputClosed } }

  /// Whether the store was to be asked anew; it is taken note of.
  func takeHangUp() -> Bool {
    signals.withLock { signals in
      defer { signals.isHangUp = false }
      return signals.isHangUp
    }
  }

  /// Why the session ends although its source does not.
  var stopEnding: Ending {
    signals.withLock {
      if let failure = $0.outputFailure { return .failed(failure) }
      return $0.isStopped ? .stopped : .finished
    }
  }

  /// Waits for the source, a signal or a time.
  func wait(for request: (descriptor: Int32, events: Int16)?, milliseconds: Int64) -> Bool {
    var requests = [
      pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: request?.descriptor ?? -1, events: request?.events ?? 0, revents: 0),
    ]
    // There are two requests, as the call is told.
    _ = unsafe poll(&requests, 2, Int32(clamping: milliseconds))
    if requests[0].revents != 0 { waker.clear() }
    return requests[1].revents != 0
  }

  // MARK: Sinks

  private func makeQueues(state: LiveState?, instance: String) -> [SinkQueue] {
    let output = OutputSink(
      descriptor: options.output.descriptor, name: options.output.name)
    let outputRule = DeliverySchedule.Rule(capacity: options.outputCapacity)
    let rule = DeliverySchedule.Rule(
      capacity: options.sinkCapacity, deadlineMilliseconds: options.sinkDeadlineMilliseconds)
    var queues = [queue(.output, outputRule, state, output.deliver)]
    for sink in options.sinks {
      switch sink {
      case .exec(let arguments, let timeout):
        let exec = ExecSink(arguments: arguments, timeoutMilliseconds: timeout)
        queues.append(queue(.exec, rule, state, exec.deliver))
      case .webhook(let url, let timeout):
        let hook = WebhookSink(url: url, instance: instance, timeoutMilliseconds: timeout)
        queues.append(queue(.webhook, rule, state, hook.deliver))
      case .notify: queues.append(queue(.notify, rule, state, NotifySink().deliver))
      }
    }
    return queues
  }

  private func queue(
    _ kind: LiveSinkKind, _ rule: DeliverySchedule.Rule, _ state: LiveState?,
    _ deliver: @escaping @Sendable (OwedDelivery, SinkQueue.Patience) -> DeliveryOutcome
  ) -> SinkQueue {
    let hooks = SinkQueue.Hooks(
      onSettled: { sequences in
        // What cannot be struck out comes again after a restart; that the file fails is told where
        // it is written.
        try? state?.strikeOut(sequences, of: kind)
      },
      say: say,
      onClosed: { [weak self] reason in
        self?.signals.withLock {
          $0.isOutputClosed = true
          $0.outputFailure = reason
        }
        self?.waker.signal()
      })
    return SinkQueue(kind: kind, rule: rule, hooks: hooks, deliver: deliver)
  }

  /// Gives the sinks the time that is left; a session that nobody stopped waits for them longer.
  ///
  /// - Returns: What was lost, a sentence a sink.
  private func endSinks(_ queues: [SinkQueue], isStateKept: Bool) -> [String] {
    let isHurried = isInterrupted
    let limit = isHurried ? Self.hurriedMilliseconds : options.sinkGraceMilliseconds
    let deadline = MonotonicClock.milliseconds + limit
    var losses: [String] = []
    for queue in queues {
      let left = queue.end(
        withinMilliseconds: Int(clamping: max(0, deadline - MonotonicClock.milliseconds)),
        unless: { isInterrupted && !isHurried })
      // Whoever reads a pipe may have enough at any time, as `head` does.
      if queue.kind == .output, hasReaderLeft { continue }
      if left > 0, isStateKept {
        say("\(queue.kind.rawValue): \(left) not delivered yet; the state keeps what is owed")
      }
      if let sentence = queue.losses.sentence(undeliveredCount: isStateKept ? 0 : left) {
        losses.append(sentence)
      }
    }
    return losses
  }

  private var isInterrupted: Bool { signals.withLock { $0.isStopped } }

  private var hasReaderLeft: Bool {
    signals.withLock { $0.isOutputClosed && $0.outputFailure == nil }
  }

  private static var hurriedMilliseconds: Int64 { 500 }
}

/// A clock that never goes back.
enum MonotonicClock {
  /// Milliseconds since some moment before the program began.
  static var milliseconds: Int64 {
    var time = timespec()
    // `time` is ours and of the size the system expects.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds since 1970 by the system's clock, which may be set.
  static var epochMilliseconds: Int64 {
    var time = timespec()
    // `time` is ours and of the size the system expects.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
