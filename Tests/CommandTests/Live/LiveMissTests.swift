import Foundation
import FencepostStateDatabase
import TestSupport
import Testing

/// What a live session says about its limit, its log and the line that it reads.
@Suite("A live session with a limit, a log or a locked line")
struct LiveMissTests {
  @Test("says at the start that it watches 20 stories, and says and counts each miss")
  func misses() throws {
    let scratch = try Scratch()
    let live = try LiveProcess(
      nil,
      [
        "live", "-", "--places", LiveSample.places, "--limit", "5", "--events", "summary",
        "--state", scratch.path("state"),
      ])
    try live.write(try LiveSample.track("ride.csv"))
    try live.finish()
    #expect(
      live.wholeErrorText.contains("watching 5 stories at a time, as a phone does; --limit none"))
    let said = live.errorText.components(separatedBy: "missed the entry into").count - 1
    let line = try #require(live.lines.last)
    let summary = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let missed = try #require(summary?["missed"] as? Int)
    let late = try #require(summary?["foundLate"] as? Int)
    #expect(missed + late > 0)
    #expect(said == missed + late)
    #expect(live.errorText.contains(". To miss none: --refresh adaptive or --limit none"))
  }

  @Test("refuses a line that another session reads, and not after that has been killed")
  func locked() throws {
    let line = try SerialEnd()
    let log = Array(try LiveSample.track("drive.nmea"))
    let first = try LiveProcess(
      nil, ["live", line.path, "--places", LiveSample.places, "--baud", "9600"])
    try first.wait("it is not read") { $0.errorText.contains("reading at 9600 baud") }
    let second = try LiveProcess(nil, ["live", line.path, "--places", LiveSample.places])
    #expect(try second.end() == 66)
    #expect(second.errorText.contains("another program is reading this port and has locked it"))
    first.signal(SIGKILL)
    try first.end()
    let third = try LiveProcess(
      nil, ["live", line.path, "--places", LiveSample.places, "--baud", "9600"])
    try third.wait("it is not read") {
      line.send(log)
      return $0.errorText.contains("reading at 9600 baud")
    }
    try third.stop()
  }

  @Test("saves an alert from a serial line at once, though input may wait")
  func owed() throws {
    let line = try SerialEnd()
    let scratch = try Scratch()
    let live = try LiveProcess(
      nil,
      [
        "live", line.path, "--places", LiveSample.places, "--baud", "9600", "--state",
        scratch.path("state"), "--webhook", "http://127.0.0.1:1/",
      ])
    let log = Array(try LiveSample.track("drive.nmea"))
    try live.wait("it is not read") { $0.errorText.contains("reading at 9600 baud") }
    line.send(log)
    try live.wait("no alert") { $0.lines.contains { $0.contains("\"alert\"") } }
    live.signal(SIGKILL)
    try live.end()
    let printed = live.lines.count { $0.contains("\"alert\"") }
    let state = try StateDatabase(path: scratch.path("state"))
    let owed = try state.update { try $0.ids(kind: "owed/webhook").count }
    try state.close()
    #expect(owed >= printed && printed > 0)
  }
}
