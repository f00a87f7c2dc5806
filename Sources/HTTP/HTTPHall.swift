import NIOCore

/// What the connections of a server share.
///
/// On the server's thread only.
final class HTTPHall {
  let limits: HTTPLimits
  let handler: HTTPHandler
  /// Awaited while a stream has nothing to say.
  let bell: NewsBell
  /// Runs what other threads have for this one, for as long as the server lives.
  let thread: ServerThread
  /// How many bytes of bodies are kept.
  var bodyBytes = 0
  /// Connections whose request has not come, or was refused, in the order in which they came.
  private var unadmitted: [HTTPExchange] = []
  /// Connections whose request was let in, in the order in which they were.
  private var admitted: [HTTPExchange] = []
  /// Connections that are sent events.
  private var streams: [HTTPExchange] = []

  /// A stream that goes on so soon by itself needs nobody to wake it.
  private static var soonMilliseconds: Int64 { 100 }

  init(limits: HTTPLimits, bell: NewsBell, thread: ServerThread, handler: HTTPHandler) {
    self.limits = limits
    self.bell = bell
    self.thread = thread
    self.handler = handler
  }

  /// A clock that never goes back.
  var nowMilliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

  // MARK: Places

  /// Takes a connection in, for which the oldest of those that were not let in may have to go.
  func enter(_ exchange: HTTPExchange) {
    unadmitted.append(exchange)
    if unadmitted.count > limits.unadmitted { unadmitted.first?.giveWay() }
  }

  /// Lets in the request of a connection; a client that keeps the server waiting gives way.
  ///
  /// - Returns: Whether there is a place for it.
  func admit(_ exchange: HTTPExchange) -> Bool {
    guard admitted.count < limits.admitted || giveWay(admitted) else { return false }
    leave(exchange)
    admitted.append(exchange)
    return true
  }

  /// Lets a connection be a stream of events.
  ///
  /// - Returns: Whether there is a place for it.
  func beginStream(_ exchange: HTTPExchange) -> Bool {
    guard streams.count < limits.streams else { return false }
    leave(exchange)
    streams.append(exchange)
    return true
  }

  /// Whether there is room for so many more bytes of a body; other bodies that do not move give way.
  func makeRoom(for count: Int, of exchange: HTTPExchange) -> Bool {
    while bodyBytes + count > limits.allBodyBytes {
      guard giveWay(admitted.filter { $0 !== exchange && $0.bodyBytes > 0 }) else { return false }
    }
    return true
  }

  /// Closes the connection whose client has kept the server waiting for longest, of several the one
  /// that was let in first; false where none does.
  private func giveWay(_ exchanges: [HTTPExchange]) -> Bool {
    let stillest =
      exchanges
      .compactMap { exchange in exchange.stillSinceMilliseconds.map { ($0, exchange) } }
      .min { $0.0 < $1.0 }
    stillest?.1.giveWay()
    return stillest != nil
  }

  /// Lets a connection go.
  func leave(_ exchange: HTTPExchange) {
    unadmitted.removeAll { $0 === exchange }
    admitted.removeAll { $0 === exchange }
    streams.removeAll { $0 === exchange }
  }

  // MARK: Streams

  /// Asks every stream for what is new.
  func pull() {
    for exchange in streams { exchange.pull() }
  }

  /// Keeps the bell silent while every stream goes on soon without it.
  func settle() {
    let soon = nowMilliseconds + Self.soonMilliseconds
    let isNeeded = streams.contains { exchange in
      exchange.isIdle && exchange.dueMilliseconds.map { $0 > soon } ?? true
    }
    if !isNeeded { bell.rest() }
  }

  /// Says the last words of every stream and closes all connections.
  func end() {
    for exchange in unadmitted + admitted + streams { exchange.end() }
    bell.rest()
  }
}
