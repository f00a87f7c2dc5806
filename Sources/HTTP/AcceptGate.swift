import NIOCore

/// Leaves connections to the system's queue while there are as many as there may be.
final class AcceptGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = Never

  private let mostConnections: Int
  private var count = 0
  private var isClosed = false

  init(mostConnections: Int) {
    self.mostConnections = mostConnections
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count += 1
    unwrapInboundIn(data).closeFuture.assumeIsolated().whenComplete { [self] _ in
      count -= 1
      guard isClosed, count < mostConnections else { return }
      isClosed = false
      context.read()
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard count < mostConnections else {
      isClosed = true
      return
    }
    context.read()
  }
}
