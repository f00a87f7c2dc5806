/// A format that contains fixes.
public enum TrackFormat: String, Sendable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// gpsd reports, one JSON object per line.
  case gpsd
  /// OwnTracks messages, one JSON object per line.
  case ownTracks
  /// JSON objects with `time`, `lat` and `lon`, one per line.
  case jsonLines
  /// Delimited text with a header, such as comma-separated values.
  case csv

  /// The name for users.
  public var name: String {
    switch self {
    case .gpx: "GPX"
    case .nmea: "NMEA 0183"
    case .gpsd: "gpsd JSON"
    case .ownTracks: "OwnTracks JSON"
    case .jsonLines: "JSON lines"
    case .csv: "CSV"
    }
  }
}
