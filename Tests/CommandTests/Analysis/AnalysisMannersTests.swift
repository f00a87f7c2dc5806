import Foundation
import TestSupport
import Testing

/// How the commands over many tracks behave among others: pipes, signals, terminals, memory.
@Suite("Analyzing many tracks")
struct AnalysisMannersTests {
  /// Many tracks that are all one file, which costs little to make and much to analyze.
  private static func crowd(_ field: Fieldwork, of count: Int) throws {
    let sample = Document.project.appendingPathComponent("Data/tracks/walk.gpx").path
    let folder = field.scratch.url.appendingPathComponent("crowd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<count {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent("walk-\(10_000 + number).gpx").path,
        withDestinationPath: sample)
    }
  }

  @Test(
    "An interrupted analysis keeps finished tracks and exits with 128 plus the signal number",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let field = try Fieldwork(tracks: 1)
    try Self.crowd(field, of: 20_000)
    let process = Process()
    process.executableURL = Command.executable
    process.currentDirectoryURL = field.scratch.url
    process.arguments = [
      "analyze", "crowd", "--places", "places.csv", "--output", "all.ndjson", "--quiet",
      "--report", "report.html", "--keep-duplicates",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    // Not before something has been finished and written.
    let end = Date(timeIntervalSinceNow: 60)
    while try !field.scratch.names().contains(where: { name in
      guard name.hasPrefix(".all.ndjson") else { return false }
      let size = try FileManager.default.attributesOfItem(atPath: field.scratch.path(name))[.size]
      return (size as? Int ?? 0) > 100_000
    }) {
      try #require(Date() < end && process.isRunning, "nothing was written")
      usleep(5000)
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 128 + signal)
    let types = try Fieldwork.types(try field.scratch.text("all.ndjson"))
    let lines = try Fieldwork.objects(try field.scratch.text("all.ndjson"))
    #expect(types["totals"] == 1)
    #expect((1..<20_000).contains(types["track", default: 0]))
    #expect(lines.last?["tracks"] as? Int == types["track"])
    #expect(try field.scratch.text("report.html").hasSuffix("</html>\n"))
    #expect(try field.scratch.names().allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("A closed pipe is not an error")
  func brokenPipe() throws {
    let field = try Fieldwork(tracks: 30)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = field.scratch.url
    process.arguments = [
      "-c", "{ \"$0\" \"$@\" 2>errors; echo $? >status; } | head -n 1 >first",
      Command.executable.path, "analyze", "tracks", "--places", "places.csv", "--quiet",
      "--format", "ndjson",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(try field.scratch.text("status") == "0\n")
    #expect(try field.scratch.text("errors").isEmpty)
    #expect(try field.scratch.text("first").hasPrefix("{\"type\":\"settings\""))
  }

  @Test("Progress with rate and time left appears on terminals only")
  func progress() throws {
    let field = try Fieldwork(tracks: 1)
    try Self.crowd(field, of: 2)
    let pipe = field.scratch.path("slow.gpx")
    let code = unsafe mkfifo(pipe, 0o600)
    try #require(code == 0)
    let command =
      "\(Command.executable.path) analyze crowd/walk-10000.gpx slow.gpx crowd/walk-10001.gpx --jobs 1"
      + " --places places.csv --output all.ndjson --keep-duplicates"
    let plain = try Self.shown(by: ["sh", "-c", command + " 2>shown"], feeding: pipe, in: field)
    #expect(!plain.contains("analyzing"))
    #expect(!plain.contains("\r") && !plain.contains("\u{1B}"))
    let shown = try Self.shown(by: ["script", "-qec", command, "shown"], feeding: pipe, in: field)
    #expect(shown.contains("analyzing"))
    #expect(shown.contains("tracks/s"))
    #expect(shown.contains(" left"))
  }

  /// What a command writes to the file `shown` that is kept waiting, at a pipe that is one of its tracks,
  /// until the progress is due.
  private static func shown(
    by command: [String], feeding pipe: String, in field: Fieldwork
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = field.scratch.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    let end = Date(timeIntervalSinceNow: 60)
    var descriptor: Int32 = -1
    while descriptor < 0 {
      try #require(Date() < end && process.isRunning, "nobody reads the pipe")
      // Cannot be opened before its reader has.
      descriptor = unsafe open(pipe, O_WRONLY | O_NONBLOCK)
      usleep(2000)
    }
    _ = fcntl(descriptor, F_SETFL, 0)
    // Nothing is shown of what takes less than 0.3 s.
    usleep(400_000)
    let track = Document.project.appendingPathComponent("Data/tracks/walk.gpx")
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: try Data(contentsOf: track))
    try file.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try field.scratch.text("shown")
  }
}
