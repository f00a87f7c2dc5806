import TestSupport
import Testing

@Suite("Tracks in tables and JSON lines")
struct TableTrackTests {
  private static let place = "id,lat,lon\na,39.95,-75.15\n"

  private func makeFolder(_ name: String, _ text: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("places.csv", Self.place)
    try scratch.write(name, text)
    return scratch
  }

  @Test(
    "replay and analyze report a table without a time column",
    arguments: ["replay", "analyze"])
  func noticesMissingTimes(command: String) throws {
    let scratch = try makeFolder("walk.csv", "lat,lon\n39.94,-75.15\n39.96,-75.15\n")
    let result = try Command.run(
      [command, "walk.csv", "--places", "places.csv", "--quiet"], in: scratch.url)
    #expect(result.status == 0)
    #expect(
      result.errors
        == "fencepost: walk.csv: no time column found, so the fixes have no times\n")
  }

  @Test("live reports a table without a time column at its end")
  func noticesMissingTimesLive() throws {
    let rows = "lat,lon\n39.94,-75.15\n39.96,-75.15\n"
    let scratch = try makeFolder("walk.csv", rows)
    let result = try Command.run(
      ["live", "-", "--places", "places.csv"], input: rows, in: scratch.url)
    #expect(result.status == 0)
    #expect(
      result.errors
        == "fencepost: standard input: no time column found, so the fixes have no times\n")
  }

  @Test(
    "Ambiguous dates are refused unless --date-order is given",
    arguments: ["replay", "analyze"])
  func refusesDoubtfulDates(command: String) throws {
    let rows = "Time;lat;lon\n3/4/2026 5:00 PM;39,94;-75,15\n3/4/2026 5:10 PM;39,96;-75,15\n"
    let scratch = try makeFolder("walk.csv", rows)
    let arguments = [command, "walk.csv", "--places", "places.csv", "--quiet"]
    let refused = try Command.run(arguments, in: scratch.url)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("line 2: the column “Time” has “3/4/2026 5:00 PM”"))
    for (order, day) in [("dmy", "2026-04-03"), ("mdy", "2026-03-04")] {
      let result = try Command.run(arguments + ["--date-order", order], in: scratch.url)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output.contains("\(day)T17:10:00Z"))
    }
  }

  @Test(
    "JSON lines are read as live and serve read them, and faults are located",
    arguments: ["replay", "analyze"])
  func readsJSONLines(command: String) throws {
    let lines = """
      {"time":"2026-03-04T17:00:00Z","lat":39.94,"lon":-75.15}
      {"lat":39.95
      {"tst":1772644200,"lat":39.96,"lon":-75.15}

      """
    let scratch = try makeFolder("walk.json", lines)
    let isReplay = command == "replay"
    let result = try Command.run(
      [command, "walk.json", "--places", "places.csv", "--quiet"] + (isReplay ? ["-v"] : []),
      in: scratch.url)
    #expect(result.status == 0)
    #expect(result.output.contains("\"alerts\":1"))
    if isReplay {
      #expect(result.errors.hasPrefix("fencepost: walk.json: line 2: byte 69: malformed"))
    }
  }
}
