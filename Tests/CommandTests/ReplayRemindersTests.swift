import Foundation
import TestSupport
import Testing

@Suite("fencepost replay --reminders")
struct ReplayRemindersTests {
  private static let data = Document.project.appendingPathComponent("Data")

  private func replay(_ arguments: String...) throws -> Command.Result {
    try Command.run(
      [
        "replay", Self.data.appendingPathComponent("tracks/walk.gpx").path, "--places",
        Self.data.appendingPathComponent("stories/philadelphia.csv").path, "--quiet",
      ] + arguments)
  }

  @Test("Places and reminders share the slots, and the rest of the report stays the same")
  func shared() throws {
    let file = Self.data.appendingPathComponent("reminders/two-hundred-reminders.json").path
    let with = try replay("--reminders", file)
    let without = try replay()
    #expect(with.status == 0, "\(with.errors)")
    #expect(with.output.contains(",\"budget\":{\"slots\":64,"))
    #expect(
      with.output.replacing(/,"budget":\{.*\](?=\},"error")\}/, with: "") == without.output)
    #expect(
      try replay("--reminders", file, "--format", "text").output.contains("Reminders: 64 slots"))
  }

  @Test("The errands along the walk are delivered, and the summary names every displacement")
  func errands() throws {
    let file = Self.data.appendingPathComponent("reminders/errands.json").path
    let result = try replay("--reminders", file, "--events", "summary")
    #expect(result.output.contains("\"mostRegions\":20,\"mostReminders\":45"))
    #expect(result.output.contains("\"due\":46,\"onTime\":46,\"late\":0,\"dropped\":0"))
    #expect(result.output.contains("\"circlesFired\":2"))
    #expect(result.output.contains(/"place":"[a-z-]+","by":\["errand.bookshop"/))
    #expect(result.output.contains("{\"reminder\":\"nudge.45\",\"by\":[\"places\"]"))
  }

  @Test("A reminder's circle fires as its own kind of event where the path crosses it")
  func circles() throws {
    let file = Self.data.appendingPathComponent("reminders/errands.json").path
    let lines = try replay("--reminders", file, "--events", "reminder").output
      .split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.contains(
        #""reminder":"errand.bookshop","title":"Fetch the book","distance":60.0,"edge":"enter"}"#)
        == true)
    #expect(
      lines.last?.contains(
        #""reminder":"errand.market","title":"Did you buy bread?","distance":80.0,"edge":"exit"}"#)
        == true)
    let byDefault = try replay("--reminders", file).output
    for line in lines { #expect(byDefault.contains(line)) }
    #expect(
      try replay("--reminders", file, "--format", "text").output.contains("reminder, on exit"))
    let csv = try replay("--reminders", file, "--events", "reminder", "--format", "csv").output
    #expect(csv.contains("errand.market,Did you buy bread?,80.0,,exit,"))
    let geojson = try replay(
      "--reminders", file, "--events", "reminder", "--format", "geojson"
    ).output
    #expect(geojson.contains(#""properties":{"type":"reminder""#))
    let gpx = try replay("--reminders", file, "--events", "reminder", "--format", "gpx").output
    #expect(gpx.contains("<type>reminder</type>"))
  }

  @Test("A faulty reminder file is reported with the JSON path, and nothing is replayed")
  func faulty() throws {
    let scratch = try Scratch()
    let path = try scratch.write("r.json", #"{"reminders":[{"id":"a","title":"x"}]}"#)
    let result = try replay("--reminders", path)
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.errors.contains("r.json: reminders[0]: one of at, times"))
    #expect(try replay("--reminders", "/nowhere/r.json").status == 66)
    #expect(try replay("--reminders", path, "--pending-limit", "0").status == 64)
  }
}
