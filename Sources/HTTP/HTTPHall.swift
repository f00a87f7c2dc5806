import NIOCore

/// What the connections of a server share.
///
/// On the server's thread only.
final class HTTPHall {
  let limits: HTTPLimits
  /// Makes an answer, told the time of ``nowMilliseconds``.
  let handler: (HTTPRequest, Int64) -> HTTPAnswer
  /// Awaited while a stream has nothing to say.
  let bell: NewsBell
  /// Runs what other threads have for this one, for as long as the server lives.
  let thread: ServerThread
  /// How many bytes of bodies are kept.
  var bodyBytes = 0
  private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]

  /// A stream that goes on so soon by itself needs nobody to wake it.
  private static var soonMilliseconds: Int64 { 100 }

  init(
    limits: HTTPLimits, bell: NewsBell, thread: ServerThread,
    handler: @escaping (HTTPRequest, Int64) -> HTTPAnswer
  ) {
    self.limits = limits
    self.bell = bell
    self.thread = thread
    self.handler = handler
  }

  /// A clock that never goes back.
  var nowMilliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

  /// Takes a connection in.
  ///
  /// - Returns: Whether there is a place for it; else it is to be turned away.
  func enter(_ exchange: HTTPExchange) -> Bool {
    exchanges[ObjectIdentifier(exchange)] = exchange
    return exchanges.count <= limits.connections
  }

  /// Lets a connection go.
  func leave(_ exchange: HTTPExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
  }

  /// Whether there is room for another stream of events.
  var mayStream: Bool { exchanges.values.count(where: \.isStreaming) < limits.streams }

  /// Asks every stream for what is new.
  func pull() {
    for exchange in exchanges.values { exchange.pull() }
  }

  /// Keeps the bell silent while every stream goes on soon without it.
  func settle() {
    let soon = nowMilliseconds + Self.soonMilliseconds
    let isNeeded = exchanges.values.contains { exchange in
      exchange.isIdle && exchange.dueMilliseconds.map { $0 > soon } ?? true
    }
    if !isNeeded { bell.rest() }
  }

  /// Says the last words of every stream and closes all connections.
  func end() {
    for exchange in exchanges.values { exchange.end() }
    bell.rest()
  }
}
