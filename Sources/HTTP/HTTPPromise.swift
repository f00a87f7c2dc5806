import Synchronization

/// An answer that is made on another thread.
public final class HTTPPromise: Sendable {
  private struct State {
    var response: HTTPResponse?
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Makes a promise that is not kept yet.
  public init() {}

  /// Keeps it, from any thread; a second time does nothing.
  public func keep(_ response: HTTPResponse) {
    let wake = state.withLock { state in
      if state.response == nil { state.response = response }
      return state.wake
    }
    wake?()
  }

  /// The answer, nil where there is none yet; `wake` is called when there is.
  func take(wake: @escaping @Sendable () -> Void) -> HTTPResponse? {
    state.withLock { state in
      state.wake = wake
      return state.response
    }
  }
}
