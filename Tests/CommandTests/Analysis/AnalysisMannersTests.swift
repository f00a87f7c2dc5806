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
    let process = try LiveProcess(
      nil,
      [
        "analyze", "crowd", "--places", "places.csv", "--output", "all.ndjson", "--quiet",
        "--report", "report.html", "--keep-duplicates",
      ], in: field.scratch.url)
    // Not before something has been finished and written.
    try process.wait("nothing was written") { _ in
      try field.scratch.names().contains { name in
        guard name.hasPrefix(".all.ndjson") else { return false }
        let size = try FileManager.default.attributesOfItem(atPath: field.scratch.path(name))[.size]
        return (size as? Int ?? 0) > 100_000
      }
    }
    try process.stop(by: signal)
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
    try LiveProcess(
      "sh",
      [
        "-c", "{ \"$0\" \"$@\" 2>errors; echo $? >status; } | head -n 1 >first",
        Command.executable.path, "analyze", "tracks", "--places", "places.csv", "--quiet",
        "--format", "ndjson",
      ], in: field.scratch.url
    ).end()
    #expect(try field.scratch.text("status") == "0\n")
    #expect(try field.scratch.text("errors").isEmpty)
    #expect(try field.scratch.text("first").hasPrefix("{\"type\":\"settings\""))
  }

  @Test("Progress with rate and time left appears on terminals only")
  func progress() throws {
    let field = try Fieldwork(tracks: 1)
    // Nothing is shown of what takes less than 0.3 s.
    try Self.crowd(field, of: 1500)
    let command =
      "\(Command.executable.path) analyze crowd --jobs 1 --places places.csv --output all.ndjson"
      + " --keep-duplicates"
    let plain = try LiveProcess("sh", ["-c", command], in: field.scratch.url)
    #expect(try plain.end() == 0)
    let text = plain.wholeErrorText
    #expect(!text.contains("analyzing") && !text.contains("\r") && !text.contains("\u{1B}"))
    let shown = try LiveProcess(
      "script", ["-qec", command, "shown"], in: field.scratch.url, environment: ["TERM": "xterm"])
    #expect(try shown.end() == 0)
    for words in ["analyzing", "tracks/s", " left"] {
      #expect(try field.scratch.text("shown").contains(words))
    }
  }
}
