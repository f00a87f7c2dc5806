import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("What spreadsheets leave in tables")
struct ImportSpreadsheetTests {
  @Test("Empty rows do not count, whatever divides them")
  func blankRows() throws {
    for row in [";;;", ";;", ";", " ; ; ;", "\"\";\"\";;", ";;;;;;"] {
      let (report, places) = try ImportTests.places(
        of: "id;title;lat;lon\na;A;1;2\n\(row)\nb;B;3;4\n\(row)\n\(row)")
      #expect(places.map(\.id) == ["a", "b"] && report.refused == 0, "\(row)")
    }
    let (report, _) = try ImportTests.places(of: "id;title;lat;lon\n;A;;\n;;1;\n;x\n")
    #expect(report.refusals.map(\.line) == [2, 3, 4])
  }

  @Test("Lines are those of a text editor, and the row of the spreadsheet is told where it differs")
  func lines() throws {
    let (report, _) = try ImportTests.places(
      of:
        "id,title,lat,lon\r\n1,,91,2\r\n2,\"two\r\nlines\r\nmore\",1,2\r\n\r\n3,,91,2\r\n4,\"x\ny\",91,2\n5,,9\n"
    )
    #expect(report.refusals.map(\.line) == [2, 7, 8, 10])
    #expect(report.refusals.map(\.row) == [2, 5, 6, 7])
    #expect(
      report.refusals[2].description.hasSuffix(
        ", row 6 (x y): the latitude “91” is not a number from -90 to 90."
          + " Latitude and longitude may be swapped. Skipped."))
  }

  @Test(
    "Latitude and longitude may share a column",
    arguments: [
      ("\"lat, lon\"", "\"39.95, -75.16\""), ("coordinates", "\"39.95,-75.16\""),
      ("Position", "39.95 -75.16"), ("LatLng", "(39.95; -75.16)"),
      ("Koordinaten", "\"39,95, -75,16\""), ("coords", "\"39.95° N, 75.16° W\""),
      ("gps", "39.95N 75.16W"), ("\"lon, lat\"", "\"-75.16, 39.95\""),
    ])
  func positionColumn(_ name: String, _ text: String) throws {
    let (report, places) = try ImportTests.places(of: "id,\(name),title\na,\(text),A\n")
    #expect(report.refusals == [] && report.warnings == [] && places.map(\.title) == ["A"])
    #expect(
      places.first?.coordinate == Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16))
  }

  @Test("A semicolon may divide the columns beside such a name")
  func positionDialect() throws {
    for header in ["id;lat, lon", "lat, lon;id"] {
      let row = header.hasPrefix("id") ? "a;39,95, -75,16" : "39,95, -75,16;a"
      let (_, places) = try ImportTests.places(of: "\(header)\n\(row)\n")
      #expect(places.map(\.id) == ["a"], "\(header)")
      #expect(places.first?.coordinate.longitudeDegrees == -75.16)
    }
  }

  @Test("Columns of latitude and longitude go before one of both")
  func ownColumns() throws {
    let (report, places) = try ImportTests.places(
      of: "id,position,lat,lon\na,\"7, 8\",1,2\n")
    #expect(places.map(\.coordinate) == [Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)])
    #expect(report.refused == 0 && report.warnings.count == 1)
  }

  @Test(
    "What is no position is refused with the way to write one",
    arguments: [
      "39.95", "\"39,95\"", "[-75.16 39.95]", "POINT(-75.16 39.95)", "Market Street", "\"1,2,3\"",
      "\"39.95, \"", "x",
    ])
  func badPositions(_ text: String) throws {
    let (report, places) = try ImportTests.places(
      of: "id,coordinates\na,\(text)\nb,\"1, 2\"\nc,\"91, 2\"\n,\n")
    #expect(places.map(\.id) == ["b"])
    #expect(report.refusals.map(\.reason) == [.missingPosition, .badLatitude])
    #expect(
      report.refusals[0].sentence.hasSuffix(
        "in the column “coordinates” is not a latitude and a longitude;"
          + " write them as 39.95, -75.16 in quotes"))
  }

  @Test("Rows that differ only in what is not imported are told with their lines")
  func repeats() throws {
    let scratch = Scratch()
    let text = "title,lat,lon,Photographer\nA,1,2,Ada\nB,1,2,Ada\nA,1,2,Bob\n"
    let (one, more) = (scratch.file("one.csv", text), scratch.file("more.csv", text))
    let (_, report) = try PlaceStore.inMemory(from: [one])
    let first = ImportReport.Position(file: one, line: 4, isRow: true, title: "A")
    let earlier = ImportReport.Position(file: one, line: 2, isRow: true)
    let warning = ImportReport.Warning.repeatedRow(rows: 1, first: first, earlier: earlier)
    #expect(report.imported == 2 && report.warnings.contains(warning))
    #expect(
      warning.description
        == "\(one), row 4 (A) repeats row 2 in every imported field. Repeats are imported once.")
    let (_, both) = try PlaceStore.inMemory(from: [
      scratch.file("none.csv", "lat,lon\n"), one, more,
    ])
    #expect(
      both.warnings.contains(.repeatedRow(rows: 4, first: first, earlier: earlier)))
    let (_, apart) = try PlaceStore.inMemory(
      from: [scratch.file("two.csv", "title,lat,lon,blurb\nA,1,2,x\nA,1,2,y\n"), more])
    #expect(
      apart.warnings.contains(
        .repeatedRow(
          rows: 1, first: ImportReport.Position(file: more, line: 4, isRow: true, title: "A"),
          earlier: ImportReport.Position(file: more, line: 2, isRow: true))))
  }
}
