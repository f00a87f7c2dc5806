import Dispatch
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A small server of HTTP/1.1 and server-sent events, for a page and what it needs, on SwiftNIO.
///
/// One thread serves every connection; nothing that a client does or leaves undone makes another wait,
/// and ``HTTPLimits`` bounds all that is kept for them. Each request has a connection of its own.
///
/// Every connection is taken, and one that says nothing, or goes on slowly, holds no place that another
/// needs. Between two connections that are taken everything is read that has come, so that a request
/// that is there is never closed for one that comes after it.
public final class HTTPServer: Sendable {
  /// The port that it listens on.
  public let port: UInt16

  private let limits: HTTPLimits
  private let thread: ServerThread
  private let listener: any Channel
  private let hall: NIOLoopBoundBox<HTTPHall?>
  private let bell = NewsBell()

  private static var stopMilliseconds: Int { 100 }

  /// Takes the address; connections wait until ``start(_:)``.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - limits: What a client may ask.
  /// - Throws: ``ListeningError``.
  public init(
    _ address: HTTPAddress, limits: HTTPLimits = HTTPLimits()
  ) throws(ListeningError) {
    self.limits = limits
    thread = ServerThread()
    hall = NIOLoopBoundBox.makeEmptyBox(eventLoop: thread.group.next())
    do {
      listener = try Self.listen(address, thread, hall)
      port = listener.localAddress?.port.map { UInt16($0) } ?? address.port
    } catch {
      thread.end({}, after: {})
      throw ListeningError(address, error)
    }
  }

  deinit { thread.end({}, after: {}) }

  /// Begins to answer, on a thread of its own.
  ///
  /// - Parameter makeHandler: Called once on that thread; what it makes answers every request there.
  public func start(_ makeHandler: @escaping @Sendable () -> HTTPHandler) {
    thread.run { [limits, thread, listener, hall, bell] in
      hall.value = HTTPHall(limits: limits, bell: bell, thread: thread, handler: makeHandler())
      // A listener that has gone has nobody to tell.
      listener.setOption(.autoRead, value: true).whenComplete { _ in }
    }
  }

  /// Says that streams of events may have something new; costs next to nothing where nobody listens.
  ///
  /// From any thread.
  public func wake() {
    guard bell.ring() else { return }
    thread.run { [hall] in hall.value?.pull() }
  }

  /// Closes every connection; waits for that no longer than a tenth of a second.
  ///
  /// From any thread but the server's own.
  public func stop() {
    let done = DispatchSemaphore(value: 0)
    thread.end(
      { [hall] in
        hall.value?.end()
        hall.value = nil
      }, after: { done.signal() })
    _ = done.wait(timeout: .now() + .milliseconds(Self.stopMilliseconds))
  }

  // MARK: Listening

  /// Takes the first of an address's socket addresses that this machine has.
  private static func listen(
    _ address: HTTPAddress, _ thread: ServerThread, _ hall: NIOLoopBoundBox<HTTPHall?>
  ) throws -> any Channel {
    var failure: any Error = SocketAddressError.unsupported
    for candidate in try address.candidates() {
      do {
        return try bootstrap(thread, hall, isIP6: candidate.protocol == .inet6)
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
    _ thread: ServerThread, _ hall: NIOLoopBoundBox<HTTPHall?>, isIP6: Bool
  ) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: thread.group)
      // A burst of connections must not make the system drop the next one, which would come again a
      // second later.
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      // One at a time, so that what has come of the others is read before one of them gives way.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // What the system holds for a slow client would be old news when it arrives.
      .childChannelOption(.socketOption(.so_sndbuf), value: 128 * 1024)
      // A client that has said all may still read.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let hall = hall.value else { throw ChannelError.ioOnClosedChannel }
          try HTTPExchange.add(to: channel.pipeline.syncOperations, hall)
        }
      }
    guard isIP6 else { return bootstrap }
    let option = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
    return bootstrap.serverChannelOption(option, value: 0)
  }
}
