import Foundation
import TestSupport
import Testing

@Suite("fencepost places")
struct PlacesCommandTests {
  private static let stories = #"""
    id,title,lat,lon,radius,category
    hall,Independence Hall,39.94888,-75.15003,100,history
    bell,Liberty Bell,39.94958,-75.15028,75,history
    wall,"The Wall, ""west""",39.95,-75.16,50,art
    far,Suva,-18.14,178.44,200000,
    """#

  /// A folder with a store, `s.sqlite`, of four places.
  private func makeStore() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("stories.csv", Self.stories)
    let result = try Command.run(
      ["places", "import", "stories.csv", "--store", "s.sqlite"], in: scratch.url)
    #expect(result.status == 0)
    #expect(
      result.output
        == #"{"type":"import","imported":4,"updated":0,"refused":0,"reasons":{}}"# + "\n")
    return scratch
  }

  @Test("import reads files and standard input, and updates existing places")
  func importUpdates() throws {
    let scratch = try makeStore()
    let result = try Command.run(
      ["places", "import", "-", "--store", "s.sqlite", "--format", "text"],
      input: "id,title,lat,lon\nhall,New title,39.94888,-75.15003\nnew,New,1,2\n",
      in: scratch.url)
    #expect(result.status == 0)
    #expect(result.output == "1 imported, 1 updated, 0 refused\n")
  }

  @Test("Dates in doubt are refused unless --date-order is given, by import and with --places")
  func dateOrder() throws {
    let scratch = try Scratch()
    try scratch.write("desk.csv", "id,lat,lon,Publish date\na,39.95,-75.15,3/4/2026\n")
    let arguments = ["places", "import", "desk.csv", "--store", "s.sqlite"]
    let refused = try Command.run(arguments, in: scratch.url)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("say which with --date-order dmy or mdy"))
    for (order, day) in [("dmy", "2026-04-03"), ("mdy", "2026-03-04")] {
      #expect(
        try Command.run(arguments + ["--date-order", order], in: scratch.url).status == 0)
      let list = try Command.run(["places", "list", "--store", "s.sqlite"], in: scratch.url)
      #expect(list.output.contains(#""published":"\#(day)T00:00:00Z""#))
    }
    try scratch.write(
      "walk.csv",
      "time,lat,lon\n2026-03-10T12:00:00Z,39.95,-75.2\n2026-03-10T12:05:00Z,39.95,-75.1\n")
    for (order, reason) in [("dmy", "suppressed"), ("mdy", "alert")] {
      let replay = try Command.run(
        [
          "replay", "walk.csv", "--places", "desk.csv", "--max-speed", "none", "--date-order",
          order,
        ],
        in: scratch.url)
      #expect(replay.output.hasPrefix(#"{"type":"\#(reason)""#), "\(replay.output)")
    }
  }

  @Test("list writes radii that import reads back, also with three digits behind the point")
  func radiiOfThreeDigits() throws {
    let scratch = try Scratch()
    try scratch.write("a.csv", "id,lat,lon,radius\na,1,2,812.1250\n")
    for arguments in [
      ["places", "import", "a.csv", "--store", "s.sqlite"],
      ["places", "list", "--store", "s.sqlite", "--format", "csv", "--output", "b.csv"],
      ["places", "import", "b.csv", "--store", "t.sqlite"],
    ] {
      #expect(try Command.run(arguments, in: scratch.url).status == 0)
    }
    let list = try Command.run(["places", "list", "--store", "t.sqlite"], in: scratch.url)
    #expect(list.output.contains(#""radius":812.125,"#))
  }

  @Test("import takes units, and always says how many it imported")
  func importOptions() throws {
    let scratch = try Scratch()
    try scratch.write("a.csv", "id,lat,lon\na,1,2\n")
    let arguments = ["places", "import", "a.csv", "--store", "s.sqlite", "--radius"]
    #expect(try Command.run(arguments + ["100 ft"], in: scratch.url).status == 0)
    let list = try Command.run(["places", "list", "--store", "s.sqlite"], in: scratch.url)
    #expect(list.output.contains(#""radius":30.48,"#))
    #expect(try Command.run(arguments + ["1 chain"], in: scratch.url).status == 64)
    try scratch.write("walk.gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>")
    let walk = try Command.run(
      ["places", "import", "walk.gpx", "--store", "w.sqlite", "--format", "text"], in: scratch.url)
    #expect(walk.status == 65 && walk.output == "0 imported, 0 updated, 0 refused\n")
    #expect(walk.errors.contains("To replay it: fencepost replay walk.gpx --store stories.sqlite"))
  }

  @Test("import --strict writes nothing if a row is bad")
  func importStrict() throws {
    let scratch = try Scratch()
    try scratch.write("bad.csv", "id,lat,lon\na,1,2\nb,91,2\n")
    let arguments = ["places", "import", "bad.csv", "--store", "s.sqlite", "--strict"]
    let result = try Command.run(arguments, in: scratch.url)
    #expect(result.status == 65)
    #expect(result.output.contains(#""imported":0,"#))
    #expect(!result.errors.contains("Skipped"))
    #expect(try scratch.names() == ["bad.csv"])
  }

  @Test(
    "import reads back everything list writes",
    arguments: ["csv", "geojson"])
  func roundTrip(format: String) throws {
    let scratch = try makeStore()
    let name = "list.\(format)"
    for arguments in [
      ["places", "list", "--store", "s.sqlite", "--output", name],
      ["places", "import", name, "--store", "again.sqlite"],
    ] {
      #expect(try Command.run(arguments, in: scratch.url).status == 0)
    }
    let lines = try ["s", "again"].map { store in
      try Command.run(["places", "list", "--store", "\(store).sqlite"], in: scratch.url)
        .output.split(separator: "\n").sorted()
    }
    #expect(lines[0].count == 4)
    #expect(lines[0] == lines[1])
  }

  @Test(
    "nearest sorts by center or edge distance",
    arguments: [
      (["--at", "39.9496,-75.1503", "--count", "2"], ["bell", "hall"]),
      (["--at", "39.9496,-75.1503", "--count", "2", "--rank", "edge"], ["hall", "bell"]),
      (["--at", "-18.2,-179.9", "--count", "1"], ["far"]),
      (["--at=-89.9,0", "-c", "9"], ["far", "hall", "bell", "wall"]),
    ])
  func nearest(options: [String], ids: [String]) throws {
    let scratch = try makeStore()
    let result = try Command.run(
      ["places", "nearest", "--store", "s.sqlite"] + options, in: scratch.url)
    #expect(result.status == 0)
    let records = try objects(result.output)
    #expect(records.map { $0["id"] as? String } == ids)
    #expect(records.map { $0["rank"] as? Int } == Array(1...ids.count))
  }

  @Test("nearest answers a file of queries and skips rows without coordinates")
  func queries() throws {
    let scratch = try makeStore()
    let result = try Command.run(
      [
        "places", "nearest", "--store", "s.sqlite", "--queries", "-", "-c", "1", "--format",
        "csv",
      ],
      input: "LAT,name,Lon,id\n39.9496,x,-75.1503,first\nabc,x,1,\n39.95,x,-75.16,\n1,x,181,\n",
      in: scratch.url)
    #expect(result.status == 65)
    let rows = result.output.split(separator: "\r\n")
    #expect(rows.map { $0.prefix { $0 != "," } } == ["query", "first", "3"])
    #expect(
      result.errors == """
        fencepost: standard input: line 3: lat and lon must be numbers
        fencepost: standard input: line 5: lat must be from -90 to 90, and lon from -180 to 180

