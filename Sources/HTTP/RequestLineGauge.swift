import NIOCore

/// Counts the bytes of a request's first line as they pass, to tell a line that is too long from fields
/// that are: the parser throws the same for both.
final class RequestLineGauge: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// How many bytes have come before the first line feed.
  private(set) var byteCount = 0
  private var hasEnded = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !hasEnded {
      let line = unwrapInboundIn(data).readableBytesView.prefix { $0 != UInt8(ascii: "\n") }
      hasEnded = line.count < unwrapInboundIn(data).readableBytes
      byteCount += line.count
    }
    context.fireChannelRead(data)
  }
}
