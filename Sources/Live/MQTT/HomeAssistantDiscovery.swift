import FencepostFormats
import FencepostMQTT
import FencepostReporting

/// The messages by which Home Assistant finds the alerts on a broker by itself.
///
/// A sensor has the title of the last story as its state and the event as its attributes, and a trigger of a device
/// starts automations at each event. Source: Home Assistant's documentation of its MQTT integration, “MQTT
/// discovery”, “MQTT sensor” and “MQTT device trigger”.
struct HomeAssistantDiscovery {
  /// Where Home Assistant looks, `homeassistant` unless it was configured otherwise.
  let prefix: String
  /// Where the events are.
  let topic: String
  /// Where the status is.
  let statusTopic: String
  /// Distinguishes this program's alerts from those of others; letters and digits.
  let identifier: String

  /// Longer states are refused by Home Assistant.
  private static var mostStateCharacters: Int { 255 }

  /// The messages, which the broker keeps.
  var messages: [MQTTMessage] { [sensor, trigger] }

  private var sensor: MQTTMessage {
    message("sensor") {
      $0.member("name", "Last story")
      $0.member("unique_id", "\(identifier)_story")
      $0.member("state_topic", topic)
      $0.member(
        "value_template", "{{ (value_json.title | default(''))[:\(Self.mostStateCharacters)] }}")
      $0.member("json_attributes_topic", topic)
      $0.member("availability_topic", statusTopic)
      $0.member("force_update", true)
      $0.member("icon", "mdi:map-marker-radius")
    }
  }

  private var trigger: MQTTMessage {
    message("device_automation") {
      $0.member("automation_type", "trigger")
      $0.member("type", "alert")
      $0.member("subtype", "story")
      $0.member("topic", topic)
    }
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
