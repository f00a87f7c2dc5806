import Foundation
import TestSupport
import Testing

@Suite(
  "A session at a message broker", .serialized, .enabled(if: Broker.isInstalled, Broker.isMissing))
struct BrokerSessionTests {
  private static func start(_ broker: Broker, _ more: [String]) throws -> LiveProcess {
    let live = try LiveProcess(
      nil, ["live", "\(broker.address)/owntracks/#", "--places", LiveSample.places] + more)
    try live.wait("not connected") { $0.errorText.contains(": connected") }
    return live
  }

  private static func end(_ live: LiveProcess) throws {
    try live.stop()
  }

  /// What waits at the broker for a client; asking ends the wait, but not the session.
  private static func waiting(for client: String, _ broker: Broker) throws -> [String] {
    let reader = try LiveProcess(
      "mosquitto_sub", broker.arguments + ["-q", "1", "-i", client, "-c", "-t", "mark"])
    // What has waited comes before what is published now.
    try reader.wait("no mark") {
      try broker.publish(["mark"], to: "mark", ["-q", "0"])
      return $0.lines.contains("mark")
    }
    reader.signal(SIGTERM)
    try reader.end()
    return reader.lines.filter { $0 != "mark" }
  }

  private static let ride = ["one", "two", "three"]

  @Test("is kept with a state alone, and removed as the guide says")
  func kept() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    for (state, kept) in [([], []), (["--state", scratch.path("state")], Self.ride)]
      as [([String], [String])]
    {
      try Self.end(try Self.start(broker, ["--mqtt-client-id", "walker"] + state))
      try broker.publish(Self.ride, to: "owntracks/anna/phone")
      #expect(try Self.waiting(for: "walker", broker) == kept)
    }
    let remover = try LiveProcess(
      "mosquitto_sub", broker.arguments + ["-i", "walker", "-t", "none", "-E"])
    #expect(try remover.end() == 0, "\(remover.errorText)")
    try broker.publish(Self.ride, to: "owntracks/anna/phone")
    #expect(try Self.waiting(for: "walker", broker) == [])
  }

  @Test("has its name said at the start, the same each time")
  func name() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let names = try (0..<2).map { _ in
      let live = try Self.start(broker, ["--state", scratch.path("state")])
      try Self.end(live)
      let name = live.errorText.firstMatch(
        of:
          /connected as (fencepost[0-9a-z]+); the broker keeps messages while this session is away/
      )
      return String(try #require(name, "\(live.errorText)").1)
    }
    #expect(names[0] == names[1])
    try broker.publish(Self.ride, to: "owntracks/anna/phone")
    #expect(try Self.waiting(for: names[0], broker) == Self.ride)
  }

  @Test("is not needed: two programs without a state follow the same topics side by side")
  func sideBySide() throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let lives = try (0..<2).map { _ in try Self.start(broker, ["--events", "alert"]) }
    let messages = String(decoding: try LiveSample.track("ride.owntracks.jsonl"), as: UTF8.self)
    try broker.publish(
      messages.split(separator: "\n").map(String.init), to: "owntracks/anna/phone")
    for live in lives {
      try live.wait("no alerts") { $0.lines.count >= 25 }
      try Self.end(live)
      // Besides the entries that 20 circles miss.
      let said = live.errorText.split(separator: "\n").filter { !$0.contains("To miss none") }
      #expect(said.count == 1, "\(live.errorText)")
    }
    #expect(lives[0].lines == lives[1].lines)
  }

  @Test("that the broker forgets is said, and so is a loss without one", arguments: [true, false])
  func forgotten(hasState: Bool) throws {
    let scratch = try Scratch()
    let broker = try Broker(scratch)
    let live = try Self.start(
      broker, hasState ? ["--state", scratch.path("state"), "--mqtt-client-id", "walker"] : [])
    try broker.kill()
    try live.wait("the loss is not said") { $0.errorText.contains("waiting for it") }
    try scratch.remove("mosquitto.db")
    try broker.start()
    let words =
      hasState
      ? "messages sent in between are lost; the broker has forgotten walker"
      : "messages sent in between are lost; with --state the broker keeps them"
    try live.wait("not said") { $0.errorText.contains(words) }
    try Self.end(live)
  }
}
