import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaceList
import FencepostTime
import Testing

@Suite("Lists of places in text")
struct PlaceListTests {
  private static let table = """
    id;title;lat;lon;radius;published;expires;priority;blurb
    bell;The Bell;39,9496;-75,1503;80 m;2026-03-10;2026-03-12;high;"<b>Ring</b> &eacute;t&#233;"
    hall;Hall;39.9489;-75.1500;;;;2;
    ;Nowhere;91;-175;;;;;
    """

  @Test("A table becomes places, and its bad rows are named")
  func table() throws {
    let zone = ClockZone(offsetSeconds: 3600)
    let list = try PlaceList(
      Self.table, name: "stories.csv", options: ImportOptions(zone: zone))
    #expect(
      list.places == [
        Place(
          key: 1, id: "bell", title: "The Bell", blurb: "Ring été", priority: -1,
          coordinate: Coordinate(latitudeDegrees: 39.9496, longitudeDegrees: -75.1503),
          radiusMeters: 80,
          publishedMilliseconds: ISO8601.milliseconds(parsing: "2026-03-09T23:00:00Z"),
          expiresMilliseconds: ISO8601.milliseconds(parsing: "2026-03-12T23:00:00Z")),
        Place(
          key: 2, id: "hall", title: "Hall", priority: 2,
          coordinate: Coordinate(latitudeDegrees: 39.9489, longitudeDegrees: -75.15)),
      ])
    #expect(list.report.imported == 2 && list.report.refused == 1)
    #expect(list.warnings.first?.hasPrefix("1 of 2 stories has a radius below 100 m.") == true)
    #expect(
      list.report.refusals.map(\.description) == [
        "stories.csv, row 4 (Nowhere): the latitude “91” is not a number from -90 to 90. Skipped."
      ])
    #expect(try PlaceIndex(list.places).places.count == 2)
  }

  @Test(
    "GeoJSON and an app's own objects become places",
    arguments: [
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a",
        "properties": {"title": "A", "radius": 2, "radius_unit": "km"},
        "geometry": {"type": "Point", "coordinates": [16.37, 48.2]}}]}
      """,
      #"\n [{"id": "a", "name": "A", "lat": 48.2, "lng": 16.37, "radius": "2 km"}]"#,
      "\u{FEFF}{\"stories\": [{\"id\": \"a\", \"title\": \"A\", \"lat\": 48.2, \"lon\": 16.37, "
        + "\"radius\": 2000}]}",
      "\u{1E}{\"type\": \"Feature\", \"id\": \"a\", \"properties\": {\"title\": \"A\", \"radius\": "
        + "2000}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [16.37, 48.2]}}\n",
    ])
  func json(_ text: String) throws {
    let text = text.replacing("\\n", with: "\n")
    #expect(
      try PlaceList(text).places == [
        Place(
          key: 1, id: "a", title: "A",
          coordinate: Coordinate(latitudeDegrees: 48.2, longitudeDegrees: 16.37),
          radiusMeters: 2000)
      ])
  }

  @Test("Bytes may be UTF-8, UTF-16 or Windows-1252")
  func encodings() throws {
    let text = "id,title,lat,lon\na,Café,1,2\n"
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let narrow = text.unicodeScalars.map { UInt8($0.value) }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), wide, narrow] {
      #expect(try PlaceList(bytes).places.map(\.title) == ["Café"])
    }
  }

  @Test(
    "What is no list is an error that says so",
    arguments: [
      ("", "list: line 1: the file is empty"), ("<gpx/>", "list: line 1: this is XML"),
      ("PK\u{3}\u{4}", "list: line 1: this is a zip archive"), ("a,b\n1,2\n", "list: line 1: "),
      ("{\"a\": [1", "list: line 1: "),
    ])
  func noList(_ text: String, _ sentence: String) {
    #expect {
      try PlaceList(text)
    } throws: { error in
      guard case PlaceListError.format = error else { return false }
      return "\(error)".hasPrefix(sentence)
    }
  }

  @Test("Strict options make the first bad row an error")
  func strict() {
    #expect {
      try PlaceList(Self.table, options: ImportOptions(isStrict: true))
    } throws: { error in
      guard case PlaceListError.refused(let refusal) = error else { return false }
      return refusal.reason == .badLatitude && refusal.row == 4
    }
  }

  @Test("Rows without an id that differ get ids of their own, and repeated ids are refused")
  func ids() throws {
    let list = try PlaceList("title,lat,lon,blurb\nA,1,2,x\nA,1,2,y\nA,1,2,x\n")
    #expect(list.places.count == 2 && list.places[1].id == list.places[0].id + "-2")
    #expect(
      try PlaceList("id,lat,lon\na,1,2\na,3,4\n").report.refusals.map(\.reason) == [.duplicateID])
  }

  @Test("The characters that HTML names are replaced, others stay")
  func entities() throws {
    #expect(HTMLEntity.scalar(named: "nbsp") == "\u{A0}" && HTMLEntity.scalar(named: "yuml") == "ÿ")
    #expect(HTMLEntity.scalar(named: "euro") == "€" && HTMLEntity.scalar(named: "diams") == "♦")
    #expect(HTMLEntity.scalar(named: "apos") == "'" && HTMLEntity.scalar(named: "amp") == "&")
    for name in ["", "AMP", "nosuch", "eacute\0"] { #expect(HTMLEntity.scalar(named: name) == nil) }
  }
}
