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
  enum SpeedUnit: Double {
    case knots = 0.514444444444444
    case metersPerSecond = 1
  }

  /// Every report contains at least one of these names.
  static let names: Set<String> = [
    "id", "deviceid", "device", "imei", "lat", "latitude", "lon", "lng", "long", "longitude",
    "location", "timestamp",
  ]

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

  static func record(of object: JSONValue, now: Int64) -> ClientRecord? {
    record(
      of: ClientFields(object), speed: isTraccar(object) ? .knots : .metersPerSecond, now: now)
  }

  /// Reads a report, or returns nil for a heartbeat.
  static func record(of fields: ClientFields, speed unit: SpeedUnit, now: Int64) -> ClientRecord? {
    let pair = fields.text("location")?.split(separator: ",").map {
      ClientFields.number($0.trimmed)
    }
    let hasPair = pair?.count == 2
    guard hasPair || fields.states("lat", "latitude", "lon", "lng", "long", "longitude") else {
      return nil
    }
    let device = fields.text("id", "deviceid", "device_id", "device", "imei", "dev")
    if let validity = fields.text("valid"), ["0", "false", "V"].contains(validity) {
      return .fault(device: device, Rejection(reason: .void))
    }
    let metersPerSecond = fields.number("spd", "s")
    return ClientRecord(
      device: device,
      latitude: hasPair ? pair?[0] : fields.number("lat", "latitude"),
      longitude: hasPair ? pair?[1] : fields.number("lon", "lng", "long", "longitude"),
      time: fields.time("timestamp", "time"), now: now,
      ClientFields.motion(
        accuracy: fields.number("accuracy", "acc"),
        speed: metersPerSecond ?? fields.number("speed").map { $0 * unit.rawValue },
        course: fields.number("bearing", "heading", "dir")))
  }
}
