import Foundation
import TestSupport
import Testing

/// The texts of places as sinks receive them.
@Suite("A sink gets every text completely")
struct LiveSinkTextTests {
  /// A walk into the circle of a place with these texts.
  private static func start(
    _ scratch: Scratch, title: String, blurb: String = "", _ more: [String],
    environment: [String: String] = [:]
  ) throws -> LiveProcess {
    let feature: [String: Any] = [
      "type": "Feature",
      "geometry": ["type": "Point", "coordinates": [-75, 40]],
      "properties": ["id": "a", "title": title, "radius": 50, "blurb": blurb],
    ]
    let places = scratch.url.appendingPathComponent("places.geojson")
    try JSONSerialization.data(
      withJSONObject: ["type": "FeatureCollection", "features": [feature]]
    ).write(to: places)
    let live = try LiveProcess(
      nil, ["live", "-", "--places", places.path, "--events", "alert"] + more,
      environment: environment)
    try live.write(LiveSinkTests.visits(1))
    try live.closeInput()
    return live
  }

  private static let odd = "two\nlines\t\"quoted\" $HOME `id` é 猫 \u{1F512}"

  @Test("that is a program: line ends, quotes, all letters; a zero byte is left out")
  func program() throws {
    let scratch = try Scratch()
    let hook = try scratch.writeProgram(
      "hook", "#!/bin/sh\ncat > \"$1\"\nprintf '%s' \"$FENCEPOST_TITLE\" > \"$2\"\n")
    let live = try Self.start(
      scratch, title: Self.odd + "\0end",
      ["--exec", "\(hook) \(scratch.path("json")) \(scratch.path("title"))"])
    #expect(try live.end() == 0)
    #expect(try scratch.text("title") == Self.odd + "end")
    #expect(try scratch.text("json") == live.outputText)
  }

  @Test("that is a program: text too long for a variable comes as JSON")
  func longText() throws {
    let scratch = try Scratch()
    let hook = try scratch.writeProgram(
      "hook", "#!/bin/sh\ncat > \"$1\"\nprintf '%s' \"$FENCEPOST_BLURB\" > \"$2\"\n")
    let blurb = String(repeating: "é", count: 300_000)
    let live = try Self.start(
      scratch, title: "T", blurb: blurb,
      ["--exec", "\(hook) \(scratch.path("json")) \(scratch.path("blurb"))"])
    #expect(try live.end() == 0)
    #expect(live.errorText.isEmpty)
    let short = try scratch.text("blurb")
    #expect(short.hasSuffix("é…") && short.utf8.count < 100_000)
    #expect(try scratch.text("json") == live.outputText)
  }

  @Test(
    "that is an address: unchanged in the body and the address",
    .enabled(if: Tool.has("curl"), "curl is not installed"))
  func webhook() throws {
    let server = try HookServer { _ in 200 }
    defer { server.stop() }
    let scratch = try Scratch()
    let live = try Self.start(
      scratch, title: Self.odd,
      ["--webhook", "http://127.0.0.1:\(server.port)/a{b,c}?filter[0-9]=%22x%22"])
    #expect(try live.end() == 0)
    #expect(server.requests.map { $0.body.trimmingCharacters(in: .newlines) } == live.lines)
    #expect(server.requests.first?.head.contains("/a{b,c}?filter[0-9]=%22x%22 ") == true)
  }

  @Test(
    "that is an address: of any length",
    .enabled(if: Tool.has("curl"), "curl is not installed"))
  func longBody() throws {
    let server = try HookServer { _ in 200 }
    defer { server.stop() }
    let scratch = try Scratch()
    let live = try Self.start(
      scratch, title: "T", blurb: String(repeating: "é", count: 300_000),
      ["--webhook", server.url])
    #expect(try live.end() == 0)
    #expect(live.errorText.isEmpty)
    #expect(server.requests.map { $0.body.trimmingCharacters(in: .newlines) } == live.lines)
  }

