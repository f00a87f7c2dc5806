package import FencepostTracks

/// What can be fed with arbitrary bytes: a decoder, an importer, the engine.
///
/// A target demands more of its subject than that it does not crash. libFuzzer feeds it what it
/// makes up, the tests what has been kept of that.
package struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name, which is that of the folder of its seeds.
  package let name: String
  /// The format of tracks whose decoder it feeds; nil for what is no such decoder.
  package var format: TrackFormat?
  /// Feeds the target; throws where something does not hold that should.
  package let check: @Sendable ([UInt8]) throws(Finding) -> Void

  package var description: String { name }

  package static let all: [FuzzTarget] =
    tracks + places + [
      FuzzTarget(name: "zip", check: TrackTargets.checkArchive),
      FuzzTarget(name: "stream", check: StreamTarget.check),
      FuzzTarget(name: "gzip", check: StreamTarget.checkGzip),
      FuzzTarget(name: "json", check: TextTargets.checkJSON),
      FuzzTarget(name: "xml", check: TextTargets.checkXML),
      FuzzTarget(name: "reminders", check: ReminderTarget.check),
      FuzzTarget(name: "engine", check: EngineTarget.check),
      FuzzTarget(name: "session", check: SessionTarget.check),
    ]

  private static let tracks = [
    FuzzTarget(name: "gpx", format: .gpx, check: TrackTargets.checkGPX),
    FuzzTarget(name: "nmea", format: .nmea, check: TrackTargets.checkNMEA),
    FuzzTarget(name: "csv", format: .csv, check: TrackTargets.checkCSV),
    FuzzTarget(name: "gpsd", format: .gpsd, check: TrackTargets.checkGpsd),
    FuzzTarget(name: "owntracks", format: .ownTracks, check: TrackTargets.checkOwnTracks),
    FuzzTarget(name: "json-lines", format: .jsonLines, check: TrackTargets.checkJSONLines),
    decoder("google-timeline", .googleTimeline), decoder("google-records", .googleRecords),
    decoder("google-month", .googleMonth), decoder("geojson-track", .geoJSON),
    decoder("recorder", .ownTracksRecorder), decoder("tcx", .tcx), decoder("kml", .kml),
    decoder("fit", .fit), decoder("igc", .igc), decoder("plt", .plt),
    decoder("waypoint-lines", .waypointLines),
  ]

  private static let places = [
    importer("places-csv", .csv), importer("geojson", .geoJSON), importer("feed", .feed),
    importer("waypoints", .waypoints), importer("places-kml", .kml), importer("kmz", .kmz),
    importer("features", .features), importer("stories", .stories),
  ]

  private static func decoder(_ name: String, _ format: TrackFormat) -> FuzzTarget {
    FuzzTarget(name: name, format: format) { bytes throws(Finding) in
      _ = try TrackTargets.outcome(of: bytes) {
        TrackDecoder(options: FixStreamOptions(format: format))
      }
    }
  }

  private static func importer(_ name: String, _ form: PlaceTargets.Form) -> FuzzTarget {
    FuzzTarget(name: name) { bytes throws(Finding) in
      try PlaceTargets.check(bytes, as: form)
    }
  }
}
