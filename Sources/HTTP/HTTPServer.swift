import Foundation
import Glibc
import Synchronization

/// A small server of HTTP/1.1 and server-sent events, for a page and what it needs.
///
/// One thread polls every connection; nothing that a client does or leaves undone makes another wait,
/// and ``HTTPLimits`` bounds all that is kept for them. Each request has a connection of its own.
public final class HTTPServer: Sendable {
  private let socket: ListeningSocket
  private let limits: HTTPLimits
  private let wakeup: Wakeup
  private let isStopped = Atomic(false)
  private let hasEnded = Atomic(false)
  /// Whether the loop wants to be woken by ``wake()``.
  private let isAwaiting = Atomic(false)

  /// Connections that are told that there are too many, besides those that there may be.
  private static var mostTurnedAway: Int { 16 }
  private static var soonMilliseconds: Int64 { 100 }

  /// Takes the address; connections wait until ``start(_:)``.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - limits: What a client may ask.
  /// - Throws: ``ListeningError``.
  public init(
    _ address: HTTPAddress, limits: HTTPLimits = HTTPLimits()
  ) throws(ListeningError) {
    socket = try ListeningSocket(address)
    self.limits = limits
    guard let wakeup = Wakeup() else {
      throw ListeningError(
        address: address.text, reason: "no descriptors are left", isAddressWrong: false)
    }
    self.wakeup = wakeup
  }

  /// The port that it listens on.
  public var port: UInt16 { socket.port }

  /// Begins to answer, on a thread of its own.
  ///
  /// - Parameter makeHandler: Called once on that thread; what it makes answers every request,
  ///   there, and is told the time by a clock that never goes back, in milliseconds.
  public func start(_ makeHandler: @escaping @Sendable () -> (HTTPRequest, Int64) -> HTTPAnswer) {
    let thread = Thread { [self] in
      run(makeHandler())
      hasEnded.store(true, ordering: .releasing)
    }
    thread.name = "http"
    thread.start()
  }

  /// Says that streams of events may have something new; costs next to nothing where nobody listens.
  ///
  /// From any thread.
  public func wake() {
    if isAwaiting.exchange(false, ordering: .acquiringAndReleasing) { wakeup.signal() }
  }

  /// Closes every connection; waits for that no longer than a tenth of a second.
  ///
  /// From any thread.
  public func stop() {
    isStopped.store(true, ordering: .releasing)
    wakeup.signal()
    for _ in 0..<50 where !hasEnded.load(ordering: .acquiring) { usleep(2000) }
  }

  // MARK: The loop

  private func run(_ handler: @escaping (HTTPRequest, Int64) -> HTTPAnswer) {
    var connections: [HTTPConnection] = []
    var results: [Int16] = []
    var acceptsAgain: Int64 = 0
    while !isStopped.load(ordering: .acquiring) {
      let now = MonotonicClock.milliseconds
      // Whatever is new from here on wakes the poll below.
      isAwaiting.store(true, ordering: .sequentiallyConsistent)
      advance(connections, results, handler, now)
      connections.removeAll { $0.isClosed }
      let hasRoom = connections.count < limits.connections + Self.mostTurnedAway
      let mayAccept = hasRoom && now >= acceptsAgain
      let due =
        connections.compactMap(\.dueMilliseconds) + (now < acceptsAgain ? [acceptsAgain] : [])
      let wait = due.min().map { max(0, $0 - now) } ?? -1
      // A stream that has more to say and waits for its time needs nobody to wake it.
      if 0...Self.soonMilliseconds ~= wait { isAwaiting.store(false, ordering: .releasing) }
      var requests =
        [
          pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: mayAccept ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ] + connections.map(\.interest)
      _ = unsafe poll(&requests, nfds_t(requests.count), Int32(clamping: wait))
      if requests[0].revents != 0 { wakeup.clear() }
      results = requests.dropFirst(2).map(\.revents)
      if requests[1].revents != 0, !accept(into: &connections) {
        acceptsAgain = MonotonicClock.milliseconds + 100
      }
    }
    for connection in connections { connection.end(now: MonotonicClock.milliseconds) }
  }

  private func advance(
    _ connections: [HTTPConnection], _ results: [Int16],
    _ handler: @escaping (HTTPRequest, Int64) -> HTTPAnswer, _ now: Int64
  ) {
    var around = HTTPConnection.Surroundings(
      now: now, roomBytes: limits.allBodyBytes - connections.reduce(0) { $0 + $1.keptBytes },
      mayStream: false, handler: { handler($0, now) }, wake: { [wakeup] in wakeup.signal() })
    var streamCount = connections.count(where: \.isStreaming)
    for (index, connection) in connections.enumerated() {
      around.mayStream = streamCount < limits.streams
      let wasStreaming = connection.isStreaming
      // Those that have just come were not polled yet.
      connection.advance(index < results.count ? Int32(results[index]) : 0, around)
      if connection.isStreaming && !wasStreaming { streamCount += 1 }
    }
  }

  /// Takes the connections that wait; false where the system has no descriptors left.
  private func accept(into connections: inout [HTTPConnection]) -> Bool {
    while connections.count < limits.connections + Self.mostTurnedAway {
      guard let descriptor = socket.accept() else {
        return errno != EMFILE && errno != ENFILE
      }
      let connection = HTTPConnection(
        descriptor, limits: limits, now: MonotonicClock.milliseconds)
      if connections.count >= limits.connections { connection.turnAway() }
      connections.append(connection)
    }
    return true
  }
}
