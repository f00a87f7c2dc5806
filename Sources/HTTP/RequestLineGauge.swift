import NIOCore

/// Looks at a request's first line as it passes, to tell apart what the parser throws the same for: a
/// line that is too long from fields that are, and a method that is unknown from what is none.
final class RequestLineGauge: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// How many bytes have come before the first line feed.
  private(set) var byteCount = 0
  /// Whether what has come of the first word may be a method.
  private(set) var beginsWithMethod = false
  private var hasEnded = false
  private var hasWord = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !hasEnded { look(at: unwrapInboundIn(data).readableBytesView) }
    context.fireChannelRead(data)
  }

  private func look(at bytes: ByteBufferView) {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    hasEnded = line.count < bytes.count
    if !hasWord {
      let word = line.prefix { $0 != UInt8(ascii: " ") }
      hasWord = word.count < line.count
      let isMethod = word.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      beginsWithMethod = isMethod && (byteCount == 0 ? !word.isEmpty : beginsWithMethod)
    }
    byteCount += line.count
  }
}
