#if Command
import FencepostFixes
import FencepostFormats
import FencepostHTTP
import FoundationEssentials

/// Reads fixes in Traccar's OsmAnd protocol, from a query, a form or flat JSON.
///
/// Traccar Client, OsmAnd and GPSLogger send these names: `lat` and `lon` or `location`;
/// `timestamp`; `accuracy` in meters; `speed` in knots, or `spd` or `s` in m/s; `bearing` or
/// `heading`; and `id` or `deviceid` for the device. A report without a position is a heartbeat.
enum PositionReport {
  /// The unit of a speed without one; the raw value is its size in meters per second.
  enum SpeedUnit: Double {
    case knots = 0.514444444444444
    case metersPerSecond = 1
  }

  /// Whether a query or form is a report, with a position or with a device and a time.
  static func isReport(_ items: [HTTPRequest.QueryItem]) -> Bool {
    let names = Set(items.map { $0.name.lowercased() })
    let hasPosition = !names.isDisjoint(with: [
      "lat", "latitude", "lon", "lng", "long", "longitude", "location",
    ])
    let isHeartbeat =
      names.contains("timestamp") && !names.isDisjoint(with: ["id", "deviceid", "device"])
    return hasPosition || isHeartbeat
  }

  /// Whether a JSON object is a report by Traccar's SDK, or by GPSLogger with quoted values.
  static func isReport(_ object: JSONValue) -> Bool {
    guard object["class"] == nil, object["_type"] == nil else { return false }
    let isQuoted = ["lat", "latitude", "lon", "lng", "longitude"].contains {
      object[$0]?.string != nil
    }
    // GPSLogger percent-encodes times even in a body.
    let isEncoded = object["lat"] != nil && object["time"]?.string?.contains("%") == true
    return isQuoted || isEncoded || isTraccar(object)
  }

  private static func isTraccar(_ object: JSONValue) -> Bool {
    object["id"] != nil && object["timestamp"] != nil && object["time"] == nil
      && object["device"] == nil
  }

  static func record(of object: JSONValue, now: Int64) -> DeviceRecord? {
    record(
      of: ClientFields(object), speed: isTraccar(object) ? .knots : .metersPerSecond, now: now)
  }

  /// Reads a report, or returns nil for a heartbeat.
  static func record(of fields: ClientFields, speed unit: SpeedUnit, now: Int64) -> DeviceRecord? {
    let pair = fields.text("location")?.split(separator: ",").map {
      ClientFields.number($0.trimmed)
    }
    let hasPair = pair?.count == 2
    guard hasPair || fields.text("lat", "latitude", "lon", "lng", "long", "longitude") != nil else {
      return nil
    }
    let device = fields.text("id", "deviceid", "device_id", "device", "imei", "dev")
    if let validity = fields.text("valid"), ["0", "false", "V"].contains(validity) {
      return .fault(device: device, Rejection(reason: .void))
    }
    let metersPerSecond = fields.number("spd", "s")
    return DeviceRecord(
      device: device,
      latitude: hasPair ? pair?[0] : fields.number("lat", "latitude"),
      longitude: hasPair ? pair?[1] : fields.number("lon", "lng", "long", "longitude"),
      time: fields.time("timestamp", "time"), now: now,
      accuracy: fields.number("accuracy", "acc"),
      speed: metersPerSecond ?? fields.number("speed").map { $0 * unit.rawValue },
      course: fields.number("bearing", "heading", "dir"))
  }
}

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
  static func record(of feature: JSONValue, deviceNames: [String], now: Int64) -> DeviceRecord? {
    guard case .object = feature["geometry"] else { return nil }
    let fields = ClientFields(feature["properties"])
    let position = feature["geometry"]?["coordinates"]?.array ?? []
    return DeviceRecord(
      device: deviceNames.lazy.compactMap { fields.text($0.lowercased()) }.first,
      latitude: position.count >= 2 ? position[1].double : nil,
      longitude: position.first?.double, time: fields.time("timestamp", "time"), now: now,
      accuracy: fields.number("horizontal_accuracy", "accuracy"), speed: fields.number("speed"),
      course: fields.number("course", "heading", "bearing"))
  }
}

extension JSONValue {
  /// The fixes of an Overland batch, oldest first; nil for any other message.
  ///
  /// GPSLogger sends the same GeoJSON features in `locations` in its Dawarich mode. `current` and
  /// the positions in `trip` are skipped, because they are newer than later batches and would make
  /// those late. Features without a position are skipped too, as are log entries and visits
  /// (`action`) and trips, which repeat one.
  func overlandRecords(now: Int64) -> [DeviceRecord]? {
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
  func traccarRecords(now: Int64) -> [DeviceRecord]? {
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
      return DeviceRecord(
        device: device, latitude: fields.number("latitude"), longitude: fields.number("longitude"),
        time: ClientFields(location).time("timestamp"), now: now,
        accuracy: fields.number("accuracy"), speed: fields.number("speed"),
        course: fields.number("heading"))
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
  func homeAssistantRecord(now: Int64) -> DeviceRecord? {
    guard self["type"]?.string == "update_location", let data = self["data"],
      let position = data["gps"]?.array
    else { return nil }
    let fields = ClientFields(data)
    return DeviceRecord(
      device: nil, latitude: position.first?.double,
      longitude: position.count >= 2 ? position[1].double : nil, time: .unstated, now: now,
      accuracy: fields.number("gps_accuracy"), speed: fields.number("speed"),
      course: fields.number("course"))
  }
}
#endif
