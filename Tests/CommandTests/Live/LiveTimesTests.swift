import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A live source whose times lie", .serialized)
struct LiveTimesTests {
  private static let events = ["--events", "alert,suppressed,enter,exit,refresh"]

  /// The sample ride, its first 20 fixes two days ahead.
  private static func ride(rowCount: Int = 217) throws -> Data {
    var rows = String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    for row in 1...20 { rows[row] = rows[row].replacing("2026-03-04T", with: "2026-03-06T") }
    return Data((rows.prefix(rowCount + 1).joined(separator: "\n") + "\n").utf8)
  }

  @Test("gives the events of a replay, with or without held last fixes", arguments: [217, 30, 21])
  func replays(rowCount: Int) throws {
    let bytes = try Self.ride(rowCount: rowCount)
    let live = try LiveProcess(nil, ["live", "-", "--places", LiveSample.places])
    try live.write(bytes)
    try live.closeInput()
    _ = try live.end()
    #expect(live.lines == (try LiveSample.replayed(bytes)))
    let late = rowCount == 217 ? "{}" : "{\"late\":\(rowCount - 20)}"
    #expect(live.lines.last?.contains("\"rejected\":\(late)") == true)
  }

  @Test("shows feet and miles if asked to, and records in meters")
  func units() throws {
    func lines(_ options: String...) throws -> [String] {
      let live = try LiveProcess(
        nil, ["live", "-", "--places", LiveSample.places, "--units", "imperial"] + options)
      try live.write(try LiveSample.track("walk.gpx"))
      try live.closeInput()
      _ = try live.end()
      return live.lines
    }
    let text = try lines("--format", "text").joined(separator: "\n")
    #expect(text.contains(" ft") && text.contains(" mi") && !text.contains(".0 m\n"))
    let metric = try LiveSample.replayed(try LiveSample.track("walk.gpx"))
    #expect(try lines("--format", "ndjson") == metric)
  }

  @Test("says once a device since when its fixes are refused behind a clock that ran ahead")
  func refusedRuns() throws {
    let scratch = try Scratch()
    let places = try scratch.write("p.csv", "id,title,lat,lon\nhall,Hall,39.94,-75.15\n")
    func row(_ device: String, _ day: String, _ second: Int) -> String {
      let time = String(format: "%02d:%02d", second / 60, second % 60)
      let latitude = 39.93 + 0.0001 * Double(second)
      return #"{"device":"\#(device)","time":"\#(day)T17:\#(time)Z","lat":\#(latitude),"#
        + "\"lon\":-75.15}\n"
    }
    // Ann's clock is a year ahead for the first 300 fixes, Bob's is right.
    var text = ""
    for second in 0..<700 {
      text += row("ann", second < 300 ? "2027-03-04" : "2026-03-04", second)
      text += row("bob", "2026-03-04", second)
    }
    let live = try LiveProcess(
      nil, ["live", "-", "--places", places, "--device-field", "device", "--events", "summary"])
    try live.write(Data(text.utf8))
    try live.finish()
    let said = live.errorText.split(separator: "\n").filter { $0.contains("refused as late") }
    #expect(said.count == 1)
    #expect(
      said.first?.contains(
        "ann: 60 fixes in a row were refused as late, starting at 2026-03-04T17:05:00Z: "
          + "a fix of 2027-03-04T17:04:59Z came before them.") == true, "\(live.errorText)")
    let summary = live.lines.first { $0.contains("\"ann\"") }
    #expect(summary?.contains("\"fixes\":400") == true, "\(live.lines)")
  }

  @Test("says at once, and once, that a crossing without a time cannot be held")
  func untimedHolds() throws {
    let scratch = try Scratch()
    let places = try scratch.write("p.csv", "id,title,lat,lon\nhall,Hall,39.94,-75.15\n")
    let live = try LiveProcess(nil, ["live", "-", "--places", places, "--hold", "30s"])
    let way = (0..<12).map { "\(39.93 + 0.002 * Double($0)),-75.15\n" }
    try live.write(Data(("lat,lon\n" + way.joined()).utf8))
    try live.wait("no word") { _ in live.errorText.contains("cannot be held") }
    try live.closeInput()
    _ = try live.end()
    #expect(live.errorText.components(separatedBy: "cannot be held").count == 2)
  }

  @Test(
    "resumes unchanged after a stop or kill while fixes are held",
    arguments: [SIGKILL, SIGTERM])
  func restarts(signal: Int32) throws {
    let bytes = try Self.ride()
    let expected = Set(try LiveSample.replayed(bytes, Self.events))
    let held = try Self.ride(rowCount: 20).count..<(try Self.ride(rowCount: 41).count)
    var random = SplitMix64(seed: UInt64(signal))
    for _ in 0..<8 {
      let point = Int.random(in: held, using: &random)
      let scratch = try Scratch()
      let state = scratch.path("live.state")
      let arguments =
        ["live", "-", "--places", LiveSample.places, "--state", state] + Self.events
      let first = try LiveProcess(nil, arguments)
      try first.write(bytes.prefix(point))
      try first.wait("the input was not read") { _ in
        try LiveSample.consumedCount(state) == point
      }
      first.signal(signal)
      _ = try first.end()
      let second = try LiveProcess(nil, arguments)
      try second.write(bytes.dropFirst(try LiveSample.consumedCount(state)))
      try second.finish()
      #expect(
        Set(first.lines).union(second.lines) == expected, "stopped at byte \(point)")
    }
  }

  @Test("does not affect other devices of the stream")
  func devices() throws {
    let wrong = String(decoding: try Self.ride(), as: UTF8.self).split(separator: "\n").dropFirst()
    let right = String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self)
      .split(separator: "\n").dropFirst()
    var text = ""
    for (a, b) in zip(wrong, right) {
      for (name, row) in [("a", a), ("b", b)] {
        let cells = row.split(separator: ",")
        text += "{\"id\":\"\(name)\",\"time\":\"\(cells[0])\","
        text += "\"lat\":\(cells[1]),\"lon\":\(cells[2])}\n"
      }
    }
    let live = try LiveProcess(
      nil,
      ["live", "-", "--places", LiveSample.places, "--device-field", "id", "--events", "summary"])
    try live.write(Data(text.utf8))
    try live.finish()
    #expect(live.lines.count == 2)
    for line in live.lines {
      #expect(line.contains("\"fixes\":217,") && line.contains("\"rejected\":{}"))
    }
  }
}
