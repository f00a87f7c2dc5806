import Glibc
import Synchronization

/// Controls a live session from other threads.
package final class LiveControl: Sendable {
  private struct Requests {
    var isStopped = false
    var mustRenewPlaces = false
    var isOutputClosed = false
    var outputFailure: String?
  }

  private let requests = Mutex(Requests())
  private let waker = Waker()

  package init() {}

  /// Ends the session within half a second; the state keeps what the sinks have not taken.
  package func stop() {
    requests.withLock { $0.isStopped = true }
    waker.signal()
  }

  /// Queries the store again at once, for example after an edit.
  package func renewPlaces() {
    requests.withLock { $0.mustRenewPlaces = true }
    waker.signal()
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

  /// Whether ``renewPlaces()`` was called since the last check.
  func takeRenewal() -> Bool {
    requests.withLock { requests in
      defer { requests.mustRenewPlaces = false }
      return requests.mustRenewPlaces
    }
  }

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
