import Foundation
import TestSupport
import Testing

/// No command writes to what it reads, and none empties a file for the sake of nothing.
@Suite("Overwriting files")
struct OverwritingTests {
  /// A folder with each kind of input that the commands make.
  private static let prepared = Result {
    let scratch = try Scratch()
    try scratch.write("track.csv", Fault.track)
    try scratch.write("places.csv", Fault.places)
    try Command.run(
      ["places", "import", "places.csv", "--store", "s.sqlite"], in: scratch.url)
    try scratch.write("queries.csv", "lat,lon\n39.9,-75\n")
    try scratch.write(
      "sweep.ndjson",
      Command.run(
        ["sweep", "track.csv", "--store", "s.sqlite", "--limit", "10"], in: scratch.url
      ).output)
    try scratch.write(
      "part.ndjson",
      Command.run(["analyze", "track.csv", "--store", "s.sqlite"], in: scratch.url).output)
    return scratch
  }

  /// A folder with each kind of input.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch(copying: Self.prepared.get())
    let data = Document.project.appendingPathComponent("Data/reminders")
    for name in ["errands.json", "zone-changes.json"] {
      try FileManager.default.copyItem(
        at: data.appendingPathComponent(name), to: scratch.url.appendingPathComponent(name))
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: scratch.path("soft"), withDestinationPath: "track.csv")
    try manager.linkItem(atPath: scratch.path("track.csv"), toPath: scratch.path("hard"))
    try manager.createDirectory(atPath: scratch.path("sub"), withIntermediateDirectories: false)
    try manager.copyItem(
      atPath: scratch.path("track.csv"), toPath: scratch.path("sub/track.csv"))
    return scratch
  }

  private static let replay = ["replay", "track.csv", "--store", "s.sqlite"]
  private static let analyze = ["analyze", "track.csv", "--store", "s.sqlite"]
  private static let schedule = [
    "schedule", "errands.json", "--from", "2026-03-02T00:00:00Z", "--for", "1d",
  ]

  @Test(
    "Writing over an input is refused before anything is written",
    arguments: [
      replay + ["-o", "track.csv"], replay + ["-o", "./track.csv"],
      replay + ["-o", "sub/../track.csv"], replay + ["-o", "soft"], replay + ["-o", "hard"],
      replay + ["-o", "s.sqlite"], replay + ["-o", "soft", "--speed", "1000x"],
      ["replay", "soft", "--store", "s.sqlite", "-o", "track.csv"],
      ["replay", "none.csv", "track.csv", "--store", "s.sqlite", "-o", "track.csv"],
      ["replay", "track.csv", "--places", "places.csv", "-o", "places.csv"],
      replay + ["--reminders", "errands.json", "-o", "errands.json"],
      analyze + ["-o", "track.csv"], analyze + ["--report", "track.csv"],
      analyze + ["--report", "s.sqlite"],
      analyze + ["--sweep", "sweep.ndjson", "--report", "sweep.ndjson"],
      analyze + ["--sweep", "sweep.ndjson", "--report", "r.html", "-o", "sweep.ndjson"],
      ["analyze", "sub", "--store", "s.sqlite", "-o", "sub/track.csv"],
      ["analyze", "sub/*.csv", "--store", "s.sqlite", "-o", "sub/track.csv"],
      ["analyze", "--merge", "part.ndjson", "-o", "part.ndjson"],
      ["sweep", "track.csv", "--store", "s.sqlite", "-o", "hard"],
      ["sweep", "sub", "--store", "s.sqlite", "--report", "sub/track.csv"],
      ["explain", "track.csv", "--store", "s.sqlite", "--place", "hall", "-o", "hard"],
      ["live", "track.csv", "--store", "s.sqlite", "-o", "track.csv"],
      ["live", "-", "--store", "s.sqlite", "-o", "s.sqlite"],
      ["live", "-", "--places", "places.csv", "--state", "places.csv"],
      ["serve", "--places", "places.csv", "--listen", "127.0.0.1:0", "--state", "places.csv"],
      ["serve", "--store", "s.sqlite", "--listen", "127.0.0.1:0", "-o", "s.sqlite"],
      schedule + ["-o", "errands.json"], schedule + ["--report", "errands.json"],
      schedule + ["--travel", "zone-changes.json", "-o", "zone-changes.json"],
      ["places", "import", "places.csv", "--store", "places.csv"],
      ["places", "import", "s.sqlite", "--store", "s.sqlite"],
      ["places", "list", "--store", "s.sqlite", "-o", "s.sqlite"],
      [
        "places", "nearest", "--store", "s.sqlite", "--queries", "queries.csv", "-o", "queries.csv",
      ],
    ])
  func inputs(words: [String]) throws {
    let scratch = try makeFolder()
    let before = try scratch.files()
    let result = try Command.run(words, in: scratch.url)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("overwrite"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try scratch.files() == before)
  }

  @Test(
    "Two outputs to one file are refused",
    arguments: [
      analyze + ["-o", "x", "--report", "x"], analyze + ["-o", "x", "--report", "./x"],
      ["sweep", "track.csv", "--store", "s.sqlite", "-o", "x", "--report", "x"],
      ["live", "-", "--store", "s.sqlite", "-o", "x", "--state", "x"],
    ])
  func outputs(words: [String]) throws {
    let scratch = try makeFolder()
    let before = try scratch.files()
    let result = try Command.run(words, in: scratch.url)
    #expect(result.status == 64)
    #expect(result.errors.contains("--output and --"))
    #expect(try scratch.files() == before)
  }

  @Test(
    "Redirecting standard output to an input is refused, and so is an output that is standard input"
  )
  func standardStreams() throws {
    let scratch = try makeFolder()
    let before = try scratch.files()
    for line in ["replay track.csv >>track.csv", "replay - <track.csv -o track.csv"] {
      try scratch.shell(
        "\(Command.executable.path) \(line) --store s.sqlite 2>>/dev/null; test $? = 64")
    }
    #expect(try scratch.files() == before)
  }

  @Test(
    "An output file keeps its content if no input could be read",
    arguments: [
      (["replay", "none.gpx"], 66), (["replay", "none.gpx", "--speed", "1000x"], 66),
      (["replay", "none.gpx", "noise.gpx", "bad.csv"], 66), (["replay", "bad.csv"], 65),
      (["places", "nearest", "--queries", "bad-queries.csv"], 65),
      (["analyze", "none.gpx"], 66), (["analyze", "none.gpx", "bad.csv"], 66),
      (["analyze", "bad.csv", "--report", "keep.html"], 65),
      (["sweep", "none.gpx", "--limit", "10", "--report", "keep.html"], 66),
      (["explain", "none.gpx", "--place", "hall"], 66),
      (["explain", "track.csv", "--place", "nowhere"], 66),
    ] as [([String], Int32)])
  func keeps(words: [String], status: Int32) throws {
    let scratch = try makeFolder()
    try scratch.write("keep.ndjson", "kept")
    try scratch.write("keep.html", "kept")
    try scratch.write("bad-queries.csv", "lat,lon\n95,0\n")
    try scratch.write("noise.gpx", "\u{1}\u{2}\n")
    try scratch.write("bad.csv", "time,lat,lon\n2026-03-04T17:00:00Z,95,0\n")
    let before = try scratch.files()
    let result = try Command.run(
      words + ["--store", "s.sqlite", "--output", "keep.ndjson"], in: scratch.url)
    #expect(result.status == status, "\(result.errors)")
    #expect(try scratch.files() == before)
  }

  @Test("An output file is replaced if some tracks could be read, or one is valid but empty")
  func replaces() throws {
    let scratch = try makeFolder()
    try scratch.write("empty.gpx", "<gpx version=\"1.1\"></gpx>\n")
    for (words, status) in [
      (["replay", "none.gpx", "track.csv"], 66), (["analyze", "none.gpx", "track.csv"], 66),
      (["sweep", "none.gpx", "track.csv"], 66), (["replay", "empty.gpx"], 0),
    ] as [([String], Int32)] {
      try scratch.write("old.ndjson", "old")
      let result = try Command.run(
        words + ["--store", "s.sqlite", "--output", "old.ndjson"], in: scratch.url)
      #expect(result.status == status)
      #expect(try scratch.text("old.ndjson").hasPrefix("{\"type\":"))
    }
  }

  @Test("Writing through a dangling link creates its target and keeps the link")
  func danglingLink() throws {
    let scratch = try makeFolder()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link.ndjson"), withDestinationPath: "sub/new.ndjson")
    let result = try Command.run(Self.replay + ["-o", "link.ndjson"], in: scratch.url)
    #expect(result.status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link.ndjson"))
        == "sub/new.ndjson")
    #expect(try scratch.text("sub/new.ndjson").contains("\"type\":\"summary\""))
  }
}

extension Scratch {
  /// The bytes of all files in the folder and below, by name.
  fileprivate func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder)
      if !isFolder.boolValue {
        files[name] = try Data(contentsOf: URL(fileURLWithPath: path(name)))
      }
    }
    return files
  }
}
