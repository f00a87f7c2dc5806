import Foundation
import TestSupport
import Testing

@Suite(
  "A message broker as a sink", .serialized, .enabled(if: Broker.isInstalled, Broker.isMissing))
struct BrokerSinkTests {
  private static let log = "drive.nmea"

  private static func start(_ broker: Broker, _ more: [String] = []) throws -> LiveProcess {
    try LiveProcess(
      nil,
      ["live", "-", "--places", LiveSample.places, "--mqtt", "\(broker.address)/story/alerts"]
        + more)
  }

  /// The payloads of a topic among a reader's lines.
  private static func payloads(_ topic: String, _ reader: LiveProcess) -> [String] {
    reader.lines.filter { $0.hasPrefix(topic + " ") }.map { String($0.dropFirst(topic.count + 1)) }
  }

  @Test("gets every alert, and hears when the program comes and goes")
  func alerts() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let reader = try broker.subscribe("story/#")
    let live = try Self.start(broker)
    try live.write(try LiveSample.track(Self.log))
    try live.finish()
    let expected = try LiveSample.replayed(try LiveSample.track(Self.log), ["--events", "alert"])
    try reader.wait("no farewell") { Self.payloads("story/alerts/status", $0).count >= 2 }
    #expect(Self.payloads("story/alerts", reader) == expected)
    #expect(Self.payloads("story/alerts/status", reader) == ["online", "offline"])
    // Nothing but the status is kept.
    let late = try broker.subscribe("story/#")
    #expect(Self.payloads("story/alerts/status", late) == ["offline"])
    #expect(Self.payloads("story/alerts", late) == [])
  }

  @Test("that another user serves is told its own password, never that of the source")
  func passwords() throws {
    let scratch = try Scratch()
    let users = try LiveProcess(
      "sh",
      [
        "-ec",
        "cd \"$0\"; mosquitto_passwd -c -b users anna one; mosquitto_passwd -b users "
          + "bob two; echo one > a; echo two > b",
        scratch.url.path,
      ])
    try #require(try users.end() == 0, "\(users.errorText)")
    let broker = try Broker(scratch, access: "password_file \(scratch.path("users"))")
    let arguments = [
      "live", "mqtt://anna@127.0.0.1:\(broker.port)", "--places", LiveSample.places, "--mqtt",
      "mqtt://bob@127.0.0.1:\(broker.port)/story/alerts", "--mqtt-password-file",
      scratch.path("a"),
    ]
    let refused = try Command.run(arguments)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--mqtt-sink-password-file"), "\(refused.errors)")

    let reader = try LiveProcess(
      "mosquitto_sub",
      broker.arguments + ["-u", "bob", "-P", "two", "-q", "1", "-v", "-t", "story/#"])
    let live = try LiveProcess(nil, arguments + ["--mqtt-sink-password-file", scratch.path("b")])
    try reader.wait("the sink is not connected") {
      Self.payloads("story/alerts/status", $0).contains("online")
    }
    try live.stop()
  }

  @Test("says that a killed program is offline, and keeps the last alert on request")
  func will() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let reader = try broker.subscribe("story/#")
    let live = try Self.start(broker, ["--mqtt-retain"])
    try live.write(try LiveSample.track(Self.log))
    let expected = try LiveSample.replayed(try LiveSample.track(Self.log), ["--events", "alert"])
    try reader.wait("no alerts") { Self.payloads("story/alerts", $0).count == expected.count }
    #expect(Self.payloads("story/alerts/status", reader) == ["online"])
    live.signal(SIGKILL)
    try live.end()
    try reader.wait("no last will") { Self.payloads("story/alerts/status", $0).last == "offline" }
    let late = try broker.subscribe("story/#")
    #expect(Self.payloads("story/alerts", late) == [try #require(expected.last)])
  }

  @Test("that is down gets what is owed when it is back, also after a restart")
  func owed() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    try broker.kill()
    let state = ["--state", scratch.path("state")]
    let bytes = try LiveSample.track(Self.log)
    let expected = try LiveSample.replayed(bytes, ["--events", "alert"])
    let first = try Self.start(broker, state)
    try first.write(bytes)
    try first.wait("not said") { $0.errorText.contains("connection refused; waiting for it") }
    try first.wait("no output") { $0.outputText.contains("\"alert\"") }
    try first.stop()
    #expect(first.errorText.contains("kept in the state file"), "\(first.errorText)")
    try broker.start()
    let reader = try broker.subscribe("story/#")
    let second = try Self.start(broker, state)
    try second.write(bytes.dropFirst(try LiveSample.consumedCount(scratch.path("state"))))
    try second.finish()
    try reader.wait("alerts are lost") { Self.payloads("story/alerts", $0).count >= expected.count }
    #expect(Self.payloads("story/alerts", reader) == expected)
  }

  @Test("tells Home Assistant where the alerts are, on request")
  func discovery() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let live = try Self.start(broker, ["--mqtt-discovery", "--mqtt-discovery-prefix", "ha"])
    let reader = try broker.subscribe("ha/#")
    try reader.wait("no messages") { $0.lines.filter { $0.hasPrefix("ha/") }.count >= 2 }
    try live.stop()
    for (component, members) in [
      ("sensor", ["state_topic": "story/alerts", "availability_topic": "story/alerts/status"]),
      ("device_automation", ["topic": "story/alerts", "automation_type": "trigger"]),
    ] {
      let line = try #require(reader.lines.first { $0.hasPrefix("ha/\(component)/fencepost") })
      let topic = line.prefix { $0 != " " }
      #expect(topic.hasSuffix("/alert/config"))
      let object = try JSONSerialization.jsonObject(with: Data(line.dropFirst(topic.count).utf8))
      let found = try #require(object as? [String: Any])
      for (name, value) in members { #expect(found[name] as? String == value) }
      let device = try #require(found["device"] as? [String: Any])
      #expect((device["identifiers"] as? [String])?.count == 1)
    }
  }
}
