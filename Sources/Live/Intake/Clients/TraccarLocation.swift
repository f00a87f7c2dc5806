import FencepostFixes
import FencepostFormats

/// Reads what Traccar Client 9 posts: `{"location":{"timestamp",…,"coords":{…}},"device_id":…}`.
///
/// Values are -1 where unknown. A location without coordinates is a heartbeat.
enum TraccarLocation {
  /// Whether a message is of this form.
  static func isLocation(_ message: JSONValue) -> Bool {
    guard message["device_id"] != nil else { return false }
    switch message["location"] {
    case .object, .array: return true
    default: return false
    }
  }

  /// The message's fixes.
  static func records(of message: JSONValue, now: Int64) -> [ClientRecord] {
    let device = ClientFields(message).text("device_id")
    let locations = message["location"]?.array ?? message["location"].map { [$0] } ?? []
    return locations.compactMap { location in
      guard let coordinates = location["coords"] else { return nil }
      let fields = ClientFields(coordinates)
      return ClientRecord(
        device: device, latitude: fields.number("latitude"), longitude: fields.number("longitude"),
        time: ClientFields(location).time("timestamp"), now: now,
        ClientFields.motion(
          accuracy: fields.number("accuracy"), speed: fields.number("speed"),
          course: fields.number("heading")))
    }
  }
}
