import Foundation
import TestSupport
import Testing

@Suite("Commands and wrong times", .serialized)
struct ReplayTimesTests {
  private static let rows = try? String(
    decoding: LiveSample.track("ride.csv"), as: UTF8.self
  ).split(separator: "\n").map(String.init)

  /// The sample ride as a table, its rows changed.
  private func ride(_ change: (inout [String]) -> Void) throws -> String {
    var rows = try #require(Self.rows)
    let header = rows.removeFirst()
    change(&rows)
    return ([header] + rows).joined(separator: "\n") + "\n"
  }

  private func run(
    _ command: String, _ arguments: [String], environment: [String: String] = [:],
    input: String = ""
  ) throws -> Command.Result {
    try Command.run(
      [command] + arguments + ["--places", LiveSample.places], input: input,
      environment: environment)
  }

  @Test("replay keeps the ride after a first fix that is 5 h ahead")
  func firstAhead() throws {
    let package = LiveSample.places.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(package)/Tests/FixesTests/Filter/Recordings/first-ahead.csv"
    let result = try run("replay", [path, "--events", "enter,summary"])
    let right = try run("replay", [LiveSample.path("ride.csv"), "--events", "enter,summary"])
    #expect(result.status == 0)
    #expect(result.output.contains("\"fixes\":217,\"segments\":1,\"rejected\":{}"))
    let enters = try NSRegularExpression(pattern: "\"type\":\"enter\"")
    func count(_ text: String) -> Int {
      enters.numberOfMatches(in: text, range: NSRange(text.startIndex..., in: text))
    }
    #expect(count(right.output) > 0)
    #expect(count(result.output) == count(right.output))
  }

  @Test("Text is in the zone of the machine, and records are in UTC whatever it is")
  func machineZone() throws {
    let ride = [LiveSample.path("ride.csv"), "--format"]
    let berlin = ["TZ": ":Europe/Berlin"]
    let text = try run("replay", ride + ["text"], environment: berlin)
    #expect(text.status == 0 && text.output.contains(", 2026-03-04 +01:00\n"))
    let named = try run("replay", ride + ["text", "--time-zone", "Europe/Berlin"])
    #expect(named.output == text.output)
    #expect(
      try run("replay", ride + ["ndjson"], environment: berlin).output
        == (try run("replay", ride + ["ndjson"])).output)
    let unknown = try run("replay", ride + ["text"], environment: ["TZ": "nowhere"])
    #expect(unknown.output.contains(" UTC\n"))
  }

  @Test("Times without a zone are those of --time-zone, not of the machine")
  func localTimes() throws {
    let scratch = try Scratch()
    let walk = try scratch.write("walk.csv", "time,lat,lon\n2026-07-04 19:00:00,52.1,11.6\n")
    let replay = [walk, "--events", "summary", "--format", "ndjson"]
    let plain = try run("replay", replay).output
    #expect(plain.contains("\"first\":\"2026-07-04T19:00:00Z\""))
    let zone = try run("replay", replay + ["--time-zone", "Europe/Berlin"]).output
    #expect(zone.contains("\"first\":\"2026-07-04T17:00:00Z\""))
    // The zone of the machine does not count, because the user did not name it.
    let machine = try run("replay", replay, environment: ["TZ": ":Europe/Berlin"]).output
    #expect(machine == plain)
  }

  @Test("A newest-first track is replayed in time order, with a notice")
  func newestFirst() throws {
    let scratch = try Scratch()
    let text = try ride { $0.reverse() }
    let path = try scratch.write("backwards.csv", text)
    let events = ["--events", "alert,suppressed,enter,exit,refresh,summary"]
    let right = try run("replay", [LiveSample.path("ride.csv")] + events).output
      .replacing(LiveSample.path("ride.csv"), with: "TRACK")
    let result = try run("replay", [path] + events)
    #expect(result.status == 0)
    #expect(result.output.contains(",\"order\":\"newest-first\",\"error\":null}"))
    #expect(
      result.output.replacing(path, with: "TRACK")
        .replacing(",\"order\":\"newest-first\"", with: "") == right)
    #expect(result.errors.components(separatedBy: "\(path): its times run backward").count == 2)
    let piped = try run("replay", ["-"] + events, input: text)
    #expect(
      piped.output.replacing("\"track\":\"stdin\"", with: "\"track\":\"\(path)\"")
        == result.output)
  }

  @Test(
    "analyze, sweep and explain read a newest-first track in time order too",
    arguments: [
      ["analyze"], ["sweep", "--limit", "20"], ["explain", "--place", "reading-terminal"],
    ]
  )
  func others(arguments: [String]) throws {
    let scratch = try Scratch()
    let path = try scratch.write("backwards.csv", try ride { $0.reverse() })
    var more = Array(arguments.dropFirst())
    if more.first == "--place" {
      let stories = try String(contentsOfFile: LiveSample.places, encoding: .utf8)
      more[1] = String(stories.split(separator: "\n")[1].prefix { $0 != "," })
    }
    let right = try run(arguments[0], [LiveSample.path("ride.csv"), "--format", "ndjson"] + more)
    let result = try run(arguments[0], [path, "--format", "ndjson"] + more)
    #expect(right.status == 0 && result.status == 0)
    #expect(
      result.output.replacing(path, with: "TRACK")
        == right.output.replacing(LiveSample.path("ride.csv"), with: "TRACK"))
    #expect(result.errors.contains("\(path): its times run backward"))
  }

  @Test("If the temporary file cannot be written, the exit status is 74")
  func noSpool() throws {
    let scratch = try Scratch()
    let path = try scratch.write("backwards.csv", try ride { $0.reverse() })
    let result = try run("replay", [path], environment: ["TMPDIR": "/nowhere"])
    #expect(result.status == 74)
    #expect(
      result.errors.contains("\(path): temporary file in /nowhere, needed to read from"))
  }
}
