import FencepostTracks
import FencepostFixes
import TestSupport
import Testing

@Suite("Formats are recognized by content")
struct FormatDetectionTests {
  private func stream(_ bytes: [UInt8]) -> (format: TrackFormat?, error: DecodeError?) {
    var stream = FixStream()
    var batch = FixBatch()
    do throws(DecodeError) {
      try stream.feed(bytes.span, into: &batch)
      try stream.finish(into: &batch)
    } catch {
      return (stream.format, error)
    }
    return (stream.format, nil)
  }

  @Test(
    "by their first bytes",
    arguments: [
      ("<?xml version=\"1.0\"?><!-- <html> --><gpx version=\"1.1\"></gpx>", TrackFormat.gpx),
      ("\u{FEFF} \n<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"/>", .gpx),
      ("<!DOCTYPE gpx [ <!ELEMENT gpx ANY> ]><gpx/>", .gpx),
      ("# a comment, of a logger\n# lat is not lon\n$GPGGA,,,,,,0,,,,,,,,*66\n", .nmea),
      ("\u{1}\u{2}junk$PGRME,15.0,M,22.5,M,27.0,M*1A", .nmea),
      ("!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\n", .nmea),
      ("{\"class\":\"VERSION\",\"release\":\"3.25\"}\n", .gpsd),
      ("{\"lat\":1,\"_type\":\"location\",\"lon\":2,\"tst\":3}", .ownTracks),
      ("{\"count\":0}\n\n{\"_type\":\"card\"}\n", .ownTracks), ("time,lat,lon\n", .csv),
      ("name, Longitude ,\"Latitude\"", .csv), ("time;lat;lon\n1;2;3\n", .csv),
      ("sep=|\r\nx|y\r\n", .csv), ("# of a logger\n\nlat\tlon\n", .csv),
      ("#lat,lon\n1,2\n", .csv), ("# lat,lon\n$GPGGA,,,,,,0,,,,,,,,*66\n", .nmea),
      ("{\"time\":1,\"lat\":2,\"lon\":3}\n", .jsonLines),
      ("{\"a\":1}\n{\"longitude\":2,\"latitude\":3}", .jsonLines),
      ("{\"lat\":2,\"lon\":3,\"class\":\"TPV\"}\n", .gpsd),
      ("<?xml version='1.0'?><kml xmlns='x'/>", .kml),
      ("<TrainingCenterDatabase xmlns='x'><Activities>", .tcx),
      ("\u{C}\u{10}\u{1}\u{1}\u{0}\u{0}\u{0}\u{0}.FIT", .fit),
      ("AXCT12\r\nHFFXA035\r\nHFDTE160701\r\n", .igc),
      ("AXCT12\r\nHFPLTPILOT:A\r\nB0930005206000N01136000EA0010000100\r\n", .igc),
      ("  \u{FEFF}\n<gpx>", .gpx), ("\u{0}\u{0}<?xml version='1.0'?><gpx>", .gpx),
      ("Warning: x\n<?xml version='1.0'?><kml>", .kml),
      ("<br />\n<b>Warning</b>: x\n<?xml version='1.0'?><TrainingCenterDatabase>", .tcx),
      ("HFDTE160701\n", .igc),
      ("OziExplorer Track Point File Version 2.1\r\nWGS 84\r\n", .plt),
      ("\u{FEFF}\r\nGeolife trajectory\nWGS 84\n", .plt), ("Geolife trajectory", .plt),
      ("{\"semanticSegments\":[]}", .googleTimeline),
      ("[{\"endTime\":\"2025-07-29T15:00:00Z\",\"startTime\"", .googleTimeline),
      ("{\"locations\":[{\"timestampMs\":\"1\",\"latitudeE7\":1", .googleRecords),
      ("{\"timelineObjects\":[", .googleMonth),
      ("{\"type\":\"FeatureCollection\",\"features\":[]}", .geoJSON),
      ("{\"locations\":[{\"type\":\"Feature\"", .geoJSON),
      ("{\"features\":[{\"geometry\":{", .geoJSON),
      ("{\"lat\":2,\"lon\":3}\n{\"type\":\"Feature\"}\n", .jsonLines),
      ("2026-03-04T17:00:09Z\t*\t{\"_type\":\"lwt\"}\n", .ownTracksRecorder),
    ])
  func recognizes(text: String, format: TrackFormat) {
    #expect(stream(Array(text.utf8)).format == format)
  }

  @Test(
    "and other content is described in a sentence",
    arguments: [
      ("", "empty"), (" \r\n\t", "empty"), ("<!DOCTYPE html><html><body>", "HTML"),
      ("<HTML>", "HTML"), ("<?xml version='1.0'?><osm version='0.6'/>", "<osm>"),

      ("{\"a\":1}\n{\"b\":2}\n", "JSON without gpsd reports"),
      ("{\"lat\":\"one\",\"lon\":2}", "lat and lon"), ("[1,2]", "JSON array"),
      ("[{\"lat\":1,\"lon\":2}]", "jq -c '.[]' FILE"),
      ("{\"a\": {\"points\": [\n{\"lat\": 1,\n\"lon\": \"2\"}]}}", "jq -c '.a.points[]' FILE"),
      ("{\"count\":1,\"data\":[{\"_type\":\"location\",\"lat\":1,\"lon\":2}]}", "jq -c '.data[]'"),
      ("{\"my walk\":[{\"at\":{\"lat\":1,\"lng\":2}}]}", "jq -c '.[\"my walk\"][].at' FILE"),
      ("$FLYS,1\r\n$COL,GNSS,time,lat,lon\r\n", "a FlySight 2 file"),
      ("PK\u{3}\u{4}abc", "zip archive ends too early"), ("PK\u{5}\u{6}", "an empty zip archive"),
      ("BZh91AY", "bzip2 -dc FILE | fencepost replay -"),
      ("SQLite format 3\u{0}", "sqlite3 -header -csv"),
      ("PAR1", "duckdb"), ("%PDF-1.7", "PDF"), ("MsRcf\u{0}", "gpsbabel -t -i gdb"),
      ("OziExplorer Waypoint File Version 1.1\nWGS 84\n", "gpsbabel -t -i ozi"),
      ("OziExplorer Waypoint File Version 1.1\nWGS 84\nReserved 2\nmagellan\n1,a,2,3\n", "ozi"),
      ("Grid\tLat/Lon hddd°mm.mmm'\r\nDatum\tWGS 84\r\n", "gpsbabel -t -i garmin_txt"),
      ("d\u{0}TrackMaker\u{0}\u{0}", "gpsbabel -t -i gtm"),
      ("G  WGS 84\r\nU  1\r\n", "GPX in CompeGPS"), ("MsRcd\u{0}", "GPX in MapSource"),
      ("a,b,c\n1,2,3\n", "does not name the columns lat and lon"),
      ("1,2,3\n4,5,6\n", "without a header"),
      ("1;2,5;3,5\n", "without a header"), ("Error: no such file, really", "unknown format"),
    ])
  func refuses(text: String, word: String) {
    let (format, error) = stream(Array(text.utf8))
    #expect(format == nil)
    #expect(error?.sentence.contains(word) == true, "\(error.debugDescription)")
  }

  @Test("the format does not depend on how the bytes are cut, also in UTF-16")
  func doesNotDependOnCuts() {
    let nmea = String(
      decoding: sentences(
        "GPRMC,235958.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230394,003.1,W"), as: UTF8.self)
    for isMarked in [true, false] {
      for isBigEndian in [true, false] {
        let text = (isMarked ? "\u{FEFF}" : "") + nmea
        let bytes = text.utf16.flatMap { unit in
          let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
          return isBigEndian ? pair : pair.reversed()
        }
        let outcome = DecoderVerifier.verify(bytes, sortsRejections: true) { StreamDecoder() }
        #expect(outcome.times == ["1994-03-23T23:59:58Z"])
      }
    }
  }

  @Test("random bytes are rejected after a bounded look", arguments: 0..<20 as Range<UInt64>)
  func refusesRandomBytes(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let bytes = (0..<80_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(stream(bytes).error != nil)
    // The verdict comes even without a line end.
    var stream = FixStream()
    var batch = FixBatch()
    #expect(throws: DecodeError.self) { try stream.feed(bytes.span, into: &batch) }
  }

  @Test("detection gives up after 64 KiB")
  func window() {
    func read(_ blanks: Int) -> Outcome {
      let text = String(repeating: " ", count: blanks) + "lat,lon\n1,2\n"
      return DecoderVerifier.verify(Array(text.utf8), splits: 1) { StreamDecoder() }
    }
    #expect(read(60_000).fixes.count == 1)
    #expect(read(70_000).error?.sentence.hasPrefix("only white space") == true)
  }
}
