/// The forms in which events can be written.
public enum EventFormat: String, CaseIterable, Sendable {
  /// A table for people.
  case text
  /// One JSON object a line.
  case ndjson
  /// A table for spreadsheets.
  case csv
  /// A GeoJSON feature collection.
  case geojson
  /// GPX 1.1 waypoints.
  case gpx
}
