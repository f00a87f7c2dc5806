import FencepostFixes
import FencepostFormats

/// Reads fixes from features of GeoJSON (RFC 7946) whose geometry is a point.
///
/// The properties state the time (`timestamp` or `time`), the accuracy in metres (`horizontal_accuracy` or
/// `accuracy`), the speed in m/s, and the course in degrees (`course`, `heading` or `bearing`).
enum PointFeature {
  /// Whether a message is GeoJSON.
  static func isGeoJSON(_ message: JSONValue) -> Bool {
    let types = ["Feature", "FeatureCollection"]
    let first = message.array?.first ?? message
    return types.contains { $0 == first["type"]?.string }
  }

  /// The features of a message; nil unless each of them is a point.
  static func points(of message: JSONValue) -> [JSONValue]? {
    let features = message["features"]?.array ?? message.array ?? [message]
    let arePoints = features.allSatisfy { feature in
      guard case .object = feature["geometry"] else { return true }
      return feature["geometry"]?["type"]?.string == "Point"
    }
    return arePoints ? features : nil
  }

  /// Reads a feature.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - deviceNames: The properties that may name the device, the first that does so first.
  ///   - now: The time of receipt in milliseconds since 1970.
  /// - Returns: The fix or its fault; nil if the feature has no geometry.
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
