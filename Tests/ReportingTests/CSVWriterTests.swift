import FencepostSession
import FencepostReporting
import Testing

@Suite("CSV tables")
struct CSVWriterTests {
  @Test(
    "A table has the columns of the selected kinds",
    arguments: [
      (EventSelection.enter, "distance,across,reason,delivery,group,url,blurb,category\r\n"),
      (.refresh, "lat,lon,monitored,added,removed,radius,reach,failure\r\n"),
      (
        .summary,
        "lat,lon,fixes,segments,rejected,first,last,lengthMeters,refreshes,enters,exits,"
          + "alerts,suppressed,neverMonitored,certified,uncertifiedMeters,error\r\n"
      ),
    ])
  func columns(selection: EventSelection, end: String) {
    let header = written { CSVWriter(selection: selection).begin(&$0) }
    #expect(header.hasPrefix("type,track,device,segment,fix,fraction,time,lat,lon,"))
    #expect(header.hasSuffix(end))
  }

  @Test("A table of confirmed crossings has two columns more")
  func crossedColumns() {
    var encounter = Samples.encounter
    encounter.crossed = Encounter.Crossed(timeMilliseconds: 1_772_643_600_250)
    var summary = Samples.summary
    summary.dwells = 4
    let table = written { buffer in
      let writer = CSVWriter(selection: [.dwell, .summary], hasCrossed: true)
      writer.begin(&buffer)
      writer.write(.dwell(encounter), to: &buffer)
      writer.write(.summary(summary), to: &buffer)
    }
    let rows = table.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(Set(rows.map(\.count)).count == 1 && rows.map(\.[0]) == ["type", "dwell", "summary"])
    let columns = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[0].indices))
    #expect(columns["crossed"].map { rows[1][$0] } == "2026-03-04T17:00:00.250Z")
    #expect(columns["dwells"].map { rows[2][$0] } == "4")
  }

  @Test(
    "Every row has as many fields as the header",
    arguments: [
      EventSelection.all, .standard, [.alert], [.refresh], [.summary], [.enter, .refresh],
    ])
  func fieldCounts(selection: EventSelection) throws {
    let table = written { buffer in
      let writer = CSVWriter(selection: selection)
      writer.begin(&buffer)
      for event in Samples.all where selection.includes(event) { writer.write(event, to: &buffer) }
    }
    let rows = table.split(separator: "\r\n")
    // No text of the samples holds a comma, so that every comma separates fields.
    let counts = Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count })
    #expect(counts.count == 1)
    #expect(rows.count == 1 + Samples.all.filter(selection.includes).count)
  }

  private static let rowTable: [(Event, EventSelection, String)] = [
    (
      Event.enter(Samples.encounter), EventSelection.enter,
      "enter,walk.gpx,,0,123,0.25,2026-03-04T17:00:12.250Z,39.949612,-75.150334,"
        + "independence-hall,Independence Hall,100.0,,,,,,,\r\n"
    ),
    (
      .suppressed(Samples.bare, reason: "quiet"), [.suppressed, .refresh],
      "suppressed,-,anna,2,0,1.0,,0.0,180.0,7,,50.0,break,quiet,,,,,,,,,,,\r\n"
    ),
    (
      .refresh(Samples.failedRefresh), .refresh,
      "refresh,walk.gpx,,0,0,1.0,,0.0,0.0,0,0,0,,,the store is locked\r\n"
    ),
    (
      .summary(Samples.summary), .summary,
      "summary,walk.gpx,,,,,,,,1812,1,checksum=2;late=1,2026-03-04T17:00:00Z,"
        + "2026-03-04T18:00:00.500Z,9790.1,31,12,12,9,cooldown=3,,,,\r\n"
    ),
    (
      .summary(Samples.uncertified), .summary,
      "summary,a.nmea,anna,,,,,,,1,1,,,,0.0,0,0,0,0,,2,false,12.3,"
        + "\"a.nmea: line 3: \"\"x\"\" is no number\"\r\n"
    ),
  ]

  @Test("Each event is one row", arguments: rowTable)
  func rows(event: Event, selection: EventSelection, row: String) {
    #expect(written { CSVWriter(selection: selection).write(event, to: &$0) } == row)
  }

  @Test(
    "Texts are quoted and guarded against formulas",
    arguments: [
      ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
      ("two\nlines", "\"two\nlines\""), (" edge", "\" edge\""), ("é", "é"),
      ("=1+1", "\"'=1+1\""), ("@x", "\"'@x\""), ("+x", "\"'+x\""), ("-x", "\"'-x\""),
      ("-", "-"), ("\t=1", "\"'\t=1\""),
      ("\n=1", "\"'\n=1\""), ("\r\n=1", "\"'\r\n=1\""), ("\nx", "\"'\nx\""), ("＝1", "\"'＝1\""),
      ("a\0b", "\"a\u{FFFD}b\""),
      ("\u{9B}x", "\"\u{FFFD}x\""), ("-12", "-12"), ("+4.5", "+4.5"), ("-1.2.3", "\"'-1.2.3\""),
    ])
  func texts(text: String, field: String) {
    #expect(written { $0.append(csv: text) } == field)
  }
}
