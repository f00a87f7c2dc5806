import Foundation
import TestSupport
import Testing

@Suite("Fixes that come late or shuffled", .serialized)
struct LiveReorderTests {
  private static let events = ["--events", "alert,suppressed,enter,exit,dwell,refresh"]
  private static let reorder = ["--reorder", "2min"]

  /// The sample ride as lines of a table, without its header.
  private static func rows() throws -> (header: String, rows: [String]) {
    var rows = String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    return (rows.removeFirst(), rows)
  }

  /// The ride with fixes up to 70 s late: they are 10 s apart, with few pauses.
  private static func shuffled(_ random: inout SplitMix64) throws -> Data {
    let (header, rows) = try rows()
    let moved = rows.enumerated().map { ($0, $0 + Int.random(in: 0...7, using: &random), $1) }
    let order = moved.sorted { ($0.1, $1.0) < ($1.1, $0.0) }.map(\.2)
    #expect(order != rows)
    return Data(([header] + order).joined(separator: "\n").utf8) + Data("\n".utf8)
  }

  /// A line of a stream of several devices.
  private static func line(_ device: String, _ row: String) -> String {
    let cells = row.split(separator: ",")
    return
      "{\"id\":\"\(device)\",\"time\":\"\(cells[0])\",\"lat\":\(cells[1]),\"lon\":\(cells[2])}\n"
  }

