#if Command
import Dispatch
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A small HTTP/1.1 server with server-sent events, built on SwiftNIO.
///
/// One thread serves every connection, and each request has its own connection. ``HTTPLimits``
/// bounds the memory that clients use. A slow client never delays another.
///
/// When too many connections are open, others wait at the socket, where the system holds what they
/// send, and idle or slow ones give way after a while: ``Yielding``. The server reads all pending
/// input before it accepts the next connection, so a request that has arrived is never closed to
/// make room for a later one.
package final class HTTPServer: Sendable {
  /// The port that it listens on, also if the system chose it.
  package let port: UInt16

  private let limits: HTTPLimits
  private let thread: ServerThread
  private let listener: any Channel
  private let registry: NIOLoopBoundBox<ConnectionRegistry?>
  /// Whether the streams will be asked for events soon.
  private let isWoken = Atomic(false)

  /// Binds an address, where connections wait until ``start(_:)``.
  ///
  /// If there is a descriptor, it is a listening socket that takes the place of the address.
  package init(
    _ address: HTTPAddress, limits: HTTPLimits = HTTPLimits(), descriptor: Int32? = nil
  ) throws(ListeningError) {
    self.limits = limits
    thread = ServerThread()
    registry = NIOLoopBoundBox.makeEmptyBox(eventLoop: thread.group.next())
    do {
      listener =
        if let descriptor {
          try Self.bootstrap(thread, registry, isIP6: false).withBoundSocket(descriptor).wait()
        } else {
          try Self.listen(address, thread, registry)
        }
      port = listener.localAddress?.port.map { UInt16($0) } ?? address.port
    } catch {
      thread.end({}, after: {})
      throw ListeningError(address, error)
    }
  }

  deinit { thread.end({}, after: {}) }

  /// Starts to respond to requests; `makeHandler` is called once, on the server's thread.
  package func start(_ makeHandler: @escaping @Sendable () -> HTTPHandler) {
    thread.run { [limits, thread, listener, registry] in
      let connections = ConnectionRegistry(limits: limits, thread: thread, handler: makeHandler()) {
        // If the listener is gone, the option does not matter.
        listener.setOption(.autoRead, value: $0).whenComplete { _ in }
      }
      registry.value = connections
      connections.isOpen = true
    }
  }

  /// Tells event streams that there may be new events, from any thread.
  package func wake() {
    guard !isWoken.exchange(true, ordering: .sequentiallyConsistent) else { return }
    thread.run { [self] in
      isWoken.store(false, ordering: .sequentiallyConsistent)
      registry.value?.pull()
    }
  }

  /// Answers the requests that have come, for at most so long, and accepts no further connection.
  ///
  /// Connections wait at the socket, for a program that shares it.
  package func drain(milliseconds: Int64) {
    let end = DispatchTime.now() + .milliseconds(Int(milliseconds))
    var isBusy = true
    thread.run { [registry] in registry.value?.isOpen = false }
    while isBusy, DispatchTime.now() < end {
      let found = Mutex(false)
      let done = DispatchSemaphore(value: 0)
      thread.run { [registry] in
        found.withLock { $0 = registry.value?.owesAnswer ?? false }
        done.signal()
      }
      guard done.wait(timeout: end) == .success else { return }
      isBusy = found.withLock { $0 }
      if isBusy { usleep(5000) }
    }
  }

  /// Closes every connection within 0.1 s, from any thread but the server's own.
  package func stop() {
    let done = DispatchSemaphore(value: 0)
    thread.end(
      { [registry] in
        registry.value?.end()
        registry.value = nil
      }, after: { done.signal() })
    _ = done.wait(timeout: .now() + .milliseconds(100))
  }

  // MARK: Listening

  /// Binds the first of the socket addresses that this machine has.
  private static func listen(
    _ address: HTTPAddress, _ thread: ServerThread, _ registry: NIOLoopBoundBox<ConnectionRegistry?>
  ) throws -> any Channel {
    var failure: any Error = SocketAddressError.unsupported
    for candidate in try address.candidates() {
      do {
        return try bootstrap(thread, registry, isIP6: candidate.protocol == .inet6)
          .bind(to: candidate).wait()
      } catch let error as IOError
        where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode)
      {
        failure = error
      }
    }
    throw failure
  }

  private static func bootstrap(
    _ thread: ServerThread, _ registry: NIOLoopBoundBox<ConnectionRegistry?>, isIP6: Bool
  ) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: thread.group)
      // A full backlog drops connections, and a dropped client retries only after a second.
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      // Accept one at a time, so that pending input is read before a connection is closed for room.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A large buffer would hold old events for a slow client.
      .childChannelOption(.socketOption(.so_sndbuf), value: 128 * 1024)
      // A client that has shut down its sending side may still read.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let registry = registry.value else { throw ChannelError.ioOnClosedChannel }
          try HTTPExchange.add(to: channel.pipeline.syncOperations, registry)
        }
      }
    guard isIP6 else { return bootstrap }
    let option = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
    return bootstrap.serverChannelOption(option, value: 0)
  }
}

