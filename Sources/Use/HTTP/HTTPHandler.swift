#if Command
import Synchronization

/// Decides how a server responds to requests.
///
/// All closures run on the server's thread.
package struct HTTPHandler {
  /// Responds to a request before its body is read, or returns nil to admit it.
  ///
  /// Check credentials here, because a request refused here does not count as admitted.
  package var answerByHead: (HTTPRequest) -> HTTPResponse?
  /// Responds to a complete, admitted request at a time in milliseconds of a monotonic clock.
  package var answer: (HTTPRequest, Int64) -> HTTPAnswer

  /// Creates a handler that admits every request unless told otherwise.
  package init(
    answerByHead: @escaping (HTTPRequest) -> HTTPResponse? = { _ in nil },
    answer: @escaping (HTTPRequest, Int64) -> HTTPAnswer
  ) {
    self.answerByHead = answerByHead
    self.answer = answer
  }
}

/// How a request is answered: at once, later, or by a stream of events.
///
/// The handler decides at once and must not block; work that takes time is promised.
package enum HTTPAnswer {
  /// A response that is ready.
  case response(HTTPResponse)
  /// A response that another thread will supply.
  case later(HTTPPromise)
  /// Events until the client disconnects.
  case events(any EventFeed)
}

/// A stream of server-sent events for one client.
///
/// The server asks for more bytes only after it has written the previous ones, so a slow client
/// skips intermediate states. All calls come on the server's thread.
package protocol EventFeed: AnyObject {
  /// Takes the next bytes to send at a time of a monotonic clock; nil if there is nothing to send yet.
  func next(nowMilliseconds: Int64) -> [UInt8]?
  /// Takes the last bytes to send when the server stops; nil to end without any.
  func last(nowMilliseconds: Int64) -> [UInt8]?
  /// When to ask again without a wake-up, or nil for never.
  var dueMilliseconds: Int64? { get }
}

/// A response that another thread supplies.
///
/// If it is not kept within ``HTTPLimits/answerMilliseconds``, the client gets an error instead.
package final class HTTPPromise: Sendable {
  /// What the lock protects: the response once there is one, and who waits for it.
  private struct State {
    var response: HTTPResponse?
    var whenKept: (@Sendable (HTTPResponse) -> Void)?
  }

  private let state = Mutex(State())

  /// Creates a promise that is not kept yet.
  package init() {}

  /// Supplies the response, from any thread; only the first call has an effect.
  package func keep(_ response: HTTPResponse) {
    let body: (@Sendable (HTTPResponse) -> Void)? = state.withLock { state in
      guard state.response == nil else { return nil }
      state.response = response
      return state.whenKept.take()
    }
    body?(response)
  }

  /// Calls `body` once: at once if there is a response, else on the thread that supplies it.
  package func whenKept(_ body: @escaping @Sendable (HTTPResponse) -> Void) {
    let response = state.withLock { state in
      if state.response == nil { state.whenKept = body }
      return state.response
    }
    if let response { body(response) }
  }
}

/// Limits on everything a server stores for its clients.
///
/// Together they bound the server's memory, whatever its clients do. The defaults suit a phone that
/// posts fixes and a handful of browsers.
package struct HTTPLimits: Sendable {
  /// Total bytes of a request's target and its header names and values.
  package var headBytes = 16 * 1024
  /// Number of header fields in a request, including trailers.
  package var headerCount = 100
  /// The most bytes of a request's body.
  package var bodyBytes = 4 << 20
  /// Total bytes of request bodies in memory; above this, only short bodies grow.
  package var allBodyBytes = 32 << 20
  /// Bytes that each admitted body may always use.
  package var shortBodyBytes = 16 * 1024
  /// Open connections besides event streams, at least 1; while one more is open, others wait at the
  /// socket until a connection ends or gives way.
  package var connections = 512
  /// How long a connection may keep the server waiting before it gives way to others.
  package var patienceMilliseconds: Int64 = 1000
  /// With more connections than this that have no admitted request, an address gets half the
  /// patience for them.
  package var crowd = 64
  /// Event streams at a time, not counted in the limits above; more are refused.
  package var streams = 24
  /// Time for a request's head to arrive, in milliseconds.
  package var headMilliseconds: Int64 = 5_000
  /// Time for a request's whole body to arrive, in milliseconds.
  package var bodyMilliseconds: Int64 = 60_000
  /// Time for a body to grow by ``bodyStepBytes``, in milliseconds.
  package var bodyStepMilliseconds: Int64 = 10_000
  /// The number of bytes that a body must grow by to count as progress.
  package var bodyStepBytes = 1024
  /// Time to keep an ``HTTPPromise``, in milliseconds.
  package var answerMilliseconds: Int64 = 10_000
  /// Time that a client may stop reading its response, in milliseconds.
  package var stallMilliseconds: Int64 = 30_000

  /// Creates the default limits.
  package init() {}
}
#endif
