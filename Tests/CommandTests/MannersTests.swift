import Foundation
import TestSupport
import Testing

/// How the program behaves among others (pipes, files, signals), tried with `replay`.
@Suite("The program as a good citizen")
struct MannersTests {
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("track.csv", Fault.track)
    try scratch.write("places.csv", Fault.places)
    return scratch
  }

  private let replay = ["replay", "track.csv", "--places", "places.csv"]

  #if StaticSwift
  private static let isStatic = true
  #else
  private static let isStatic = false
  #endif

  @Test(
    "The program contains Swift's libraries and loads those of the system",
    .enabled(if: isStatic, "built to share them"))
  func runsWithoutSwift() throws {
    // What the loader makes of it, as ldd shows it.
    let asked = try Command.run([], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
    #expect(asked.contains("libsqlite3"))
    #expect(asked.contains("libxml2"))
    for name in ["libswift", "Foundation", "libdispatch", "not found"] {
      #expect(!asked.contains(name))
    }
  }

  @Test("In a pipe it writes NDJSON and nothing else")
  func pipe() throws {
    let scratch = try makeFolder()
    let result = try Command.run(replay, in: scratch.url)
    #expect(result.status == 0)
    for line in result.output.split(separator: "\n") {
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(line.utf8))
      }
    }
    #expect(!result.errors.contains("\u{1B}"))
  }

  @Test(
    "The output's file extension chooses the format unless --format is given",
    arguments: [
      ("a.csv", [], "type,"), ("a.geojson", [], "{\"type\":\"FeatureCollection\""),
      ("a.gpx", [], "<?xml"), ("a.ndjson", [], "{\"type\":"), ("a.txt", [], "{\"type\":"),
      ("a", [], "{\"type\":"), ("a.csv", ["--format", "gpx"], "<?xml"),
    ] as [(String, [String], String)])
  func endings(name: String, options: [String], beginning: String) throws {
    let scratch = try makeFolder()
    let result = try Command.run(replay + ["--output", name] + options, in: scratch.url)
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(try scratch.text(name).hasPrefix(beginning))
    #expect(try scratch.names() == [name, "places.csv", "track.csv"].sorted())
  }

  @Test("With one of several tracks missing or bad, the others are reported")
  func partial() throws {
    let scratch = try makeFolder()
    try scratch.write("bad.gpx", "<gpx><trk><trkseg><trkpt lat=")
    for (bad, status) in [("bad.gpx", 65), ("none.gpx", 66)] as [(String, Int32)] {
      let result = try Command.run(
        ["replay", bad, "track.csv", "--places", "places.csv"], in: scratch.url)
      #expect(result.status == status)
      #expect(result.errors.contains("fencepost: \(bad): "))
      #expect(result.output.contains(#""track":"track.csv","fixes":2"#))
    }
  }

  @Test("A closed pipe ends the program quietly")
  func brokenPipe() throws {
    let scratch = try makeFolder()
    // Far more than a pipe holds.
    let tracks = Array(repeating: "track.csv", count: 2000)
    try LiveProcess(
      "sh",
      [
        "-c", "{ \"$0\" \"$@\" 2>errors; echo $? >status; } | head -n 1 >first",
        Command.executable.path, "replay", "--places", "places.csv", "--quiet",
      ] + tracks, in: scratch.url
    ).end()
    #expect(try scratch.text("status") == "0\n")
    #expect(try scratch.text("errors").isEmpty)
    #expect(try scratch.text("first").split(separator: "\n").count == 1)
  }

  @Test(
    "A signal ends the program with 128 plus its number and leaves no partial file",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let scratch = try makeFolder()
    let process = try LiveProcess(
      nil, ["replay", "-", "--places", "places.csv", "--output", "out.ndjson"], in: scratch.url)
    // Standard input stays open: the program waits for more of the track.
    try process.write(Data(Fault.track.utf8))
    try process.wait("nothing is written") { _ in
      try scratch.names().contains { $0.hasPrefix(".out.ndjson") }
    }
    try process.stop(by: signal)
    #expect(try scratch.names().allSatisfy { !$0.hasPrefix(".") })
  }

  @Test(
    "Every documented value is accepted",
    arguments: [
      ["--max-gap", "10min"], ["--max-gap", "1h30min"], ["--max-gap", "0.5h"],
      ["--max-gap", "90"], ["--max-gap", "none"], ["--max-gap", "500ms"], ["--cooldown", "2w"],
      ["--significant-change", "0.5km"], ["--significant-change", "250"],
      ["--max-speed", "120km/h"], ["--max-speed", "none"], ["--speed", "max"],
      ["--speed", "100000x"], ["--limit", "none"], ["--limit", "7"], ["--events", "all"],
      ["--events", "enter,exit"],
    ])
  func goodValues(options: [String]) throws {
    let scratch = try makeFolder()
    let result = try Command.run(replay + options, in: scratch.url)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(
    "A system without /proc is named, because the arguments are read there",
    .enabled(if: getuid() == 0 && Tool.has("unshare"), "taking /proc away needs root and unshare"))
  func withoutProc() throws {
    let run = try LiveProcess(
      "unshare",
      ["-m", "sh", "-c", "umount -l /proc && exec \"$0\" --version", Command.executable.path])
    #expect(try run.end() == 74)
    #expect(run.errorText.contains("Mount /proc"))
  }
}