/// The single thread of a server.
///
/// All state of connections belongs to it, so none needs a lock.
final class ServerThread: Sendable {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let hasEnded = Mutex(false)

  /// Runs `body` on the thread, or does nothing after ``end(_:after:)``.
  func run(_ body: @escaping @Sendable () -> Void) {
    // Keep the lock: an event loop that has shut down accepts no more work.
    hasEnded.withLock { hasEnded in
      if !hasEnded { group.next().execute(body) }
    }
  }

  /// Runs `body` last and stops the thread.
  ///
  /// `after` is called on another thread once every descriptor is closed.
  func end(_ body: @escaping @Sendable () -> Void, after: @escaping @Sendable () -> Void) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      if !hasEnded { group.next().execute(body) }
      return !hasEnded
    }
    // The loop first finishes its pending work, then closes its channels.
    if isFirst { group.shutdownGracefully { _ in after() } } else { after() }
  }
}

/// The open connections of a server and the memory they share.
///
/// Use it on the server's thread only.
final class ConnectionRegistry {
  let limits: HTTPLimits
  let handler: HTTPHandler
  /// Accepts work from other threads until the server stops.
  let thread: ServerThread
  var bodyBytes = 0
  /// Whether connections are accepted while there is room.
  var isOpen = false { didSet { makeRoom() } }
  /// Starts or stops to accept connections.
  private let accept: (Bool) -> Void
  private var isAccepting = false
  /// When the next connection gives way.
  private var alarm: Scheduled<Void>?
  /// Every connection but the streams, oldest first.
  private var exchanges: [HTTPExchange] = []
  private var streams: [HTTPExchange] = []

  init(
    limits: HTTPLimits, thread: ServerThread, handler: HTTPHandler,
    accept: @escaping (Bool) -> Void
  ) {
    self.limits = limits
    self.thread = thread
    self.handler = handler
    self.accept = accept
  }

  var nowMilliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

  /// Whether a request has begun to come, or its response is not written yet.
  var owesAnswer: Bool { exchanges.contains(where: \.owesAnswer) }

  // MARK: Places

  func add(_ exchange: HTTPExchange) {
    exchanges.append(exchange)
    makeRoom()
  }

  /// Accepts connections while there is room, and has one give way when there is no more.
  func makeRoom() {
    alarm?.cancel()
    let isFull = exchanges.count > limits.connections
    if isAccepting != (isOpen && !isFull) {
      isAccepting.toggle()
      accept(isAccepting)
    }
    guard isFull, let next = Yielding(limits).next(of: exchanges.map(\.candidate)) else { return }
    let wait = next.dueMilliseconds.subtractingReportingOverflow(nowMilliseconds)
    guard !wait.overflow, wait.partialValue > 0 else { return exchanges[next.index].giveWay() }
    alarm = thread.group.next().scheduleTask(in: .milliseconds(wait.partialValue)) {
      [bound = NIOLoopBound(self, eventLoop: thread.group.next())] in
      bound.value.makeRoom()
    }
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
      let others = exchanges.filter { $0 !== exchange && $0.bodyBytes > 0 }
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
    exchanges.removeAll { $0 === exchange }
    streams.removeAll { $0 === exchange }
    makeRoom()
  }

  // MARK: Streams

  func pull() {
    for exchange in streams { exchange.pull() }
  }

  /// Sends the last events of every stream and closes all connections.
  func end() {
    isOpen = false
    for exchange in exchanges + streams { exchange.end() }
  }
}
#endif
