import NIOCore
import NIOHTTP1

/// One client: its request is read, answered, and the connection closed.
///
/// On the server's thread only. NIO parses what comes, writes what goes, and says when either is done;
/// this knows what may come next and how long that may take.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case head
    case body(HTTPRequest)
    /// The handler has promised an answer.
    case answering
    case writing
    case streaming(any EventFeed)
    /// All is said; what the client still sends is thrown away, so that it sees its answer.
    case lingering
    case closed
  }

  private let hall: HTTPHall
  private let gauge: RequestLineGauge
  private let parser: ByteToMessageHandler<HTTPRequestDecoder>
  private var state = State.head
  private var context: ChannelHandlerContext?
  private var isHead = false
  /// Whether the client has shut down its side.
  private var isHalfClosed = false
  /// Bytes of the body that count among those of all.
  private(set) var bodyBytes = 0
  /// When the body must have come.
  private var bodyEndMilliseconds: Int64 = 0
  /// When the client did last what it is waited for, and how long its body was then.
  private var movedMilliseconds: Int64 = 0
  private var movedBytes = 0
  /// Bytes of the stream are on their way.
  private var isWriting = false
  /// What happens when nothing else does.
  private var alarm: Scheduled<Void>?
  private var stallAlarm: Scheduled<Void>?

  private static var lingerMilliseconds: Int64 { 2000 }

  /// Adds what a connection consists of to its pipeline.
  static func add(
    to pipeline: ChannelPipeline.SynchronousOperations, _ hall: HTTPHall
  ) throws {
    var bounds = NIOHTTPDecoderLimitConfiguration()
    bounds.maxHeaderFieldSize = hall.limits.headBytes
    bounds.maxHeaderListSize = hall.limits.headBytes
    bounds.maxHeaderFieldCount = hall.limits.headerCount
    let gauge = RequestLineGauge()
    let parser = ByteToMessageHandler(
      HTTPRequestDecoder(limitConfiguration: bounds), maximumBufferSize: hall.limits.headBytes)
    var framing = HTTPResponseEncoder.Configuration()
    // The end of a connection is the end of its stream.
    framing.automaticallySetFramingHeaders = false
    try pipeline.addHandlers([
      HTTPResponseEncoder(configuration: framing), gauge, parser,
      HTTPExchange(hall, gauge, parser),
    ])
  }

  private init(
    _ hall: HTTPHall, _ gauge: RequestLineGauge, _ parser: ByteToMessageHandler<HTTPRequestDecoder>
  ) {
    self.hall = hall
    self.gauge = gauge
    self.parser = parser
  }

  // MARK: Events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    hall.enter(self)
  }

  func channelActive(context: ChannelHandlerContext) {
    expire(in: hall.limits.headMilliseconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    close()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .head, .body: break
    // Bytes that nobody asked for, parsed or not.
    case .answering, .writing, .streaming, .lingering, .closed: return
    }
    do throws(HTTPRefusal) {
      switch unwrapInboundIn(data) {
      case .head(let head): try take(head)
      case .body(let bytes): try take(bytes)
      case .end: complete()
      }
    } catch {
      send(HTTPResponse(error))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch state {
    case .head, .body:
      let isLong = gauge.byteCount >= hall.limits.headBytes
      let refusal = HTTPRefusal(
        error, isLineTooLong: isLong, beginsWithMethod: gauge.beginsWithMethod)
      guard let refusal else { return close() }
      send(HTTPResponse(refusal))
    case .answering, .writing, .streaming, .lingering:
      // What follows a request is not looked at; a connection that fails is of no use.
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

  private func take(_ head: HTTPRequestHead) throws(HTTPRefusal) {
    isHead = head.method == .HEAD
    var request = try HTTPRequest(head, limits: hall.limits)
    if isHead { request.method = "GET" }
    if let response = hall.handler.answerByHead(request) { return send(response) }
    guard hall.admit(self) else { return send(.unavailable("too many requests at the moment")) }
    state = .body(request)
    bodyEndMilliseconds = hall.nowMilliseconds + hall.limits.bodyMilliseconds
    move()
    // A client of HTTP/1.0 does not know what it would be told.
    guard request.expectsContinue, head.version != .http1_0 else { return }
    write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    context?.flush()
  }

  private func take(_ bytes: ByteBuffer) throws(HTTPRefusal) {
    guard case .body(var request) = state else { return }
    let limits = hall.limits
    let count = bytes.readableBytes
    guard request.body.count + count <= limits.bodyBytes else {
      throw HTTPRefusal(tooLarge: limits)
    }
    guard hall.makeRoom(for: count, of: self) else {
      return send(.unavailable("too much is being sent at the moment"))
    }
    hall.bodyBytes += count
    bodyBytes += count
    // Without a second reference to it the body grows in place.
    state = .head
    request.body += bytes.readableBytesView
    state = .body(request)
    if bodyBytes - movedBytes >= limits.bodyStepBytes { move() }
  }

  /// The body has come a step further, or begins.
  private func move() {
    let limits = hall.limits
    movedBytes = bodyBytes
    movedMilliseconds = hall.nowMilliseconds
    expire(in: min(limits.bodyStepMilliseconds, bodyEndMilliseconds - movedMilliseconds))
  }

  private func complete() {
    guard case .body(let request) = state else { return }
    ignoreRest()
    switch hall.handler.answer(request, hall.nowMilliseconds) {
    case .response(let response): send(response)
    case .later(let promise): wait(for: promise)
    case .events(let feed): begin(feed)
    }
  }

  /// Looks at no further bytes of the client.
  private func ignoreRest() {
    forgetBody()
    context?.pipeline.syncOperations.removeHandler(parser, promise: nil)
  }

  private func forgetBody() {
    hall.bodyBytes -= bodyBytes
    bodyBytes = 0
  }

  // MARK: Answering

  private func wait(for promise: HTTPPromise) {
    guard let loop = context?.eventLoop else { return }
    state = .answering
    expire(in: hall.limits.answerMilliseconds)
    let exchange = NIOLoopBound(self, eventLoop: loop)
    promise.whenKept { [thread = hall.thread] response in
      thread.run {
        guard case .answering = exchange.value.state else { return }
        exchange.value.send(response)
      }
    }
  }

  private func send(_ response: HTTPResponse) {
    switch state {
    case .head, .body: forgetBody()
    case .answering, .writing, .streaming, .lingering, .closed: break
    }
    state = .writing
    alarm?.cancel()
    write(.head(response.head))
    if !isHead { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
    flush(.end(nil)) { $0.linger() }
  }

  // MARK: Giving way

  /// Since when the client has kept the server waiting; nil where it does not.
  var stillSinceMilliseconds: Int64? {
    switch state {
    case .head, .body, .writing: movedMilliseconds
    // It has its answer, and goes before all others.
    case .lingering: .min
    case .answering, .streaming, .closed: nil
    }
  }

  /// Closes the connection so that another finds a place.
  func giveWay() {
    switch state {
    case .head where gauge.byteCount > 0, .body:
      // It gets as much of an answer as the system takes at once.
      let response = HTTPResponse.unavailable("others came first; please send it again")
      write(.head(response.head))
      if !isHead { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
      write(.end(nil))
      context?.flush()
    case .head, .answering, .writing, .streaming, .lingering, .closed: break
    }
    close()
  }

  private func linger() {
    guard let context, !isHalfClosed else { return close() }
    state = .lingering
    expire(in: Self.lingerMilliseconds)
    context.close(mode: .output, promise: nil)
  }

  /// Closes the connection at once.
  private func close() {
    if case .closed = state { return }
    state = .closed
    forgetBody()
    alarm?.cancel()
    stallAlarm?.cancel()
    hall.leave(self)
    context?.close(promise: nil)
  }

  // MARK: Streaming

  /// Whether a stream waits for something to say.
  var isIdle: Bool { if case .streaming = state { !isWriting } else { false } }

  /// When a stream goes on although nobody wakes it; nil whenever.
  var dueMilliseconds: Int64? {
    if case .streaming(let feed) = state { feed.dueMilliseconds } else { nil }
  }

  private func begin(_ feed: any EventFeed) {
    guard isHead || hall.beginStream(self) else {
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

  /// Sends what a stream has to say, where all that it said before is on its way.
  func pull() {
    guard isIdle, case .streaming(let feed) = state else { return }
    // Whatever is new from here on rings.
    hall.bell.await()
    if let bytes = feed.next(nowMilliseconds: hall.nowMilliseconds) {
      say(bytes)
    } else if let due = feed.dueMilliseconds {
      pull(in: due - hall.nowMilliseconds)
    }
    hall.settle()
  }

  private func say(_ bytes: [UInt8]) {
    isWriting = true
    flush(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) { exchange in
      exchange.isWriting = false
      exchange.pull(in: 0)
    }
  }

  private func pull(in milliseconds: Int64) {
    // One that never runs dry lets others have their turn.
    after(max(1, milliseconds)) { $0.pull() }
  }

  /// Says the last words of a stream, as far as the client takes them at once, and closes.
  func end() {
    if isIdle, case .streaming(let feed) = state,
      let bytes = feed.last(nowMilliseconds: hall.nowMilliseconds)
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

  /// Writes the last part for now; `body` is called when the system has taken everything.
  private func flush(_ part: HTTPServerResponsePart, _ body: @escaping (HTTPExchange) -> Void) {
    guard let context else { return }
    movedMilliseconds = hall.nowMilliseconds
    watch(from: hall.nowMilliseconds, buffered: .max)
    context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenComplete { [self] result in
      stallAlarm?.cancel()
      switch (result, state) {
      case (_, .closed): break
      case (.failure, _): close()
      case (.success, _): body(self)
      }
    }
  }

  /// Closes the connection when for too long nothing has been taken of what is buffered.
  private func watch(from start: Int64, buffered: Int) {
    stallAlarm?.cancel()
    guard let context else { return }
    let limit = hall.limits.stallMilliseconds
    stallAlarm = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(max(1, limit / 4))
    ) { [self] in
      let now = hall.nowMilliseconds
      // A channel that does not tell has gone, and is closed with the next look.
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

  /// What happens when the client takes too long for what it does now.
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
