/// Bounds on everything a server keeps for its clients.
public struct HTTPLimits: Sendable {
  /// Bytes of a request's target, and of the names and values of its header fields, together.
  public var headBytes = 16 * 1024
  /// Header fields of a request, including its trailers.
  public var headerCount = 100
  /// Bytes of a request's body.
  public var bodyBytes = 4 << 20
  /// Bytes of all request bodies in memory.
  public var allBodyBytes = 32 << 20
  /// Simultaneous connections without an admitted request, at least 1.
  ///
  /// Beyond it the oldest is closed.
  public var unadmitted = 64
  /// Simultaneous admitted requests.
  ///
  /// Beyond it the connection that has stalled longest is closed; if none has, the new request is
  /// refused.
  public var admitted = 64
  /// Simultaneous event streams, which count as neither of the above; more are refused.
  public var streams = 24
  /// How long a request's head may take, in milliseconds.
  public var headMilliseconds: Int64 = 5_000
  /// How long a request's body may take, in milliseconds.
  public var bodyMilliseconds: Int64 = 60_000
  /// How long a body may take to grow by ``bodyStepBytes``, in milliseconds.
  public var bodyStepMilliseconds: Int64 = 10_000
  /// By how many bytes a body must grow to count as progress.
  public var bodyStepBytes = 1024
  /// How long an ``HTTPPromise`` may take, in milliseconds.
  public var answerMilliseconds: Int64 = 10_000
  /// How long a client may stop reading its answer, in milliseconds.
  public var stallMilliseconds: Int64 = 30_000

  /// Makes the defaults.
  public init() {}
}
