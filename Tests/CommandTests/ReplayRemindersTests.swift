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
    #expect(result.output.contains("\"mostRegions\":20,\"mostReminders\":44"))
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

  /// A daily meeting at 12:10 in New York, and a task whose alarm comes five minutes early.
  private static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    BEGIN:VEVENT\r
    UID:meeting\r
    SUMMARY:Meeting\r
    DTSTART;TZID=America/New_York:20240102T121000\r
    RRULE:FREQ=DAILY\r
    END:VEVENT\r
    BEGIN:VTODO\r
    UID:call\r
    SUMMARY:Call\r
    DTSTART:20260304T172000Z\r
    BEGIN:VALARM\r
    ACTION:DISPLAY\r
    TRIGGER:-PT5M\r
    END:VALARM\r
    END:VTODO\r
    END:VCALENDAR\r

    """

  @Test("A calendar has its reminders along the walk, whatever today is")
  func calendar() throws {
    let scratch = try Scratch()
    let path = try scratch.write("plan.ics", Self.calendar)
    let json = """
      {"reminders":[{"id":"event.meeting","title":"Meeting","times":"12:10","anchor":
      "America/New_York"},{"id":"task.call","title":"Call","at":"2026-03-04T17:15:00Z"}]}
      """
    let same = try scratch.write("plan.json", json)
    let result = try replay("--reminders", path, "--events", "summary")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\"due\":2,\"onTime\":2,\"late\":0,\"dropped\":0"))
    #expect(result.output == (try replay("--reminders", same, "--events", "summary").output))
    let explained = try Command.run([
      "explain", Self.data.appendingPathComponent("tracks/walk.gpx").path, "--places",
      Self.data.appendingPathComponent("stories/philadelphia.csv").path, "--reminders", path,
      "--reminder", "event.meeting", "--format", "text",
    ])
    #expect(explained.status == 0, "\(explained.errors)")
    #expect(explained.output.contains("Meeting") && explained.output.contains("17:10"))
  }

  @Test("A calendar's rule that cannot be followed is reported, and nothing is replayed")
  func faultyCalendar() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "plan.ics", Self.calendar.replacing("FREQ=DAILY", with: "FREQ=NEVER"))
    let result = try replay("--reminders", path)
    #expect(result.status == 65 && result.output.isEmpty, "\(result.output)")
    #expect(result.errors.contains("plan.ics: "))
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
