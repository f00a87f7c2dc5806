/// A format that contains fixes.
///
/// The format is recognized by the content of a file and never by its name.
public enum TrackFormat: String, Sendable, CaseIterable {
  /// GPX 1.0 or 1.1.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// gpsd reports, one JSON object per line.
  case gpsd
  /// OwnTracks messages, one JSON object per line.
  case ownTracks
  /// JSON objects with `time`, `lat` and `lon`, one per line.
  case jsonLines
  /// Delimited text with a header, such as CSV.
  case csv
  /// Google Timeline, as exported by phones.
  case googleTimeline
  /// `Records.json` from Google Takeout.
  case googleRecords
  /// A month of the Semantic Location History from Google Takeout.
  case googleMonth
  /// GeoJSON or MF-JSON.
  case geoJSON
  /// Garmin's Training Center XML.
  case tcx
  /// KML or KMZ.
  case kml
  /// FIT, from sports watches and bicycle computers.
  case fit
  /// IGC, from gliders.
  case igc
  /// PLT, from OziExplorer and the GeoLife data set.
  case plt
  /// `.rec` files of the OwnTracks Recorder.
  case ownTracksRecorder
  /// Lines of `lat,lon`, as `simctl` reads them.
  case waypointLines

  /// The facts about each format, in one table.
  private var traits: (name: String, extensions: [String], isDocument: Bool) {
    switch self {
    case .gpx: ("GPX", ["gpx"], true)
    case .nmea: ("NMEA 0183", ["nmea", "log", "txt"], false)
    case .gpsd: ("gpsd JSON", ["json", "jsonl", "ndjson"], false)
    case .ownTracks: ("OwnTracks JSON", ["json", "jsonl", "ndjson"], false)
    case .jsonLines: ("JSON lines", ["json", "jsonl", "ndjson"], false)
    case .csv: ("CSV", ["csv", "txt"], false)
    case .googleTimeline: ("Google Timeline", ["json"], true)
    case .googleRecords: ("Google Takeout records", ["json"], true)
    case .googleMonth: ("Google Takeout semantic history", ["json"], true)
    case .geoJSON: ("GeoJSON", ["geojson", "mfjson", "json"], true)
    case .tcx: ("TCX", ["tcx"], true)
    case .kml: ("KML", ["kml", "kmz"], true)
    case .fit: ("FIT", ["fit"], true)
    case .igc: ("IGC", ["igc"], true)
    case .plt: ("PLT", ["plt"], true)
    case .ownTracksRecorder: ("OwnTracks Recorder", ["rec"], false)
    case .waypointLines: ("waypoints in lines", ["txt"], false)
    }
  }

  /// The name for users.
  public var name: String { traits.name }

  /// The usual file extensions, in lower case and without a dot; used to search folders.
  package var fileExtensions: [String] { traits.extensions }

  /// Whether a source must be decoded from its beginning; false if each line stands alone.
  package var isDocument: Bool { traits.isDocument }

  /// Whether receivers send it: sentences, or gpsd's reports.
  package var isReceivers: Bool { self == .nmea || self == .gpsd }

  /// Whether one decoder reads both formats, which a source may mix.
  package func sharesDecoder(with other: TrackFormat) -> Bool {
    self == other || isReceivers && other.isReceivers
  }

  /// Whether the format is XML, which declares its own encoding.
  var isXML: Bool { [.gpx, .tcx, .kml].contains(self) }
}
