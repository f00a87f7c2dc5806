import Foundation
import Testing

@Suite("fencepost replay --reminders")
struct ReplayRemindersTests {
  private static let data = ReadmeExample.package.appendingPathComponent("Data")

  private func replay(_ arguments: String...) throws -> Command.Result {
    try Command.run(
      [
        "replay", Self.data.appendingPathComponent("tracks/walk.gpx").path, "--places",
        Self.data.appendingPathComponent("stories/philadelphia.csv").path, "--quiet",
      ] + arguments)
  }

  @Test("Places and reminders share the slots, and nothing else of the report changes")
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

  @Test("A faulty file is named with the path in the document, and nothing is replayed")
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
