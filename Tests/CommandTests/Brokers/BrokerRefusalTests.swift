import Foundation
import TestSupport
import Testing

@Suite(
  "A message broker that refuses", .serialized, .enabled(if: Broker.isInstalled, Broker.isMissing),
  .enabled(if: Tool.has("openssl"), "openssl is not installed"))
struct BrokerRefusalTests {
  private static func follow(_ address: String, _ more: [String]) throws -> Command.Result {
    try Command.run(["live", address, "--places", LiveSample.places] + more)
  }

  /// Expects an end in one sentence that says what to do.
  private static func expect(_ words: String, _ address: String, _ more: [String] = []) throws {
    let result = try follow(address, more)
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(!result.errors.contains("waiting for it") && !result.errors.contains("s3cret"))
  }

  @Test("a user ends the session with what is wrong: no name, no password, the wrong one")
  func login() throws {
    let scratch = try Scratch()
    try Credentials.make(scratch)
    let broker = try Broker(scratch, access: "password_file \(scratch.path("users"))")
    let place = "127.0.0.1:\(broker.port)"
    let wrong = ["--mqtt-password-file", try scratch.write("wrong", "other\n")]
    try Self.expect("it requires a user name and a password", "mqtt://\(place)")
    try Self.expect(
      "(mqtt://USER@HOST) and the password in a file for --mqtt-password-file", "mqtt://\(place)")
    try Self.expect(
      "it requires a password for “anna”; put it in a file for --mqtt-password-file",
      "mqtt://anna@\(place)")
    try Self.expect(
      "it does not let “anna” in; the name or password is wrong", "mqtt://anna@\(place)", wrong)
  }

  @Test("a certificate, or has one that is not right, ends the session with what is wrong")
  func certificates() throws {
    let scratch = try Scratch()
    try Credentials.make(scratch)
    let path = { (name: String) in scratch.path(name) }
    let trusted = ["--mqtt-ca", path("ca.pem")]
    let broker = try Broker(scratch, access: "allow_anonymous true\n" + Credentials.lines(scratch))
    let address = "mqtts://127.0.0.1:\(broker.port)"
    try Self.expect("does not know; to trust others, use --mqtt-ca", address)
    try Self.expect(
      "no authority in \(path("client.pem")) signed it", address, ["--mqtt-ca", path("client.pem")])
    try Self.expect(
      "\(path("password")) has no PEM certificates", address, ["--mqtt-ca", path("password")])
    try Self.expect(
      "\(path("server.key")) is not a PEM key, or not the key of the certificate in \(path("client.pem"))",
      address,
      trusted + ["--mqtt-cert", path("client.pem"), "--mqtt-key", path("server.key")])
    try Self.expect(
      "\(path("users")) has no PEM certificate", address,
      trusted + ["--mqtt-cert", path("users"), "--mqtt-key", path("client.key")])

    let others = try Scratch()
    let other = try Broker(
      others, access: "allow_anonymous true\n" + Credentials.lines(scratch, "other"))
    try Self.expect(
      "its certificate is not for “127.0.0.1”", "mqtts://127.0.0.1:\(other.port)",
      trusted)
    let stricts = try Scratch()
    let strict = try Broker(
      stricts,
      access: "allow_anonymous true\nrequire_certificate true\n" + Credentials.lines(scratch))
    try Self.expect(
      "it requires a certificate; use --mqtt-cert and --mqtt-key",
      "mqtts://127.0.0.1:\(strict.port)", trusted)
  }

  @Test("the encryption is waited for, since it may be starting, with a hint at the other scheme")
  func encryption() throws {
    let scratch = try Scratch()
    try Credentials.make(scratch)
    let plains = try Scratch()
    let plain = try Broker(plains)
    let secured = try Broker(
      scratch, access: "allow_anonymous true\n" + Credentials.lines(scratch))
    for (address, more, words) in [
      (
        "mqtt://127.0.0.1:\(secured.port)", [],
        "it closed the connection without an answer; if port \(secured.port) is encrypted, use mqtts://"
      ),
      (
        "mqtts://127.0.0.1:\(plain.port)", ["--mqtt-ca", scratch.path("ca.pem")],
        "it closed the connection before encryption began; if port \(plain.port) is not encrypted, use mqtt://"
      ),
      ("mqtt://no-such-host.invalid", [], "no such host: “no-such-host.invalid”"),
    ] as [(String, [String], String)] {
      let live = try LiveProcess(nil, ["live", address, "--places", LiveSample.places] + more)
      try live.wait("not said") { $0.errorText.contains("; waiting for it") }
      #expect(live.errorText.contains(words), "\(live.errorText)")
      try live.stop()
      #expect(live.errorText.split(separator: "\n").count == 1, "\(live.errorText)")
    }
  }

  @Test("to speak MQTT ends the session")
  func otherProtocol() throws {
    let page = String(repeating: "<p>no page</p>\r\n", count: 20)
    let server = try TalkServer(greeting: "HTTP/1.1 400 Bad Request\r\n\r\n" + page)
    defer { server.stop() }
    try Self.expect(
      "does not speak MQTT; the usual ports are 1883", "mqtt://127.0.0.1:\(server.port)")
  }

  @Test("alerts is tried again, and said once")
  func sink() throws {
    let scratch = try Scratch()
    try Credentials.make(scratch)
    let broker = try Broker(scratch, access: "password_file \(scratch.path("users"))")
    let live = try LiveProcess(
      nil,
      [
        "live", "-", "--places", LiveSample.places, "--mqtt",
        "mqtt://anna@127.0.0.1:\(broker.port)/story/alerts",
      ])
    let words = "it requires a password for “anna”; put it in a file for --mqtt-password-file"
    try live.wait("not said") {
      $0.errorText.contains("\(words); trying again until that changes")
    }
    try live.wait("no second attempt") { _ in
      broker.log.components(separatedBy: "not authorised").count > 2
    }
    try live.stop()
    #expect(live.errorText.components(separatedBy: words).count == 2, "\(live.errorText)")
  }
}
