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
  /// Google Timeline as phones export it.
  case googleTimeline
  /// `Records.json` of Google Takeout.
  case googleRecords
  /// A month of the Semantic Location History of Google Takeout.
  case googleMonth
  /// GeoJSON and MF-JSON.
  case geoJSON
  /// Garmin's Training Center XML.
  case tcx
  /// KML.
  case kml
  /// FIT, of sports watches and bicycle computers.
  case fit
  /// IGC, of gliders.
  case igc
  /// PLT, of OziExplorer and of the data set GeoLife.
  case plt
  /// The `.rec` files of the OwnTracks Recorder.
  case ownTracksRecorder
  /// Lines `lat,lon`, as `simctl` takes them.
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

  /// How the names of its files usually end, in lower case and without the dot; a folder is searched for these.
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

  /// Whether it is XML, which states its own encoding.
  var isXML: Bool {
    switch self {
    case .gpx, .tcx, .kml: true
    default: false
    }
  }

  /// Whether a source is one document, which is decoded from its beginning, instead of lines that make sense alone.
  public var isDocument: Bool {
    switch self {
    case .gpx, .tcx, .kml, .fit, .igc, .plt, .googleTimeline, .googleRecords, .googleMonth,
      .geoJSON:
      true
    case .nmea, .gpsd, .ownTracks, .jsonLines, .csv, .ownTracksRecorder, .waypointLines: false
    }
  }
}
