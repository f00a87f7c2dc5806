import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Foundation
import Testing

@Suite("Importing an app's JSON")
struct JSONStoriesTests {
  private static let bell = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15)

  @Test(
    "Objects are places in an array, in an array of a document, and one a line",
    arguments: [
      #"[{"id":1,"title":"A","lat":39.95,"lng":-75.15},{"id":2,"title":"B","lat":1,"lng":2}]"#,
      "\u{FEFF}[\n{\"ID\":1,\"Name\":\"A\",\"Latitude\":\"39.95\",\"Longitude\":\"-75.15\"},\n"
        + "{\"ID\":2,\"Name\":\"B\",\"Latitude\":1,\"Longitude\":2}\n]\n",
      #"{"version":3,"stories":[{"id":1,"headline":"A","lat":39.95,"lon":-75.15},{"id":2,"headline":"B","lat":1,"lon":2}]}"#,
      #"{"tags":["a","b"],"authors":[{"name":"Ada"}],"data":{"total":2,"items":[{"story_id":1,"title":"A","lat":39.95,"lng":-75.15},{"story_id":2,"title":"B","lat":1,"lng":2}]}}"#,
      #"{"id":1,"title":"A","lat":39.95,"lng":-75.15}"# + "\n"
        + #"{"id":2,"title":"B","lat":1,"lng":2}"# + "\n",
      "{\n\"id\":1,\"title\":\"A\",\n\"lat\":39.95,\"lng\":-75.15}\n"
        + #"{"id":2,"title":"B","lat":1,"lng":2}"#,
      #"{"stories":[{"id":1,"title":"A","lat":39.95,"lng":-75.15}]}"# + "\n"
        + #"{"stories":[{"id":2,"title":"B","lat":1,"lng":2}]}"#,
      "\u{1E}" + #"{"id":1,"title":"A","lat":39.95,"lng":-75.15}"# + "\n\u{1E}"
        + #"{"id":2,"title":"B","lat":1,"lng":2}"# + "\n",
    ])
  func shapes(text: String) throws {
    let (report, places) = try ImportTests.places(of: text)
    #expect(report.imported == 2 && report.refused == 0)
    #expect(places.map(\.id) == ["1", "2"] && places.map(\.title) == ["A", "B"])
    #expect(places[0].coordinate == Self.bell)
  }

  @Test(
    "The position may be in an object within, or a GeoJSON point",
    arguments: [
      #""location":{"lat":39.95,"lng":-75.15}"#,
      #""coordinates":{"latitude":"39.95","longitude":"-75.15"}"#,
      #""geo":{"Lat":39.95,"Long":-75.15}"#, #""position":{"y":39.95,"x":-75.15}"#,
      #""geometry":{"location":{"lat":39.95,"lng":-75.15},"viewport":{}}"#,
      #""location":{"_latitude":39.95,"_longitude":-75.15}"#,
      #""location":{"type":"Point","coordinates":[-75.15,39.95]}"#,
      #""location":"Philadelphia","geo":{"lat":39.95,"lon":-75.15}"#,
      #""latlng":"39.95, -75.15""#, #""location":"39.95,-75.15""#,
      #""location":"Philadelphia","GPS":"39.95\u00B0 N, 75.15\u00B0 W""#,
      #""lon_lat":"-75.15 39.95""#,
    ])
  func positions(member: String) throws {
    for text in ["[{\"id\":1,\(member)}]", "{\"id\":1,\(member)}"] {
      let (_, places) = try ImportTests.places(of: text)
      #expect(places.map(\.coordinate) == [Self.bell], "\(text)")
    }
  }

  @Test("Waypoints of OwnTracks are stories, as an export, as messages, and one alone")
  func ownTracks() throws {
    let library =
      #"{"_type":"waypoint","desc":"Library","lat":48.2,"lon":16.37,"rad":60,"tst":1700000000}"#
    let harbor =
      #"{"_type":"waypoint","desc":"Harbor","lat":48.21,"lon":16.38,"rad":400,"tst":1700000001,"#
      + #""rid":"a1b2"}"#
    for (text, ids) in [
      (
        #"{"_type":"waypoints","_creator":"me","waypoints":["# + "\(library),\(harbor)]}",
        ["1700000000", "a1b2"]
      ),
      (library + "\n" + harbor + "\n", ["1700000000", "a1b2"]), (library, ["1700000000"]),
    ] {
      let (report, places) = try ImportTests.places(of: text)
      #expect(report.refused == 0 && report.warnings.allSatisfy { !$0.tellsOfLoss }, "\(text)")
      #expect(places.map(\.id) == ids)
      #expect(places.first?.title == "Library" && places.first?.radiusMeters == 60)
    }
  }

  @Test(
    "A unit in a member or a column beside the radius is obeyed, and an unknown one is refused",
    arguments: [
      (#"[{"id":1,"lat":1,"lon":2,"radius":15,"radius_unit":"km"}]"#, 15_000.0),
      (#"[{"id":1,"lat":1,"lon":2,"units":"mi","radius":2}]"#, 3218.688),
      (#"[{"id":1,"lat":1,"lon":2,"radius":"300 ft","unit":"km"}]"#, 91.44),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":"#
          + #"{"id":1,"radius":15,"radius_units":"km"}}"#, 15_000
      ),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":"#
          + #"{"id":1,"radius_km":1.5}}"#, 1500
      ),
      ("id,lat,lon,radius,unit\n1,1,2,15,km\n", 15_000),
      ("id,lat,lon,radius,radius unit\n1,1,2,300,feet\n", 91.44),
      ("id,lat,lon,radius,units\n1,1,2,300,\n", 300),
      ("id,lat,lon,radius,units\n1,1,2,300,furlongs\n", nil),
    ] as [(String, Double?)])
  func units(text: String, meters: Double?) throws {
    let (report, places) = try ImportTests.places(of: text)
    #expect(places.first?.radiusMeters == meters)
    #expect(report.refusals.map(\.reason) == (meters == nil ? [.badRadius] : []))
    #expect(report.refusals.allSatisfy { $0.sentence.contains("furlongs") })
  }

  @Test("A text that the position was read from is not named as left out, and another one is")
  func positionTexts() throws {
    for (member, left) in [
      (#""latlng":"39.95,-75.15""#, ["photo"]),
      (#""location":"Rome","gps":"39.95,-75.15""#, ["location", "photo"]),
    ] {
      let (report, _) = try ImportTests.places(of: "[{\"id\":1,\(member),\"photo\":\"x\"}]")
      let unused = report.warnings.compactMap { warning -> [String]? in
        if case .unusedFields(_, let names) = warning { names } else { nil }
      }
      #expect(unused == [left])
    }
  }

  @Test("Every field of a table's columns is read, and what is not imported is named once")
  func fields() throws {
    let (report, places) = try ImportTests.places(
      of: """
        [{"id":"a","title":"T","blurb":"B","url":"https://example.org","category":["history","x"],"priority":2,
         "radius":75.5,"published":"2020-01-02","expires":null,"lat":1,"lng":2,"photo":{"src":"x"},"tags":["y"]},
        {"id":"b","title":"U","lat":3,"lng":4,"published":true,"photo":null,"location":{"city":"Rome","lat":9}}]
        """)
    let first = try #require(places.first)
    #expect(first.title == "T" && first.blurb == "B" && first.category == "history")
    #expect(first.url == "https://example.org" && first.priority == 2 && first.radiusMeters == 75.5)
    #expect(first.publishedMilliseconds == 1_577_923_200_000 && first.expiresMilliseconds == nil)
    #expect(places[1].publishedMilliseconds == nil && places[1].radiusMeters == 100)
    guard case .unusedFields(_, let names)? = report.warnings.first else {
      Issue.record("\(report.warnings)")
      return
    }
    #expect(names == ["photo", "tags", "published", "location.city"])
    #expect("\(report.warnings[0])".contains("Ignored fields in "))
  }

  @Test("A bad element is refused with its line and does not stop the others")
  func faults() throws {
    let (report, places) = try ImportTests.places(
      of: """
        {"stories":[
        {"id":"a"},
        {"id":"b","lat":1,"lng":2},
        {"id":"c","lat":91,"lng":2},
        {"id":"d","lat":1},
        7,
        {"id":"e","location":[39.95,-75.15]},
        {"id":"f","location":{"type":"Polygon","coordinates":[[[1,2]]]}},
        {"id":"g","title":"No place"},
        {"id":"h","lat":1,"lng":2,"radius":-1},
        {"id":"b","lat":1,"lng":2},
        {"id":"i","lat":5,"lng":6}]}
        """)
    #expect(places.map(\.id) == ["b", "i"])
    #expect(report.refusals.map(\.line) == [2, 4, 5, 6, 7, 8, 9, 10, 11])
    #expect(
      report.refusals.map(\.reason) == [
        .missingPosition, .badLatitude, .missingPosition, .malformed, .badGeometry, .badGeometry,
        .missingPosition, .badRadius, .duplicateID,
      ])
    #expect(report.refusals[4].sentence.contains("whether latitude or longitude comes first"))
    let (lines, rest) = try ImportTests.places(
      of: """
        {"id":"a","lat":1,"lng":2}
        {"id":"b","lat":1,
        {"id":"c","title":"C"}
        [1]
        {"id":"d","lat":1,"lng":2}
        """)
    #expect(rest.map(\.id) == ["a", "d"])
    #expect(lines.refusals.map(\.line) == [2, 3, 4])
  }

  @Test(
    "An object with several arrays of places says which it read, and that its own position is left out"
  )
  func arrays() throws {
    let (report, places) = try ImportTests.places(
      of: """
        {"lat":9,"lng":9,"title":"Guide","museums":[{"id":"a","lat":1,"lng":2}],
        "parks":[{"id":"b","lat":3,"lng":4}]}
        """)
    #expect(places.map(\.id) == ["a", "b"])
    guard case .arrays(_, let names, let hasOwnPosition)? = report.warnings.first else {
      Issue.record("\(report.warnings)")
      return
    }
    #expect(names == ["museums", "parks"] && hasOwnPosition)
  }

  @Test(
    "A track is no file of places, and the sentence says so",
    arguments: [
      #"{"semanticSegments":[{"startTime":"2026-01-01T00:00:00Z"}]}"#,
      #"{"rawSignals":[]}"#, #"{"timelineObjects":[]}"#,
      #"{"locations":[{"latitudeE7":399500000,"longitudeE7":-751500000,"timestamp":"x"}]}"#,
      #"[{"startTime":"2026-01-01T00:00:00Z","endTime":"x","visit":{"topCandidate":{}}}]"#,
      #"{"_type":"location","lat":1,"lon":2,"tst":1767225600}"#,
      #"{"class":"VERSION","release":"3.25"}"#,
      #"{"time":"2026-01-01T00:00:00Z","lat":1,"lon":2}"# + "\n"
        + #"{"time":"2026-01-01T00:00:01Z","lat":1,"lon":2}"#,
      #"[{"id":7,"fixTime":"2026-01-01T00:00:00Z","latitude":1,"longitude":2}]"#,
    ])
  func tracks(text: String) throws {
    #expect {
      try ImportTests.places(of: text)
    } throws: { error in
      "\(error)".contains("looks like a walk (") && "\(error)".contains("fencepost replay ")
    }
  }

  @Test(
    "A document without positions is no file of places",
    arguments: [
      "{}", #"{"stories":[]}"#, #"{"stories":[{"id":1,"title":"A"}]}"#, "[1,2]", #"[{"id":1}]"#,
      #"{"type":"Point","coordinates":[1,2]}"#, "[[39.95,-75.15]]",
      #"{"type":"Topology","objects":{},"arcs":[[[1,2],[3,4]]]}"#,
    ])
  func nothing(text: String) throws {
    #expect {
      try ImportTests.places(of: text)
    } throws: { error in
      guard case PlaceImportError.format = error else { return false }
      return true
    }
    let (report, _) = try ImportTests.places(of: "[]")
    #expect(report.imported == 0 && report.refused == 0)
  }

  @Test("What was GeoJSON stays GeoJSON, whatever other arrays it holds")
  func geoJSON() throws {
    let (report, places) = try ImportTests.places(
      of: """
        {"type":"FeatureCollection","people":[{"id":"x","lat":1,"lng":2}],"features":[{"type":"Feature",
        "id":"a","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"lat":7,"lng":8}}],
        "more":{"people":[{"id":"y","lat":1,"lng":2}]}}
        """)
    #expect(places.map(\.id) == ["a"] && report.refused == 0)
    #expect(places[0].coordinate == Coordinate(latitudeDegrees: 1, longitudeDegrees: 2))
    let (_, features) = try ImportTests.places(
      of: #"[{"type":"Feature","id":"f","geometry":{"type":"Point","coordinates":[2,1]}}]"#)
    #expect(features.map(\.id) == ["f"])
  }

  @Test("A place at exactly 0,0 is kept, and named with its line and how many there are")
  func atZero() throws {
    let (report, places) = try ImportTests.places(
      of: "id,lat,lon\na,1,2\nb,0,0\nc,0,5\nd,-0.0,0\n")
    #expect(places.count == 4)
    guard case .atZero(let count, let first)? = report.warnings.last else {
      Issue.record("\(report.warnings)")
      return
    }
    #expect(first.line == 3 && count == 2)
    #expect(
      "\(report.warnings[report.warnings.count - 1])".contains("row 3: the story, and 1 more"))
  }

  @Test("Of 200,000 objects each is imported")
  func many() throws {
    let scratch = Scratch()
    var text = "{\"skipped\":[{\"a\":1}],\"stories\":[\n"
    for number in 0..<200_000 {
      text += number > 0 ? ",\n" : ""
      text +=
        #"{"id":\#(number),"title":"Story \#(number)","lat":\#(Double(number) / 4000),"lng":1}"#
    }
    text += "]}\n"
    let (store, report) = try PlaceStore.inMemory(from: [scratch.file("big", text)])
    #expect(report.imported == 200_000 && report.refused == 0)
    let reader = try store.makeReader()
    #expect(try reader.place(withID: "199999")?.title == "Story 199999")
  }

  @Test("The sample of an app is imported whole")
  func sample() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Data/app/stories.json")
    let objects = try JSONDecoder().decode([Place].self, from: Data(contentsOf: url))
    let (report, places) = try ImportTests.places(
      of: String(decoding: Data(contentsOf: url), as: UTF8.self))
    #expect(report.imported == objects.count && report.refused == 0)
    #expect(places.map(\.id) == objects.map(\.id).sorted())
  }
}
