import Glibc
import Synchronization

/// Controls a live session from other threads.
package final class LiveControl: Sendable {
  private struct Requests {
    var isStopped = false
    var reload: LiveReload?
    var isOutputClosed = false
    var outputFailure: String?
    var faults = ["the session has not begun"]
  }

  private let requests = Mutex(Requests())
  private let links = Mutex<[@Sendable () -> String?]>([])
  private let waker = Waker()

  package init() {}

  /// Ends the session within half a second; the state keeps what the sinks have not taken.
  package func stop() {
    requests.withLock { $0.isStopped = true }
    waker.signal()
  }

  /// Queries the store again at once, for example after an edit, with other rules if there are any.
  package func reload(_ reload: LiveReload) {
    requests.withLock { $0.reload = reload }
    waker.signal()
  }

  /// What the session cannot do at the moment, in a few words each; empty if it is ready.
  package var faults: [String] {
    let links = links.withLock { $0 }
    return requests.withLock { $0.faults } + links.compactMap { $0() }
  }

  /// Adds the fault of a connection that another thread keeps; it is nil while all is well.
  package func watch(_ fault: @escaping @Sendable () -> String?) {
    links.withLock { $0.append(fault) }
  }

  /// Ends the session because the output is closed; without a reason, the reader closed its pipe.
  func closeOutput(_ failure: String?) {
    requests.withLock {
      $0.isOutputClosed = true
      $0.outputFailure = failure
    }
    waker.signal()
  }

  // MARK: For the session

  var isStopped: Bool { requests.withLock { $0.isStopped } }

  var mustEnd: Bool { requests.withLock { $0.isStopped || $0.isOutputClosed } }

  /// Whether the reader closed its pipe, as `head` does.
  var hasReaderLeft: Bool { requests.withLock { $0.isOutputClosed && $0.outputFailure == nil } }

  var ending: LiveRunner.Ending {
    requests.withLock {
      if let failure = $0.outputFailure { return .failed(failure) }
      return $0.isStopped ? .stopped : .finished
    }
  }

  func setFaults(_ faults: [String]) { requests.withLock { $0.faults = faults } }

  /// The latest request of ``reload(_:)`` since the last call.
  func takeReload() -> LiveReload? { requests.withLock { $0.reload.take() } }

  /// Waits for a descriptor, a request or a timeout (−1 for none); true if the descriptor is ready.
  func wait(for request: (descriptor: Int32, events: Int16)?, milliseconds: Int64) -> Bool {
    var requests = [
      pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: request?.descriptor ?? -1, events: request?.events ?? 0, revents: 0),
    ]
    // The count matches the array.
    _ = unsafe poll(&requests, 2, Int32(clamping: milliseconds))
    if requests[0].revents != 0 { waker.clear() }
    return requests[1].revents != 0
  }
}
