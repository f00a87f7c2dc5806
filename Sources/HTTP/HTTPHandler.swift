import Synchronization

/// Answers a server's requests.
///
/// Used on the server's thread only.
package struct HTTPHandler {
  /// Answers a request by its head, before its body is read; nil admits the request.
  ///
  /// Requests answered here do not count as admitted: check credentials here.
  package var answerByHead: (HTTPRequest) -> HTTPResponse?
  /// Answers a complete, admitted request; the second argument is the time in milliseconds of a
  /// monotonic clock.
  package var answer: (HTTPRequest, Int64) -> HTTPAnswer

  /// Makes a handler; without `answerByHead` it admits every request.
  package init(
    answerByHead: @escaping (HTTPRequest) -> HTTPResponse? = { _ in nil },
    answer: @escaping (HTTPRequest, Int64) -> HTTPAnswer
  ) {
    self.answerByHead = answerByHead
    self.answer = answer
  }
}

/// A server's answer to a request.
package enum HTTPAnswer {
  /// An answer at once.
  case response(HTTPResponse)
  /// An answer when the promise is kept.
  case later(HTTPPromise)
  /// Events until the client disconnects.
  case events(any EventFeed)
}

/// A stream of server-sent events for one client.
///
/// Used on the server's thread only. The server asks for more bytes only after it has written the
/// last ones, so a slow client skips intermediate states.
package protocol EventFeed: AnyObject {
  /// The next bytes to send.
  ///
  /// - Parameter nowMilliseconds: The time of a monotonic clock.
  /// - Returns: The bytes; nil if there is nothing to send now.
  func next(nowMilliseconds: Int64) -> [UInt8]?
  /// The last bytes, when the server stops.
  ///
  /// - Parameter nowMilliseconds: The time of a monotonic clock.
  /// - Returns: The bytes; nil if there is nothing left to send.
  func last(nowMilliseconds: Int64) -> [UInt8]?
  /// When to ask again without a wake-up; nil for never.
  var dueMilliseconds: Int64? { get }
}

/// An answer that another thread makes.
package final class HTTPPromise: Sendable {
  private enum State {
    case open
    case awaited(@Sendable (HTTPResponse) -> Void)
    case kept(HTTPResponse)
  }

  private let state = Mutex(State.open)

  /// Makes an open promise.
  package init() {}

  /// Keeps the promise, from any thread; only the first call has an effect.
  package func keep(_ response: HTTPResponse) {
    let body: (@Sendable (HTTPResponse) -> Void)? = state.withLock { state in
      switch state {
      case .open:
        state = .kept(response)
        return nil
      case .awaited(let body):
        state = .kept(response)
        return body
      case .kept: return nil
      }
    }
    body?(response)
  }

  /// Calls `body` once with the answer: at once if there is one, else on the thread that keeps the
  /// promise.
  package func whenKept(_ body: @escaping @Sendable (HTTPResponse) -> Void) {
    let response: HTTPResponse? = state.withLock { state in
      if case .kept(let response) = state { return response }
      state = .awaited(body)
      return nil
    }
    if let response { body(response) }
  }
}

/// Bounds on everything a server keeps for its clients.
package struct HTTPLimits: Sendable {
  /// Bytes of a request's target, and of the names and values of its header fields, together.
  package var headBytes = 16 * 1024
  /// Header fields of a request, including its trailers.
  package var headerCount = 100
  /// Bytes of a request's body.
  package var bodyBytes = 4 << 20
  /// Bytes of all request bodies in memory, beyond which only short bodies grow.
  package var allBodyBytes = 32 << 20
  /// Bytes that each admitted body may have whatever the others have.
  package var shortBodyBytes = 64 * 1024
  /// Simultaneous connections without an admitted request, at least 1.
  ///
  /// Beyond it the oldest is closed.
  package var unadmitted = 64
  /// Simultaneous admitted requests.
  ///
  /// Beyond it the connection that has stalled longest is closed; if none has, the new request is
  /// refused.
  package var admitted = 64
  /// Simultaneous event streams, which count as neither of the above; more are refused.
  package var streams = 24
  /// How long a request's head may take, in milliseconds.
  package var headMilliseconds: Int64 = 5_000
  /// How long a request's body may take, in milliseconds.
  package var bodyMilliseconds: Int64 = 60_000
  /// How long a body may take to grow by ``bodyStepBytes``, in milliseconds.
  package var bodyStepMilliseconds: Int64 = 10_000
  /// By how many bytes a body must grow to count as progress.
  package var bodyStepBytes = 1024
  /// How long an ``HTTPPromise`` may take, in milliseconds.
  package var answerMilliseconds: Int64 = 10_000
  /// How long a client may stop reading its answer, in milliseconds.
  package var stallMilliseconds: Int64 = 30_000

  /// Makes the defaults.
  package init() {}
}
