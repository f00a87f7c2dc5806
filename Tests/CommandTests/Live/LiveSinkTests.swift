import Foundation
import TestSupport
import Testing

@Suite("A sink")
struct LiveSinkTests {
  /// A walk into a circle and out of it, again and again, a minute a fix.
  static func visits(_ count: Int, from start: Int = 0) -> Data {
    var text = ""
    for index in start..<start + 2 * count {
      let latitude = index % 2 == 0 ? 40.01 : 40.0
      text +=
        "{\"_type\":\"location\",\"tst\":\(1_772_649_000 + 60 * index),"
        + "\"lat\":\(latitude),\"lon\":-75}\n"
    }
    return Data(text.utf8)
  }

  static func arguments(_ scratch: Scratch, _ more: [String]) throws -> [String] {
    let places = try scratch.write(
      "places.csv",
      "id,title,lat,lon,radius,blurb\na,\"A \"\"quoted\"\" $title; `x`\",40,-75,50,Words\n")
    return ["live", "-", "--places", places, "--cooldown", "none", "--max-gap", "none"] + more
  }

  static func start(_ scratch: Scratch, _ more: [String]) throws -> LiveProcess {
    try LiveProcess(nil, arguments(scratch, more))
  }

  @Test("that is a program gets the alert as JSON and as variables, and no shell sees them")
  func exec() throws {
    let scratch = try Scratch()
    let script = try scratch.writeProgram(
      "hook",
      "#!/bin/sh\ncat >> \"$1\"\nprintf '%s\\n' \"$FENCEPOST_TITLE|$FENCEPOST_PLACE|$2\" >> \"$1\"\n"
    )
    let live = try Self.start(
      scratch, ["--exec", "\(script) \(scratch.path("out")) 'two words $HOME'"])
    try live.write(Self.visits(2))
    try live.finish()
    let lines = try scratch.text("out").split(separator: "\n").map(String.init)
    let alerts = live.lines.filter { $0.contains("\"alert\"") }
    #expect(lines.count == 4)
    #expect(lines.filter { $0.hasPrefix("{") } == alerts)
    #expect(lines.last == "A \"quoted\" $title; `x`|a|two words $HOME")
  }

  @Test("that is a program inherits no descriptor, such as the map's port")
  func descriptors() throws {
    let scratch = try Scratch()
    let script = try scratch.write("hook", "#!/bin/sh\nls \"/proc/$$/fd\" > \"$1\"\n")
    let live = try Self.start(
      scratch,
      [
        "--map", "127.0.0.1:0", "--state", scratch.path("state"),
        // Another test may just start a program that still has the script open for writing.
        "--exec", "sh \(script) \(scratch.path("out"))",
      ])
    _ = try live.mapAddress()
    try live.write(Self.visits(1))
    try live.finish()
    let open = Set(try scratch.text("out").split(separator: "\n").compactMap { Int($0) })
    // A shell keeps its script open at descriptor 10 or above, and none from 3 to 9.
    #expect(open.isSuperset(of: [0, 1, 2]))
    #expect(open.filter { $0 > 2 && $0 < 10 } == [])
  }

  @Test("that hangs or fails is ended, counted and reported, and delays nothing")
  func hangs() throws {
    let scratch = try Scratch()
    let live = try Self.start(
      scratch,
      ["--exec", "sleep 60", "--exec-timeout", "100ms", "--sink-queue", "3"])
    try live.write(Self.visits(30))
    try live.wait("the alerts did not come") {
      $0.lines.filter { $0.contains("\"alert\"") }.count == 30
    }
    try live.closeInput()
    // Not all alerts have reached the program.
    #expect(try live.end() == 74)
    #expect(live.errorText.contains("its queue is full"))
    #expect(live.errorText.contains("took longer than 100 ms"))
    #expect(live.errorText.contains("dropped because its queue was full"))
  }

  @Test(
    "that is an address gets each alert again until it accepts it, with the same key",
    .enabled(if: Tool.has("curl"), "curl is not installed"))
  func webhook() throws {
    let server = try HookServer { [nil, 500, 200][min($0, 2)] }
    defer { server.stop() }
    let scratch = try Scratch()
    let live = try Self.start(scratch, ["--webhook", server.url])
    try live.write(Self.visits(2))
    try live.wait("not all were posted") { _ in server.requests.count == 4 }
    try live.finish()
    let keys = server.requests.map { $0.header("Idempotency-Key") }
    #expect(keys[0] == keys[1] && keys[1] == keys[2] && keys[2] != keys[3])
    let alerts = live.lines.filter { $0.contains("\"alert\"") }
    #expect(server.requests.suffix(2).map { $0.body.trimmingCharacters(in: .newlines) } == alerts)
    #expect(server.requests[0].header("Content-Type") == "application/json")
    #expect(live.errorText.contains("trying again"))
  }

  @Test("that is the desktop shows the title")
  func desktop() throws {
    let scratch = try Scratch()
    _ = try scratch.writeProgram(
      "notify-send",
      "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\n' \"$word\"; done >> \"$STUB_OUT\"\n")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let live = try LiveProcess(
      nil, Self.arguments(scratch, ["--notify"]),
      environment: [
        "PATH": "\(scratch.url.path):\(path)", "STUB_OUT": scratch.path("out"),
      ])
    try live.write(Self.visits(1))
    try live.finish()
    #expect(try scratch.text("out").hasSuffix("--\nA \"quoted\" $title; `x`\nWords\n"))
  }
}

