/// A format that fixes are read from.
public enum TrackFormat: String, Sendable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// Reports of gpsd, a JSON object a line.
  case gpsd
  /// Messages of OwnTracks, a JSON object a line.
  case ownTracks
  /// JSON objects with `time`, `lat` and `lon`, one a line.
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
