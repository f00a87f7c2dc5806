import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import Testing

@Suite("Importing tables in every dialect")
struct ImportDialectTests {
  @Test(
    "Every dialect gives the same place",
    arguments: [
      "id,title,lat,lon,radius\na,\"A, B\",39.5,-75.25,50.5\n",
      "id;title;lat;lon;radius\na;A, B;39,5;-75,25;50,5\n",
      "id;title;lat;lon;radius\r\na;\"A, B\";39.5;-75.25;50.5\r\n",
      "id\ttitle\tlat\tlon\tradius\na\tA, B\t39.5\t-75.25\t50.5\n",
      "id|title|lat|lon|radius\na|A, B|39.5|-75.25|50.5\n",
      "sep=;\r\nid;title;lat;lon;radius\r\na;A, B;39.5;-75.25;50.5\r\n",
      "\u{FEFF}# my places\n\n ID ; Title ; Latitude ; Longitude ; Radius \na;A, B; 39,5 ; -75,25 ;50,5",
      "#id,title,lat,lon,radius\na,\"A, B\",\"39,5\",\"-75,25\",\"50,5\"\n",
      "id;title;Breite;Länge;radius\n# one\na;A, B;39,5;-75,25;50,5\n",
      "x;y;id;title;radius\n-75.25;39.5;a;A, B;50.5\n",
      "x;y;id;title;radius;lng;lat\n9;9;a;A, B;50.5;-75.25;39.5\n",
    ])
  func same(text: String) throws {
    let (report, places) = try ImportTests.places(of: text)
    #expect(report.imported == 1 && report.refused == 0)
    let place = try #require(places.first)
    #expect(place.id == "a" && place.title == "A, B" && place.radiusMeters == 50.5)
    #expect(place.coordinate == Coordinate(latitudeDegrees: 39.5, longitudeDegrees: -75.25))
  }

  @Test("Refusals have the line of the file, and a text may begin with `#`")
  func linesAndComments() throws {
    let (report, places) = try ImportTests.places(
      of: "# a\nsep=;\n# b\nid;lat;lon\n#1;1,5;2,5\n# no place\nb;91;2\n#2;north;2\n")
    #expect(places.map(\.id) == ["#1"])
    #expect(report.refusals.map(\.line) == [7, 8])
  }
}

@Suite("Rows without an id")
struct RowsWithoutIDTests {
  @Test("Rows without an id that differ are all kept, and repeats count once")
  func keepsWhatDiffers() throws {
    let rows = ["Bell,39.9,-75.1,one", "Bell,39.9,-75.1,two", "Bell,39.9,-75.1,three"]
    let text = "title,lat,lon,blurb\n" + (rows + rows + rows).map { $0 + "\n" }.joined()
    let (report, places) = try ImportTests.places(of: text)
    #expect(places.map(\.blurb) == ["one", "two", "three"])
    let base = try #require(places.first?.id)
    #expect(places.map(\.id) == [base, "\(base)-2", "\(base)-3"])
    #expect(report.imported == 3 && report.refused == 0)
    #expect(report.warnings.contains(.numberedID(places: 2)))
    let repeats = report.warnings.compactMap { warning in
      if case .repeatedRow(let rows, let first, let earlier) = warning {
        [rows, first.line, earlier.line]
      } else {
        nil
      }
    }
    #expect(repeats == [[6, 5, 2]])
    // A difference in any other field makes another place too.
    for field in ["url", "category", "priority", "published", "expires", "radius"] {
      let value = ["priority": "7", "radius": "7"][field] ?? "2026-01-01"
      let (_, places) = try ImportTests.places(
        of: "title,lat,lon,\(field)\nA,1,2,\nA,1,2,\(value)\nA,1,2,\n")
      #expect(places.count == 2, "\(field)")
    }
  }

  @Test("Derived ids are the same in the next import")
  func stays() throws {
    let scratch = Scratch()
    let file = scratch.file(
      "a.gpx",
      "<gpx>"
        + ["one", "two", "one"].map {
          "<wpt lat=\"1\" lon=\"2\"><name>A</name><desc>\($0)</desc></wpt>"
        }.joined() + "</gpx>")
    let path = scratch.path("s.db")
    #expect(try PlaceStore.importPlaces(from: [file], into: path).imported == 2)
    let again = try PlaceStore.importPlaces(from: [file], into: path)
    #expect(again.imported == 0 && again.updated == 2)
    #expect(try PlaceStore(path: path).check().isSound)
  }

  @Test("A derived id never replaces a row's own id")
  func sparesGivenIDs() throws {
    let (_, first) = try ImportTests.places(of: "title,lat,lon\nA,1,2\n")
    let id = try #require(first.first?.id)
    let (report, places) = try ImportTests.places(
      of: "id,title,lat,lon,blurb\n\(id)-2,B,3,4,\n,A,1,2,one\n,A,1,2,two\n")
    #expect(places.map(\.id) == [id, "\(id)-2", "\(id)-3"])
    #expect(report.refused == 0)
    let (refused, _) = try ImportTests.places(of: "id,title,lat,lon\n\(id),A,1,2\n,A,1,2\n")
    #expect(refused.refusals.map(\.reason) == [.duplicateID])
  }

  @Test("Rows of one title and position take linear time")
  func isNotQuadratic() throws {
    let text = "title,lat,lon,blurb\n" + (0..<20_000).map { "A,1,2,\($0)\n" }.joined()
    let (report, _) = try ImportTests.places(of: text)
    #expect(report.imported == 20_000)
  }
}
