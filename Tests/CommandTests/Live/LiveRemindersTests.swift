import Foundation
import TestSupport
import Testing

@Suite("A live session with reminders")
struct LiveRemindersTests {
  private static let errands = LiveSample.reminders("errands.json")

  /// What a summary says about reminders.
  private static func budget(_ lines: [String]) throws -> String {
    let line = try #require(lines.last { $0.contains("\"type\":\"summary\"") })
    return String(try #require(line.firstMatch(of: /"budget":(\{.*\]\})/)).1)
  }

  private static func live(_ state: String?, _ more: [String] = []) throws -> LiveProcess {
    try LiveProcess(
      nil,
      ["live", "-", "--places", LiveSample.places, "--reminders", errands, "--events"]
        + ["reminder,summary"] + (state.map { ["--state", $0] } ?? []) + more)
  }

  @Test("reports what a replay reports, with the circles of reminders as events")
  func equal() throws {
    let bytes = try LiveSample.track("walk.nmea")
    let expected = try LiveSample.replayed(
      bytes, ["--reminders", Self.errands, "--events", "reminder,summary"])
    let live = try Self.live(nil)
    try live.write(bytes)
    try live.finish()
    let fired = live.lines.filter { $0.contains("\"type\":\"reminder\"") }
    #expect(fired == expected.filter { $0.contains("\"type\":\"reminder\"") })
    #expect(fired.count == 2)
    #expect(try Self.budget(live.lines) == Self.budget(expected))
  }

  @Test("counts its reminders as an uninterrupted one does, though it is killed twice")
  func killed() throws {
    let bytes = try LiveSample.track("walk.nmea")
    let expected = try Self.budget(
      try LiveSample.replayed(bytes, ["--reminders", Self.errands, "--events", "summary"]))
    let scratch = try Scratch()
    let state = scratch.path("live.state")
    for share in [3, 2] {
      let live = try Self.live(state)
      let consumed = try LiveSample.consumedCount(state)
      let point = bytes.count * (4 - share) / 3
      try live.write(bytes[consumed..<point])
      try live.wait("the input was not read") { _ in
        try LiveSample.consumedCount(state) == point
      }
      live.signal(SIGKILL)
      try live.end()
    }
    let last = try Self.live(state)
    try last.write(bytes.dropFirst(try LiveSample.consumedCount(state)))
    try last.finish()
    #expect(try Self.budget(last.lines) == expected)
  }

  @Test("says after a restart that the reminders have changed, and does not repeat a circle")
  func changed() throws {
    let bytes = try LiveSample.track("walk.nmea")
    let scratch = try Scratch()
    let state = scratch.path("live.state")
    let first = try Self.live(state)
    try first.write(bytes)
    try first.finish()
    let second = try Self.live(state, ["--pending-limit", "30"])
    try second.finish()
    #expect(second.errorText.contains("the settings have changed since the state was saved"))
    #expect(second.errorText.contains("--pending-limit 30"))
    let third = try Self.live(state, ["--pending-limit", "30"])
    try third.finish()
    #expect(!third.errorText.contains("the settings have changed"))
  }
}