@Suite("A store that is edited while a session runs")
struct LiveStoreEditTests {
  private static func importPlaces(_ scratch: Scratch, _ rows: String) throws {
    let file = try scratch.write("rows.csv", "id,title,lat,lon,radius\n\(rows)")
    let result = try Command.run(["places", "import", file, "--store", scratch.path("store")])
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func fix(_ minute: Int, _ latitude: Double) -> Data {
    Data(
      ("{\"_type\":\"location\",\"tst\":\(1_772_649_000 + 60 * minute),"
        + "\"lat\":\(latitude),\"lon\":-75}\n").utf8)
  }

  @Test("is queried again at once on SIGHUP")
  func hangUp() throws {
    let scratch = try Scratch()
    try Self.importPlaces(scratch, "a,A,41,-75,50\n")
    let live = try LiveProcess(
      nil, ["live", "-", "--store", scratch.path("store"), "--events", "alert,refresh"])
    try live.write(Self.fix(0, 40))
    try live.wait("no refresh") { $0.lines.count == 1 }
    try Self.importPlaces(scratch, "b,B,40.002,-75,50\n")
    live.signal(SIGHUP)
    try live.wait("no refresh on SIGHUP") { $0.lines.count == 2 }
    // Too near to cause a refresh.
    try live.write(Self.fix(1, 40.002))
    try live.wait("no alert") { $0.outputText.contains("\"place\":\"b\"") }
    try live.finish()
  }

  @Test("as a table is read again on SIGHUP, and a new circle around the device is an entry")
  func newCircleInTable() throws {
    let scratch = try Scratch()
    let header = "id,title,lat,lon,radius\n"
    let table = try scratch.write("places.csv", header + "b,B,40,-75,50\nc,C,40.01,-75,50\n")
    let live = try LiveProcess(
      nil,
      ["live", "-", "--places", table, "--initial", "enter", "--events", "enter,refresh"])
    try live.write(Self.fix(0, 40))
    try live.wait("no entry") { $0.outputText.contains("\"place\":\"b\"") }
    // The rows behind the new one get other keys.
    try scratch.write("places.csv", header + "a,A,40,-75,80\nb,B,40,-75,50\nc,C,40.01,-75,50\n")
    live.signal(SIGHUP)
    try live.wait("no entry of the new circle") { $0.outputText.contains("\"place\":\"a\"") }
    try live.finish()
    #expect(live.lines.filter { $0.contains("\"enter\"") }.count == 2)
  }

  @Test("moves a circle away from the device, or shrinks it, without an exit")
  func movedWhileInside() throws {
    let scratch = try Scratch()
    try Self.importPlaces(scratch, "a,A,40,-75,50\nb,B,40,-75,80\n")
    let live = try LiveProcess(
      nil,
      ["live", "-", "--store", scratch.path("store"), "--events", "alert,enter,exit,refresh"])
    try live.write(Self.fix(0, 40.003))
    try live.write(Self.fix(1, 40))
    try live.wait("no enters") { $0.lines.filter { $0.contains("\"enter\"") }.count == 2 }
    try Self.importPlaces(scratch, "a,A,40.0015,-75,50\nb,B,40.001,-75,20\n")
    live.signal(SIGHUP)
    try live.wait("no refresh") { $0.lines.filter { $0.contains("\"refresh\"") }.count == 2 }
    try live.write(Self.fix(2, 40.0001))
    try live.write(Self.fix(3, 40.0015))
    try live.wait("no enter of the moved circle") {
      $0.lines.filter { $0.contains("\"enter\"") }.count >= 4
    }
    try live.finish()
    // The only exit is that of b, whose new circle the path crosses.
    #expect(live.lines.filter { $0.contains("\"exit\"") }.count == 1)
  }

  @Test(
    "while locked delays events and loses none",
    .enabled(if: Tool.has("sqlite3"), "sqlite3 is not installed"))
  func locked() throws {
    let scratch = try Scratch()
    try Self.importPlaces(scratch, "a,A,40,-75,50\n")
    let lock = try LiveProcess("sqlite3", [scratch.path("store")])
    try lock.write(Data("BEGIN EXCLUSIVE; SELECT 'locked';\n".utf8))
    try lock.wait("no lock") { $0.outputText.contains("locked") }
    let live = try LiveProcess(
      nil,
      ["live", "-", "--store", scratch.path("store"), "--state", scratch.path("s")])
    let log = Self.fix(0, 40.003) + Self.fix(1, 40) + Self.fix(2, 40.003)
    try live.write(log)
    try live.wait("the lock is not told") { $0.errorText.contains("locked") }
    #expect(live.lines.isEmpty)
    try lock.write(Data("ROLLBACK;\n".utf8))
    try lock.closeInput()
    try lock.end()
    try live.wait("no alert") { $0.outputText.contains("\"alert\"") }
    try live.finish()
    #expect(live.lines.filter { $0.contains("\"alert\"") }.count == 1)
  }
}
