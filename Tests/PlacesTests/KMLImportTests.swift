import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("Importing KML and KMZ")
struct KMLImportTests {
  static let map = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:atom="http://www.w3.org/2005/Atom">
    <Document><name>My map</name><Style id="s"><IconStyle/></Style>
    <Placemark><name>Loose</name><Point><coordinates>2,1</coordinates></Point></Placemark>
    <Folder><name>Bells</name>
    <Placemark id="bell">
      <name>The &amp; Bell</name>
      <description><![CDATA[<b>It</b> rang<br>once]]></description>
      <atom:link href="https://example.org/bell"/>
      <styleUrl>#s</styleUrl>
      <ExtendedData><Data name="Radius"><displayName>r</displayName><value>75</value></Data>
      <Data name="priority"><value>3</value></Data></ExtendedData>
      <Point><coordinates>
        -75.15,39.95,12
      </coordinates></Point>
    </Placemark>
    <Folder><name></name>
    <Placemark id="kml_7"><Snippet>short</Snippet>
      <ExtendedData><SchemaData schemaUrl="#x"><SimpleData name="id">own</SimpleData>
      <SimpleData name="category">gong</SimpleData></SchemaData></ExtendedData>
      <MultiGeometry><Point><coordinates>1,2</coordinates></Point>
      <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing>
      </outerBoundaryIs></Polygon><Point><coordinates>3 , 4 , 0</coordinates></Point></MultiGeometry>
    </Placemark></Folder></Folder>
    </Document></kml>
    """#

  @Test("Points of placemarks are places, with folders as categories and extended data as fields")
  func map() throws {
    let (report, places) = try ImportTests.places(of: Self.map)
    #expect(report.imported == 4 && report.refused == 0)
    let bell = try #require(places.first { $0.id == "bell" })
    #expect(bell.title == "The & Bell" && bell.blurb == "It rang\nonce" && bell.category == "Bells")
    #expect(bell.url == "https://example.org/bell" && bell.radiusMeters == 75 && bell.priority == 3)
    #expect(bell.coordinate == Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15))
    let own = places.filter { $0.id.hasPrefix("own-") }
    #expect(own.map(\.id) == ["own-1", "own-2"] && own.allSatisfy { $0.category == "gong" })
    #expect(own.map(\.blurb) == ["short", "short"] && own[1].coordinate.latitudeDegrees == 4)
    let loose = try #require(places.first { $0.title == "Loose" })
    #expect(loose.id.hasPrefix("p-") && loose.category == "")
  }

  @Test("What is no place is refused with its line, and the others stay")
  func refusals() throws {
    let (report, places) = try ImportTests.places(
      of: """
        <kml><Document>
        <Placemark><name>nowhere</name></Placemark>
        <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1</coordinates>
        </LinearRing></outerBoundaryIs></Polygon></Placemark>
        <Placemark><LineString><coordinates>0,0 1,0</coordinates></LineString></Placemark>
        <Placemark><Track><when>2026-03-04T17:00:00Z</when></Track></Placemark>
        <NetworkLink><Link><href>https://example.org/more.kml</href></Link></NetworkLink>
        <Placemark><Point><coordinates>9,91</coordinates></Point></Placemark>
        <Placemark><Point><coordinates>here</coordinates></Point></Placemark>
        <Placemark><name>good</name><Point><coordinates>1,2</coordinates></Point></Placemark>
        </Document></kml>
        """)
    #expect(places.map(\.title) == ["good"])
    #expect(report.refusals.map(\.line) == [2, 3, 5, 6, 7, 8, 9])
    #expect(
      report.refusals.map(\.reason) == [
        .missingPosition, .badGeometry, .badGeometry, .badGeometry, .missingPosition, .badLatitude,
        .missingPosition,
      ])
    let offers = report.refusals.map {
      $0.sentence.contains("use its center with --polygons centroid")
    }
    #expect(offers == [false, true, true, false, false, false, false])
  }

  @Test("With centroids areas and lines are places; holes count, and a bad vertex is refused")
  func centroids() throws {
    let (report, places) = try ImportTests.places(
      of: """
        <kml><Placemark id="area"><Polygon>
        <outerBoundaryIs><LinearRing><coordinates>0,0,0 0.02,0,0 0.02,0.02,0 0,0.02,0 0,0,0</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>0,0 0.01,0 0.01,0.01 0,0.01</coordinates></LinearRing></innerBoundaryIs>
        </Polygon></Placemark></kml>
        """, options: ImportOptions(shapes: .centroid))
    #expect(report.refused == 0)
    let area = try #require(places.first).coordinate
    // The square's center times 4 less the hole's, over 3.
    #expect(abs(area.latitudeDegrees - (4 * 0.01 - 0.005) / 3) < 1e-7)
    #expect(abs(area.longitudeDegrees - (4 * 0.01 - 0.005) / 3) < 1e-7)
    let (bad, none) = try ImportTests.places(
      of: """
        <kml><Document><Placemark><LineString><coordinates>0,0 1,95</coordinates></LineString></Placemark>
        <Placemark><LineString><coordinates/></LineString></Placemark></Document></kml>
        """, options: ImportOptions(shapes: .centroid))
    #expect(none.isEmpty && bad.refusals.map(\.reason) == [.badGeometry, .badGeometry])
  }

  @Test("KMZ has its places in its first KML file, whatever its name")
  func kmz() throws {
    let scratch = Scratch()
    _ = scratch.file("picture.png", "PNG<kml ")
    _ = scratch.file("places.dat", Self.map)
    _ = scratch.file(
      "z.kml", "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>")
    let zip =
      "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
      + "for f in sys.argv[2:]: z.write(f)\n"
    let script = scratch.file("zip.py", zip)
    #expect(
      scratch.run(
        "cd '\(scratch.folder)' && python3 '\(script)' map.kmz picture.png places.dat z.kml")
        == "status 0\n")
    let path = scratch.path("map.kmz")
    let (_, report) = try PlaceStore.inMemory(from: [path])
    #expect(report.imported == 4 && report.refused == 0)
    let cut = scratch.file("cut.kmz", Array(Scratch.bytes(path).prefix(700)))
    let (_, partial) = try PlaceStore.inMemory(from: [cut])
    #expect(partial.imported == 4 && partial.refusals.map(\.reason) == [.malformed])
    let nothing = scratch.file("nothing.kmz", Array(Scratch.bytes(path).prefix(40)))
    #expect(throws: PlaceImportError.self) { try PlaceStore.inMemory(from: [nothing]) }
    _ = scratch.run("cd '\(scratch.folder)' && python3 '\(script)' none.zip picture.png")
    #expect {
      try PlaceStore.inMemory(from: [scratch.path("none.zip")])
    } throws: { "\($0)".contains("the zip archive holds no KML") }
  }

  @Test("Texts of a placemark are bounded, and so is nothing else lost")
  func bounds() throws {
    let long = String(repeating: "a", count: 600_000)
    let (report, places) = try ImportTests.places(
      of: "<kml><Document><Placemark><name>\(long)</name><description>\(long)</description>"
        + "<Point><coordinates>1,2</coordinates></Point></Placemark>\n<Placemark id=\"b\"><Point>"
        + "<coordinates>1,2</coordinates></Point></Placemark></Document></kml>")
    #expect(places.map(\.id) == ["b"] && report.refusals.map(\.reason) == [.malformed])
    let points = String(repeating: "<Point><coordinates/></Point>", count: 70_000)
    let (many, none) = try ImportTests.places(
      of: "<kml><Placemark><MultiGeometry>\(points)</MultiGeometry></Placemark></kml>")
    #expect(none.isEmpty && many.refused == 70_000)
  }

  @Test(
    "Places survive GDAL's KML and newline-delimited GeoJSON", arguments: ["KML", "GeoJSONSeq"])
  func roundTrip(driver: String) throws {
    let scratch = Scratch()
    guard scratch.has("ogr2ogr") else { return }
    let (_, places) = try ImportTests.places(of: Self.map)
    var features: [String] = []
    for place in places {
      features.append(
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":["
          + "\(place.coordinate.longitudeDegrees),\(place.coordinate.latitudeDegrees)]},\"properties\":"
          + "{\"id\":\"\(place.id)\",\"name\":\"\(place.title)\","
          + "\"radius\":\(place.radiusMeters)}}")
    }
    let input = scratch.file(
      "a.geojson",
      "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}")
    let output = scratch.path("b")
    let converted = scratch.run(
      "ogr2ogr -f \(driver) \(driver == "KML" ? "-dsco NameField=name" : "") '\(output)' '\(input)'"
    )
    #expect(converted.hasSuffix("status 0\n"), "\(converted)")
    let (store, report) = try PlaceStore.inMemory(from: [output])
    #expect(report.imported == places.count && report.refused == 0)
    for place in places {
      let found = try #require(try store.makeReader().place(withID: place.id))
      #expect(found.title == place.title && found.radiusMeters == place.radiusMeters)
      #expect(found.coordinate == place.coordinate)
    }
  }
}
