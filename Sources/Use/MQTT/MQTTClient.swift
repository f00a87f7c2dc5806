import FencepostCMosquitto
import Glibc

/// A connection to a broker over MQTT 3.1.1 with quality of service 1 (at least once).
///
/// Run the loop on one thread; all callbacks arrive there. After an error the connection is over:
/// make another client to try again.
///
/// A message is acknowledged once its handler returns true. libmosquitto queues the acknowledgement
/// before it calls the handler, but in threaded mode leaves the writing to the loop. So nothing is
/// sent before the handler returns. If it returns false, the connection ends unacknowledged, and
/// the broker sends the message again after the next connect.
@safe  // Nothing outside has the library's pointer, which lives as long as the client.
package final class MQTTClient {
  // Every `unsafe` of this type calls the library with a client that lives until `deinit`. The
  // strings and bytes passed are copied, or stay valid until the call returns.

  /// Handles a message; returns true to acknowledge it, false to end the connection.
  package typealias Handler = (MQTTMessage) -> Bool

  /// Collects what callbacks report, for the loop to act on.
  ///
  /// The library calls back only from the loop, so nothing here needs a lock.
  private final class Events {
    let handler: Handler
    var connectCode: Int32?
    var hadSession = false
    var isRefused = false
    /// Nil until the broker answers the last subscription.
    var isSubscriptionGranted: Bool?
    var delivered: [Int32] = []
    var complaints: [String] = []

    init(handler: @escaping Handler) { self.handler = handler }

    // The library returns the pointer it was given, which lives as long as the client.
    static func of(_ object: UnsafeMutableRawPointer?) -> Events? {
      unsafe object.map { unsafe Unmanaged<Events>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static let isLibraryReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS
  /// How long the connection may be silent before the library sends a ping.
  ///
  /// A broker that hears nothing for one and a half times as long ends the connection (MQTT 3.1.1,
  /// section 3.1.2.10).
  private static var keepAliveSeconds: Int32 { 30 }
  /// How long to wait for an answer of the broker.
  private static var answerTime: Duration { .seconds(10) }

  private let options: MQTTOptions
  private let handle: OpaquePointer
  private let events: Events

  /// Creates a client without connecting it.
  ///
  /// - Throws: ``MQTTError`` if a certificate or key file cannot be used.
  package init(_ options: MQTTOptions, handler: @escaping Handler) throws(MQTTError) {
    self.options = options
    events = Events(handler: handler)
    // The sentence is a constant of the program.
    if let failure = unsafe cmosquitto_failure() {
      throw MQTTError(unsafe String(cString: failure))
    }
    // The library keeps this pointer until `deinit` destroys the client; `events` lives longer.
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
      // Session present: bit 0 of the CONNACK flags (MQTT 3.1.1, section 3.2.2.2).
      events.hadSession = flags & 1 != 0
    }
    unsafe mosquitto_publish_callback_set(handle) { _, object, identifier in
      unsafe Events.of(object)?.delivered.append(identifier)
    }
    unsafe mosquitto_subscribe_callback_set(handle) { _, object, _, count, granted in
      // The library gives the count. Codes from 0x80 mean that the broker refused.
      let isGranted = (0..<Int(count)).allSatisfy { unsafe (granted?[$0] ?? 0x80) < 0x80 }
      unsafe Events.of(object)?.isSubscriptionGranted = isGranted
    }
    unsafe mosquitto_log_callback_set(handle) { _, object, level, text in
      guard level & MOSQ_LOG_ERR != 0, let text = unsafe text else { return }
      unsafe Events.of(object)?.complaints.append(unsafe String(cString: text))
    }
    unsafe mosquitto_message_callback_set(handle) { _, object, message in
      guard let events = unsafe Events.of(object), let message = unsafe message?.pointee else {
        return
      }
      // After a refused message, the connection is about to end.
      guard !events.isRefused else { return }
      let count = unsafe Int(message.payloadlen)
      // The library's message is valid until the callback returns and has `payloadlen` bytes.
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
    guard security.authorityPath != nil || security.certificatePath != nil else {
      try check(
        unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the certificates")
      return
    }
    // The directory of trusted certificate authorities on Debian.
    let folder = security.authorityPath == nil ? "/etc/ssl/certs" : nil
    try check(
      unsafe mosquitto_tls_set(
        handle, security.authorityPath, folder, security.certificatePath, security.keyPath, nil),
      "the certificates")
  }

  private func check(_ code: Int32, _ subject: String) throws(MQTTError) {
    guard code != MOSQ_ERR_SUCCESS else { return }
    throw MQTTError("\(subject): \(Self.sentence(code, number: errno))")
  }

  // MARK: The connection

  /// Connects, and waits up to 10 s for the broker to accept.
  ///
  /// - Throws: ``MQTTError`` if the broker cannot be reached or refuses the client.
  package func connect(unless isStopped: () -> Bool) throws(MQTTError) {
    let code = unsafe mosquitto_connect(
      handle, options.host, Int32(options.port), Self.keepAliveSeconds)
    guard code == MOSQ_ERR_SUCCESS else { throw fault(code) }
    do throws(MQTTError) {
      try turn(unless: isStopped) { $0.connectCode != nil }
    } catch {
      // The library closes a refused connection, but the broker's reason is more useful.
      guard events.connectCode ?? 0 != 0 else { throw error }
    }
    switch events.connectCode {
    case 0: return
    case 4: throw MQTTError("it rejects the user name or password", cause: .login)
    case 5: throw MQTTError("it does not let this user in", cause: .login)
    // The library returns a constant string.
    case let code?: throw MQTTError(unsafe String(cString: mosquitto_connack_string(code)))
    case nil: throw MQTTError("no answer", cause: .unanswered)
    }
  }

  /// Whether the broker still had a session for this client when it connected.
  package var hadSession: Bool { events.hadSession }

  /// Runs the loop for up to 10 s, until an answer arrives.
  private func turn(
    unless isStopped: () -> Bool, until isAnswered: (Events) -> Bool
  ) throws(MQTTError) {
    let end = ContinuousClock.now.advanced(by: Self.answerTime)
    while !isAnswered(events), ContinuousClock.now < end {
      guard !isStopped() else { throw MQTTError("interrupted") }
      try turn(milliseconds: 100)
    }
  }

  /// Runs the loop once: waits for the broker, then reads and writes what is due.
  ///
  /// The wait also ends when the descriptor, −1 for none, becomes readable.
  ///
  /// - Throws: ``MQTTError`` once the connection is over, or if the handler refused a message.
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
    // Acknowledge accepted messages before reading the next one.
    if unsafe mosquitto_want_write(handle) { try finish(unsafe mosquitto_loop_write(handle, 1)) }
    try finish(unsafe mosquitto_loop_misc(handle))
  }

  private func finish(_ code: Int32) throws(MQTTError) {
    if code != MOSQ_ERR_SUCCESS, code != MOSQ_ERR_CONN_PENDING { throw fault(code) }
  }

  /// Turns a library result into an error; call it before `errno` can change.
  private func fault(_ code: Int32) -> MQTTError {
    let number = errno
    let isReset = code == MOSQ_ERR_ERRNO && number == ECONNRESET
    let isLost = code == MOSQ_ERR_CONN_LOST || isReset
    switch code {
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
      return MQTTError(ofEncryption: events.complaints)
    // With TLS 1.3, a broker rejects a certificate after the handshake, so a read or write fails.
    case MOSQ_ERR_ERRNO where number == EPROTO && options.security != nil:
      return MQTTError(ofEncryption: events.complaints)
    case MOSQ_ERR_EAI: return MQTTError("no such host", cause: .unknownHost)
    case _ where isLost && events.connectCode == nil: return unansweredFault
    case MOSQ_ERR_PROTOCOL where events.connectCode == nil:
      return MQTTError("the server there does not speak MQTT", cause: .otherProtocol)
    case _ where isLost: return Self.closed
    default: return MQTTError(Self.sentence(code, number: number))
    }
  }

  private static let closed = MQTTError("closed by the other side", cause: .closed)

  private var unansweredFault: MQTTError {
    guard options.security != nil else {
      return MQTTError("it closed the connection without an answer", cause: .endedUnanswered)
    }
    guard events.complaints.isEmpty else { return MQTTError(ofEncryption: events.complaints) }
    return MQTTError("it closed the connection before encryption began", cause: .endedHandshake)
  }

  private static func sentence(_ code: Int32, number: Int32) -> String {
    // The library and the system own these strings; they are copied at once.
    if code == MOSQ_ERR_ERRNO { return unsafe String(cString: strerror(number)).lowercased() }
    let text = unsafe String(cString: mosquitto_strerror(code)).lowercased()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// Subscribes to a topic filter, and waits up to 10 s for the broker to grant it.
  ///
  /// Messages may already arrive during the wait.
  ///
  /// - Throws: ``MQTTError`` if the broker denies the subscription or does not answer.
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

  /// Queues a message, which the next turns of the loop send.
  ///
  /// - Returns: The identifier that ``takeDelivered()`` will report.
  /// - Throws: ``MQTTError`` if the library refuses the message.
  package func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
    var identifier: Int32 = 0
    // The library copies the bytes.
    let code = unsafe mosquitto_publish(
      handle, &identifier, message.topic, Int32(message.payload.count), message.payload, 1,
      message.isRetained)
    try check(code, message.topic)
    return identifier
  }

  /// Returns the identifiers of messages acknowledged since the last call.
  package func takeDelivered() -> [Int32] {
    defer { events.delivered = [] }
    return events.delivered
  }

  /// Disconnects cleanly, so that the broker does not publish the last will.
  package func disconnect() {
    unsafe mosquitto_disconnect(handle)
    while unsafe mosquitto_want_write(handle) {
      // Stop on any error; the connection is over either way.
      guard unsafe mosquitto_loop_write(handle, 1) == 0 else { return }
    }
  }
}
