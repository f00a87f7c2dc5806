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
  private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
  /// How many connections there have been.
  private var enteredCount = 0

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
  ///
  /// - Returns: The number of the connection.
  func enter(_ exchange: HTTPExchange) -> Int {
    let others = exchanges.values.filter { $0.standing == .unadmitted }
    if others.count >= limits.unadmitted { others.min { $0.number < $1.number }?.giveWay() }
    exchanges[ObjectIdentifier(exchange)] = exchange
    enteredCount += 1
    return enteredCount
  }

  /// Whether there is a place for another request that is let in; a client that keeps the server
  /// waiting gives way.
  func makePlace() -> Bool {
    let others = exchanges.values.filter { $0.standing == .admitted }
    return others.count < limits.admitted || giveWay(others)
  }

  /// Whether there is room for so many more bytes of a body; other bodies that do not move give way.
  func makeRoom(for count: Int, of exchange: HTTPExchange) -> Bool {
    while bodyBytes + count > limits.allBodyBytes {
      guard giveWay(exchanges.values.filter { $0 !== exchange && $0.bodyBytes > 0 }) else {
        return false
      }
    }
    return true
  }

  /// Closes the connection whose client has kept the server waiting for longest, of several the one
  /// that came first; false where none does.
  private func giveWay(_ exchanges: [HTTPExchange]) -> Bool {
    let stillest =
      exchanges
      .compactMap { exchange in exchange.stillSinceMilliseconds.map { ($0, exchange) } }
      .min { ($0.0, $0.1.number) < ($1.0, $1.1.number) }
    stillest?.1.giveWay()
    return stillest != nil
  }

  /// Lets a connection go.
  func leave(_ exchange: HTTPExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
  }

  // MARK: Streams

  /// Whether there is room for another stream of events.
  var mayStream: Bool {
    exchanges.values.count { $0.standing == .stream } < limits.streams
  }

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
