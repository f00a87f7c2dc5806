import NIOCore
import NIOPosix
import Synchronization

/// The one thread of a server: there is none before a server is made, and none after it has ended.
final class ServerThread: Sendable {
  /// What NIO knows the thread by.
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let hasEnded = Mutex(false)

  /// Runs `body` on the thread, soon; not at all once the thread is to end.
  func run(_ body: @escaping @Sendable () -> Void) {
    // Within the lock, as an event loop that has gone takes nothing any more.
    hasEnded.withLock { hasEnded in
      if !hasEnded { group.next().execute(body) }
    }
  }

  /// Runs `body` as the last thing and lets the thread end; does nothing when called again.
  ///
  /// - Parameters:
  ///   - body: What to do on the thread.
  ///   - after: Called on another thread when it has been done and every descriptor is closed.
  func end(_ body: @escaping @Sendable () -> Void, after: @escaping @Sendable () -> Void) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      if !hasEnded { group.next().execute(body) }
      return !hasEnded
    }
    // The loop runs what it was given before, and closes what is open.
    if isFirst { group.shutdownGracefully { _ in after() } } else { after() }
  }
}
