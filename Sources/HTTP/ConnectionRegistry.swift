import NIOCore
import Synchronization

/// The connections of a server and the resources they share.
///
/// Used on the server's thread only.
final class ConnectionRegistry {
  let limits: HTTPLimits
  let handler: HTTPHandler
  /// Armed while a stream has nothing to send.
  let wakeFlag: WakeFlag
  /// Runs work from other threads for as long as the server lives.
  let thread: ServerThread
  /// Bytes of request bodies held in memory.
  var bodyBytes = 0
  /// Connections whose request is incomplete or was refused, oldest first.
  private var unadmitted: [HTTPExchange] = []
  /// Connections whose request was admitted, in order of admission.
  private var admitted: [HTTPExchange] = []
  /// Connections that receive events.
  private var streams: [HTTPExchange] = []

  /// A stream that is due this soon needs no wake-up.
  private static var soonMilliseconds: Int64 { 100 }

  init(limits: HTTPLimits, wakeFlag: WakeFlag, thread: ServerThread, handler: HTTPHandler) {
    self.limits = limits
    self.wakeFlag = wakeFlag
    self.thread = thread
    self.handler = handler
  }

  /// Milliseconds of a monotonic clock.
  var nowMilliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

  // MARK: Places

  /// Adds a new connection; closes the oldest unadmitted one if there are too many.
  func add(_ exchange: HTTPExchange) {
    unadmitted.append(exchange)
    if unadmitted.count > limits.unadmitted { unadmitted.first?.giveWay() }
  }

  /// Admits a connection's request, closing a stalled connection if necessary.
  ///
  /// - Returns: False if all places are taken and no client is stalled.
  func admit(_ exchange: HTTPExchange) -> Bool {
    guard admitted.count < limits.admitted || closeMostStalled(of: admitted) else { return false }
    remove(exchange)
    admitted.append(exchange)
    return true
  }

  /// Turns a connection into an event stream.
  ///
  /// - Returns: False if there are too many streams.
  func beginStream(_ exchange: HTTPExchange) -> Bool {
    guard streams.count < limits.streams else { return false }
    remove(exchange)
    streams.append(exchange)
    return true
  }

  /// Makes room for more bytes of a body, closing connections whose bodies have stalled.
  ///
  /// - Returns: False if there is not enough room.
  func makeRoom(for count: Int, of exchange: HTTPExchange) -> Bool {
    while bodyBytes + count > limits.allBodyBytes {
      let others = admitted.filter { $0 !== exchange && $0.bodyBytes > 0 }
      guard closeMostStalled(of: others) else { return false }
    }
    return true
  }

  /// Closes the connection that has waited longest for its client; the first admitted wins a tie.
  ///
  /// - Returns: False if no connection waits for its client.
  private func closeMostStalled(of exchanges: [HTTPExchange]) -> Bool {
    let stalled =
      exchanges
      .compactMap { exchange in exchange.stalledSinceMilliseconds.map { ($0, exchange) } }
      .min { $0.0 < $1.0 }
    stalled?.1.giveWay()
    return stalled != nil
  }

  /// Removes a connection.
  func remove(_ exchange: HTTPExchange) {
    unadmitted.removeAll { $0 === exchange }
    admitted.removeAll { $0 === exchange }
    streams.removeAll { $0 === exchange }
  }

  // MARK: Streams

  /// Sends every stream's new events.
  func pull() {
    for exchange in streams { exchange.pull() }
  }

  /// Disarms the wake flag if every stream continues soon without it.
  func disarmIfUnneeded() {
    let soon = nowMilliseconds + Self.soonMilliseconds
    let isNeeded = streams.contains { exchange in
      exchange.isIdle && exchange.dueMilliseconds.map { $0 > soon } ?? true
    }
    if !isNeeded { wakeFlag.disarm() }
  }

  /// Sends the last events of every stream and closes all connections.
  func end() {
    for exchange in unadmitted + admitted + streams { exchange.end() }
    wakeFlag.disarm()
  }
}

/// Whether event streams wait to be woken.
///
/// A thread that has news checks it for the price of one load if no stream waits.
final class WakeFlag: Sendable {
  private let isArmed = Atomic(false)

  /// Requests a wake-up; call before looking for news.
  func arm() { isArmed.store(true, ordering: .sequentiallyConsistent) }

  /// Withdraws the request.
  func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

  /// Withdraws the request and returns whether there was one.
  func take() -> Bool {
    isArmed.load(ordering: .sequentiallyConsistent)
      && isArmed.exchange(false, ordering: .sequentiallyConsistent)
  }
}
