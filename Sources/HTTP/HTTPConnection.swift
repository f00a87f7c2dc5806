import Glibc

/// One client: its request is read, answered, and the connection closed.
///
/// A state machine over a descriptor that does not block; the server's loop polls what ``interest``
/// names and calls ``advance(_:_:)``. On the server's thread only.
final class HTTPConnection {
  /// What a connection may ask of its server.
  struct Surroundings {
    /// A clock that never goes back, in milliseconds.
    var now: Int64
    /// Bytes that all connections together may still keep of bodies.
    var roomBytes: Int
    /// Whether there is room for another stream of events.
    var mayStream: Bool
    /// Makes the answer.
    var handler: (HTTPRequest) -> HTTPAnswer
    /// Wakes the server, from any thread.
    var wake: @Sendable () -> Void
  }

  private enum State {
    case reading(RequestDecoder, deadline: Int64)
    case answering(HTTPPromise, deadline: Int64)
    case writing
    case streaming(any EventFeed)
    case lingering(deadline: Int64)
    case closed
  }

  private let descriptor: Int32
  private let limits: HTTPLimits
  private var state: State
  /// What is to be written, and how much of it has been.
  private var output: [UInt8] = []
  private var written = 0
  private var lastProgress: Int64
  private var isHead = false

  /// How long what a client still sends is taken and thrown away, so that it sees its answer.
  private static var lingerMilliseconds: Int64 { 2000 }
  private static var readBytes: Int { 64 * 1024 }

  /// Takes over a connection; closes it in the end.
  init(_ descriptor: Int32, limits: HTTPLimits, now: Int64) {
    self.descriptor = descriptor
    self.limits = limits
    lastProgress = now
    state = .reading(RequestDecoder(limits: limits), deadline: now + limits.headMilliseconds)
  }

  deinit { close() }

  /// Turns a client away before its request is read.
  func turnAway() {
    send(
      HTTPResponse(
        .unavailable, sentence: "too many connections", fields: [("Retry-After", "5")]))
  }

  // MARK: For the loop

  var isClosed: Bool { if case .closed = state { true } else { false } }

  var isStreaming: Bool { if case .streaming = state { true } else { false } }

  /// How many bytes are kept of a request.
  var keptBytes: Int { if case .reading(let decoder, _) = state { decoder.keptBytes } else { 0 } }

  /// The descriptor, and for what to poll it.
  var interest: pollfd {
    let events: Int32 =
      switch state {
      case .reading, .lingering: POLLIN
      case .answering, .closed: 0
      case .writing: POLLOUT
      case .streaming: hasOutput ? POLLIN | POLLOUT : POLLIN
      }
    return pollfd(fd: isClosed ? -1 : descriptor, events: Int16(events), revents: 0)
  }

  /// When to go on although nothing has come; nil whenever.
  var dueMilliseconds: Int64? {
    switch state {
    case .reading(_, let deadline), .answering(_, let deadline), .lingering(let deadline): deadline
    case .writing: lastProgress + limits.stallMilliseconds
    case .streaming(let feed):
      hasOutput ? lastProgress + limits.stallMilliseconds : feed.dueMilliseconds
    case .closed: nil
    }
  }

  /// Goes on.
  ///
  /// - Parameters:
  ///   - result: What polling has found.
  ///   - around: What the connection may ask of its server.
  func advance(_ result: Int32, _ around: Surroundings) {
    // A client that has shut down its side may still read; one that is gone has an error.
    if result & (POLLERR | POLLNVAL) != 0 { return close() }
    switch state {
    case .reading(let decoder, let deadline):
      if result & (POLLIN | POLLHUP) != 0 {
        read(decoder, deadline, around)
      } else if around.now >= deadline {
        send(HTTPResponse(.requestTimeout, sentence: "the request took too long"))
      }
    case .answering(let promise, let deadline): look(at: promise, deadline, around)
    case .writing: break
    case .streaming(let feed): stream(feed, result, around.now)
    case .lingering(let deadline):
      if around.now >= deadline { return close() }
      if result & (POLLIN | POLLHUP) != 0 { discard() }
    case .closed: return
    }
    write(around.now)
  }

  /// Closes the connection at once.
  func close() {
    guard !isClosed else { return }
    state = .closed
    // Also where a program that was started at that very moment has a copy of the descriptor.
    shutdown(descriptor, Int32(SHUT_RDWR))
    Glibc.close(descriptor)
    output = []
  }

