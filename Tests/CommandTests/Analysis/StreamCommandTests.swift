import Foundation
import TestSupport
import Testing

@Suite("Streams of tracks, and totals of totals")
struct StreamCommandTests {
  /// The frames of files, named by their paths.
  private func frames(_ field: Fieldwork, _ paths: [String]) throws -> String {
    try paths.map { path in
      let text = try field.scratch.text(path)
      return "{\"track\":\"\(path)\",\"bytes\":\(text.utf8.count)}\n\(text)"
    }.joined()
  }

  private func stream(
    _ field: Fieldwork, _ input: String, _ arguments: [String] = []
  ) throws -> Command.Result {
    try Command.run(
      [
        "analyze", "--tracks-from", "-", "--places", "places.csv", "--limit", "4", "--format",
        "ndjson",
      ]
        + arguments, input: input, in: field.scratch.url)
  }

  private static let paths = [
    "tracks/walk-1000.csv", "tracks/walk-1003.csv", "tracks/more/walk-1001.csv",
  ]

  @Test("A stream gives what the same files give, byte for byte", arguments: [[], ["--sums"]])
  func equal(options: [String]) throws {
    let field = try Fieldwork()
    let streamed = try stream(field, try frames(field, Self.paths), options)
    let whole = try field.analyze(
      ["--format", "ndjson", "--keep-duplicates"] + options, tracks: Self.paths)
    #expect(streamed.status == 0, "\(streamed.errors)")
    #expect(streamed.output == whole.output)
    #expect(streamed.errors == whole.errors)
  }

  @Test("Each track is answered before the next is sent")
  func interleaved() throws {
    let field = try Fieldwork()
    let process = try LiveProcess(
      nil,
      ["analyze", "--tracks-from", "-", "--places", "places.csv", "--format", "ndjson"],
      in: field.scratch.url)
    for (number, path) in Self.paths.enumerated() {
      try process.write(Data(try frames(field, [path]).utf8))
      try process.wait("no answer") {
        $0.lines.count { $0.hasPrefix("{\"type\":\"track\"") } == number + 1
          && $0.outputText.hasSuffix("\n")
      }
      #expect(process.lines.last?.hasPrefix("{\"type\":\"track\"") == true)
    }
    try process.finish()
    #expect(process.outputText.contains("\"type\":\"totals\""))
  }

  @Test("Totals are added up in steps to those of one analysis")
  func steps() throws {
    let field = try Fieldwork()
    var parts: [String] = []
    for (number, path) in (Self.paths + ["tracks/more/walk-1004.csv"]).enumerated() {
      _ = try field.analyze(
        ["--sums", "--output", "\(number).ndjson", "--quiet"], tracks: [path])
      parts.append("\(number).ndjson")
    }
    for (name, pair) in [("a", parts[..<2]), ("b", parts[2...])] {
      let step = try field.run(
        ["analyze", "--merge", "--sums", "--output", "\(name).ndjson"] + pair)
      #expect(step.status == 0, "\(step.errors)")
      #expect(try Fieldwork.types(try field.scratch.text("\(name).ndjson"))["track"] == nil)
    }
    let steps = try field.run(["analyze", "--merge", "a.ndjson", "b.ndjson"])
    let whole = try field.run(["analyze", "--merge"] + parts)
    let tracks = ["track", "verdict", "entry"].map { "{\"type\":\"\($0)\"" }
    let totals = whole.output.split(separator: "\n").filter { line in
      !tracks.contains { line.hasPrefix($0) }
    }
    #expect(steps.output == totals.joined(separator: "\n") + "\n", "\(steps.errors)")
  }
}
