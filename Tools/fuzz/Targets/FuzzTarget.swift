import FencepostTracks

/// What can be fed with arbitrary bytes: a decoder, an importer, the engine.
///
/// A target demands more of its subject than that it does not crash. libFuzzer feeds it what it makes
/// up, the tests what has been kept of that.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// GPX tracks, read fast and by libxml2.
  case gpx
  /// NMEA 0183, read fast and by the plain decoder of the tests.
  case nmea
  /// Fixes of comma-separated values.
  case csv
  /// The reports of gpsd.
  case gpsd
  /// The messages of OwnTracks.
  case ownTracks = "owntracks"
  /// Plain JSON lines.
  case jsonLines = "json-lines"
  /// Google Timeline of phones.
  case googleTimeline = "google-timeline"
  /// `Records.json` of Google Takeout.
  case googleRecords = "google-records"
  /// Semantic months of Google Takeout.
  case googleMonth = "google-month"
  /// Tracks of GeoJSON and MF-JSON.
  case geoJSONTrack = "geojson-track"
  /// The OwnTracks Recorder's files.
  case recorder
  /// TCX.
  case tcx
  /// Tracks of KML.
  case kml
  /// FIT.
  case fit
  /// IGC.
  case igc
  /// PLT.
  case plt
  /// Waypoints in lines.
  case waypointLines = "waypoint-lines"
  /// Zip archives with tracks in them.
  case zip
  /// Any track: format recognised, inflated, decoded, filtered.
  case stream
  /// Gzip data.
  case gzip
  /// JSON text.
  case json
  /// XML text.
  case xml
  /// Places of comma-separated values.
  case placesCSV = "places-csv"
  /// Places of GeoJSON.
  case geoJSON = "geojson"
  /// Places of RSS and Atom with GeoRSS positions.
  case feed
  /// Places of GPX waypoints.
  case waypoints
  /// Places of KML.
  case placesKML = "places-kml"
  /// Places of KMZ.
  case kmz
  /// Places of Overpass's answers.
  case overpass
  /// Places of GeoJSON features one behind another.
  case features
  /// Places of an app's JSON.
  case stories
  /// Files of reminders and of zone changes, and a week of what they ask for.
  case reminders
  /// The engine against the rule written down a second time.
  case engine
  /// A track through a whole session, and its events in every form.
  case session

  /// The format of tracks whose decoder the target feeds; nil for what is no such decoder.
  var format: TrackFormat? {
    switch self {
    case .gpx: .gpx
    case .nmea: .nmea
    case .csv: .csv
    case .gpsd: .gpsd
    case .ownTracks: .ownTracks
    case .jsonLines: .jsonLines
    case .googleTimeline: .googleTimeline
    case .googleRecords: .googleRecords
    case .googleMonth: .googleMonth
    case .geoJSONTrack: .geoJSON
    case .recorder: .ownTracksRecorder
    case .tcx: .tcx
    case .kml: .kml
    case .fit: .fit
    case .igc: .igc
    case .plt: .plt
    case .waypointLines: .waypointLines
    default: nil
    }
  }

  /// Feeds the target.
  ///
  /// - Throws: ``Finding`` where something does not hold that should.
  func check(_ bytes: [UInt8]) throws(Finding) {
    switch self {
    case .gpx: try TrackTargets.checkGPX(bytes)
    case .nmea: try TrackTargets.checkNMEA(bytes)
    case .csv: try TrackTargets.checkCSV(bytes)
    case .gpsd: try TrackTargets.checkGpsd(bytes)
    case .ownTracks: try TrackTargets.checkOwnTracks(bytes)
    case .jsonLines: try TrackTargets.checkJSONLines(bytes)
    case .googleTimeline, .googleRecords, .googleMonth, .geoJSONTrack, .recorder, .tcx, .kml, .fit,
      .igc, .plt, .waypointLines:
      if let format { try FormatTargets.check(bytes, as: format) }
    case .zip: try FormatTargets.checkArchive(bytes)
    case .stream: try StreamTarget.check(bytes)
    case .gzip: try GzipTarget.check(bytes)
    case .json: try TextTargets.checkJSON(bytes)
    case .xml: try TextTargets.checkXML(bytes)
    case .placesCSV: try PlaceTargets.check(bytes, as: .csv)
    case .geoJSON: try PlaceTargets.check(bytes, as: .geoJSON)
    case .feed: try PlaceTargets.check(bytes, as: .feed)
    case .waypoints: try PlaceTargets.check(bytes, as: .waypoints)
    case .placesKML: try PlaceTargets.check(bytes, as: .kml)
    case .kmz: try PlaceTargets.check(bytes, as: .kmz)
    case .overpass: try PlaceTargets.check(bytes, as: .overpass)
    case .features: try PlaceTargets.check(bytes, as: .features)
    case .stories: try PlaceTargets.check(bytes, as: .stories)
    case .reminders: try ReminderTarget.check(bytes)
    case .engine: try EngineTarget.check(bytes)
    case .session: try SessionTarget.check(bytes)
    }
  }
}
