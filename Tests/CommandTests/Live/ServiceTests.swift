import Foundation
import TestSupport
import Testing

/// A datagram socket of this machine that collects what it is sent, as systemd's do.
private final class Mailbox {
  let path: String
  private let descriptor: Int32
  private var received: [String] = []

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < 108)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    // The size matches the socket address.
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0)
  }

  deinit { close(descriptor) }

  /// Everything received so far.
  func messages() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      // The system writes no more bytes than there is room for.
      let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return received }
      received.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}

@Suite("A service", .serialized, .enabled(if: Tool.has("curl"), "skipped: there is no curl"))
struct ServiceTests {
  private static let places = "id,title,lat,lon,radius\na,The Old Mill,40,-75,50\n"

  private static func serve(
    _ more: [String] = [], places: String, environment: [String: String] = [:]
  ) throws -> LiveProcess {
    try LiveProcess(
      nil, ["serve", "--places", places, "--listen", "127.0.0.1:0"] + more,
      environment: environment)
  }

  private static func fix(_ latitude: Double, minute: Int) -> String {
    #"{"_type":"location","lat":\#(latitude),"lon":-75.0,"tst":\#(1_772_649_000 + 60 * minute)}"#
      + "\n"
  }

  /// Posts the fixes of device `d`, one a minute.
  private static func post(_ address: String, _ latitudes: [Double], from minute: Int) throws {
    let body = latitudes.enumerated().map { fix($1, minute: minute + $0) }.joined()
    let posted = try Curl.run(["--data-binary", body, "\(address)fixes?device=d"])
    #expect(posted.status == 200, "\(posted.body)")
  }

  // MARK: Monitoring

