import Synchronization

/// An answer that is made on another thread.
public final class HTTPPromise: Sendable {
  private enum State {
    case open
    case awaited(@Sendable (HTTPResponse) -> Void)
    case kept(HTTPResponse)
  }

  private let state = Mutex(State.open)

  /// Makes a promise that is not kept yet.
  public init() {}

  /// Keeps it, from any thread; a second time does nothing.
  public func keep(_ response: HTTPResponse) {
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

  /// Hands the answer to `body` once, at once where there is one, else on the thread that keeps it.
  func whenKept(_ body: @escaping @Sendable (HTTPResponse) -> Void) {
    let response: HTTPResponse? = state.withLock { state in
      if case .kept(let response) = state { return response }
      state = .awaited(body)
      return nil
    }
    if let response { body(response) }
  }
}
