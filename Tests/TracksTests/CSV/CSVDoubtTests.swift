import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime
import FencepostTracks
import Testing

@Suite("Tables that can be misread")
struct CSVDoubtTests {
  private func read(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder() }
  }

  private func positions(_ outcome: Outcome) -> [[Double]] {
    outcome.fixes.map { [$0.coordinate.latitudeDegrees, $0.coordinate.longitudeDegrees] }
  }

  private func notices(_ text: String) throws -> [String] {
    var decoder = CSVFixDecoder()
    var batch = FixBatch()
    try decoder.decode(Array(text.utf8).span, into: &batch)
    try decoder.finish(into: &batch)
    return decoder.notices
  }

  // MARK: Hemispheres

  @Test(
    "have hemispheres in columns of any usual name",
    arguments: [
      ("latdir", "londir"), ("lathem", "lonhem"), ("LatitudeHemisphere", "LongitudeHemisphere"),
      ("latitude direction", "longitude direction"), ("N/S Indicator", "E/W Indicator"),
      ("GPSLatitudeRef", "GPSLongitudeRef"), ("lat_hemi", "long_hemi"), ("NS", "EW"),
      ("Hemisphere Lat", "Hemisphere Lon"), ("Breite Richtung", "Länge Richtung"),
      ("this", "that"),
    ])
  func hemisphereNames(latitude: String, longitude: String) {
    for (south, west) in [("S", "W"), ("south", "west"), ("Süd", "West"), ("Sud", "Ouest")] {
      let outcome = read(
        "lat,\(latitude),lon,\(longitude)\n52.1,\(south),11.6,\(west)\n52.1,N,11.6,E\n")
      #expect(positions(outcome) == [[-52.1, -11.6], [52.1, 11.6]])
    }
  }

  @Test("refuse a row whose hemisphere is missing, unknown or contradicts a sign")
  func unclearHemispheres() {
    let outcome = read(
      "lat,latdir,lon,londir\n52.1,S,11.6,W\n52.1,X,11.6,W\n52.1,,11.6,W\n-52.1,N,11.6,W\n"
        + "-52.1,S,-11.6,W\n-52.1,,-11.6,\n52.1,E,11.6,W\n")
    #expect(outcome.fixes.map(\.line) == [2, 6, 7])
    #expect(outcome.rejections.map(\.line) == [3, 4, 5, 8])
    #expect(outcome.count(.coordinate) == 4)
  }

  @Test(
    "take O for east where the header is German, for west in Romance languages, else for neither")
  func meaningOfO() {
    #expect(positions(read("Breite,ns,Länge,ow\n52.1,N,11.6,O\n")) == [[52.1, 11.6]])
    #expect(positions(read("latitud,ns,longitud,eo\n52.1,N,11.6,O\n")) == [[52.1, -11.6]])
    #expect(read("lat,ns,lon,ew\n52.1,N,11.6,O\n").count(.coordinate) == 1)
  }

  @Test("are refused if a column of letters could turn positions over, but not for a heading")
  func loneLetters() {
    let rows = "52.1,11.6,W\n52.1,11.7,W\n"
    #expect(read("lat,lon,note\n" + rows).error?.sentence.contains("“note”") == true)
    #expect(read("lat,lon,heading\n" + rows).error == nil)
    #expect(read("lat,lon,wind from\n" + rows).error == nil)
    // East is where the number is anyway, and other letters show that the column is something else.
    #expect(read("lat,lon,note\n52.1,11.6,E\n").error == nil)
    #expect(read("lat,lon,note\n52.1,11.6,W\n52.1,11.6,NW\n").error == nil)
  }

  @Test("need both columns of names as short as “ns” and “we”")
  func shortNames() {
    #expect(positions(read("lat,lon,we\n52.1,11.6,0\n")) == [[52.1, 11.6]])
    #expect(positions(read("lat,lon,wo\n52.1,11.6,7\n")) == [[52.1, 11.6]])
    #expect(positions(read("lat,lon,ns,we\n52.1,11.6,S,W\n")) == [[-52.1, -11.6]])
  }

  // MARK: Rows without a fix

  @Test(
    "have rows that say themselves that they are not a fix",
    arguments: [
      ("valid", "true", "false"), ("VALID", "1", "0"), ("Valid", "Yes", "No"), ("valid", "A", "V"),
      ("gps_valid", "T", "F"), ("Fix Status", "Fix", "No Fix"), ("status", "A", "V"),
      ("status", "ok", "no fix"), ("gps_status", "1", "0"), ("fix status", "0", "-1"),
      ("fix", "3D", "none"), ("fix", "1", "0"), ("gpsFix", "3", "0"),
      ("Fix Type", "3D Fix", "NO_FIX"), ("gps mode", "3", "1"), ("fix_mode", "2", "0"),
      ("mode indicator", "A", "N"), ("mode", "A", "V"), ("quality", "1", "0"),
      ("fixquality", "4", "0"),
    ])
  func voidRows(name: String, good: String, bad: String) {
    let outcome = read("lat,lon,\(name)\n1,2,\(good)\n1,3,\(bad)\n1,4,\(good)\n1,5,\n")
    #expect(outcome.fixes.map(\.line) == [2, 4, 5])
    #expect(outcome.rejections.map(\.reason) == [.void])
  }

  @Test("name a column whose cells may say that a row is not a fix")
  func unreadStates() throws {
    #expect(try notices("lat,lon,fix\n1,2,perhaps\n").first?.contains("“perhaps”") == true)
    #expect(try notices("lat,lon,mode\n1,2,1\n").first?.contains("“mode” has “1”") == true)
    #expect(try notices("lat,lon,valid\n1,2,?\n").first?.contains("count as fixes") == true)
    // A mode of travel, a count and the number of a fix are something else.
    for table in ["mode\n1,2,walk\n", "quality\n1,2,95\n1,2,0\n", "fix,fraction\n1,2,0,1\n"] {
      #expect(
        try notices("time,lat,lon," + table.replacing("\n1,", with: "\n0,1,")).allSatisfy {
          !$0.contains("count as fixes")
        })
      #expect(read("lat,lon," + table).rejections.isEmpty)
    }
  }

  @Test(
    "keep the rows of a status or mode that may be an ignition's or a traveler's, and name it",
    arguments: [
      ("status", "1", "0"), ("status", "on", "off"), ("mode", "3", "1"), ("mode", "D", "N"),
      ("mode", "2", "0"), ("Status", "0", "-1"), ("status", "done", "waiting"),
    ])
  func otherStates(name: String, first: String, second: String) throws {
    let text = "time,lat,lon,\(name)\n0,1,2,\(first)\n1,1,3,\(second)\n2,1,4,\(second)\n"
    #expect(read(text).fixes.count == 3)
    #expect(try notices(text).contains { $0.contains("the column “\(name)” has") })
  }

  // MARK: Headers

  @Test("with a header in a comment have only the rows that begin with its first word")
  func rowsOfSeveralKinds() throws {
    let text =
      "#GPS,time,lat,lon\n#IMU,time,ax,ay\nGPS,0,52,11\nIMU,0,1,2\nIMU,1,1,2\nGPS,1,52,12\n"
    #expect(positions(read(text)) == [[52, 11], [52, 12]])
    #expect(read(text).rejections.isEmpty)
    #expect(try notices(text).contains { $0.hasPrefix("2 rows do not begin") })
    // Where no row has the word, it is the name of a column.
    #expect(read("# device,lat,lon\nbike,52,11\ncar,52,12\n").fixes.count == 2)
    let mixed = read("#GPS,time,lat,lon\nIMU,0,1,2\nGPS,0,52,11\n")
    #expect(mixed.error?.sentence.contains("“GPS”") == true)
  }

  @Test(
    "may have names with a prefix",
    arguments: [
      "location/latitude,location/longitude", "OSD.latitude,OSD.longitude",
      "location-lat,location-long", "position:lat,position:lng",
      "HOME.latitude,HOME.longitude,OSD.latitude,OSD.longitude",
    ])
  func prefixes(names: String) {
    let rest = names.hasPrefix("HOME") ? "1,2,52.1,11.6" : "52.1,11.6"
    let outcome = read("time,\(names)\n2026-03-04T17:00:00Z,\(rest)\n")
    #expect(positions(outcome) == [[52.1, 11.6]])
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
  }

  @Test("describe the first thousand coordinates that cannot be read, and count all")
  func manyFaults() {
    let outcome = DecoderVerifier.verify(
      Array(("lat,lon\n" + String(repeating: "52.100.000,11\n", count: 1100)).utf8), splits: 1
    ) { CSVFixDecoder() }
    #expect(outcome.count(.coordinate) == 1100)
    #expect(outcome.rejections[999].detail?.contains("“52.100.000”") == true)
    #expect(outcome.rejections[1000].detail == "the position cannot be read")
  }

  @Test("with two prefixes are refused")
  func twoPrefixes() {
    #expect(read("raw.lat,raw.lon,fused.lat,fused.lon\n1,2,3,4\n").error != nil)
  }

  @Test("may have lines of a title before the header, and names in two lines")
  func linesOfHeaders() {
    let title = read("A ride in spring\nDevice: X, 2\n\ntime,lat,lon\n0,52,11\n")
    #expect(title.fixes.map(\.line) == [5])
    let twice = read(
      "Date (yyyy-mm-dd),Time (hh:mm:ss),Latitude (deg),Longitude (deg)\ndate,time,latitude,"
        + "longitude\n2026-03-04,17:00:00,52,11\n2026-03-04,17:00:01,52,12\n")
    #expect(twice.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:01Z"])
    #expect(twice.rejections.isEmpty)
  }

  // MARK: Times

  @Test("may have dates and times in parts")
  func parts() {
    #expect(
      read("year,month,day,hour,minute,second,lat,lon\n2026,3,4,17,5,6.25,1,2\n").times
        == ["2026-03-04T17:05:06.250Z"])
    #expect(read("YYYY,MM,DD,time,lat,lon\n26,03,04,17:00,1,2\n").times == ["2026-03-04T17:00:00Z"])
    #expect(read("year,month,day,time,lat,lon\n1,1,1,2026-03-04T17:00Z,1,2\n").times.count == 1)
    #expect(read("year,month,day,lat,lon\n2026,2,30,1,2\n2026,3,4,1,2\n").count(.time) == 1)
  }

  @Test("read the zone and the offset beside a date in parts, as beside any other")
  func partsWithZone() throws {
    func times(_ text: String) -> [String?] {
      let clock = ClockZone(offsetSeconds: 7200)
      return DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder(clock: clock) }.times
    }
    let time = ["2026-03-04T17:00:00Z"]
    #expect(times("year,month,day,hour,minute,zone,lat,lon\n2026,3,4,17,0,UTC,1,2\n") == time)
    #expect(
      times("year,month,day,local_time,utc_offset,lat,lon\n2026,3,4,20:00,+03:00,1,2\n") == time)
    let text = "year,month,day,hour,minute,zone,lat,lon\n2026,3,4,17,0,CET,1,2\n"
    #expect(try notices(text).first?.contains("“CET”") == true)
  }

  @Test("read twelve digits as yymmddhhmmss and say so, and name years that cannot be")
  func digits() throws {
    let text = "time,lat,lon\n260304170000,1,2\n260304170010,1,2\n"
    #expect(read(text).times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:10Z"])
    #expect(try notices(text).first?.contains("yymmddhhmmss") == true)
    var dayFirst = CSVFixDecoder(order: .dayFirst)
    var batch = FixBatch()
    try dayFirst.decode(Array("time,lat,lon\n040326170000,1,2\n".utf8).span, into: &batch)
    #expect(batch.fixes.first?.timeMilliseconds == 1_772_643_600_000)
    #expect(try notices("time,lat,lon\n04032026170000,1,2\n").first?.contains("in 2097") == true)
    // Milliseconds of 2001.
    #expect(read("time,lat,lon\n999999999999,1,2\n").times == ["2001-09-09T01:46:39.999Z"])
  }

  @Test("name a column of time zones that is not read")
  func zones() throws {
    let row = "2026-03-04 17:00:00,CET,1,2\n"
    #expect(try notices("time,zone,lat,lon\n" + row).first?.contains("“CET”") == true)
    #expect(try notices("time,zone,lat,lon\n2026-03-04T17:00:00Z,CET,1,2\n").isEmpty)
    #expect(try notices("time,timezone,lat,lon\n2026-03-04 17:00:00,UTC,1,2\n").isEmpty)
  }

  @Test("without a zone follow the clock that was given, unless a name or the row says UTC")
  func localTimes() {
    let clock = ClockZone(offsetSeconds: 7200)
    func times(_ text: String) -> [String?] {
      DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder(clock: clock) }.times
    }
    let local = ["2026-03-04T17:00:00Z"]
    for time in ["2026-03-04 19:00:00", "2026-03-04T19:00", "4.3.2026 19:00", "20260304190000"] {
      #expect(times("time,lat,lon\n\(time),1,2\n") == local)
    }
    #expect(times("date,time,lat,lon\n2026-03-04,19:00,1,2\n") == local)
    #expect(times("year,month,day,hour,minute,lat,lon\n2026,3,4,19,0,1,2\n") == local)
    #expect(times("date,lat,lon\n46085.7916666667,1,2\n") == local)
    let order = "time,lat,lon\n4/3/2026 19:00,1,2\n31/3/2026 19:00,1,3\n"
    #expect(times(order) == ["2026-03-04T17:00:00Z", "2026-03-31T17:00:00Z"])
    // These say their zone.
    for time in ["2026-03-04T17:00:00Z", "2026-03-04T18:00:00+01:00", "1772643600"] {
      #expect(times("time,lat,lon\n\(time),1,2\n") == local)
    }
    #expect(times("utc time,lat,lon\n2026-03-04 17:00,1,2\n") == local)
    #expect(times("time,zone,lat,lon\n2026-03-04 17:00,UTC,1,2\n") == local)
    #expect(times("time,zone,lat,lon\n2026-03-04 19:00,CET,1,2\n") == local)
  }

  @Test("say what a coordinate must look like, and nothing of times, if none can be read")
  func refusedCoordinates() throws {
    for cell in ["52.100.000", "52100000", "'52.1", "\u{2212}52.1", "52°6'N", "5206.0"] {
      let notices = try notices("time,lat,lon\n2026-03-04T17:00:00Z,\(cell),11.6\n")
      #expect(notices.count == 1)
      #expect(notices.first?.hasPrefix("line 2: the latitude “\(cell)” is not") == true)
      #expect(notices.first?.contains("decimal degrees") == true)
    }
  }
}
