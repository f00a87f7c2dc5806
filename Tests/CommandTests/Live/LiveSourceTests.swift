import Foundation
import TestSupport
import Testing

@Suite("A live source")
struct LiveSourceTests {
  private static func alerts(_ lines: [String]) -> [String] {
    lines.filter { $0.contains("\"type\":\"alert\"") }
      .map { $0.replacing(/"track":"[^"]*"/, with: "") }
  }

  /// Void sentences for a while, so that nothing is lost before the program listens.
  private static func withLead(_ name: String, count: Int) throws -> Data {
    let log = try LiveSample.track(name)
    let void = LiveIdentityTests.sentence("GPRMC,195900.00,V,,,,,,,040326,,,N")
    return Data(String(repeating: void, count: count).utf8) + log
  }

  @Test(
    "that is a serial line is read, and awaited when unplugged",
    .enabled(if: Tool.has("socat"), "socat is not installed"))
  func serialLine() throws {
    let scratch = try Scratch()
    let (ours, theirs) = (scratch.path("a"), scratch.path("b"))
    let pair = ["PTY,link=\(ours),raw,echo=0", "PTY,link=\(theirs),raw,echo=0"]
    let live = try LiveProcess(
      nil, ["live", ours, "--places", LiveSample.places, "--events", "alert"])
    try live.wait("it does not say that it waits") { $0.errorText.contains("waiting for it") }
    let log = try LiveSample.track("drive.nmea")
    let half =
      try #require(
        log[(log.count / 2)...].firstIndex(of: UInt8(ascii: "\n"))) + 1
    for part in [log[..<half], log[half...]] {
      let line = try LiveProcess("socat", pair)
      try line.wait("no line") { _ in
        FileManager.default.fileExists(atPath: theirs)
          && FileManager.default.fileExists(atPath: ours)
      }
      let reading = live.errorText.components(separatedBy: "reading").count
      let end = try FileHandle(forWritingTo: URL(fileURLWithPath: theirs))
      // The lead gives time to find the speed.
      let void = LiveIdentityTests.sentence("GPRMC,195900.00,V,,,,,,,040326,,,N")
      try live.wait("the line is not read") {
        try end.write(contentsOf: Data((void + void).utf8))
        return $0.errorText.components(separatedBy: "reading").count > reading
      }
      try end.write(contentsOf: part)
      let expected = Self.alerts(
        try LiveSample.replayed(Data(log[..<part.endIndex]), ["--events", "alert"]))
      // The last epoch of a part is complete when the next begins.
      try live.wait("alerts are missing") { Self.alerts($0.lines).count >= expected.count }
      try end.close()
      line.signal(SIGTERM)
      try line.end()
      try live.wait("the loss is not told") {
        $0.errorText.components(separatedBy: "unplugged").count > reading
      }
    }
    try live.stop()
    #expect(
      Self.alerts(live.lines)
        == Self.alerts(try LiveSample.replayed(log, ["--events", "alert"])))
    #expect(live.errorText.contains("reading at 9600 baud"))
  }

  @Test(
    "that is a gpsd gives the alerts of the log that the receiver plays",
    .enabled(if: Tool.has("gpsd", "gpsfake"), "gpsd and gpsd-clients are not installed"))
  func gpsd() throws {
    let scratch = try Scratch()
    let log = scratch.url.appendingPathComponent("log.nmea")
    try Self.withLead("drive.nmea", count: 400).write(to: log)
    let port = try Tool.holdPort()
    let live = try LiveProcess(
      nil,
      ["live", "gpsd://localhost:\(port)", "--places", LiveSample.places, "--events", "alert"])
    try live.wait("the refusal is not told") { $0.errorText.contains("waiting for it") }
    let receiver = try LiveProcess(
      "gpsfake", ["-1", "-q", "-c", "0.01", "-P", "\(port)", log.path])
    let expected = try Set(
      LiveSample.replayed(LiveSample.track("drive.nmea"), ["--events", "alert"])
        .compactMap { $0.firstMatch(of: /"place":"([^"]*)"/).map { String($0.1) } })
    try live.wait("alerts are missing") { live in
      let places = live.lines.compactMap { line in
        line.firstMatch(of: /"place":"([^"]*)"/).map { String($0.1) }
      }
      return Set(places) == expected
    }
    // It waits for its clients; the daemon is its child, and ends first.
    let daemons = try receiver.children()
    #expect(!daemons.isEmpty)
    for daemon in daemons { kill(daemon, SIGTERM) }
    try live.wait("the end of gpsd is not told") { $0.errorText.contains("closed by the other") }
    receiver.signal(SIGKILL)
    try receiver.end()
    try live.stop(by: SIGINT)
  }

  @Test(
    "that is a server is connected, and reconnected",
    .enabled(if: Tool.has("socat"), "socat is not installed"))
  func server() throws {
    let port = try Tool.holdPort()
    let log = try LiveSample.track("ride.gpsd.jsonl")
    let expected = Self.alerts(try LiveSample.replayed(log, ["--events", "alert"]))
    let live = try LiveProcess(
      nil,
      ["live", "tcp://localhost:\(port)", "--places", LiveSample.places, "--events", "alert"])
    let middle = log[(log.count / 2)...].firstIndex(of: UInt8(ascii: "\n")) ?? log.endIndex
    for part in [log[...middle], log[(middle + 1)...]] {
      let server = try LiveProcess("socat", ["-", "TCP-LISTEN:\(port),reuseaddr"])
      try server.write(Data(part))
      try server.closeInput()
      try server.end()
    }
    try live.wait("alerts are missing") { Self.alerts($0.lines).count >= expected.count }
    #expect(Self.alerts(live.lines) == expected)
    // What it says comes on another way than its alerts.
    func connections() -> Int { live.errorText.components(separatedBy: "connected").count - 1 }
    try live.wait("two connections are not told") { _ in connections() >= 2 }
    #expect(connections() == 2)
  }

  @Test("with several devices keeps an engine for each")
  func devices() throws {
    let log = String(decoding: try LiveSample.track("ride.owntracks.jsonl"), as: UTF8.self)
    let lines = log.split(separator: "\n").filter { $0.contains("location") }
    var mixed = ""
    for line in lines {
      for device in ["one", "two"] {
        mixed += line.replacing("\"tid\":\"fp\"", with: "\"tid\":\"\(device)\"") + "\n"
      }
    }
    let live = try LiveProcess(
      nil,
      [
        "live", "-", "--places", LiveSample.places, "--events", "all", "--device-field", "tid",
      ])
    try live.write(Data(mixed.utf8))
    try live.finish()
    let expected = try LiveSample.replayed(
      Data(lines.joined(separator: "\n").utf8), ["--events", "alert,enter,exit,refresh,suppressed"])
    for device in ["one", "two"] {
      let own = live.lines.filter { $0.contains("\"device\":\"\(device)\"") }
        .filter { !$0.contains("\"summary\"") }
        .map { $0.replacing(",\"device\":\"\(device)\"", with: "") }
      #expect(own == expected)
    }
  }

  @Test("that looks like a host and port is an error with a suggestion")
  func hostAndPort() throws {
    let scratch = try Scratch()
    for name in ["localhost:2947", "192.168.1.5:10110", "[::1]:2947"] {
      let result = try Command.run(["live", name, "--places", LiveSample.places], in: scratch.url)
      #expect(result.status == 64)
      #expect(result.errors.contains("gpsd://\(name)") && result.errors.contains("tcp://\(name)"))
    }
    // An existing file of that name is read as a file.
    try scratch.write("localhost:2947", "time,lat,lon\n2026-03-04T17:00:00Z,40,-75\n")
    let result = try Command.run(
      ["live", "localhost:2947", "--places", LiveSample.places], in: scratch.url)
    #expect(result.status == 0)
    #expect(result.output.contains(#""fixes":1,"#))
  }

  @Test("that is a folder is an error at once, and creates no state")
  func folder() throws {
    let scratch = try Scratch()
    let result = try Command.run(
      ["live", ".", "--places", LiveSample.places, "--state", "state"], in: scratch.url)
    #expect(result.status == 66)
    #expect(result.errors == "fencepost: .: is a directory\n")
    #expect(try scratch.names().isEmpty)
  }

  @Test("that is no gpsd is reported once, and retried")
  func noGPSD() throws {
    let server = try TalkServer(greeting: "SSH-2.0-OpenSSH_9.2\r\n")
    defer { server.stop() }
    let live = try LiveProcess(
      nil, ["live", "gpsd://127.0.0.1:\(server.port)", "--places", LiveSample.places])
    try live.wait("it is not asked again") { _ in server.connectionCount >= 3 }
    try live.stop()
    #expect(
      live.errorText == "fencepost: gpsd://127.0.0.1:\(server.port): not gpsd: it says "
        + "“SSH-2.0-OpenSSH_9.2”; waiting for it\n")
  }

  @Test("that sends nonsense and hangs up is reported once, and retried")
  func nonsense() throws {
    let server = try TalkServer(greeting: "220 mail.example ESMTP\r\n", hangsUp: true)
    let live = try LiveProcess(
      nil, ["live", "tcp://127.0.0.1:\(server.port)", "--places", LiveSample.places])
    try live.wait("it does not connect again") { _ in server.connectionCount >= 3 }
    server.stop()
    #expect(live.errorText.components(separatedBy: "connected").count == 2, "\(live.errorText)")
    #expect(live.errorText.components(separatedBy: "closed by the other").count == 2)
    try live.stop()
  }
}