  @Test("counts in its metrics what it did, by the names in the guide")
  func metrics() throws {
    let scratch = try Scratch()
    let serve = try Self.serve(["--state", scratch.path("state")], places: LiveSample.places)
    let address = try serve.mapAddress()
    let track = LiveSample.path("ride.csv")
    let posted = try Curl.run(["--data-binary", "@\(track)", "\(address)fixes?device=bike"])
    let accepted = try #require(posted.body.firstMatch(of: /"accepted":(\d+)/)?.1)
    let alerts = try LiveSample.replayed(try LiveSample.track("ride.csv"))
      .count { $0.contains(#""type":"alert""#) }
    try serve.wait("not all alerts") { live in
      live.lines.count { $0.contains(#""type":"alert""#) } == alerts
    }
    // North of the pole.
    _ = try Curl.run(["--data-binary", Self.fix(91, minute: 0), "\(address)fixes?device=d"])
    let text = try Curl.run(["\(address)metrics"]).body
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(lines.contains(#"fencepost_fixes_total{result="accepted"} \#(accepted)"#))
    #expect(lines.contains(#"fencepost_events_total{type="alert"} \#(alerts)"#))
    #expect(lines.contains("fencepost_fix_age_seconds_count \(accepted)"))
    #expect(lines.contains("fencepost_devices 1"))
    #expect(lines.contains("fencepost_ready 1"))
    #expect(lines.contains { $0.hasPrefix("fencepost_state_bytes ") })
    let size = try FileManager.default.attributesOfItem(atPath: LiveSample.places)[.size] as? Int
    #expect(lines.contains("fencepost_store_bytes \(size ?? 0)"))
    let kinds = lines.compactMap { $0.firstMatch(of: /^# TYPE (\S+) (\S+)$/) }
    let named = try Self.guideTable()
    #expect(Dictionary(uniqueKeysWithValues: kinds.map { ("\($0.1)", "\($0.2)") }) == named)
  }

  /// The names of the guide's table of metrics, and their kinds.
  private static func guideTable() throws -> [String: String] {
    let guide = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("Sources/Faces/CommandLine/Documentation.docc/RunningAService.md")
    let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.firstMatch(of: /^\| `(fencepost_\w+)[^`]*` \| (\w+) \|/) }
    return Dictionary(uniqueKeysWithValues: rows.map { ("\($0.1)", "\($0.2)") })
  }

  @Test("is alive and not ready while its source is missing, and asks others for the token")
  func health() throws {
    let port = try Tool.holdPort()
    let scratch = try Scratch()
    let live = try LiveProcess(
      nil,
      [
        "live", "tcp://127.0.0.1:\(port)", "--places",
        try scratch.write("places.csv", Self.places), "--map", "127.0.0.1:0", "--map-token", "s",
      ])
    let address = try live.mapAddress()
    #expect(try Curl.run(["\(address)healthz"]).status == 401)
    #expect(try Curl.run(["-u", ":s", "\(address)healthz"]).status == 200)
    try live.wait("no fault") { _ in
      try Curl.run(["-u", ":s", "\(address)readyz"]) == (503, "the source is not connected\n")
    }
    #expect(try Curl.run(["-u", ":s", "\(address)metrics"]).body.contains("fencepost_ready 0\n"))
    let listener = try #require(Tool.bind(port: port, sharesPort: true))
    #expect(listen(listener.descriptor, 1) == 0)
    defer { close(listener.descriptor) }
    try live.wait("not ready") { _ in
      try Curl.run(["-u", ":s", "\(address)readyz"]) == (200, "ready\n")
    }
  }

  // MARK: Reloading

  @Test("takes up other rules and stories on SIGHUP, says so and keeps its memory of alerts")
  func reload() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", Self.places)
    let rules = try scratch.write("rules.yaml", "limit: 5\ncooldown: 7d\n")
    let state = scratch.path("state")
    let serve = try Self.serve(
      ["--rules", rules, "--state", state, "--max-gap", "none"], places: places)
    let address = try serve.mapAddress()
    try Self.post(address, [40.01, 40.0, 40.01], from: 0)
    try serve.wait("no alert") { $0.outputText.contains("The Old Mill") }

    _ = try scratch.write("places.csv", Self.places + "b,The Bridge,40.02,-75,50\n")
    _ = try scratch.write("rules.yaml", "limit: 6\ncooldown: 7d\n")
    serve.signal(SIGHUP)
    try serve.wait("nothing said") { $0.errorText.contains("the rules have changed") }
    #expect(serve.errorText.contains("read 2 stories (before: 1)"))
    #expect(serve.errorText.contains("the rules have changed: --limit 6 (before: 5)"))
    try Self.post(address, [40.0, 40.01, 40.02, 40.03], from: 10)
    try serve.wait("no alert") { $0.outputText.contains("The Bridge") }
    #expect(serve.lines.count { $0.contains(#""type":"alert""#) } == 2)

    _ = try scratch.write("rules.yaml", "limt: 7\n")
    serve.signal(SIGHUP)
    try serve.wait("nothing said") { $0.errorText.contains("The rules and stories stay the same") }
    #expect(serve.errorText.contains("rules.yaml, line 1: no option “limt”"))
    _ = try scratch.write("rules.yaml", "limit: many\n")
    serve.signal(SIGHUP)
    try serve.wait("nothing said") { $0.errorText.contains("rules.yaml, line 1: The value") }
    _ = try scratch.write("rules.yaml", "limit: 6\ncooldown: 7d\n")
    try FileManager.default.removeItem(atPath: places)
    serve.signal(SIGHUP)
    try serve.wait("nothing said") { $0.errorText.contains("places.csv: no such file") }

    // A kill does not bring the old rules back.
    serve.signal(SIGKILL)
    try serve.end()
    _ = try scratch.write("places.csv", Self.places + "b,The Bridge,40.02,-75,50\n")
    let again = try Self.serve(
      ["--rules", rules, "--state", state, "--max-gap", "none"], places: places)
    try Self.post(try again.mapAddress(), [40.02, 40.01, 40.0], from: 20)
    again.signal(SIGTERM)
    try again.end()
    #expect(!again.errorText.contains("the settings have changed"))
    #expect(!again.outputText.contains(#""type":"alert""#))
  }

  @Test("goes on in a new file on SIGHUP after its output was moved, each with one header")
  func rotation() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", Self.places)
    let arguments = [
      "live", "-", "--places", places, "--max-gap", "none", "--cooldown", "none", "--state",
      scratch.path("state"), "-o", scratch.path("alerts.csv"), "--events", "alert",
    ]
    let header = "type,track,device"
    // No rows as long as there is no file.
    func rows(_ name: String) throws -> [Substring] {
      guard try scratch.names().contains(name) else { return [] }
      return try scratch.text(name).split(separator: "\r\n")
    }
    let live = try LiveProcess(nil, arguments)
    try live.write(Data((Self.fix(40.01, minute: 0) + Self.fix(40, minute: 1)).utf8))
    try live.wait("no alert") { _ in try rows("alerts.csv").count == 2 }
    try FileManager.default.moveItem(
      atPath: scratch.path("alerts.csv"), toPath: scratch.path("alerts.csv.1"))
    live.signal(SIGHUP)
    try live.wait("not opened again") {
      $0.errorText.contains("alerts.csv: writing to the new file")
    }
    try live.write(Data((Self.fix(40.01, minute: 2) + Self.fix(40, minute: 3)).utf8))
    try live.wait("no alert") { _ in try rows("alerts.csv").count == 2 }
    live.signal(SIGKILL)
    try live.end()
    // As a full disk leaves it.
    let torn = try scratch.text("alerts.csv").dropLast(30)
    _ = try scratch.write("alerts.csv", String(torn))
    let again = try LiveProcess(nil, arguments)
    try again.write(Data((Self.fix(40.01, minute: 4) + Self.fix(40, minute: 5)).utf8))
    try again.finish()
    for name in ["alerts.csv", "alerts.csv.1"] {
      #expect(try scratch.text(name).hasPrefix(header))
      #expect(try scratch.text(name).ranges(of: header).count == 1)
    }
    #expect(try scratch.text("alerts.csv").hasPrefix(torn + "\n"))
    #expect(try rows("alerts.csv").last?.contains("2026-03-04T18:34:") == true)
    #expect(try rows("alerts.csv.1").count == 2)
  }

  @Test("keeps browsers signed in over a restart with the state, until the token changes")
  func signedIn() throws {
    let scratch = try Scratch()
    let port = try Tool.holdPort()
    let jar = scratch.path("jar")
    for (token, status) in [("s3cret", 303), ("s3cret", 200), ("other", 401)] {
      let serve = try LiveProcess(
        nil,
        [
          "serve", "--places", try scratch.write("places.csv", Self.places), "--listen",
          "127.0.0.1:\(port)", "--state", scratch.path("state"), "--token", token,
        ])
      let address = try serve.mapAddress()
      let query = status == 303 ? "?token=\(token)" : ""
      #expect(try Curl.run(["-b", jar, "-c", jar, "\(address)\(query)"]).status == status)
      try serve.stop()
      #expect(try token != "s3cret" || scratch.text("jar").contains("fencepost-\(port)"))
      #expect(try !scratch.text("jar").contains("s3cret"))
    }
  }

  // MARK: systemd

  @Test("tells its manager when it is ready, alive, reloading and about to stop")
  func manager() throws {
    let scratch = try Scratch()
    let mailbox = try Mailbox(scratch.path("notify"))
    let live = try LiveProcess(
      nil, ["live", "-", "--places", try scratch.write("places.csv", Self.places)],
      environment: ["NOTIFY_SOCKET": mailbox.path, "WATCHDOG_USEC": "100000"])
    try live.wait("not ready") { _ in mailbox.messages().contains("READY=1") }
    try live.wait("no sign of life") { _ in mailbox.messages().count { $0 == "WATCHDOG=1" } > 3 }
    live.signal(SIGHUP)
    try live.wait("not reloaded") { _ in mailbox.messages().count { $0 == "READY=1" } == 2 }
    #expect(mailbox.messages().contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
    try live.stop()
    #expect(mailbox.messages().last == "STOPPING=1")
  }

  @Test("writes to the journal with fields if the journal reads its messages")
  func journal() throws {
    let scratch = try Scratch()
    let mailbox = try Mailbox(scratch.path("journal"))
    let script = """
      JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2); export JOURNAL_STREAM
      exec "$0" live - --device-field device --places "$1" --limit 1
      """
    let places = try scratch.write(
      "places.csv", Self.places + "b,The Bridge,40.001,-75.0003,50\n")
    let live = try LiveProcess(
      "sh", ["-c", script, Command.executable.path, places],
      environment: ["FENCEPOST_JOURNAL": mailbox.path])
    let walk = [40.01, 40.0, 40.001, 40.01].enumerated().map {
      Self.fix($1, minute: $0).replacing("{\"_type\"", with: "{\"device\":\"d\",\"_type\"")
    }
    try live.write(Data(walk.joined().utf8))
    try live.closeInput()
    try live.end()
    #expect(live.wholeErrorText.isEmpty)
    let messages = mailbox.messages()
    #expect(messages.first?.hasPrefix("MESSAGE=watching 1 story at a time") == true)
    #expect(messages.first?.contains("\nPRIORITY=5\nSYSLOG_IDENTIFIER=fencepost\n") == true)
    #expect(messages.contains { $0.contains("missed") && $0.contains("\nFENCEPOST_DEVICE=d\n") })
  }

  @Test("hands its socket over to its successor without losing a post")
  func handover() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", Self.places)
    let state = scratch.path("state")
    let socket = try #require(Tool.bind())
    #expect(listen(socket.descriptor, 100) == 0)
    defer { close(socket.descriptor) }
    func start() throws -> LiveProcess {
      let script = #"LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec "$0" "$@""#
      return try LiveProcess(
        "sh",
        ["-c", script, Command.executable.path, "serve", "--places", places, "--state", state],
        passing: socket.descriptor)
    }
    let poster = try LiveProcess(
      "sh",
      [
        "-c",
        """
        for i in $(seq 0 59); do
          curl -s -S -m 30 -o /dev/null -w '%{http_code}\\n' \
            -d "{\\"_type\\":\\"location\\",\\"lat\\":40.01,\\"lon\\":-75,\\"tst\\":$((1772649000 + 60 * i))}" \
            'http://127.0.0.1:\(socket.port)/fixes?device=d'
        done
        """,
      ])
    for count in [10, 25, 40] {
      let serve = try start()
      #expect(try serve.mapAddress() == "http://127.0.0.1:\(socket.port)/")
      try serve.wait("no posts") { _ in poster.lines.count >= count }
      try serve.stop()
    }
    let last = try start()
    try poster.end()
    #expect(poster.lines == [String](repeating: "200", count: 60), "\(poster.errorText)")
    _ = try last.mapAddress()
    last.signal(SIGTERM)
    try last.end()
    #expect(last.lines.last?.contains(#""fixes":60"#) == true)
  }
}
