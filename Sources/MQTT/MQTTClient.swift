import FencepostCMosquitto
import Glibc

/// One connection to a broker, by MQTT 3.1.1 with quality of service 1: every message arrives at
/// least once.
///
/// The caller turns the loop on one thread, on which all callbacks come. After an error the
/// connection is over; make another client for the next attempt.
///
/// A received message is acknowledged when its handler has returned true. libmosquitto queues the
/// acknowledgement before it calls back, but in its mode for threads of others it leaves writing to
/// the loop. So nothing is written here before the handler returns, and never if it returns false:
/// the connection ends then, and the broker sends the message again to the next.
@safe  // Nothing outside has the library's pointer, which lives as long as the client.
package final class MQTTClient {
  // Every `unsafe` of this type calls the library with a client that lives until `deinit`, and with
  // texts and bytes that it copies or that are valid until it returns.

  /// Decides on a message: true acknowledges it, false ends the connection instead.
  package typealias Handler = (MQTTMessage) -> Bool

  /// What callbacks leave behind for the loop.
  private final class Events {
    let handler: Handler
    var connectCode: Int32?
    /// Whether the broker had a session of this client when it connected.
    var hadSession = false
    var isRefused = false
    /// Whether the broker has granted the last subscription; nil before its answer.
    var isSubscriptionGranted: Bool?
    var delivered: [Int32] = []
    var complaints: [String] = []

    init(handler: @escaping Handler) { self.handler = handler }

    // The library passes on the pointer that it was given, which lives as long as the client.
    static func of(_ object: UnsafeMutableRawPointer?) -> Events? {
      unsafe object.map { unsafe Unmanaged<Events>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static let isLibraryReady = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)
  private static var keepAliveSeconds: Int32 { 30 }
  private static var answerTime: Duration { .seconds(10) }

  private let options: MQTTOptions
  private let handle: OpaquePointer
  private let events: Events

  /// Makes a client that is not connected yet.
  ///
  /// - Parameters:
  ///   - options: How it connects.
  ///   - handler: Receives messages.
  /// - Throws: ``MQTTError`` if a file of certificates cannot be used.
  package init(_ options: MQTTOptions, handler: @escaping Handler) throws(MQTTError) {
    self.options = options
    events = Events(handler: handler)
    // The library keeps the pointer until the client is destroyed, which is before `events` is
    // released.
    let object = unsafe Unmanaged.passUnretained(events).toOpaque()
    guard Self.isLibraryReady,
      let handle = unsafe mosquitto_new(options.clientID, !options.keepsSession, object)
    else { throw MQTTError("libmosquitto cannot be used") }
    unsafe self.handle = handle
    unsafe mosquitto_threaded_set(handle, true)
    setCallbacks()
    try configure()
  }

  deinit { unsafe mosquitto_destroy(handle) }

  private func setCallbacks() {
    unsafe mosquitto_connect_with_flags_callback_set(handle) { _, object, code, flags in
      guard let events = unsafe Events.of(object) else { return }
      events.connectCode = code
      // The lowest bit of the answer's flags, in section 3.2.2.2 of MQTT 3.1.1.
      events.hadSession = flags & 1 != 0
    }
    unsafe mosquitto_publish_callback_set(handle) { _, object, identifier in
      unsafe Events.of(object)?.delivered.append(identifier)
    }
    unsafe mosquitto_subscribe_callback_set(handle) { _, object, _, count, granted in
      // There are as many levels of service as the library says; from 128 on they are refusals.
      let isGranted = (0..<Int(count)).allSatisfy { unsafe (granted?[$0] ?? 0x80) < 0x80 }
      unsafe Events.of(object)?.isSubscriptionGranted = isGranted
    }
    unsafe mosquitto_log_callback_set(handle) { _, object, level, text in
      guard level & Int32(MOSQ_LOG_ERR) != 0, let text = unsafe text else { return }
      unsafe Events.of(object)?.complaints.append(unsafe String(cString: text))
    }
    unsafe mosquitto_message_callback_set(handle) { _, object, message in
      guard let events = unsafe Events.of(object), let message = unsafe message?.pointee else {
        return
      }
      // Once a message was refused the connection is as good as over.
      guard !events.isRefused else { return }
      let count = unsafe Int(message.payloadlen)
      // The library's message is valid until the callback returns, and has as many bytes as it
      // says.
      let payload = unsafe [UInt8](UnsafeRawBufferPointer(start: message.payload, count: count))
      let topic = unsafe message.topic.map { unsafe String(cString: $0) } ?? ""
      let isRetained = unsafe message.retain
      let isTaken = events.handler(
        MQTTMessage(topic: topic, payload: payload, isRetained: isRetained))
      events.isRefused = !isTaken
    }
  }

  private func configure() throws(MQTTError) {
    if let user = options.user {
      try check(
        unsafe mosquitto_username_pw_set(handle, user, options.password), "the user")
    }
    if let will = options.will {
      try check(
        unsafe mosquitto_will_set(
          handle, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained),
        "the last will")
    }
    guard let security = options.security else { return }
    if let path = security.authorityPath {
      try check(
        unsafe mosquitto_tls_set(
          handle, path, nil, security.certificatePath, security.keyPath, nil), "the certificates")
      return
    }
    guard security.certificatePath != nil else {
      try check(
        unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the certificates")
      return
    }
    try check(
      unsafe mosquitto_tls_set(
        handle, nil, Self.systemAuthorities, security.certificatePath, security.keyPath, nil),
      "the certificates")
  }

  /// Where Debian keeps the authorities that the system trusts.
  private static var systemAuthorities: String { "/etc/ssl/certs" }

  private func check(_ code: Int32, _ subject: String) throws(MQTTError) {
    guard code != Int32(MOSQ_ERR_SUCCESS.rawValue) else { return }
    throw MQTTError("\(subject): \(Self.sentence(code, number: errno))")
  }

  // MARK: The connection

  /// Connects, and waits for the broker's answer for 10 s.
  ///
  /// - Parameter isStopped: Polled; ends the wait when true.
  /// - Throws: ``MQTTError`` if the broker cannot be reached or refuses the client.
  package func connect(unless isStopped: () -> Bool) throws(MQTTError) {
    let code = unsafe mosquitto_connect(
      handle, options.host, Int32(options.port), Self.keepAliveSeconds)
    guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { throw fault(code) }
    do throws(MQTTError) {
      try turn(unless: isStopped) { $0.connectCode != nil }
    } catch {
      // The library ends a connection that was refused; the broker's reason says more.
      guard events.connectCode ?? 0 != 0 else { throw error }
    }
    switch events.connectCode {
    case 0: return
    case 4: throw MQTTError("it does not accept the user's name or password", cause: .login)
    case 5: throw MQTTError("it does not let this user in", cause: .login)
    // The text is the library's own and constant.
    case let code?: throw MQTTError(unsafe String(cString: mosquitto_connack_string(code)))
    case nil: throw MQTTError("no answer", cause: .unanswered)
    }
  }

  /// Whether the broker had kept a session for this client until it connected.
  package var hadSession: Bool { events.hadSession }

  /// Turns the loop until an answer has come, for 10 s.
  private func turn(
    unless isStopped: () -> Bool, until isAnswered: (Events) -> Bool
  ) throws(MQTTError) {
    let end = ContinuousClock.now.advanced(by: Self.answerTime)
    while !isAnswered(events), ContinuousClock.now < end {
      guard !isStopped() else { throw MQTTError("interrupted") }
      try turn(milliseconds: 100)
    }
  }

  /// Waits for the broker, and handles what it sends and what is to be sent.
  ///
  /// - Parameters:
  ///   - descriptor: Ends the wait when it is readable; −1 for none.
  ///   - milliseconds: How long it waits at most.
  /// - Throws: ``MQTTError`` once the connection is over, also because a message was refused.
  package func turn(wakenBy descriptor: Int32 = -1, milliseconds: Int32) throws(MQTTError) {
    let socket = unsafe mosquitto_socket(handle)
    guard socket >= 0 else { throw Self.closed }
    let wantsWrite = unsafe mosquitto_want_write(handle)
    var requests = [
      pollfd(fd: socket, events: Int16(POLLIN | (wantsWrite ? POLLOUT : 0)), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // The count matches the array.
    _ = unsafe poll(&requests, 2, milliseconds)
    if requests[0].revents & ~Int16(POLLOUT) != 0 {
      try finish(unsafe mosquitto_loop_read(handle, 1))
    }
    guard !events.isRefused else { throw MQTTError("a message could not be saved") }
    // What was accepted is acknowledged before the next message is read.
    if unsafe mosquitto_want_write(handle) { try finish(unsafe mosquitto_loop_write(handle, 1)) }
    try finish(unsafe mosquitto_loop_misc(handle))
  }

  private func finish(_ code: Int32) throws(MQTTError) {
    guard code != Int32(MOSQ_ERR_SUCCESS.rawValue), code != Int32(MOSQ_ERR_CONN_PENDING.rawValue)
    else { return }
    throw fault(code)
  }

  /// What a result of the library means; call before anything else changes the system's error
  /// number.
  private func fault(_ code: Int32) -> MQTTError {
    let number = errno
    let isReset = code == Int32(MOSQ_ERR_ERRNO.rawValue) && number == ECONNRESET
    let isLost = code == Int32(MOSQ_ERR_CONN_LOST.rawValue) || isReset
    switch code {
    case Int32(MOSQ_ERR_TLS.rawValue), Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue):
      return MQTTError(ofEncryption: events.complaints)
    // With TLS 1.3 a broker refuses a certificate behind the handshake, which fails a read or a
    // write.
    case Int32(MOSQ_ERR_ERRNO.rawValue) where number == EPROTO && options.security != nil:
      return MQTTError(ofEncryption: events.complaints)
    case Int32(MOSQ_ERR_EAI.rawValue): return MQTTError("no such host", cause: .unknownHost)
    case _ where isLost && events.connectCode == nil: return unansweredFault
    case Int32(MOSQ_ERR_PROTOCOL.rawValue) where events.connectCode == nil:
      return MQTTError("what answers there is no MQTT", cause: .otherProtocol)
    case _ where isLost: return Self.closed
    default: return MQTTError(Self.sentence(code, number: number))
    }
  }

  private static let closed = MQTTError("closed by the other side", cause: .closed)

  /// What it means that the connection ends before the broker has answered.
  private var unansweredFault: MQTTError {
    guard options.security != nil else {
      return MQTTError("it ended the connection without an answer", cause: .endedUnanswered)
    }
    guard events.complaints.isEmpty else { return MQTTError(ofEncryption: events.complaints) }
    return MQTTError("it ended the connection before it was encrypted", cause: .endedHandshake)
  }

  /// The words for a result of the library that has no cause of its own.
  private static func sentence(_ code: Int32, number: Int32) -> String {
    // The texts are the library's and the system's own; they are copied at once.
    switch code {
    case Int32(MOSQ_ERR_ERRNO.rawValue):
      return unsafe String(cString: strerror(number)).lowercased()
    default:
      let text = unsafe String(cString: mosquitto_strerror(code))
      return text.hasSuffix(".") ? String(text.dropLast()).lowercased() : text.lowercased()
    }
  }

  /// Subscribes to a filter of topics, and waits for the broker's answer for 10 s; messages may
  /// come meanwhile.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - isStopped: Polled; ends the wait when true.
  /// - Throws: ``MQTTError``, also if the broker denies it.
  package func subscribe(_ filter: String, unless isStopped: () -> Bool) throws(MQTTError) {
    var identifier: Int32 = 0
    events.isSubscriptionGranted = nil
    try check(unsafe mosquitto_subscribe(handle, &identifier, filter, 1), filter)
    try turn(unless: isStopped) { $0.isSubscriptionGranted != nil }
    guard let isGranted = events.isSubscriptionGranted else {
      throw MQTTError("no answer", cause: .unanswered)
    }
    guard isGranted else {
      throw MQTTError("it denies the subscription to \(filter)", cause: .denied)
    }
  }

  /// Publishes a message; it goes out with the next turns of the loop.
  ///
  /// - Returns: The identifier that ``takeDelivered()`` will return.
  package func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
    var identifier: Int32 = 0
    // The library copies the bytes.
    let code = unsafe mosquitto_publish(
      handle, &identifier, message.topic, Int32(message.payload.count), message.payload, 1,
      message.isRetained)
    try check(code, message.topic)
    return identifier
  }

  /// Takes the identifiers of the messages that the broker has acknowledged since the last call.
  package func takeDelivered() -> [Int32] {
    defer { events.delivered = [] }
    return events.delivered
  }

  /// Ends the connection with a farewell, so that the last will is not published.
  package func disconnect() {
    unsafe mosquitto_disconnect(handle)
    while unsafe mosquitto_want_write(handle) {
      // It is over either way.
      guard unsafe mosquitto_loop_write(handle, 1) == 0 else { return }
    }
  }
}
