import NIOCore

/// The open connections of a server and the memory they share.
///
/// Use it on the server's thread only.
final class ConnectionRegistry {
  let limits: HTTPLimits
  let handler: HTTPHandler
  /// Accepts work from other threads until the server stops.
  let thread: ServerThread
  var bodyBytes = 0
  /// Connections whose request is incomplete or was refused, oldest first.
  private var unadmitted: [HTTPExchange] = []
  /// Connections whose request was admitted, in order of admission.
  private var admitted: [HTTPExchange] = []
  /// Connections that receive events.
  private var streams: [HTTPExchange] = []

  init(limits: HTTPLimits, thread: ServerThread, handler: HTTPHandler) {
    self.limits = limits
    self.thread = thread
    self.handler = handler
  }

  var nowMilliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

  /// Whether a request has begun to come, or its response is not written yet.
  var owesAnswer: Bool { (unadmitted + admitted).contains(where: \.owesAnswer) }

  // MARK: Places

  /// Adds a new connection, closing the oldest unadmitted one if there are too many.
  func add(_ exchange: HTTPExchange) {
    unadmitted.append(exchange)
    if unadmitted.count > limits.unadmitted { unadmitted.first?.giveWay() }
  }

  /// Admits a request, closing a stalled connection if needed; false if none can be closed.
  func admit(_ exchange: HTTPExchange) -> Bool {
    guard admitted.count < limits.admitted || closeMostStalled(of: admitted) else { return false }
    remove(exchange)
    admitted.append(exchange)
    return true
  }

  /// Turns a connection into an event stream; false if there are too many.
  func beginStream(_ exchange: HTTPExchange) -> Bool {
    guard streams.count < limits.streams else { return false }
    remove(exchange)
    streams.append(exchange)
    return true
  }

  /// Reserves memory for more bytes of a body, closing connections whose bodies have stalled.
  ///
  /// - Returns: False if there is not enough memory. Short bodies always get it.
  func makeRoom(for count: Int, of exchange: HTTPExchange) -> Bool {
    guard exchange.bodyBytes + count > limits.shortBodyBytes else { return true }
    while bodyBytes + count > limits.allBodyBytes {
      let others = admitted.filter { $0 !== exchange && $0.bodyBytes > 0 }
      guard closeMostStalled(of: others) else { return false }
    }
    return true
  }

  /// Closes the connection that has stalled longest; false if none has stalled.
  private func closeMostStalled(of exchanges: [HTTPExchange]) -> Bool {
    let stalled =
      exchanges
      .compactMap { exchange in exchange.stalledSinceMilliseconds.map { ($0, exchange) } }
      .min { $0.0 < $1.0 }
    stalled?.1.giveWay()
    return stalled != nil
  }

  func remove(_ exchange: HTTPExchange) {
    unadmitted.removeAll { $0 === exchange }
    admitted.removeAll { $0 === exchange }
    streams.removeAll { $0 === exchange }
  }

  // MARK: Streams

  func pull() {
    for exchange in streams { exchange.pull() }
  }

  /// Sends the last events of every stream and closes all connections.
  func end() {
    for exchange in unadmitted + admitted + streams { exchange.end() }
  }
}