  @Test(
    "that is a desktop: over the session bus to the notification service",
    .enabled(
      if: Tool.has("notify-send", "dbus-run-session"),
      "libnotify-bin and dbus-daemon are not installed"),
    .enabled(if: NotificationDaemon.canRun, "python3-gi is not installed"))
  func desktop() throws {
    let scratch = try Scratch()
    let daemon = try NotificationDaemon(scratch)
    let live = try Self.start(
      scratch, title: "A <b>\"place\"</b> & -more", blurb: "Tom & <Jerry>\nnext", ["--notify"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": daemon.address])
    #expect(try live.end() == 0)
    #expect(live.errorText.isEmpty)
    try daemon.wait("no notification") { !$0.isEmpty }
    #expect(
      daemon.notifications == [
        [
          "fencepost", "A <b>\"place\"</b> & -more",
          "Tom &amp; &lt;Jerry&gt;\nnext",
        ]
      ])
  }

  @Test(
    "that is a missing desktop is reported, and delays nothing",
    .enabled(if: Tool.has("notify-send"), "libnotify-bin is not installed"))
  func noDesktop() throws {
    let scratch = try Scratch()
    let live = try Self.start(
      scratch, title: "T", ["--notify"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.path("nothing"))"])
    #expect(try live.end() == 74)
    #expect(live.lines.count == 1)
    #expect(live.errorText.contains("notify: notify-send ended with status"))
    #expect(live.errorText.contains("notify: 1 failed"))
  }
}

/// A private session bus with a program that prints notifications.
private final class NotificationDaemon {
  private static let python = "/usr/bin/python3"
  private static let script = """
    import json, os
    from gi.repository import Gio, GLib
    NAME = 'org.freedesktop.Notifications'
    METHODS = '''<node><interface name="org.freedesktop.Notifications">
      <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/>
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
        <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
        <arg type="i" direction="in"/><arg type="u" direction="out"/></method>
      <method name="GetServerInformation"><arg type="s" direction="out"/>
        <arg type="s" direction="out"/><arg type="s" direction="out"/>
        <arg type="s" direction="out"/></method>
      <method name="GetCapabilities"><arg type="as" direction="out"/></method>
    </interface></node>'''
    def answer(connection, sender, path, interface, method, parameters, invocation):
        if method == 'Notify':
            app, _, _, title, body, _, _, _ = parameters.unpack()
            print(json.dumps([app, title, body]), flush=True)
            invocation.return_value(GLib.Variant('(u)', (1,)))
        elif method == 'GetServerInformation':
            invocation.return_value(GLib.Variant('(ssss)', ('test', 'test', '1', '1.2')))
        else:
            invocation.return_value(GLib.Variant('(as)', (['body', 'body-markup'],)))
    def acquired(connection, name):
        methods = Gio.DBusNodeInfo.new_for_xml(METHODS).interfaces[0]
        connection.register_object('/org/freedesktop/Notifications', methods, answer, None, None)
    def owned(connection, name):
        print(os.environ['DBUS_SESSION_BUS_ADDRESS'], flush=True)
    Gio.bus_own_name(Gio.BusType.SESSION, NAME, 0, acquired, owned, None)
    GLib.MainLoop().run()
    """

  static let canRun: Bool = {
    let trial = try? LiveProcess(python, ["-c", "from gi.repository import Gio"])
    return (try? trial?.end()) == 0
  }()

  let address: String
  private let process: LiveProcess

  init(_ scratch: Scratch) throws {
    let script = try scratch.write("daemon.py", Self.script)
    process = try LiveProcess("dbus-run-session", ["--", Self.python, script])
    try process.wait("no bus") { $0.outputText.contains("\n") }
    address = String(process.lines[0])
  }

  deinit {
    // The bus ends with the program it was started for.
    for child in (try? process.children()) ?? [] { kill(child, SIGTERM) }
    _ = try? process.end()
  }

  /// The notifications so far: program, title and body.
  var notifications: [[String]] {
    process.lines.dropFirst().compactMap {
      try? JSONDecoder().decode([String].self, from: Data($0.utf8))
    }
  }

  func wait(_ what: String, until condition: ([[String]]) -> Bool) throws {
    try process.wait(what) { _ in condition(notifications) }
  }
}
