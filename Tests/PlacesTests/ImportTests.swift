import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import Testing

@Suite("Importing places")
struct ImportTests {
  /// Imports a text and returns the report and the places in the order of their ids.
  static func places(
    of text: String, options: ImportOptions = ImportOptions()
  ) throws -> (report: ImportReport, places: [Place]) {
    let scratch = Scratch()
    let (store, report) = try PlaceStore.inMemory(
      from: [scratch.file("input", text)], options: options)
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    return (report, places.sorted { $0.id < $1.id })
  }

  @Test("CSV columns come in any order and case, and unknown ones are ignored")
  func columns() throws {
    let (report, places) = try Self.places(
      of: #"""
        Lon,colour,ID,lat,Title,radius,blurb,url,category,priority,published,expires
        -75.15,red,bell,39.95,"The ""Bell""",40.5,"two
        lines",https://example.org/b,history,3,2020-01-02,2031-01-01T10:00:00+02:00
        """#)
    #expect(report.imported == 1 && report.refused == 0)
    let place = try #require(places.first)
    #expect(place.id == "bell" && place.title == "The \"Bell\"" && place.blurb == "two\nlines")
    #expect(place.url == "https://example.org/b" && place.category == "history")
    #expect(place.priority == 3 && place.radiusMeters == 40.5)
    #expect(place.coordinate == Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15))
    #expect(place.publishedMilliseconds == 1_577_923_200_000)
    #expect(place.expiresMilliseconds == 1_925_020_800_000)
  }

  @Test(
    "A place without a radius gets 100 m or the default of the options", arguments: [100.0, 250])
  func defaultRadius(_ radius: Double) throws {
    let (_, places) = try Self.places(
      of: "id,lat,lon\na,1,2\n", options: ImportOptions(defaultRadiusMeters: radius))
    #expect(places.map(\.radiusMeters) == [radius])
  }

  @Test(
    "A bad row is refused with its line and reason",
    arguments: [
      ("x,95,0,1", PlaceRefusal.Reason.badLatitude), ("x,NaN,0,1", .badLatitude),
      ("x,1,200,1", .badLongitude), ("x,1,1e999,1", .badLongitude), ("x,,2,1", .missingPosition),
      ("x,1,2,0", .badRadius), ("x,1,2,-5", .badRadius), ("x,1,2,inf", .badRadius),
      ("x,1,2,20000001", .badRadius), ("x,1,2,big", .badRadius), ("x,1", .shortRow),
      ("good,1,2,3", .duplicateID), ("\"x\"y,1,2,3", .malformed),
    ])
  func refusals(_ row: String, _ reason: PlaceRefusal.Reason) throws {
    let (report, places) = try Self.places(
      of: "id,lat,lon,radius\ngood,1,2,3\n\(row)\nlast,1,2,20000000\n")
    #expect(places.map(\.id) == ["good", "last"])
    #expect(report.refused == 1)
    #expect(report.refusals.map(\.line) == [3])
    #expect(report.refusals.map(\.reason) == [reason])
    #expect(report.refusedByReason == [reason: 1])
  }

  @Test("A strict import ends at the first bad row and makes no store")
  func strict() throws {
    let scratch = Scratch()
    let input = scratch.file("a.csv", "id,lat,lon\na,1,2\nb,100,2\n")
    #expect {
      try PlaceStore.importPlaces(
        from: [input], into: scratch.path("s.db"), options: ImportOptions(isStrict: true))
    } throws: { error in
      guard case PlaceImportError.refused(let refusal) = error else { return false }
      return refusal.line == 3 && refusal.reason == .badLatitude && refusal.file == input
    }
    #expect(scratch.run("ls \(scratch.folder)") == "a.csv\nstatus 0\n")
  }

  @Test(
    "A file that is not a list of places is refused with a sentence",
    arguments: [
      ("1,A,39.9,-75.1,100\n", "header"), ("id;title;lat\n1;A;39,9\n", "header"),
      ("id,title\n1,A\n", "header"), ("", "empty"), ("<html><body/></html>", "html"),
      ("{\"type\":\"Topology\"}", "GeoJSON"), ("[1,2]", "GeoJSON"), ("{\"a\":", "ends too early"),
    ])
  func formats(_ text: String, _ word: String) throws {
    #expect {
      try Self.places(of: text)
    } throws: { error in
      guard case PlaceImportError.format(_, 1, let sentence) = error else { return false }
      return sentence.contains(word)
    }
  }

  @Test("A header alone is an empty list")
  func headerOnly() throws {
    let (report, places) = try Self.places(of: "id,title,lat,lon\n")
    #expect(places.isEmpty && report.imported == 0 && report.refused == 0)
    #expect(report.warnings.isEmpty)
  }

  @Test("Columns that are not imported are named, so that nothing is lost in silence")
  func unusedColumns() throws {
    let text =
      "Headline,Layout,lat,lon,Photographer,,Radius (m)\nBell,7,39.95,-75.15,Ada,,150\n"
    let scratch = Scratch()
    let file = scratch.file("desk.csv", Array(text.utf8))
    let (store, report) = try PlaceStore.inMemory(from: [file])
    #expect(
      report.warnings.contains(
        .unusedColumns(file: file, names: ["Layout", "Photographer"], hasRadius: false)))
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    #expect(places.map(\.title) == ["Bell"] && places.map(\.radiusMeters) == [150])
  }

  @Test("The usual name of a column goes before one that newsrooms use for it")
  func likelyNames() throws {
    let (_, places) = try Self.places(
      of: "Headline,title,Ressort,lat,lon\nno,yes,Kultur,39.95,-75.15\n")
    #expect(places.map(\.title) == ["yes"] && places.map(\.category) == ["Kultur"])
  }

  @Test("A table of addresses is refused with its columns and what to do")
  func addresses() throws {
    #expect {
      try Self.places(of: "Title,Address\nBell,526 Market Street\n")
    } throws: { error in
      guard case PlaceImportError.format(_, 1, let sentence) = error else { return false }
      return sentence.contains("Title, Address") && sentence.contains("geocoded")
    }
  }

  @Test("A row without an id gets one that the next import derives again")
  func derivedID() throws {
    let text = "title,lat,lon\nBell,39.95,-75.15\nHall,39.94,-75.15\n"
    let (report, first) = try Self.places(of: text)
    let (_, second) = try Self.places(of: "title,lat,lon\nHall,39.94,-75.15\nBell,39.95,-75.15\n")
    #expect(first.map(\.id) == second.map(\.id))
    #expect(Set(first.map(\.id)).count == 2)
    #expect(first.allSatisfy { $0.id.hasPrefix("p-") && $0.id.count == 18 })
    #expect(report.warnings.contains(.derivedID(places: 2, isTable: true)))
  }

  @Test("A table that is not UTF-8 is read as Windows-1252, and the warning has the line")
  func notUTF8() throws {
    let scratch = Scratch()
    let bytes = Array("id,title,lat,lon\n1,plain,1,2\n2,caf".utf8) + [0xE9] + Array(",1,2\n".utf8)
    let file = scratch.file("latin.csv", bytes)
    let (store, report) = try PlaceStore.inMemory(from: [file])
    #expect(try store.makeReader().place(withID: "2")?.title == "café")
    #expect(report.warnings.contains(.notUTF8(file: file, line: 3, bytes: 1, isMixed: false)))
  }

  @Test("Places at one spot are counted in every notation of the spot")
  func sameSpot() throws {
    let (report, _) = try Self.places(
      of: "id,lat,lon\n1,1,1\n2,2,2\n3,3,3\n4,4,4\n5,2,2\n6,1,2\n7,2,1\n8,9,180\n9,9,-180\n"
        + "10,2,2.0\n")
    guard case .samePosition(5, 2, let first)? = report.warnings.first else {
      Issue.record("\(report.warnings)")
      return
    }
    #expect(first.map { $0.stories.map(\.line) } == [[3, 6, 11], [9, 10]])
    #expect(first.map(\.more) == [0, 0])
  }

  @Test("Radii under 100 m are counted")
  func smallRadius() throws {
    let (report, _) = try Self.places(of: "id,lat,lon,radius\n1,1,1,99\n2,2,2,100\n")
    #expect(report.warnings == [.smallRadius(places: 1, total: 2)])
  }

  @Test("GeoJSON points are places, and so is each point of a MultiPoint")
  func geoJSON() throws {
    let (report, places) = try Self.places(
      of: """
        {"type":"FeatureCollection","name":"x","crs":{"type":"name"},"features":[
        {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[2.5,1.5,9]},
         "properties":{"name":"Seven","description":"d","link":"u","radius":33,"priority":2}},
        {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,1],[2,2]]},
         "properties":{"id":"m","title":"M\\u00e9","category":["a","b"]}},
        {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[3,3]]},
         "properties":{"id":"single"}},
        {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":null},
        {"type":"Feature","geometry":null,"properties":{}},
        {"type":"Feature","id":"s","geometry":{"type":"Point","coordinates":["1","2"]}}
        ]}
        """)
    #expect(places.map(\.id) == ["7", "m-1", "m-2", "single"])
    #expect(places[0].title == "Seven" && places[0].blurb == "d" && places[0].url == "u")
    #expect(places[0].coordinate == Coordinate(latitudeDegrees: 1.5, longitudeDegrees: 2.5))
    #expect(places[0].radiusMeters == 33 && places[0].priority == 2)
    #expect(places[2].title == "Mé" && places[2].category == "a")
    #expect(report.refusals.map(\.line) == [8, 9, 10])
    #expect(report.refusals.map(\.reason) == [.badGeometry, .missingPosition, .missingPosition])
  }

  @Test("A truncated GeoJSON file yields the features before its end")
  func cutGeoJSON() throws {
    let (report, places) = try Self.places(
      of: """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[2,1]}},
        {"type":"Feature","id":"b","geom
        """)
    #expect(places.map(\.id) == ["a"])
    #expect(report.refusals.map(\.reason) == [.malformed])
  }

  @Test("A single Feature is a place")
  func feature() throws {
    let (_, places) = try Self.places(
      of: """
        {"id":"a","type":"Feature","properties":{"title":"T"},
        "geometry":{"coordinates":[2,1],"type":"Point"}}
        """)
    #expect(places.map(\.title) == ["T"])
  }

  @Test("GPX waypoints are places; routes and tracks are not")
  func gpx() throws {
    let (report, places) = try Self.places(
      of: """
        <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="39.9" lon="-75.1"><name>Bell</name><desc>A &amp; B</desc>
        <link href="https://example.org/b"><text>t</text></link><sym>Flag</sym>
        <extensions><x:Proximity xmlns:x="urn:x">75</x:Proximity></extensions></wpt>
        <wpt lat="99" lon="0"><name>Bad</name></wpt>
        <rte><rtept lat="1" lon="2"/></rte><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>
        </gpx>
        """)
    #expect(places.map(\.title) == ["Bell"])
    #expect(places[0].blurb == "A & B" && places[0].url == "https://example.org/b")
    #expect(places[0].category == "Flag" && places[0].radiusMeters == 75)
    #expect(report.refusals.map(\.line) == [5])
  }

  @Test("RSS items and Atom entries with a position are places")
  func feeds() throws {
    let (report, rss) = try Self.places(
      of: """
        <rss version="2.0" xmlns:georss="http://www.georss.org/georss"
          xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"><channel><title>News</title>
        <item><title>One</title><guid>g1</guid><link>https://example.org/1</link>
        <description>D</description><pubDate>Wed, 02 Oct 2002 08:00:00 EST</pubDate>
        <georss:point>45.256 -71.92</georss:point><georss:radius>500</georss:radius></item>
        <item><title>Two</title><link>https://example.org/2</link>
        <geo:lat>1.5</geo:lat><geo:long>2.5</geo:long></item>
        <item><title>Nowhere</title><guid>g3</guid></item></channel></rss>
        """)
    #expect(rss.map(\.id) == ["g1", "https://example.org/2"])
    #expect(rss[0].coordinate == Coordinate(latitudeDegrees: 45.256, longitudeDegrees: -71.92))
    #expect(rss[0].radiusMeters == 500 && rss[0].blurb == "D")
    #expect(rss[0].publishedMilliseconds == 1_033_563_600_000)
    #expect(report.refusals.map(\.reason) == [.missingPosition])
    let (_, atom) = try Self.places(
      of: """
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"
          xmlns:gml="http://www.opengis.net/gml"><title>T</title>
        <entry><id>urn:1</id><title>A</title><summary>S</summary><category term="news"/>
        <link rel="self" href="x"/><link rel="alternate" href="https://example.org/a"/>
        <published>2020-01-02T00:00:00Z</published>
        <georss:where><gml:Point><gml:pos>-10 20</gml:pos></gml:Point></georss:where></entry></feed>
        """)
    #expect(atom.map(\.id) == ["urn:1"] && atom.map(\.url) == ["https://example.org/a"])
    #expect(atom[0].coordinate == Coordinate(latitudeDegrees: -10, longitudeDegrees: 20))
    #expect(atom[0].category == "news" && atom[0].publishedMilliseconds == 1_577_923_200_000)
  }

  @Test("Files may be gzip-compressed")
  func gzip() throws {
    let scratch = Scratch()
    let file = scratch.file("a.csv", "id,lat,lon\na,1,2\n")
    _ = scratch.run("gzip '\(file)'")
    let (_, report) = try PlaceStore.inMemory(from: [file + ".gz"])
    #expect(report.imported == 1)
  }

  @Test("Importing again updates the existing places, few or many", arguments: [3, 5000])
  func again(_ count: Int) throws {
    let scratch = Scratch()
    func text(_ title: String, _ range: Range<Int>) -> String {
      "id,title,lat,lon\n"
        + range.map { "\($0),\(title),\(Double($0) * 0.01),1\n" }.joined()
    }
    let path = scratch.path("s.db")
    _ = try PlaceStore.importPlaces(
      from: [scratch.file("1", text("old", 0..<count))], into: path)
    let key = try PlaceStore(path: path).makeReader().place(withID: "1")?.key
    let report = try PlaceStore.importPlaces(
      from: [scratch.file("2", text("new", 1..<(count + 2)))], into: path)
    #expect(report.updated == count - 1 && report.imported == 2)
    let store = try PlaceStore(path: path)
    let reader = try store.makeReader()
    #expect(try reader.count() == count + 2)
    #expect(try reader.place(withID: "0")?.title == "old")
    #expect(try reader.place(withID: "1")?.title == "new")
    #expect(try reader.place(withID: "1")?.key == key)
    #expect(try store.check().isSound)
    let near = try reader.nearest(
      to: Coordinate(latitudeDegrees: Double(count + 1) * 0.01, longitudeDegrees: 1), count: 1,
      rank: .center)
    #expect(try near.first.flatMap { try reader.place(forKey: $0.key) }?.id == "\(count + 1)")
  }
}