  @Test("give the events of the sorted track, in replay and live", arguments: 1...6)
  func sorted(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bytes = try Self.shuffled(&random)
    let expected = try LiveSample.replayed(try LiveSample.track("ride.csv"), Self.events)
    #expect(try LiveSample.replayed(bytes, Self.events + Self.reorder) == expected)
    #expect(try LiveSample.replayed(bytes, Self.events) != expected)
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places] + Self.events + Self.reorder)
    try live.write(bytes)
    try live.finish()
    #expect(live.lines == expected)
  }

  @Test("give the same after a kill at any moment")
  func killed() throws {
    var random = SplitMix64(seed: 12)
    let bytes = try Self.shuffled(&random)
    let expected = Set(try LiveSample.replayed(try LiveSample.track("ride.csv"), Self.events))
    for round in 0..<20 {
      let point = 1 + Int(random.next() % UInt64(bytes.count - 1))
      let scratch = try Scratch()
      let state = scratch.path("state")
      let arguments =
        ["live", "-", "--places", LiveSample.places, "--state", state] + Self.events + Self.reorder
      let first = try LiveProcess(nil, arguments)
      try first.write(bytes.prefix(point))
      if round % 2 == 0 {
        try first.wait("the input was not read") { _ in
          try LiveSample.consumedCount(state) == point
        }
      } else {
        try first.waitUntilPartIsRead(of: point, &random)
      }
      first.signal(SIGKILL)
      try first.end()
      let second = try LiveProcess(nil, arguments)
      try second.write(bytes.dropFirst(try LiveSample.consumedCount(state)))
      try second.finish()
      #expect(Set(first.lines).union(second.lines) == expected, "killed at byte \(point)")
      #expect(first.lines.count + second.lines.count <= expected.count + 3)
    }
  }

  @Test("wait for each device by itself")
  func devices() throws {
    var random = SplitMix64(seed: 4)
    let order = { (random: inout SplitMix64) in
      String(decoding: try Self.shuffled(&random), as: UTF8.self).split(separator: "\n").dropFirst()
        .map(String.init)
    }
    let (a, b) = (try order(&random), try order(&random))
    var text = ""
    for (a, b) in zip(a, b) {
      // The second device is two hours behind the first.
      text += Self.line("a", a) + Self.line("b", b.replacing("T18:", with: "T16:"))
    }
    let live = try LiveProcess(
      nil,
      ["live", "-", "--places", LiveSample.places, "--device-field", "id", "--events", "summary"]
        + Self.reorder)
    try live.write(Data(text.utf8))
    try live.finish()
    #expect(live.lines.count == 2)
    for line in live.lines {
      #expect(line.contains("\"fixes\":217,") && line.contains("\"rejected\":{}"), "\(line)")
      #expect(line.contains("\"late\":{\"fixes\":0,\"mostSeconds\":0.0}"), "\(line)")
    }
  }

  @Test("are counted with how late they were where the window is too short")
  func tooLate() throws {
    var (header, rows) = try Self.rows()
    // 1,000 s late; all but the last 130 s had been handed on.
    rows.insert(rows.remove(at: 50), at: 150)
    let text = ([header] + rows).joined(separator: "\n") + "\n"
    header = "\"fixes\":216,\"segments\":1,\"rejected\":{\"late\":1}"
    let late = "\"late\":{\"fixes\":1,\"mostSeconds\":870.0}"
    let lines = try LiveSample.replayed(Data(text.utf8), Self.reorder + ["--events", "summary"])
    #expect(lines.last?.contains(header) == true && lines.last?.contains(late) == true)
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--format", "text"] + Self.reorder)
    try live.write(Data(text.utf8))
    try live.finish()
    #expect(live.outputText.contains("1 fix came too late to be put in order, by up to 870 s"))
    #expect(live.outputText.contains("1 fix rejected: late 1"))
  }

  /// Two fixes, of which the second alerts; they wait for one that never comes.
  private static let visit = [40.01, 40.0].enumerated().map {
    "{\"id\":\"d\",\"time\":\(1_772_649_000 + 60 * $0),\"lat\":\($1),\"lon\":-75}\n"
  }

  private static func place(_ scratch: Scratch) throws -> String {
    try scratch.write("places.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
  }

  @Test("do not wait longer than the window for a source that is idle", arguments: [false, true])
  func idle(hasDevices: Bool) throws {
    let scratch = try Scratch()
    let live = try LiveProcess(
      nil,
      ["live", "-", "--places", try Self.place(scratch), "--reorder", "1s", "--events", "alert"]
        + (hasDevices ? ["--device-field", "id"] : []))
    try live.write(Data(Self.visit.joined().utf8))
    try live.wait("no alert") { $0.outputText.contains("\"alert\"") }
    if hasDevices {
      // Others that go on do not hold it up.
      try live.write(Data(Self.visit.joined().replacing("\"d\"", with: "\"e\"").utf8))
      var time = 1_772_649_000
      try live.wait("no alert of the other") {
        time += 1
        try $0.write(Data("{\"id\":\"x\",\"time\":\(time),\"lat\":41,\"lon\":-75}\n".utf8))
        return $0.outputText.contains("\"device\":\"e\"")
      }
    }
    try live.finish()
    #expect(live.lines.count == (hasDevices ? 2 : 1))
  }

  @Test(
    "are handed on when the session is stopped, or kept by its state", arguments: [false, true])
  func stopped(hasState: Bool) throws {
    let scratch = try Scratch()
    let state = hasState ? ["--state", scratch.path("state")] : []
    let arguments =
      ["live", "-", "--places", try Self.place(scratch), "--reorder", "1h", "--events", "alert"]
      + state
    let live = try LiveProcess(nil, arguments)
    try live.write(Data(Self.visit.joined().utf8))
    try live.wait("not read") { live in
      guard hasState else { return live.unreadCount == 0 }
      return try LiveSample.consumedCount(scratch.path("state")) == Self.visit.joined().utf8.count
    }
    try live.stop()
    #expect(live.lines.count == (hasState ? 0 : 1))
    #expect(live.errorText.contains("2 fixes are waiting to be put in order") == hasState)
    guard hasState else { return }
    // Without the option nothing waits.
    let next = try LiveProcess(nil, arguments.filter { $0 != "--reorder" && $0 != "1h" })
    try next.wait("no alert") { $0.outputText.contains("\"alert\"") }
    try next.finish()
  }

  @Test(
    "of a phone that was offline for a day are followed as if it had been there",
    .enabled(if: Tool.has("curl"), "skipped: there is no curl"), arguments: [false, true])
  func offline(isNewestFirst: Bool) throws {
    let (_, rows) = try Self.rows()
    let serve = try LiveProcess(
      nil,
      [
        "serve", "--places", LiveSample.places, "--listen", "127.0.0.1:0", "--track", "t",
        "--reorder", "30s",
      ] + Self.events)
    let address = try serve.mapAddress()
    // First the fix of the day after, then the ride that the phone had kept.
    let after = rows[216].replacing("2026-03-04T", with: "2026-03-05T")
    let queue = isNewestFirst ? Array(rows.reversed()) : rows
    for start in stride(from: 0, to: 217, by: 31) {
      let part = start == 0 ? [after] : []
      let body = (part + queue[start..<start + 31]).map { Self.line("x", $0) }.joined()
      let posted = try Curl.run(["--data-binary", body, "\(address)fixes?device=d"])
      #expect(posted.status == 200)
      #expect(posted.body.contains("\"rejected\":0"), "\(posted.body)")
    }
    let last = Self.line("x", after.replacing("2026-03-05T", with: "2026-03-06T"))
    #expect(try Curl.run(["-d", last, "\(address)fixes?device=d"]).status == 200)
    try serve.stop(by: SIGINT)
    let expected = try LiveSample.replayed(try LiveSample.track("ride.csv"), Self.events).map {
      $0.replacing("\"track\":\"stdin\",", with: "\"track\":\"t\",\"device\":\"d\",")
    }
    #expect(Array(serve.lines.prefix(expected.count)) == expected)
  }
}
