import FencepostFixes
import FencepostFormats

/// Reads Overland's batches, which GPSLogger also posts in its Dawarich mode: features of GeoJSON in
/// `locations`, oldest first.
///
/// `current` and the positions within `trip` are left out: they are newer than the batches to come, which
/// they would make late. So are features that have no position or repeat one for another purpose: log
/// entries and visits (`action`) and trips.
enum OverlandBatch {
  /// The locations of a batch; nil for any other message.
  static func locations(of message: JSONValue) -> [JSONValue]? { message["locations"]?.array }

  /// The fixes of a batch.
  static func records(of locations: [JSONValue], now: Int64) -> [ClientRecord] {
    locations.compactMap { feature in
      let properties = feature["properties"]
      guard properties?["action"] == nil, properties?["type"]?.string != "trip" else { return nil }
      return PointFeature.record(of: feature, deviceNames: ["device_id", "unique_id"], now: now)
    }
  }
}
