import Foundation
import TestSupport
import Testing

@Suite(
  "A message broker as a source", .serialized, .enabled(if: Broker.isInstalled, Broker.isMissing))
struct BrokerSourceTests {
  private static let events = ["--events", "alert,suppressed,enter,exit,refresh", "--track", "t"]

  /// The messages of the sample ride.
  private static func ride() throws -> [String] {
    String(decoding: try LiveSample.track("ride.owntracks.jsonl"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The lines of the ride's events, of the device that its topic names.
  private static func expected() throws -> [String] {
    try LiveSample.replayed(
      try LiveSample.track("ride.owntracks.jsonl"), Array(events.prefix(2))
    ).map {
      $0.replacing("\"track\":\"stdin\",", with: "\"track\":\"t\",\"device\":\"anna/phone\",")
    }
  }

  private static func start(
    _ broker: Broker, _ more: [String] = [], places: String = LiveSample.places
  ) throws -> LiveProcess {
    let live = try LiveProcess(
      nil, ["live", "\(broker.address)/owntracks/#", "--places", places] + more)
    try live.wait("not connected") { $0.errorText.contains(": connected") }
    return live
  }

  @Test("gives the lines of a replay, for the device that the topic names")
  func identity() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let live = try Self.start(broker, Self.events)
    try broker.publish(try Self.ride(), to: "owntracks/anna/phone")
    let expected = try Self.expected()
    try live.wait("events are missing") { $0.lines.count >= expected.count }
    try live.stop()
    #expect(live.lines == expected)
  }

  @Test("loses nothing when the session is killed at any of 60 moments")
  func killed() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let arguments = Self.events + ["--state", scratch.path("state")]
    let (messages, expected) = (try Self.ride(), try Self.expected())
    var random = SplitMix64(seed: 60)
    var lives = [try Self.start(broker, arguments)]
    var count = 0
    for life in 1...60 {
      let end = messages.count * life / 60
      // Some are killed before they are connected, others while messages come.
      if Bool.random(using: &random) {
        try lives[life - 1].wait("not connected") { $0.errorText.contains(": connected") }
      }
      try broker.publish(Array(messages[count..<end]), to: "owntracks/anna/phone")
      count = end
      lives[life - 1].signal(SIGKILL)
      try lives[life - 1].end()
      lives.append(
        try LiveProcess(
          nil, ["live", "\(broker.address)/owntracks/#", "--places", LiveSample.places] + arguments)
      )
    }
    try lives[60].wait("events are lost") { _ in
      Set(lives.flatMap(\.lines)).isSuperset(of: expected)
    }
    try lives[60].stop()
    #expect(Set(lives.flatMap(\.lines)) == Set(expected))
    // Only what was on its way out at a kill comes again.
    for (one, next) in zip(lives, lives.dropFirst()) {
      let repeated = Set(one.lines).intersection(next.lines)
      #expect(repeated.isSubset(of: one.lines.suffix(3)))
    }
    let total = lives.reduce(0) { $0 + $1.lines.count }
    #expect(total <= expected.count + 30, "\(total) of \(expected.count)")
  }

  @Test("is waited for when it is killed, and what it has kept comes then")
  func brokerKilled() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let live = try Self.start(broker, Self.events + ["--state", scratch.path("state")])
    let (messages, expected) = (try Self.ride(), try Self.expected())
    for (part, start) in stride(from: 0, to: 217, by: 31).enumerated() {
      try broker.publish(Array(messages[start..<start + 31]), to: "owntracks/anna/phone")
      guard part % 2 == 0 else { continue }
      try broker.kill()
      try live.wait("the loss is not said") { $0.errorText.contains("waiting for it") }
      try broker.start()
    }
    try live.wait("events are lost") { Set($0.lines).isSuperset(of: expected) }
    try live.stop()
    #expect(live.lines == expected)
    // Each loss is said once, however often the broker is tried.
    #expect(live.errorText.components(separatedBy: "waiting for it").count - 1 <= 4)
  }

