import Foundation
import TestSupport
import Testing

/// Requests as `curl` makes them.
enum Curl {
  /// The status of the answer, and its body.
  static func run(_ arguments: [String]) throws -> (status: Int, body: String) {
    let curl = try LiveProcess(
      "curl", ["-s", "-S", "-w", "\n%{http_code}"] + arguments)
    try curl.closeInput()
    _ = try curl.end()
    let text = curl.outputText
    let end = try #require(text.lastIndex(of: "\n"), "\(curl.errorText)")
    let status = try #require(Int(text[text.index(after: end)...]))
    return (status, String(text[..<end]))
  }
}

@Suite("fencepost serve", .serialized, .enabled(if: Tool.has("curl"), "skipped: there is no curl"))
struct ServeTests {
  private static func start(_ more: [String] = [], places: String = LiveSample.places) throws
    -> LiveProcess
  {
    try LiveProcess(nil, ["serve", "--places", places, "--listen", "127.0.0.1:0"] + more)
  }

  private static func location(_ latitude: Double, minute: Int) -> String {
    #"{"_type":"location","lat":\#(latitude),"lon":-75.0,"tst":\#(1_772_649_000 + 60 * minute),"acc":8}"#
  }

  private static func place(_ scratch: Scratch) throws -> String {
    try scratch.write("places.csv", "id,title,lat,lon,radius\na,The Old Mill,40,-75,50\n")
  }

