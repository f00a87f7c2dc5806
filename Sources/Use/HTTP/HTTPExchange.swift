#if Command
import NIOCore
import NIOHTTP1

/// One connection: reads a request, sends the response and closes.
///
/// NIO parses the input and writes the output. This handler enforces the order of events and their
/// time limits. Use it on the server's thread only.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How far the request has come; each state has its own time limit.
  private enum State {
    /// The head of the request is on its way.
    case head
    /// The head was admitted, and the body is on its way.
    case body(HTTPRequest)
    /// Waits for the handler to keep its promise.
    case answering
    /// The response is being written.
    case writing
    /// Events are sent until the client or the server ends.
    case streaming(any EventFeed)
    /// The response was sent. Further input is discarded so that the client can read the response.
    case lingering
    /// The connection is over, whatever still comes.
    case closed
  }

  private let registry: ConnectionRegistry
  private let gauge: RequestLineGauge
  private let parser: ByteToMessageHandler<HTTPRequestDecoder>
  private var state = State.head
  private var context: ChannelHandlerContext?
  private var isHead = false
  private var isHalfClosed = false
  /// Body bytes already counted in ``ConnectionRegistry/bodyBytes``.
  private(set) var bodyBytes = 0
  /// Whether the head of the request has passed.
  private var isAdmitted = false
  private var client = ""
  private var bodyEndMilliseconds: Int64 = 0
  /// When the client last made progress, and the size of its body at that time.
  private var movedMilliseconds: Int64 = 0
  private var movedBytes = 0
  private var isWriting = false
  private var alarm: Scheduled<Void>?
  private var stallAlarm: Scheduled<Void>?

  /// Sets up a new connection: writing, the gauge, the parser, and this handler.
  static func add(
    to pipeline: ChannelPipeline.SynchronousOperations, _ registry: ConnectionRegistry
  ) throws {
    var bounds = NIOHTTPDecoderLimitConfiguration()
    bounds.maxHeaderFieldSize = registry.limits.headBytes
    bounds.maxHeaderListSize = registry.limits.headBytes
    bounds.maxHeaderFieldCount = registry.limits.headerCount
    let gauge = RequestLineGauge()
    let parser = ByteToMessageHandler(
      HTTPRequestDecoder(limitConfiguration: bounds), maximumBufferSize: registry.limits.headBytes)
    var framing = HTTPResponseEncoder.Configuration()
    framing.automaticallySetFramingHeaders = false
    try pipeline.addHandlers([
      HTTPResponseEncoder(configuration: framing), gauge, parser,
      HTTPExchange(registry, gauge, parser),
    ])
  }

  private init(
    _ registry: ConnectionRegistry, _ gauge: RequestLineGauge,
    _ parser: ByteToMessageHandler<HTTPRequestDecoder>
  ) {
    self.registry = registry
    self.gauge = gauge
    self.parser = parser
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    movedMilliseconds = registry.nowMilliseconds
    registry.add(self)
  }

  func channelActive(context: ChannelHandlerContext) {
    client = Yielding.client(at: context.remoteAddress?.ipAddress ?? "")
    expire(in: registry.limits.headMilliseconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    close()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) { close() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .head, .body: break
    // Ignore input after the request.
    case .answering, .writing, .streaming, .lingering, .closed: return
    }
    do throws(HTTPResponse) {
      switch unwrapInboundIn(data) {
      case .head(let head): try take(head)
      case .body(let bytes): try take(bytes)
      case .end: complete()
      }
    } catch {
      send(error)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch state {
    case .head, .body:
      let isLong = gauge.byteCount >= registry.limits.headBytes
      let refusal = HTTPResponse(
        error, isLineTooLong: isLong, beginsWithMethod: gauge.beginsWithMethod)
      guard let refusal else { return close() }
      send(refusal)
    case .answering, .writing, .streaming, .lingering:
      // Bad input after the request is harmless, but a broken connection is not.
      if error is IOError { close() }
    case .closed: break
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed = event as? ChannelEvent else { return }
    isHalfClosed = true
    switch state {
    case .head, .body, .streaming, .lingering: close()
    case .answering, .writing, .closed: break
    }
  }

  // MARK: Reading

  private func take(_ head: HTTPRequestHead) throws(HTTPResponse) {
    isHead = head.method == .HEAD
    var request = try HTTPRequest(head, limits: registry.limits)
    if isHead { request.method = "GET" }
    if let response = registry.handler.answerByHead(request) { return send(response) }
    isAdmitted = true
    state = .body(request)
    bodyEndMilliseconds = registry.nowMilliseconds + registry.limits.bodyMilliseconds
    move()
    // HTTP/1.0 has no interim responses.
    guard request.field("expect")?.lowercased() == "100-continue", head.version != .http1_0 else {
      return
    }
    write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    context?.flush()
  }

  private func take(_ bytes: ByteBuffer) throws(HTTPResponse) {
    guard case .body(var request) = state else { return }
    let limits = registry.limits
    let count = bytes.readableBytes
    guard request.body.count + count <= limits.bodyBytes else {
      throw HTTPResponse(tooLarge: limits)
    }
    guard registry.makeRoom(for: count, of: self) else {
      return send(.unavailable("too much data is arriving; please send it again later"))
    }
    registry.bodyBytes += count
    bodyBytes += count
    // The body is moved out of `state` first, so that it grows in place and is not copied.
    state = .head
    request.body += bytes.readableBytesView
    state = .body(request)
    if bodyBytes - movedBytes >= limits.bodyStepBytes { move() }
  }

  /// Records progress of the body and restarts its time limit.
  private func move() {
    let limits = registry.limits
    movedBytes = bodyBytes
    movedMilliseconds = registry.nowMilliseconds
    expire(in: min(limits.bodyStepMilliseconds, bodyEndMilliseconds - movedMilliseconds))
  }

  private func complete() {
    guard case .body(let request) = state else { return }
    // Stop reading from the client.
    context?.pipeline.syncOperations.removeHandler(parser, promise: nil)
    switch registry.handler.answer(request, registry.nowMilliseconds) {
    case .response(let response): send(response)
    case .later(let promise): wait(for: promise)
    case .events(let feed): begin(feed)
    }
  }

  private func forgetBody() {
    registry.bodyBytes -= bodyBytes
    bodyBytes = 0
  }

  // MARK: Answering

  private func wait(for promise: HTTPPromise) {
    guard let loop = context?.eventLoop else { return }
    state = .answering
    expire(in: registry.limits.answerMilliseconds)
    let exchange = NIOLoopBound(self, eventLoop: loop)
    promise.whenKept { [thread = registry.thread] response in
      thread.run {
        guard case .answering = exchange.value.state else { return }
        exchange.value.send(response)
      }
    }
  }

  private func send(_ response: HTTPResponse) {
    forgetBody()
    state = .writing
    alarm?.cancel()
    write(response)
    flush(.end(nil)) { $0.linger() }
  }

  private func write(_ response: HTTPResponse) {
    write(.head(response.head))
    if !isHead { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
  }

  // MARK: Closing

  var candidate: Yielding.Candidate {
    Yielding.Candidate(
      client: client, isAdmitted: isAdmitted, stalledSinceMilliseconds: stalledSinceMilliseconds)
  }

  /// When the server began to wait for the client, or nil if it is not waiting.
  var stalledSinceMilliseconds: Int64? {
    switch state {
    case .head, .body, .writing: movedMilliseconds
    // The client has its response, so close this connection first.
    case .lingering: .min
    case .answering, .streaming, .closed: nil
    }
  }

  var owesAnswer: Bool {
    switch state {
    case .head, .body, .answering, .writing: true
    case .streaming, .lingering, .closed: false
    }
  }

  func giveWay() {
    switch state {
    case .head where gauge.byteCount > 0, .body:
      // The client gets what the socket buffer takes at once.
      write(.unavailable("the server is too busy; please send it again"))
      write(.end(nil))
      context?.flush()
    case .head, .answering, .writing, .streaming, .lingering, .closed: break
    }
    close()
  }

  private func linger() {
    guard let context, !isHalfClosed else { return close() }
    state = .lingering
    expire(in: 2000)
    context.close(mode: .output, promise: nil)
    // Whoever waits may take this place at once.
    registry.makeRoom()
  }

  private func close() {
    if case .closed = state { return }
    state = .closed
    forgetBody()
    alarm?.cancel()
    stallAlarm?.cancel()
    registry.remove(self)
    context?.close(promise: nil)
  }

  // MARK: Streaming

  /// Whether the stream has nothing left to write.
  var isIdle: Bool { if case .streaming = state { !isWriting } else { false } }

  private func begin(_ feed: any EventFeed) {
    forgetBody()
    guard isHead || registry.beginStream(self) else {
      return send(.unavailable("too many pages are open"))
    }
    alarm?.cancel()
    write(.head(HTTPResponse.streamHead))
    guard !isHead else {
      state = .writing
      return flush(.end(nil)) { $0.linger() }
    }
    state = .streaming(feed)
    context?.flush()
    pull()
  }

  /// Writes the stream's next events, unless it is still writing earlier ones.
  func pull() {
    guard isIdle, case .streaming(let feed) = state else { return }
    if let bytes = feed.next(nowMilliseconds: registry.nowMilliseconds) {
      isWriting = true
      flush(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) { exchange in
        exchange.isWriting = false
        exchange.pull(in: 0)
      }
    } else if let due = feed.dueMilliseconds {
      pull(in: due - registry.nowMilliseconds)
    }
  }

  private func pull(in milliseconds: Int64) {
    // Let a busy stream yield to the other connections.
    after(max(1, milliseconds)) { $0.pull() }
  }

  /// Writes the stream's last events, as far as the socket buffer takes them, and closes.
  func end() {
    if isIdle, case .streaming(let feed) = state,
      let bytes = feed.last(nowMilliseconds: registry.nowMilliseconds)
    {
      write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
      context?.flush()
    }
    close()
  }

  // MARK: Writing

  private func write(_ part: HTTPServerResponsePart) {
    context?.write(wrapOutboundOut(part), promise: nil)
  }

  /// Writes a part, flushes, and calls `body` when the system has accepted every byte.
  private func flush(_ part: HTTPServerResponsePart, _ body: @escaping (HTTPExchange) -> Void) {
    guard let context else { return }
    movedMilliseconds = registry.nowMilliseconds
    watch(from: registry.nowMilliseconds, buffered: .max)
    context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenComplete { [self] result in
      stallAlarm?.cancel()
      switch (result, state) {
      case (_, .closed): break
      case (.failure, _): close()
      case (.success, _): body(self)
      }
    }
  }

  /// Closes the connection if the client takes too long to read the buffered bytes.
  private func watch(from start: Int64, buffered: Int) {
    stallAlarm?.cancel()
    guard let context else { return }
    let limit = registry.limits.stallMilliseconds
    stallAlarm = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(max(1, limit / 4))
    ) { [self] in
      let now = registry.nowMilliseconds
      // A channel without this option is closed, and the next check handles that.
      let rest = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? buffered
      if rest < buffered {
        movedMilliseconds = now
        return watch(from: now, buffered: rest)
      }
      if now - start >= limit { return close() }
      watch(from: start, buffered: buffered)
    }
  }

  // MARK: Time

  /// Ends the current state after a time: with an error if an answer is due, silently otherwise.
  private func expire(in milliseconds: Int64) {
    after(milliseconds) { exchange in
      switch exchange.state {
      case .head, .body:
        exchange.send(HTTPResponse(.requestTimeout, sentence: "the request took too long"))
      case .answering: exchange.send(.unavailable("no answer in time; please send it again"))
      case .lingering: exchange.close()
      case .writing, .streaming, .closed: break
      }
    }
  }

  private func after(_ milliseconds: Int64, _ body: @escaping (HTTPExchange) -> Void) {
    alarm?.cancel()
    alarm = context?.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
      [self] in body(self)
    }
  }
}
#endif