  /// Says the last words of a stream, as far as the client takes them at once, and closes.
  func end(now: Int64) {
    if case .streaming(let feed) = state {
      write(now)
      if !isClosed, !hasOutput, let bytes = feed.last(nowMilliseconds: now) {
        output = bytes
        write(now)
      }
    }
    close()
  }

  // MARK: Reading

  private func read(
    _ decoder: RequestDecoder, _ deadline: Int64, _ around: Surroundings
  ) {
    var bytes = [UInt8](repeating: 0, count: Self.readBytes)
    // The system writes at most as many bytes as there are.
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return close() }
    bytes.removeLast(bytes.count - count)
    guard count <= around.roomBytes else {
      return send(
        HTTPResponse(
          .unavailable, sentence: "too much is being sent at the moment",
          fields: [("Retry-After", "5")]))
    }
    var decoder = decoder
    let hadHead = decoder.hasHead
    do throws(HTTPRefusal) {
      switch try decoder.take(bytes) {
      case .complete(let request): answer(request, around)
      case .incomplete(let expectsContinue):
        if expectsContinue { output += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        let end = !hadHead && decoder.hasHead ? around.now + limits.bodyMilliseconds : deadline
        state = .reading(decoder, deadline: end)
      }
    } catch {
      send(HTTPResponse(error))
    }
  }

  /// Throws away what a client still sends.
  private func discard() {
    var bytes = [UInt8](repeating: 0, count: Self.readBytes)
    // The system writes at most as many bytes as there are.
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { close() }
  }

  // MARK: Answering

  private func answer(_ request: HTTPRequest, _ around: Surroundings) {
    var request = request
    isHead = request.method == "HEAD"
    if isHead { request.method = "GET" }
    switch around.handler(request) {
    case .response(let response): send(response)
    case .later(let promise):
      state = .answering(promise, deadline: around.now + limits.answerMilliseconds)
      look(at: promise, around.now + limits.answerMilliseconds, around)
    case .events(let feed):
      guard around.mayStream else {
        return send(
          HTTPResponse(
            .unavailable, sentence: "too many pages are open", fields: [("Retry-After", "5")]))
      }
      begin(feed, around.now)
    }
  }

  private func look(
    at promise: HTTPPromise, _ deadline: Int64, _ around: Surroundings
  ) {
    if let response = promise.take(wake: around.wake) {
      send(response)
    } else if around.now >= deadline {
      send(
        HTTPResponse(
          .unavailable, sentence: "no answer in time; please send it again",
          fields: [("Retry-After", "5")]))
    }
  }

  private func send(_ response: HTTPResponse) {
    output += response.bytes(hasBody: !isHead)
    state = .writing
  }

  private func begin(_ feed: any EventFeed, _ now: Int64) {
    output += HTTPResponse.head(
      .ok,
      [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        // Proxies would hold events back until they have a page full.
        ("X-Accel-Buffering", "no"),
      ])
    guard !isHead else {
      state = .writing
      return
    }
    // What the system holds for a slow client would be old news when it arrives.
    var room: Int32 = 128 * 1024
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, size)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
    state = .streaming(feed)
    stream(feed, 0, now)
  }

  private func stream(_ feed: any EventFeed, _ result: Int32, _ now: Int64) {
    if result & (POLLIN | POLLHUP) != 0 {
      discard()
      if isClosed { return }
    }
    guard !hasOutput, let bytes = feed.next(nowMilliseconds: now) else { return }
    output = bytes
    written = 0
    lastProgress = now
  }

  // MARK: Writing

  private var hasOutput: Bool { written < output.count }

  private func write(_ now: Int64) {
    while hasOutput {
      // The system reads at most `count` bytes of the memory that the closure keeps valid.
      let count = unsafe output.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        written += count
        lastProgress = now
      } else if errno == EAGAIN {
        if now - lastProgress >= limits.stallMilliseconds { close() }
        return
      } else if errno != EINTR {
        return close()
      }
    }
    output.removeAll()
    written = 0
    guard case .writing = state else { return }
    shutdown(descriptor, Int32(SHUT_WR))
    state = .lingering(deadline: now + Self.lingerMilliseconds)
  }
}
