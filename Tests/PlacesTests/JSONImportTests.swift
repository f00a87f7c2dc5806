import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("Importing features one behind another")
struct FeatureSequenceTests {
  private static func feature(_ id: String) -> String {
    #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[2.5,1.5]}}"#
  }

  @Test(
    "Features on lines of their own, or behind record separators, are places",
    arguments: [
      feature("a") + "\n" + feature("b") + "\n",
      feature("a") + "\r\n\r\n" + feature("b"),
      "\u{FEFF}\n" + feature("a") + "\n" + feature("b"),
      "\u{1E}" + feature("a") + "\n\u{1E}" + feature("b") + "\n",
      "\u{1E}" + feature("a").replacing(",", with: ",\n") + "\n\u{1E}" + feature("b") + "\n",
      feature("a").replacing(",", with: ",\n") + "\n" + feature("b"),
      #"{"type":"FeatureCollection","features":["# + feature("a") + "]}\n" + feature("b") + "\n",
    ])
  func sequences(text: String) throws {
    let (report, places) = try ImportTests.places(of: text)
    #expect(places.map(\.id) == ["a", "b"] && report.refused == 0)
  }

  @Test("A bad feature is refused with its line and does not stop the others")
  func faults() throws {
    let lines = [
      Self.feature("a"), #"{"type":"Feature","geom"#, "", Self.feature("b"), "[1,2]",
      Self.feature("c") + " x", #"{"type":"Feature","geometry":null}"#, Self.feature("d"),
    ]
    let (report, places) = try ImportTests.places(of: lines.joined(separator: "\n"))
    #expect(places.map(\.id) == ["a", "b", "d"])
    #expect(report.refusals.map(\.line) == [2, 5, 6, 7])
    #expect(
      report.refusals.map(\.reason) == [.malformed, .malformed, .malformed, .missingPosition])
    let separated = "\u{1E}{\"type\":\n\"Feature\u{1E}\n" + Self.feature("b") + "\n\u{1E}"
    let (cut, rest) = try ImportTests.places(of: separated)
    #expect(rest.map(\.id) == ["b"] && cut.refusals.map(\.line) == [2])
  }

  @Test("A feature of more than 16 MiB is refused, and the next is read")
  func tooLong() throws {
    let long = #"{"type":"Feature","x":""# + String(repeating: "a", count: 17 << 20) + "\"}"
    let (report, places) = try ImportTests.places(
      of: [Self.feature("a"), long, Self.feature("b")].joined(separator: "\n"))
    #expect(places.map(\.id) == ["a", "b"] && report.refusals.map(\.line) == [2])
  }
}

@Suite("Importing from OpenStreetMap and Google")
struct ForeignPlacesTests {
  @Test("OpenStreetMap's XML and Overpass's JSON are refused with the way to read them")
  func openStreetMap() throws {
    let answer = """
      {"version": 0.6, "generator": "Overpass API 0.7.62", "osm3s": {"copyright": "ODbL"},
      "elements": [{"type": "node", "id": 1, "lat": 39.95, "lon": -75.15, "tags": {"name": "Bell"}}]}
      """
    for text in [answer, "<osm version=\"0.6\"/>"] {
      #expect {
        try ImportTests.places(of: text)
      } throws: { "\($0)".contains("ogr2ogr -f GeoJSON") }
    }
  }

  @Test("A GeoJSON polygon is refused with the way to its center, and taken where that is wanted")
  func polygons() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"p","geometry":{"type":"Polygon","coordinates":[[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]]}},
      {"type":"Feature","id":"m","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,2]]],[[[4,0],[6,0],[6,2],[4,2]]]]}},
      {"type":"Feature","id":"c","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[9,9]},{"type":"LineString","coordinates":[[0,0],[0,2]]}]}},
      {"type":"Feature","id":"l","geometry":{"type":"MultiLineString","coordinates":[[[0,0],[2,0]]]}},
      {"type":"Feature","id":"x","geometry":{"type":"LineString","coordinates":[[0,0],[200,0]]}},
      {"type":"Feature","id":"y","geometry":{"type":"Polygon","coordinates":[]}}
      ]}
      """
    let (refused, none) = try ImportTests.places(of: text)
    #expect(none.isEmpty && refused.refused == 6)
    #expect(
      refused.refusals[0].sentence
        == "the geometry is a Polygon, not a point; use its center with --polygons centroid")
    let (report, places) = try ImportTests.places(
      of: text, options: ImportOptions(shapes: .centroid))
    #expect(report.refusals.map(\.line) == [6, 7])
    let expected = ["c": (1.0, 0.0), "l": (0, 1), "m": (1, 3), "p": (0, 180)]
    #expect(places.map(\.id) == expected.keys.sorted())
    for place in places {
      let (latitude, longitude) = try #require(expected[place.id])
      #expect(abs(place.coordinate.latitudeDegrees - latitude) < 0.001, "\(place.id)")
      #expect(abs(place.coordinate.longitudeDegrees - longitude) < 0.001, "\(place.id)")
    }
  }

  @Test(
    "Labelled places keep their address, and lists without positions say what to import instead")
  func google() throws {
    let (_, places) = try ImportTests.places(
      of: """
        {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point",
        "coordinates":[-75.15,39.95]},"properties":{"name":"Home","address":"526 Market St"}}]}
        """)
    #expect(places.map(\.title) == ["Home"] && places.map(\.blurb) == ["526 Market St"])
    #expect {
      try ImportTests.places(
        of: "Title,Note,URL,Tags,Comment\n,,,,\nBell,,https://maps.google.com/?cid=1,,\n")
    } throws: { "\($0)".contains("Saved Places.json from Google Takeout") }
  }
}