        """)
  }

  @Test("stats reports counts and sizes")
  func stats() throws {
    let scratch = try makeStore()
    let arguments = ["places", "stats", "--store", "s.sqlite"]
    let json = try #require(
      try objects(Command.run(arguments, in: scratch.url).output).first)
    #expect(json["places"] as? Int == 4)
    #expect((json["radius"] as? [String: Double])?["greatest"] == 200_000)
    #expect(json["box"] as? [Double] == [-75.16, -18.14, 178.44, 39.95])
    #expect(json["twentiethNeighbor"] is NSNull)
    let text = try Command.run(arguments + ["--format", "text"], in: scratch.url)
    #expect(text.output.hasPrefix("4 stories at 4 different positions, "))
  }

  @Test("check passes a sound store and fails one with a missing index row")
  func check() throws {
    let scratch = try makeStore()
    let arguments = ["places", "check", "--store", "s.sqlite"]
    let sound = try Command.run(arguments, in: scratch.url)
    #expect(sound.status == 0)
    #expect(try objects(sound.output).first?["sound"] as? Bool == true)
    try scratch.shell(
      "spatialite -silent s.sqlite 'DELETE FROM idx_places_geometry WHERE pkid = 1'")
    let damaged = try Command.run(arguments + ["--format", "text"], in: scratch.url)
    #expect(damaged.status == 65)
    #expect(damaged.output.contains("spatial index and table   1 of 4 places are not in the index"))
    #expect(damaged.errors == "fencepost: s.sqlite: the store is damaged\n")
  }

  @Test("delete removes places by id and reports in text or JSON")
  func delete() throws {
    let scratch = try makeStore()
    let arguments = ["places", "delete", "--store", "s.sqlite"]
    let some = try Command.run(arguments + ["hall", "nobody", "hall"], in: scratch.url)
    #expect(some.status == 65)
    #expect(some.output == #"{"type":"delete","deleted":1,"unknown":1}"# + "\n")
    #expect(some.errors == "fencepost: s.sqlite: no story has the id “nobody”\n")
    let rest = try Command.run(
      arguments + ["-", "far", "--format", "text"], input: "bell\r\n\nwall", in: scratch.url)
    #expect(rest.status == 0)
    #expect(rest.output == "3 deleted, 0 unknown\n")
    #expect(rest.errors.isEmpty)
    let list = try Command.run(["places", "list", "--store", "s.sqlite"], in: scratch.url)
    #expect(list.output.isEmpty)
    let check = try Command.run(["places", "check", "--store", "s.sqlite"], in: scratch.url)
    #expect(check.status == 0)
  }

  @Test("GeoJSON is valid with and without places", arguments: ["art", "none"])
  func geoJSON(category: String) throws {
    let scratch = try makeStore()
    let result = try Command.run(
      ["places", "list", "--store", "s.sqlite", "--category", category, "--format", "geojson"],
      in: scratch.url)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let collection = try #require(parsed as? [String: Any])
    #expect((collection["features"] as? [Any])?.count == (category == "art" ? 1 : 0))
  }

  @Test(
    "list filters by box and category",
    arguments: [
      (["--category", "history"], ["bell", "hall"]),
      (["--box", "-75.155,39.9,-75.1,40"], ["bell", "hall"]),
      (["--box", "170,-90,-170,0"], ["far"]),
      (["--category", "art", "--box", "0,0,1,1"], []),
    ])
  func listSelection(options: [String], ids: [String]) throws {
    let scratch = try makeStore()
    let result = try Command.run(
      ["places", "list", "--store", "s.sqlite"] + options, in: scratch.url)
    #expect(result.status == 0)
    #expect(try objects(result.output).map { $0["id"] as? String ?? "" }.sorted() == ids)
  }

  @Test("Distances are shown in feet and miles if wanted, and read in both")
  func units() throws {
    let scratch = try makeStore()
    let near = ["places", "nearest", "--store", "s.sqlite", "--at", "39.95,-75.15"]
    let imperial = try Command.run(
      near + ["--units", "imperial"], isTyped: true, in: scratch.url)
    #expect(imperial.status == 0, "\(imperial.errors)")
    #expect(imperial.output.contains(" ft\n") || imperial.output.contains(" mi\n"))
    #expect(!imperial.output.contains(" m\n") && !imperial.output.contains(" km\n"))
    let records = try Command.run(near + ["--units", "imperial"], in: scratch.url)
    #expect(records.output == (try Command.run(near, in: scratch.url)).output)
  }

  @Test("A long title is cut in a table, and whole in the other formats")
  func whole() throws {
    let scratch = try Scratch()
    let title = "The house in which nobody of note has ever lived, as far as anybody knows"
    try scratch.write("p.csv", "id,title,lat,lon\na,\"\(title)\",39.95,-75.15\n")
    try Command.run(["places", "import", "p.csv", "--store", "s.sqlite"], in: scratch.url)
    let list = ["places", "list", "--store", "s.sqlite"]
    let table = try Command.run(list, isTyped: true, in: scratch.url)
    #expect(!table.output.contains(title) && table.output.contains("…"))
    let lines = try Command.run(list + ["--format", "ndjson"], in: scratch.url)
    #expect(lines.output.contains(title))
  }

  @Test("On a terminal, tables fit the width")
  func table() throws {
    let scratch = try makeStore()
    let result = try Command.run(
      ["places", "nearest", "--store", "s.sqlite", "--at", "39.95,-75.15", "--format", "text"],
      in: scratch.url)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.first?.hasPrefix("ID ") == true)
    #expect(Set(lines.map(\.count)).count == 1)
  }

  private func objects(_ lines: String) throws -> [[String: Any]] {
    try lines.split(separator: "\n").map { line in
      let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(parsed as? [String: Any])
    }
  }
}
