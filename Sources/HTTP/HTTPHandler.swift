/// What a server does with requests.
///
/// Used on the server's thread only.
public struct HTTPHandler {
  /// Answers a request by its head, before any of its body is read; nil lets the request in.
  ///
  /// A request that is answered here counts among those that were not let in, so that this is where
  /// strangers are turned away.
  public var answerByHead: (HTTPRequest) -> HTTPResponse?
  /// Answers a request that was let in and has come whole; told the time by a clock that never goes
  /// back, in milliseconds.
  public var answer: (HTTPRequest, Int64) -> HTTPAnswer

  /// Makes a handler; without `answerByHead` it lets everybody in.
  public init(
    answerByHead: @escaping (HTTPRequest) -> HTTPResponse? = { _ in nil },
    answer: @escaping (HTTPRequest, Int64) -> HTTPAnswer
  ) {
    self.answerByHead = answerByHead
    self.answer = answer
  }
}
