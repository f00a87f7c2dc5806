import FencepostMQTT

/// Publishes each event on a topic of a broker.
///
/// Delivers at least once: an event that the broker has not acknowledged is published again. The topic with
/// `/status` behind it says `online` while the program runs and `offline` after it, for the broker says so itself
/// when the connection breaks.
final class MQTTSink: Sendable {
  /// The settings.
  struct Options: Sendable {
    /// The broker and the topic.
    var place: MQTTPlace
    /// Whether the broker keeps the last event for those who subscribe later.
    var isRetained = false
    /// Where Home Assistant looks for descriptions of devices, nil for none.
    var discoveryPrefix: String?
  }

  private let options: Options
  private let link: MQTTLink

  private static var deliveryMilliseconds: Int { 10_000 }

  /// Connects to the broker.
  ///
  /// - Parameters:
  ///   - options: The settings.
  ///   - say: Called with sentences for the user.
  init(_ options: Options, say: @escaping @Sendable (String) -> Void) {
    self.options = options
    let address = options.place.address
    let status = "\(address.topic)/status"
    let advice = BrokerAdvice(place: options.place)
    var settings = options.place.options
    settings.will = Self.status("offline", at: status)
    let discovery = options.discoveryPrefix.map {
      HomeAssistantDiscovery(
        prefix: $0, topic: address.topic, statusTopic: status, identifier: options.place.clientID)
    }
    link = MQTTLink(
      name: address.name, options: settings,
      hooks: MQTTLink.Hooks(
        onConnected: { client throws(MQTTError) in
          for message in discovery?.messages ?? [] { _ = try client.publish(message) }
          _ = try client.publish(Self.status("online", at: status))
        },
        onFarewell: { client throws(MQTTError) in
          _ = try client.publish(Self.status("offline", at: status))
        }, describe: { advice.sentence(about: $0) }, say: { say("mqtt: \($0)") }))
    link.start()
  }

  private static func status(_ word: String, at topic: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(word.utf8), isRetained: true)
  }

  /// Publishes one event.
  func deliver(_ delivery: OwedDelivery, _ context: DeliveryContext) -> DeliveryOutcome {
    let line = delivery.line.last == UInt8(ascii: "\n") ? delivery.line.dropLast() : delivery.line
    let message = MQTTMessage(
      topic: options.place.address.topic, payload: Array(line), isRetained: options.isRetained)
    let outcome = link.put(
      message, withinMilliseconds: Self.deliveryMilliseconds, unless: { context.mustStop })
    switch outcome {
    case .delivered: return .delivered
    case .unfinished: return .unfinished
    case .failed(let reason):
      return .failed(DeliveryFailure(reason: reason, kind: reason))
    }
  }

  /// Says farewell to the broker.
  func end() { link.stop(withinMilliseconds: 500) }
}
