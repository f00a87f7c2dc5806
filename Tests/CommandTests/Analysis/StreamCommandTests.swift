import Foundation
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

  @Test("Persons of a stream are found by the names of their tracks")
  func persons() throws {
    let field = try Fieldwork()
    let rule = ["--person-by", "folder", "--quiet"]
    let streamed = try stream(field, try frames(field, Self.paths), rule)
    let whole = try field.analyze(
      rule + ["--format", "ndjson", "--keep-duplicates"], tracks: Self.paths)
    #expect(streamed.status == 0, "\(streamed.errors)")
    #expect(
      Set(streamed.output.split(separator: "\n")) == Set(whole.output.split(separator: "\n")))
    let scattered = try stream(
      field, try frames(field, [Self.paths[0], Self.paths[2], Self.paths[1]]), rule)
    #expect(scattered.status == 65)
    #expect(scattered.errors.contains("must follow one another, but other tracks came in between"))
    #expect(try Fieldwork.types(scattered.output)["track"] == 2)
  }

  @Test("Each track is answered before the next is sent")
  func interleaved() throws {
    let field = try Fieldwork()
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = Command.executable
    process.arguments = [
      "analyze", "--tracks-from", "-", "--places", "places.csv", "--format", "ndjson",
    ]
    process.currentDirectoryURL = field.scratch.url
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    for (number, path) in Self.paths.enumerated() {
      try input.fileHandleForWriting.write(contentsOf: Data(try frames(field, [path]).utf8))
      while text.components(separatedBy: "{\"type\":\"track\"").count <= number + 1
        || !text.hasSuffix("\n")
      {
        let data = output.fileHandleForReading.availableData
        try #require(!data.isEmpty, "the stream ended early")
        text += String(decoding: data, as: UTF8.self)
      }
      #expect(text.split(separator: "\n").last?.hasPrefix("{\"type\":\"track\"") == true)
    }
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: rest, as: UTF8.self).contains("\"type\":\"totals\""))
  }

  @Test("A stream that is cut or damaged keeps what was finished, and says what is wrong")
  func damaged() throws {
    let field = try Fieldwork()
    let good = try frames(field, [Self.paths[0]])
    let cut = try stream(field, good + "{\"track\":\"b.csv\",\"bytes\":100}\ntime,lat", ["--quiet"])
    #expect(cut.status == 65)
    #expect(cut.errors == "fencepost: b.csv: the stream ends after 8 of its 100 bytes\n")
    #expect(try Fieldwork.types(cut.output)["track"] == 1)
    #expect(try Fieldwork.types(cut.output)["skipped"] == 1)
    let bad = try stream(field, good + "{\"track\":\"b.csv\"}\n" + good, ["--quiet"])
    #expect(bad.status == 65)
    #expect(
      bad.errors == "fencepost: standard input: track 2: its header: \"bytes\" is missing\n")
    #expect(try Fieldwork.types(bad.output)["track"] == 1)
    #expect(try Fieldwork.types(bad.output)["totals"] == 1)
    let gone = try stream(field, "{\"track\":\"b.csv\",\"error\":\"no such object\"}\n" + good)
    #expect(gone.status == 65)
    #expect(gone.errors.contains("fencepost: b.csv: no such object\n"))
  }

  @Test(
    "What does not go together is refused",
    arguments: [
      [], ["--tracks-from", "-", "tracks"], ["--tracks-from", "-", "--merge"],
      ["--tracks-from", "-", "--jobs", "2"], ["tracks", "--sums", "--format", "csv"],
    ])
  func usage(arguments: [String]) throws {
    let field = try Fieldwork(tracks: 1)
    let places = arguments.contains("--merge") ? [] : ["--places", "places.csv"]
    let found = try field.run(["analyze"] + arguments + places)
    #expect(found.status == 64, "\(found.errors)")
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