  @Test("makes the service ready only while it is connected, as a source and as a sink")
  func readiness() throws {
    let (scratch, other) = (try Scratch(), try Scratch())
    let (source, sink) = (try Broker(scratch), try Broker(other))
    let live = try Self.start(
      source, ["--mqtt", "\(sink.address)/alerts", "--map", "127.0.0.1:0"])
    let address = try live.mapAddress()
    func becomes(_ status: Int, _ body: String) throws {
      try live.wait("not \(body)") { _ in
        try Curl.run(["\(address)readyz"]) == (status, body + "\n")
      }
    }
    try becomes(200, "ready")
    let sinkFault = "\(sink.address)/alerts is not connected"
    try sink.kill()
    try becomes(503, sinkFault)
    try source.kill()
    try becomes(503, "\(source.address)/owntracks/# is not connected; \(sinkFault)")
    try source.start()
    try sink.start()
    try becomes(200, "ready")
    let metrics = try Curl.run(["\(address)metrics"]).body
    #expect(metrics.contains("fencepost_fixes_waiting 0\n"))
  }

  @Test("keeps what comes while the session is away")
  func away() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let arguments = Self.events + ["--state", scratch.path("state")]
    let (messages, expected) = (try Self.ride(), try Self.expected())
    let first = try Self.start(broker, arguments)
    try broker.publish(Array(messages.prefix(100)), to: "owntracks/anna/phone")
    try first.wait("nothing came") { !$0.lines.isEmpty }
    try first.stop()
    try broker.publish(Array(messages.dropFirst(100)), to: "owntracks/anna/phone")
    try broker.kill()
    try broker.start()
    let second = try Self.start(broker, arguments)
    try second.wait("events are lost") { first.lines.count + $0.lines.count >= expected.count }
    try second.stop()
    #expect(first.lines + second.lines == expected)
  }

  @Test("goes on behind a message that is made to be slow to read, also after a kill")
  func poisoned() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let arguments = Self.events + ["--state", scratch.path("state")]
    let expected = try Self.expected()
    let killed = try Self.start(broker, arguments)
    killed.signal(SIGKILL)
    try killed.end()
    let attributes = (0..<200_000).map { " a\($0)='1'" }.joined()
    try broker.publish(["<gpx\(attributes)/>"], to: "owntracks/eve/phone")
    try broker.publish(try Self.ride(), to: "owntracks/anna/phone")
    let live = try Self.start(broker, arguments)
    try live.wait("what comes behind it is missing") { $0.lines.count >= expected.count }
    try live.stop()
    #expect(live.lines == expected)
    #expect(live.errorText.components(separatedBy: "more than 1000 attributes").count == 2)
    let next = try Self.start(broker, arguments)
    try broker.publish(["[[["], to: "owntracks/eve/phone")
    try next.wait("cut JSON is not named") { $0.errorText.contains("is cut off") }
    #expect(!next.errorText.contains("attributes"), "it was not acknowledged")
    next.signal(SIGTERM)
    try next.end()
  }

  @Test("names another session that throws this one out with the same client id")
  func rivals() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let lives = try ["one", "two"].map {
      try Self.start(broker, ["--state", scratch.path($0), "--mqtt-client-id", "twin"])
    }
    try lives[0].wait("the other is not named") { _ in
      lives.contains { $0.errorText.contains("another session may be using the client id “twin”") }
    }
    for live in lives {
      live.signal(SIGTERM)
      try live.end()
    }
  }

  @Test("keeps what the session could not save")
  func unsaved() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let state = scratch.path("state")
    // A limit to the size of files is what a full disk looks like to a program.
    let live = try LiveProcess(
      "sh",
      [
        "-c",
        "ulimit -f 100; exec \"$0\" live \"$1/owntracks/#\" --places \"$2\" --state \"$3\"",
        Command.executable.path, broker.address, LiveSample.places, state,
      ])
    try live.wait("not connected") { $0.errorText.contains(": connected") }
    let messages = try Self.ride()
    try broker.publish(messages, to: "owntracks/anna/phone")
    try live.wait("nothing failed") { $0.errorText.contains("a message could not be saved") }
    live.signal(SIGKILL)
    try live.end()
    let next = try Self.start(broker, Self.events + ["--state", state])
    // The refresh at a far fix tells how many came before it.
    let far = #"{"_type":"location","lat":41,"lon":-75,"tst":1772654760}"#
    try broker.publish([far], to: "owntracks/anna/phone")
    let count = messages.count { $0.contains(#""_type":"location""#) }
    try next.wait("messages are lost") { $0.outputText.contains("\"fix\":\(count),") }
    try next.stop()
  }

  @Test("is followed past what is no fix, and past what nobody can use")
  func otherMessages() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let places = try scratch.write("places.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let live = try Self.start(broker, ["--events", "alert"], places: places)
    let visit = { (latitude: Double, minute: Int) in
      #"{"_type":"location","lat":\#(latitude),"lon":-75,"tst":\#(1_772_649_000 + 60 * minute)}"#
    }
    try broker.publish([#"{"_type":"lwt","tst":1}"#, visit(95, 0)], to: "owntracks/b/car")
    try broker.publish([#"{"_type":"encrypted","data":"AAAA"}"#], to: "owntracks/b/car")
    try broker.publish(["no JSON"], to: "owntracks/c/car")
    try broker.publish([visit(40.01, 1), visit(40, 2)], to: "owntracks/b/car")
    try live.wait("no alert") { $0.outputText.contains(#""device":"b/car""#) }
    try live.stop()
    for words in ["coordinate: 95.0,-75.0", "use TLS", "from MQTT: malformed"] {
      #expect(live.errorText.contains(words), "\(words): \(live.errorText)")
    }
  }

  @Test("lets in who knows the password, and shows who it is", .enabled(if: Tool.has("openssl")))
  func security() throws {
    let scratch = try Scratch()
    try Credentials.make(scratch)
    let path = { (name: String) in scratch.path(name) }
    let broker = try Broker(
      scratch,
      access: """
        cafile \(path("ca.pem"))
        certfile \(path("server.pem"))
        keyfile \(path("server.key"))
        require_certificate true
        password_file \(path("users"))
        """)
    let address = "mqtts://anna@127.0.0.1:\(broker.port)/owntracks/#"
    let common = ["live", address, "--places", LiveSample.places] + Self.events
    let client = [
      "--mqtt-ca", path("ca.pem"), "--mqtt-cert", path("client.pem"), "--mqtt-key",
      path("client.key"),
    ]
    for (arguments, words) in [
      (["--mqtt-password-file", path("password")], "its certificate is not trusted"),
      (client, "it requires a password for “anna”"),
    ] {
      let refused = try Command.run(common + arguments)
      #expect(refused.status == 66)
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    let live = try LiveProcess(nil, common + client + ["--mqtt-password-file", path("password")])
    try live.wait("not connected") { $0.errorText.contains(": connected") }
    let variable = try LiveProcess(
      nil, common + client + ["--mqtt-client-id", "other"],
      environment: ["FENCEPOST_MQTT_PASSWORD": "s3cret"])
    try variable.wait("not connected") { $0.errorText.contains(": connected") }
    try broker.publish(
      try Self.ride(), to: "owntracks/anna/phone",
      [
        "--cafile", path("ca.pem"), "--cert", path("client.pem"), "--key", path("client.key"), "-u",
        "anna", "-P", "s3cret",
      ])
    let expected = try Self.expected()
    for process in [live, variable] {
      try process.wait("events are missing") { $0.lines.count >= expected.count }
      try process.stop()
      #expect(process.lines == expected)
      #expect(!process.errorText.contains("s3cret"))
    }
  }

  @Test("can be a pipe from mosquitto_sub", arguments: ["%J", "%j"])
  func pipe(form: String) throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let reader = try LiveProcess(
      "mosquitto_sub",
      broker.arguments + ["-q", "1", "-t", "owntracks/#", "-F", form, "-i", "reader", "-c"])
    // A message that comes back proves the subscription.
    try reader.wait("no subscription") {
      try broker.publish(["{}"], to: "owntracks/anna/phone")
      return $0.outputText.contains("owntracks")
    }
    let messages = try Self.ride()
    try broker.publish(messages, to: "owntracks/anna/phone")
    let last = String(try #require(messages.last).suffix(20)).replacing("\"", with: "")
    try reader.wait("messages are missing") {
      $0.outputText.replacing("\\", with: "").replacing("\"", with: "").contains(last)
    }
    let live = try LiveProcess(
      nil,
      ["live", "-", "--device-field", "topic", "--places", LiveSample.places] + Self.events)
    try live.write(Data(reader.outputText.utf8))
    try live.closeInput()
    _ = try live.end()
    #expect(live.lines == (try Self.expected()))
  }
}