  @Test(
    "shows posted fixes in a real browser, and reports their alerts",
    .enabled(if: Browser.isInstalled, needsBrowser))
  func browser() throws {
    let serve = try Self.start()
    let address = try serve.mapAddress()
    let browser = try Browser()
    try browser.open(address)
    try browser.wait("not ready", until: "document.body?.dataset.ready === 'true'")
    for (name, track) in [("anna/phone", "walk.gpx"), ("ben/bike", "ride.csv")] {
      let posted = try Curl.run([
        "--data-binary", "@\(LiveSample.path(track))", "\(address)fixes?device=\(name)",
      ])
      #expect(posted.status == 200)
      #expect(posted.body.contains("\"rejected\":0"))
    }
    try browser.wait(
      "no alert by name",
      until: "document.getElementById('alerts').innerText.includes('Liberty Bell Center')")
    try browser.wait(
      "not both devices",
      until: "['here', 'other'].flatMap(kind => liveDrawing.marks[kind]).length === 2")
    try browser.wait(
      "not both devices to choose from",
      until: """
        [...document.querySelectorAll('#device option')].map(one => one.value).join()
          === 'anna/phone,ben/bike,\\u0001all'
        """)
    try browser.keep("serve")
    _ = try browser.value(
      "document.getElementById('device').value = 'ben/bike';"
        + "document.getElementById('device').dispatchEvent(new Event('change')); true")
    try browser.wait(
      "the other device's circles are not shown",
      until: "document.querySelectorAll('#monitored tr').length === 20")
    try browser.keep("serve-other")
    #expect(browser.complaints == [])
    #expect(
      serve.lines.contains { $0.contains("\"device\":\"ben/bike\"") && $0.contains("\"alert\"") })
    try serve.stop()
    #expect(serve.lines.filter { $0.contains("\"summary\"") }.count == 2)
  }

  @Test(
    "reports the same alerts for a posted track as a replay does",
    arguments: [
      "walk.gpx", "ride.gpx.gz", "drive.nmea", "ride.gpsd.jsonl", "ride.csv",
    ])
  func identity(track: String) throws {
    let serve = try Self.start(["--events", "alert,suppressed,enter,exit,refresh", "--track", "t"])
    let address = try serve.mapAddress()
    let posted = try Curl.run([
      "--data-binary", "@\(LiveSample.path(track))", "\(address)fixes?device=d",
    ])
    #expect(posted.status == 200)
    try serve.stop(by: SIGINT)
    let replayed = try LiveSample.replayed(
      try LiveSample.track(track), ["--events", "alert,suppressed,enter,exit,refresh"])
    let expected = replayed.map {
      $0.replacing("\"track\":\"stdin\",", with: "\"track\":\"t\",\"device\":\"d\",")
    }
    #expect(serve.lines == expected)
  }

  @Test("answers a phone, and sends alerts to the same sinks as live")
  func phone() throws {
    let scratch = try Scratch()
    let serve = try Self.start(
      ["--exec", "tee -a \(scratch.path("out"))", "--token", "s3cret"],
      places: try Self.place(scratch))
    let address = try serve.mapAddress()
    for (minute, latitude) in [40.01, 40.0].enumerated() {
      let posted = try Curl.run([
        "-u", "anna:s3cret", "-H", "X-Limit-U: anna", "-H", "X-Limit-D: phone", "-H",
        "Content-Type: application/json", "-d", Self.location(latitude, minute: minute),
        "\(address)pub",
      ])
      #expect(posted.status == 200)
      #expect(posted.body == "[]")
    }
    try serve.wait("no alert") { $0.outputText.contains("\"title\":\"The Old Mill\"") }
    try serve.wait("no alert at the program") { _ in
      (try? scratch.text("out"))?.contains("\"device\":\"anna/phone\"") ?? false
    }
    #expect(try Curl.run(["-d", "{}", "\(address)pub"]).status == 401)
    try serve.stop()
  }

  @Test("keeps what it acknowledged, even if killed at that moment")
  func killed() throws {
    let scratch = try Scratch()
    let places = try Self.place(scratch)
    let state = ["--state", scratch.path("state")]
    var alerts = 0
    for visit in 0..<5 {
      let serve = try Self.start(
        state + ["--cooldown", "none", "--max-gap", "none"], places: places)
      let address = try serve.mapAddress()
      let body = [40.01, 40.0].enumerated()
        .map { Self.location($1, minute: 2 * visit + $0) + "\n" }.joined()
      let posted = try Curl.run(["--data-binary", body, "\(address)fixes?device=d"])
      #expect(posted.status == 200)
      serve.signal(SIGKILL)
      try serve.end()
      alerts += serve.lines.count { $0.contains("\"alert\"") }
    }
    let last = try Self.start(state + ["--cooldown", "none", "--max-gap", "none"], places: places)
    _ = try last.mapAddress()
    try last.wait("an alert is lost") { live in
      alerts + live.lines.count { $0.contains("\"alert\"") } >= 5
    }
    try last.stop()
  }

  @Test("reports the lines the session refused, and keeps what it accepted")
  func refusals() throws {
    let scratch = try Scratch()
    let state = ["--state", scratch.path("state")]
    var serve = try Self.start(state, places: try Self.place(scratch))
    var address = try serve.mapAddress()
    let body = [3, 4, 4, 1, 5].map { Self.location(40.01 + 0.001 * Double($0), minute: $0) }
      .joined(separator: "\n")
    let posted = try Curl.run(["--data-binary", body, "\(address)fixes?device=d"])
    #expect(posted.status == 200)
    #expect(
      posted.body.hasPrefix(
        #"{"accepted":3,"rejected":1,"held":1,"reasons":{"duplicate":1},"rejections":["#
          + #"{"line":3,"reason":"duplicate"}]"#))
    serve.signal(SIGKILL)
    try serve.end()
    serve = try Self.start(state, places: try Self.place(scratch))
    address = try serve.mapAddress()
    // What was accepted is known after a restart; the first of these comes behind it.
    let again = try Curl.run([
      "--data-binary", Self.location(40.015, minute: 5) + "\n" + Self.location(40.03, minute: 6),
      "\(address)fixes?device=d",
    ])
    #expect(again.body.hasPrefix(#"{"accepted":1,"rejected":1,"reasons":{"duplicate":1},"#))
    try serve.stop()
  }

  @Test(
    "keeps fixes while the store is locked, and answers that they are held",
    .enabled(if: Tool.has("sqlite3"), "sqlite3 is not installed"))
  func held() throws {
    let scratch = try Scratch()
    let store = scratch.path("store")
    try Command.run(["places", "import", try Self.place(scratch), "--store", store])
    let serve = try LiveProcess(
      nil, ["serve", "--store", store, "--listen", "127.0.0.1:0", "--events", "alert"])
    let address = try serve.mapAddress()
    let lock = try LiveProcess("sqlite3", [store])
    try lock.write(Data("BEGIN EXCLUSIVE; SELECT 'locked';\n".utf8))
    try lock.wait("no lock") { $0.outputText.contains("locked") }
    let body = [40.01, 40.0, 40.01].enumerated().map { Self.location($1, minute: $0) + "\n" }
    let posted = try Curl.run(["--data-binary", body.joined(), "\(address)fixes?device=d"])
    #expect(posted.status == 200)
    #expect(posted.body.hasPrefix(#"{"accepted":1,"rejected":0,"held":2,"#))
    let next = try Curl.run([
      "-d", Self.location(40.02, minute: 3), "\(address)fixes?device=d",
    ])
    #expect(next.body.hasPrefix(#"{"accepted":0,"rejected":0,"held":1,"#))
    try lock.write(Data("ROLLBACK;\n".utf8))
    try lock.closeInput()
    try lock.end()
    try serve.wait("no alert") { $0.outputText.contains("\"alert\"") }
    try serve.stop()
  }

  @Test("reports no success while it cannot save")
  func unsaved() throws {
    let scratch = try Scratch()
    // A limit to the size of files is what a full disk looks like to a program.
    let serve = try LiveProcess(
      "sh",
      [
        "-c",
        "ulimit -f 800; exec \"$0\" serve --places \"$1\" --listen 127.0.0.1:0 --state \"$2\"",
        Command.executable.path, try Self.place(scratch), scratch.path("state"),
      ])
    let address = try serve.mapAddress()
    let post = { (first: Int, count: Int) in
      let lines = (first..<first + count).map { Self.location(40, minute: $0) + "\n" }
      let file = try scratch.write("body", lines.joined())
      return try Curl.run(["--data-binary", "@\(file)", "\(address)fixes?device=d"])
    }
    #expect(try post(0, 10).status == 200)
    let full = try post(10, 20_000)
    #expect(full.status == 503)
    #expect(full.body.contains("the state cannot be saved"))
    try serve.wait("not said") { $0.errorText.contains("state file") }
  }

  @Test("explains once how to allow a refused host name")
  func refusedHost() throws {
    let serve = try Self.start()
    let address = try serve.mapAddress()
    for _ in 0..<3 {
      #expect(try Curl.run(["-H", "Host: map.example", "-d", "", "\(address)pub"]).status == 403)
    }
    try serve.wait("not said") { $0.errorText.contains("--allow-host map.example") }
    #expect(serve.errorText.components(separatedBy: "--allow-host").count == 2)
    let named = try Self.start(["--allow-host", "map.example"])
    let open = try named.mapAddress()
    #expect(try Curl.run(["-H", "Host: map.example", "-d", "", "\(open)pub"]).body == "[]")
    #expect(try Curl.run(["\(open)?id=4711&lat=40&lon=-75&timestamp=1772649000"]).status == 200)
  }

  @Test("says that a device's name is too long, of which its client hears nothing")
  func longName() throws {
    let serve = try Self.start()
    let name = String(repeating: "n", count: 300)
    _ = try Curl.run(["\(try serve.mapAddress())?id=\(name)&lat=40&lon=-75&timestamp=1772649000"])
    try serve.wait("not said") {
      $0.errorText.contains("the device's name must have 1 to 200 bytes")
    }
  }
}
