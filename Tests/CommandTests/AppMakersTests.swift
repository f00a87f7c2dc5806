import Foundation
import TestSupport
import Testing

/// What the makers of an app meet first: their own files, their own folders and their own slips.
@Suite("An app's files and folders")
struct AppMakersTests {
  private static let stories =
    #"{"stories":[{"id":7,"title":"Bell","lat":39.95,"lng":-75.15,"photo":"x"},{"id":8,"title":"Lost"}]}"#
  private static let walk =
    "time,lat,lon\n2026-03-04T17:00:00Z,39.94,-75.15\n2026-03-04T17:10:00Z,39.96,-75.15\n"

  @Test("The JSON of an app is imported, and named are what is not imported and what is wrong")
  func imports() throws {
    let scratch = try Scratch()
    try scratch.write("stories.json", Self.stories)
    let result = try Command.run(
      ["places", "import", "stories.json", "--store", "s.sqlite", "--format", "text"],
      in: scratch.url)
    #expect(result.status == 65)
    #expect(result.output == "1 imported, 0 updated, 1 refused\n")
    #expect(
      result.errors.hasPrefix(
        "fencepost: stories.json, line 1: the object has no lat and lon. Skipped.\n"
          + "fencepost: warning: Ignored field in stories.json: photo.\n"))
    try scratch.write("walk.csv", Self.walk)
    let replay = try Command.run(
      ["replay", "walk.csv", "--places", "stories.json", "--events", "alert", "--quiet"],
      in: scratch.url)
    #expect(replay.output.contains("\"place\":\"7\",\"title\":\"Bell\""))
  }

  @Test(
    "Places among the tracks of a folder are left out and named",
    arguments: ["analyze", "sweep", "advise"])
  func folders(command: String) throws {
    let scratch = try Scratch()
    try scratch.write("stories.json", Self.stories)
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("tracks"), withIntermediateDirectories: true)
    try scratch.write("tracks/walk.csv", Self.walk)
    let arguments = [command, "tracks", "--places", "stories.json", "--format", "ndjson"]
    let alone = try Command.run(arguments, in: scratch.url)
    #expect(alone.status == 0)
    try scratch.write("tracks/stories.json", Self.stories)
    try scratch.write("tracks/places.csv", "id,title,lat,lon\na,A,39.95,-75.15\n")
    let beside = try Command.run(arguments, in: scratch.url)
    #expect(beside.status == 0 && beside.output == alone.output)
    for name in ["stories.json", "places.csv"] {
      #expect(
        beside.errors.contains(
          "fencepost: tracks/\(name): skipped, because it contains stories, not a walk"))
    }
    #expect(
      beside.errors.contains(
        "stories.json: skipped, because it contains stories, not a walk. To analyze it"))
    let named = try Command.run(
      arguments.map { $0 == "tracks" ? "tracks/stories.json" : $0 }, in: scratch.url)
    #expect(!named.errors.contains("skipped, because"))
  }

  @Test(
    "A list of stories is not followed as a walk",
    arguments: ["replay", "analyze", "sweep", "explain"])
  func stories(command: String) throws {
    let scratch = try Scratch()
    try scratch.write(
      "stories.csv", "id;title;lat;lon;radius\na;A;39,95;-75,15;100\nb;B;39,96;-75,15;100\n")
    let place = command == "explain" ? ["--place", "a"] : []
    let result = try Command.run(
      [command, "stories.csv", "--places", "stories.csv"] + place, in: scratch.url)
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "fencepost: stories.csv looks like a list of stories, not a walk. "
          + "To import it: fencepost places import stories.csv --store stories.sqlite\n"))
    // A walk may have names, ids and kinds beside its times.
    try scratch.write(
      "walk.csv",
      "id,name,category,time,lat,lon\n1,x,y,2026-03-04T17:00:00Z,39.94,-75.15\n"
        + "2,x,y,2026-03-04T17:05:00Z,39.96,-75.15\n")
    let walk = try Command.run(
      [command, "walk.csv", "--places", "stories.csv"] + place, in: scratch.url)
    #expect(walk.status == 0)
  }

  @Test("A story is explained on every track of a folder")
  func explainsFolder() throws {
    let scratch = try Scratch()
    for folder in ["tracks", "empty"] {
      try FileManager.default.createDirectory(
        at: scratch.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try scratch.write("tracks/a.csv", Self.walk)
    try scratch.write("tracks/b.csv", Self.walk)
    try scratch.write("tracks/broken.gpx", "<gpx><trk>")
    try scratch.write("places.csv", "id,title,lat,lon\na,Bell,39.95,-75.15\n")
    let arguments = ["explain", "tracks", "--places", "places.csv", "--place", "a"]
    let lines = try Command.run(arguments + ["--format", "ndjson"], in: scratch.url)
    #expect(lines.status == 65 && lines.errors.contains("tracks/broken.gpx"))
    for track in ["tracks/a.csv", "tracks/b.csv"] {
      #expect(lines.output.contains("{\"type\":\"explanation\",\"track\":\"\(track)\""))
    }
    let text = try Command.run(arguments + ["--format", "text"], in: scratch.url)
    #expect(text.output.contains("tracks/a.csv") && text.output.contains("\n\n"))
    try scratch.write("empty/readme.md", "nothing")
    let none = try Command.run(
      ["explain", "empty", "--places", "places.csv", "--place", "a"], in: scratch.url)
    #expect(none.status == 66 && none.errors == "fencepost: no walks in empty\n")
  }

  @Test("A track that comes near no place says so", arguments: ["replay", "analyze", "sweep"])
  func remote(command: String) throws {
    let scratch = try Scratch()
    try scratch.write("walk.csv", Self.walk)
    for (position, question) in [
      ("-75.15,39.95", ". Are latitude and longitude swapped in the stories or in the walk?"),
      ("48.1,11.5", ""),
    ] {
      try scratch.write("places.csv", "id,title,lat,lon\na,Bell,\(position)\n")
      let result = try Command.run(
        [command, "walk.csv", "--places", "places.csv", "--format", "ndjson"], in: scratch.url)
      #expect(result.status == 0)
      let line = try #require(
        result.errors.split(separator: "\n").first { $0.contains("no walk came within") })
      #expect(
        line.hasPrefix("fencepost: no walk came within 50 km of a story. The nearest, “Bell”"))
      #expect(line.hasSuffix(" km from the start of walk.csv\(question)"))
    }
  }

  @Test("Tracks without times say which rules they escape", arguments: ["replay", "analyze"])
  func untimed(command: String) throws {
    let scratch = try Scratch()
    try scratch.write("walk.csv", "lat,lon\n39.94,-75.15\n39.95,-75.15\n39.94,-75.15\n")
    func errors(_ places: String, _ options: [String]) throws -> String {
      try scratch.write("places.csv", places)
      return try Command.run(
        [command, "walk.csv", "--places", "places.csv", "--quiet"] + options, in: scratch.url
      ).errors
    }
    let plain = "id,lat,lon\na,39.95,-75.15\n"
    #expect(!(try errors(plain, [])).contains("cannot apply"))
    let dated = "id,lat,lon,expires\na,39.95,-75.15,2020-01-01\n"
    #expect(
      try errors(dated, ["--quiet-hours", "22:00-07:00"]).hasSuffix(
        "fencepost: walk.csv has entries without times, so the dates of stories and "
          + "quiet hours cannot apply. "
          + "To give a walk times, use --date if only its date is missing, or else --travel-speed with --date.\n"
      ))
    let timed = try errors(dated, ["--travel-speed", "1.4", "--date", "2026-03-04"])
    #expect(!timed.contains("cannot apply"))
  }

  @Test("A profile may be named in any case", arguments: ["IPHONE", "iPhone", "Home-Assistant"])
  func profiles(name: String) throws {
    let shown = try Command.run(["profiles", "show", name, "--format", "text"])
    #expect(shown.status == 0)
    #expect(
      shown.output
        == (try Command.run(["profiles", "show", name.lowercased(), "--format", "text"])).output)
    let scratch = try Scratch()
    try scratch.write("walk.csv", Self.walk)
    try scratch.write("places.csv", "id,title,lat,lon\na,Bell,39.95,-75.15\n")
    let analyzed = try Command.run(
      [
        "analyze", "walk.csv", "--places", "places.csv", "--profile", name, "--trials", "2",
        "--format", "text",
      ],
      in: scratch.url)
    #expect(analyzed.status == 0 && analyzed.output.contains("\(name.lowercased()): "))
  }
}
