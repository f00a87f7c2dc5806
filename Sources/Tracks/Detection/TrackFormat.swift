/// A format that contains fixes.
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

  /// The name for users.
  public var name: String {
    switch self {
    case .gpx: "GPX"
    case .nmea: "NMEA 0183"
    case .gpsd: "gpsd JSON"
    case .ownTracks: "OwnTracks JSON"
    case .jsonLines: "JSON lines"
    case .csv: "CSV"
    case .googleTimeline: "Google Timeline"
    case .googleRecords: "Google Takeout records"
    case .googleMonth: "Google Takeout semantic history"
    case .geoJSON: "GeoJSON"
    case .tcx: "TCX"
    case .kml: "KML"
    case .fit: "FIT"
    case .igc: "IGC"
    case .plt: "PLT"
    case .ownTracksRecorder: "OwnTracks Recorder"
    case .waypointLines: "waypoints in lines"
    }
  }

  /// The usual file extensions, in lower case and without a dot; used to search folders.
  public var fileExtensions: [String] {
    switch self {
    case .gpx: ["gpx"]
    case .nmea: ["nmea", "log", "txt"]
    case .gpsd, .ownTracks, .jsonLines: ["json", "jsonl", "ndjson"]
    case .csv: ["csv", "txt"]
    case .googleTimeline, .googleRecords, .googleMonth: ["json"]
    case .geoJSON: ["geojson", "mfjson", "json"]
    case .tcx: ["tcx"]
    case .kml: ["kml", "kmz"]
    case .fit: ["fit"]
    case .igc: ["igc"]
    case .plt: ["plt"]
    case .ownTracksRecorder: ["rec"]
    case .waypointLines: ["txt"]
    }
  }

  /// Whether the format is XML, which declares its own encoding.
  var isXML: Bool {
    switch self {
    case .gpx, .tcx, .kml: true
    default: false
    }
  }

  /// Whether a source must be decoded from its beginning; false if each line stands alone.
  public var isDocument: Bool {
    switch self {
    case .gpx, .tcx, .kml, .fit, .igc, .plt, .googleTimeline, .googleRecords, .googleMonth,
      .geoJSON:
      true
    case .nmea, .gpsd, .ownTracks, .jsonLines, .csv, .ownTracksRecorder, .waypointLines: false
    }
  }
}
