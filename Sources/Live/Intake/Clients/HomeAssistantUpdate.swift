import FencepostFixes
import FencepostFormats

/// Reads what the apps of Home Assistant post to their webhook: `{"type":"update_location","data":{…}}`.
///
/// `gps` holds latitude and longitude. There is no time, so that of receipt counts. Messages of other types
/// hold no fix, and with the setting “zone only” there is only a zone's name.
enum HomeAssistantUpdate {
  /// Whether a message is of this form.
  static func isUpdate(_ message: JSONValue) -> Bool {
    guard let type = message["type"]?.string else { return false }
    return message["geometry"] == nil && message["features"] == nil
      && (["update_location", "get_config"].contains(type) || message["data"] != nil
        || message["encrypted"] != nil)
  }

  /// The message's fix; nil if it has none.
  static func record(of message: JSONValue, now: Int64) -> ClientRecord? {
    guard message["type"]?.string == "update_location", let data = message["data"],
      let position = data["gps"]?.array
    else { return nil }
    let fields = ClientFields(data)
    return ClientRecord(
      device: nil, latitude: position.first?.double,
      longitude: position.count >= 2 ? position[1].double : nil, time: .unstated, now: now,
      ClientFields.motion(
        accuracy: fields.number("gps_accuracy"), speed: fields.number("speed"),
        course: fields.number("course")))
  }
}
