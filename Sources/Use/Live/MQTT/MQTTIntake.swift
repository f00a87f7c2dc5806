#if Command
import FencepostFixes
import FencepostMQTT
import Glibc
package import FencepostTracks
import Synchronization

/// Subscribes to topics and acknowledges each message after the session has saved its fixes.
///
/// If its place says so, the broker keeps a session, where messages wait while this program is
/// away. Messages are read like posts over HTTP, with the device that their topic names.
package final class MQTTIntake: Sendable {
  /// The topic filter of an address that names none.
  package static var defaultTopic: String { "owntracks/#" }

  private static var mostMessageBytes: Int { 4 << 20 }

  private let options: MQTTIntakeOptions
  private let intake: FixIntake
  private let log: PostLog
  private let link = Mutex<MQTTLink?>(nil)
  /// Whether messages were received before, here or by the session that this one resumes.
  private let hasReceived = Mutex(false)

  /// Creates an intake that hands its fixes to another, which the session reads.
  package init(_ options: MQTTIntakeOptions, intake: FixIntake) {
    self.options = options
    self.intake = intake
    log = PostLog(isVerbose: options.isVerbose, say: options.say)
  }

  /// Connects and subscribes; `isResumed` if this continues an earlier session.
  package func start(isResumed: Bool = false) {
    hasReceived.withLock { $0 = isResumed }
    let place = options.place
    var hooks = MQTTLink.Hooks(say: options.say)
    hooks.onConnected = { [self] client throws(MQTTError) in
      try client.subscribe(place.address.topic, unless: { isOver })
      noteConnection(hadSession: client.hadSession)
    }
    hooks.onMessage = { [self] in take($0) }
    hooks.onHopeless = { [self] in intake.fail($0) }
    hooks.describe = { place.advice(on: $0) }
    if place.keepsSession {
      hooks.greeting =
        "connected as \(place.clientID); the broker keeps messages while this session is away"
    }
    let link = MQTTLink(name: place.address.name, options: place.options, hooks: hooks)
    self.link.withLock { $0 = link }
    link.start()
  }

  /// Explains what a reconnection means for messages sent in between.
  private func noteConnection(hadSession: Bool) {
    let place = options.place
    let isFirst = hasReceived.withLock { hasReceived in
      defer { hasReceived = true }
      return !hasReceived
    }
    guard !isFirst, !hadSession else { return }
    let remedy =
      place.keepsSession
      ? "the broker has forgotten \(place.clientID); for mosquitto, set “persistence true”"
      : "with --state the broker keeps them"
    options.say("\(place.address.name): messages sent in between are lost; \(remedy)")
  }

  /// Ends the connection; unacknowledged messages stay with the broker.
  package func stop() { link.withLock { $0 }?.stop(withinMilliseconds: 300) }

  private var isOver: Bool { link.withLock { $0 }?.isOver ?? true }

  /// A few words while the broker is not connected; nil if it is, or before ``start(isResumed:)``.
  package var fault: String? { link.withLock { $0 }?.fault }

  /// Handles a message and returns whether the broker may forget it.
  private func take(_ message: MQTTMessage) -> Bool {
    let device = OwnTracksMessage.device(ofTopic: message.topic) ?? message.topic
    // An empty message only makes the broker forget a retained one.
    guard !message.payload.isEmpty else { return true }
    guard message.payload.count <= Self.mostMessageBytes else {
      log.note(Rejection(reason: .tooLong), of: device, by: .broker)
      return true
    }
    let posted = read(message, device)
    guard posted.acceptedCount > 0 else { return true }
    let settlement = Settlement()
    while !intake.offer(posted.fixes, onSettled: { settlement.settle($0) }) {
      guard !isOver else { return false }
      usleep(100_000)
    }
    return settlement.wait(unless: { isOver })?.isSaved ?? false
  }

  private func read(_ message: MQTTMessage, _ device: String) -> PostedFixes {
    let time = ReadingTime()
    let body = PostBody(message.payload)
    let origin = PostedFixes.Origin(device: device, defaultDevice: nil, deviceField: "device")
    let context = ClientPost.Context(deviceField: "device", now: SystemTime.epochMilliseconds)
    if body.failure == nil, let post = body.json.flatMap({ ClientPost(json: $0, context) }) {
      return PostedFixes(post.records, origin: origin, log: log, client: post.client)
    }
    let posted = PostedFixes(body, origin: origin, options: options.fixes, time: time)
    log.note(posted, of: device, by: .broker)
    return posted
  }
}

/// The broker and its topics, and how messages are read.
///
/// Which of the fixes count is decided later, by the session that takes them.
package struct MQTTIntakeOptions: Sendable {
  /// The broker, with the topic filter to subscribe to.
  package var place: MQTTPlace
  /// How track files in messages are decoded.
  package var fixes = FixStreamOptions()
  /// Whether to report every unusable message, not just the first of each kind and device.
  package var isVerbose = false
  /// Receives sentences for the user, from any thread.
  package var say: @Sendable (String) -> Void

  /// Creates options with the default way to read fixes.
  package init(place: MQTTPlace, say: @escaping @Sendable (String) -> Void) {
    self.place = place
    self.say = say
  }
}
#endif
