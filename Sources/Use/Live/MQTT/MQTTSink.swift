#if Command
import FencepostFormats
import FencepostMQTT
import FencepostReporting

/// Publishes each event on a broker's topic.
///
/// Delivers at least once: an event that the broker has not acknowledged is published again. The
/// topic plus `/status` says `online` while the program runs and `offline` afterwards, even after a
/// lost connection.
final class MQTTSink: Sendable {
  private let topic: String
  private let isRetained: Bool
  private let link: MQTTLink

  /// Connects; with `isRetained` the broker keeps the last event for later subscribers, and under
  /// the prefix, if any, Home Assistant discovers devices.
  init(
    _ place: MQTTPlace, isRetained: Bool, discoveryPrefix: String?,
    say: @escaping @Sendable (String) -> Void
  ) {
    let address = place.address
    topic = address.topic
    self.isRetained = isRetained
    let status = "\(topic)/status"
    var settings = place.options
    settings.will = Self.status("offline", at: status)
    let discovery = discoveryPrefix.map {
      HomeAssistantDiscovery(
        prefix: $0, topic: address.topic, statusTopic: status, identifier: place.clientID)
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
        }, describe: { place.advice(on: $0) }, say: { say("mqtt: \($0)") }))
    link.start()
  }

  private static func status(_ word: String, at topic: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(word.utf8), isRetained: true)
  }

  func deliver(_ delivery: OwedDelivery, unless mustStop: () -> Bool) -> DeliveryOutcome {
    let line = delivery.line.last == UInt8(ascii: "\n") ? delivery.line.dropLast() : delivery.line
    return link.put(
      MQTTMessage(topic: topic, payload: Array(line), isRetained: isRetained),
      withinMilliseconds: 10_000, unless: mustStop)
  }

  var fault: String? { link.fault }

  func end() { link.stop(withinMilliseconds: 500) }
}

/// The messages that let Home Assistant discover the alerts.
///
/// A sensor has the title of the last story as its state and the event as its attributes, and a
/// device trigger starts automations at each event. Source: Home Assistant's documentation of its
/// MQTT integration, “MQTT discovery”, “MQTT sensor” and “MQTT device trigger”.
struct HomeAssistantDiscovery {
  /// The discovery prefix, `homeassistant` by default.
  let prefix: String
  let topic: String
  let statusTopic: String
  /// Distinguishes these alerts from those of other programs; letters and digits.
  let identifier: String

  var messages: [MQTTMessage] {
    let sensor = message("sensor") {
      $0.member("name", "Last story")
      $0.member("unique_id", "\(identifier)_story")
      $0.member("state_topic", topic)
      // Home Assistant refuses longer states.
      $0.member("value_template", "{{ (value_json.title | default(''))[:255] }}")
      $0.member("json_attributes_topic", topic)
      $0.member("availability_topic", statusTopic)
      $0.member("force_update", true)
      $0.member("icon", "mdi:map-marker-radius")
    }
    let trigger = message("device_automation") {
      $0.member("automation_type", "trigger")
      $0.member("type", "alert")
      $0.member("subtype", "story")
      $0.member("topic", topic)
    }
    return [sensor, trigger]
  }

  private func message(_ component: String, _ members: (inout OutputBuffer) -> Void) -> MQTTMessage
  {
    var text = OutputBuffer()
    text.appendObject {
      members(&$0)
      $0.object("device") {
        $0.array("identifiers", [identifier]) { output, one in output.append(json: one) }
        $0.member("name", "Fencepost")
      }
    }
    return MQTTMessage(
      topic: "\(prefix)/\(component)/\(identifier)/alert/config", payload: Array(text.text.utf8),
      isRetained: true)
  }
}
#endif
