/// What a client may ask of a server at most.
///
/// Everything a server keeps for a client is bounded by these, whatever the client sends.
public struct HTTPLimits: Sendable {
  /// Bytes of a request's target, and of the names and values of its header fields, together.
  public var headBytes = 16 * 1024
  /// Header fields of a request, those behind its body included.
  public var headerCount = 100
  /// Bytes of a request's body.
  public var bodyBytes = 4 << 20
  /// Bytes of the bodies of all requests that are being read.
  public var allBodyBytes = 32 << 20
  /// Connections at a time that have not been let in, at least 1.
  ///
  /// Their requests have not come, or were refused. Where there are more, the oldest is closed.
  public var unadmitted = 64
  /// Requests at a time that have been let in.
  ///
  /// Where there are more, the client that has kept the server waiting for longest gives way; where the
  /// server keeps all of them waiting, the new request is turned away.
  public var admitted = 64
  /// Streams of events at a time, which count as neither of the above; more are turned away.
  public var streams = 24
  /// How long a request's head may take, in milliseconds.
  public var headMilliseconds: Int64 = 5_000
  /// How long a request's body may take, in milliseconds.
  public var bodyMilliseconds: Int64 = 60_000
  /// How long a body may take to grow by ``bodyStepBytes``, in milliseconds.
  public var bodyStepMilliseconds: Int64 = 10_000
  /// By how many bytes a body must grow to count as one that moves.
  public var bodyStepBytes = 1024
  /// How long an answer that is made elsewhere may take, in milliseconds.
  public var answerMilliseconds: Int64 = 10_000
  /// How long a client may take nothing of what is being sent, in milliseconds.
  public var stallMilliseconds: Int64 = 30_000

  /// Makes the defaults.
  public init() {}
}
