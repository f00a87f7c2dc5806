import FencepostFixes
import FencepostGeodesy
import FencepostTime
import FencepostTracks
import Testing

@Suite("Tables of other programs")
struct OtherProgramsTablesTests {
  private func read(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  private func latitudes(_ outcome: Outcome) -> [Double] {
    outcome.fixes.map(\.coordinate.latitudeDegrees)
  }

  private func longitudes(_ outcome: Outcome) -> [Double] {
    outcome.fixes.map(\.coordinate.longitudeDegrees)
  }

  @Test("Columbus loggers write the year first in dates of six digits, and pad fields with NUL")
  func columbus() {
    let outcome = read(
      """
      INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING\r
      1,T,250724,173418,49.0733336N,008.3970001W,112,0.0,0\r
      2\0\0\0\0\0,V,250724,173419,49.0733400N,008.3970100W,112\0\0,1.4\0,12\r

      """)
    #expect(outcome.times == ["2025-07-24T17:34:18Z", "2025-07-24T17:34:19Z"])
    #expect(latitudes(outcome) == [49.073_333_6, 49.073_34])
    #expect(longitudes(outcome) == [-8.397_000_1, -8.397_01])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test("dates of six digits have the day first where --date-order says so")
  func sixDigits() {
    let outcome = DecoderVerifier.verify(
      Array("date,time,lat,lon\n240725,173418,1,2\n".utf8)
    ) { CSVFixDecoder(order: .dayFirst) }
    #expect(outcome.times == ["2025-07-24T17:34:18Z"])
  }

  @Test("positions may be whole numbers of ten-millionths of a degree")
  func e7() {
    let outcome = read(
      """
      timestamp,latitudeE7,longitudeE7,accuracy
      2026-03-04T17:00:00Z,399475000,-751500000,8
      2026-03-04T17:01:00Z,399480000,4294967295,8

      """)
    #expect(latitudes(outcome) == [39.9475, 39.948])
    #expect(longitudes(outcome) == [-75.15, -0.000_000_1])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test("a row with one position and two times is a fix at its start")
  func startAndEnd() {
    let outcome = read(
      """
      Start Time,End Time,Latitude,Longitude
      2026-03-04 17:00:00,2026-03-04 17:05:00,39.9,-75.1
      2026-03-04 17:05:00,2026-03-04 17:09:00,39.8,-75.2

      """)
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:05:00Z"])
    #expect(outcome.rejections.isEmpty)
  }

  @Test("a row with a start and an end is two fixes, also with its date in a column of its own")
  func trips() {
    for (names, first) in [
      ("ID,Start Time,End Time", "1,2026-03-04 17:00,2026-03-04 17:20"),
      ("ID,Date,Start Time,End Time", "1,2026-03-04,17:00,17:20"),
    ] {
      let outcome = read(
        """
        \(names),Start Lat,Start Lng,End Lat,End Lng,Distance (km)
        \(first),39.9,-75.1,39.8,-75.2,14

        """)
      #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:20:00Z"])
      #expect(latitudes(outcome) == [39.9, 39.8])
      #expect(longitudes(outcome) == [-75.1, -75.2])
      #expect(outcome.fixes.map(\.line) == [2, 2])
      #expect(outcome.rejections.isEmpty && outcome.error == nil)
    }
  }

  @Test("Garmin's G1000 writes headings with #, local times with their offset, and padded cells")
  func g1000() {
    let outcome = read(
      """
      #airframe_info, log_version="1.00", airframe_name="Cessna 172S", unit_software_version="15.00",
      #yyy-mm-dd, hh:mm:ss,   hh:mm,  ident,      degrees,      degrees, ft Baro
        Lcl Date, Lcl Time, UTCOfst, AtvWpt,     Latitude,    Longitude,    AltB
      2026-03-04, 12:59:58,  -05:00,       ,             ,             ,        
                ,         ,        ,       ,             ,             ,        
      2026-03-04, 23:00:00,  -05:00,   KPHL,  +39.8729210,  -75.2408710,   36.1
      2026-03-04, 23:00:01,  -05:00,   KPHL,  +39.8730210,  -75.2408810,   36.2

      """)
    #expect(outcome.times == ["2026-03-05T04:00:00Z", "2026-03-05T04:00:01Z"])
    #expect(latitudes(outcome) == [39.872_921, 39.873_021])
    #expect(outcome.rejections.map(\.reason) == [.void, .void])
    #expect(outcome.error == nil)
  }

  @Test("the offset of local times is no reason to say that their zone is unknown")
  func offsetIsKnown() throws {
    var decoder = CSVFixDecoder()
    var batch = FixBatch()
    let text = "Lcl Date,Lcl Time,UTCOfst,lat,lon\n2026-03-04,12:00:00,+01:00,1,2\n"
    try decoder.decode(Array(text.utf8).span, into: &batch)
    try decoder.finish(into: &batch)
    #expect(decoder.notices.isEmpty)
    #expect(batch.fixes.first?.timeMilliseconds == 1_772_622_000_000)
  }

  @Test("Lowrance's tables have date and time apart, behind names and symbols")
  func lowrance() {
    let outcome = read(
      """
      No,Latitude,Longitude,Name,Altitude,Description,Symbol,Depth,Date,Time
      1,39.947500,-75.150000,"RPT001",12.0,"RPT001","Waypoint",3.20,2005/08/17,02:45:09
      2,39.948500,-75.150000,"RPT002",12.0,"RPT002","Waypoint",3.40,2005/08/17,02:45:19

      """)
    #expect(outcome.times == ["2005-08-17T02:45:09Z", "2005-08-17T02:45:19Z"])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test(
    "names that end in epoch hold times in any unit",
    arguments: [
      ("timestamp_epoch", "1772643600250"), ("gps_epoch", "1772643600.25"),
      ("epoch_us", "1772643600250000"),
    ])
  func epochs(name: String, value: String) {
    let outcome = read("lat,lon,\(name)\n39.9,-75.1,\(value)\n")
    #expect(outcome.times == ["2026-03-04T17:00:00.250Z"])
  }

  @Test("a position may be well-known text")
  func wellKnownText() {
    let outcome = read(
      """
      id,time,geom
      1,2025-06-01 13:02:03.000000 +00:00,POINT (-75.1500 39.9475)
      2,2025-06-01 13:02:13.500000 +00:00,SRID=4326;POINT Z(-75.1501 39.9476 12.5)
      3,2025-06-01 15:02:23+02,"LINESTRING (1 2, 3 4)"

      """)
    #expect(outcome.times == ["2025-06-01T13:02:03Z", "2025-06-01T13:02:13.500Z"])
    #expect(latitudes(outcome) == [39.9475, 39.9476])
    #expect(longitudes(outcome) == [-75.15, -75.1501])
    #expect(outcome.rejections.map(\.reason) == [.coordinate])
    #expect(outcome.rejections.first?.detail?.contains("POINT") == true)
  }
}
