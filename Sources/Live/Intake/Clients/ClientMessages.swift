import FencepostFixes
import FencepostFormats

/// Reads fixes from GeoJSON features (RFC 7946) whose geometry is a point.
///
/// The properties contain the time (`timestamp` or `time`), the accuracy in meters
/// (`horizontal_accuracy` or `accuracy`), the speed in m/s, and the course in degrees (`course`,
/// `heading` or `bearing`).
enum PointFeature {
  static func isGeoJSON(_ message: JSONValue) -> Bool {
    let type = (message.array?.first ?? message)["type"]?.string
    return type == "Feature" || type == "FeatureCollection"
  }

  /// The features of a message, or nil if one of them is not a point.
  static func points(of message: JSONValue) -> [JSONValue]? {
    let features = message["features"]?.array ?? message.array ?? [message]
    let arePoints = features.allSatisfy { feature in
      guard case .object = feature["geometry"] else { return true }
      return feature["geometry"]?["type"]?.string == "Point"
    }
    return arePoints ? features : nil
  }

  /// The fix or fault of a feature, whose first property in `deviceNames` names the device.
  static func record(of feature: JSONValue, deviceNames: [String], now: Int64) -> ClientRecord? {
    guard case .object = feature["geometry"] else { return nil }
    let fields = ClientFields(feature["properties"])
    let position = feature["geometry"]?["coordinates"]?.array ?? []
    return ClientRecord(
      device: deviceNames.lazy.compactMap { fields.text($0.lowercased()) }.first,
      latitude: position.count >= 2 ? position[1].double : nil,
      longitude: position.first?.double, time: fields.time("timestamp", "time"), now: now,
      ClientFields.motion(
        accuracy: fields.number("horizontal_accuracy", "accuracy"), speed: fields.number("speed"),
        course: fields.number("course", "heading", "bearing")))
  }
}

extension JSONValue {
  /// The fixes of an Overland batch, oldest first; nil for any other message.
  ///
  /// GPSLogger sends the same GeoJSON features in `locations` in its Dawarich mode. `current` and
  /// the positions in `trip` are skipped, because they are newer than later batches and would make
  /// those late. Features without a position are skipped too, as are log entries and visits
  /// (`action`) and trips, which repeat one.
  func overlandRecords(now: Int64) -> [ClientRecord]? {
    self["locations"]?.array?.compactMap { feature in
      let properties = feature["properties"]
      guard properties?["action"] == nil, properties?["type"]?.string != "trip" else { return nil }
      return PointFeature.record(of: feature, deviceNames: ["device_id", "unique_id"], now: now)
    }
  }

  /// The fixes that Traccar Client 9 posts; nil for any other message.
  ///
  /// The form is `{"location":{"timestamp",…,"coords":{…}},"device_id":…}`. Unknown values are -1.
  /// A location without coordinates is a heartbeat.
  func traccarRecords(now: Int64) -> [ClientRecord]? {
    guard self["device_id"] != nil, let location = self["location"] else { return nil }
    let locations: [JSONValue]
    switch location {
    case .object: locations = [location]
    case .array(let all): locations = all
    default: return nil
    }
    let device = ClientFields(self).text("device_id")
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

  /// Whether this is a webhook message of a Home Assistant app: `{"type":…,"data":{…}}`.
  var isByHomeAssistant: Bool {
    guard let type = self["type"]?.string else { return false }
    return self["geometry"] == nil && self["features"] == nil
      && (["update_location", "get_config"].contains(type) || self["data"] != nil
        || self["encrypted"] != nil)
  }

  /// The fix of a Home Assistant message, whose `gps` holds latitude and longitude.
  ///
  /// There is no time, so the time of receipt counts. Other types of messages contain no fix, and
  /// with the setting “zone only” there is only the name of a zone.
  func homeAssistantRecord(now: Int64) -> ClientRecord? {
    guard self["type"]?.string == "update_location", let data = self["data"],
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
