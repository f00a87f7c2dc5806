import Foundation
import TestSupport
import Testing

/// A mosquitto of a test's own, which keeps queued messages over a kill.
final class Broker {
  /// The programs that it takes.
  static var isInstalled: Bool { Tool.has("mosquitto", "mosquitto_pub", "mosquitto_sub") }
  static let isMissing: Comment = "mosquitto and mosquitto-clients are not installed"

  let port: Int
  private let configuration: String
  private let database: String
  private var process: LiveProcess?

  /// Starts a broker.
  ///
  /// - Parameters:
  ///   - scratch: Where its files are.
  ///   - access: Lines of its configuration that say who may connect, and how.
  /// - Throws: If it does not start.
  init(_ scratch: Scratch, access: String = "allow_anonymous true") throws {
    port = try Tool.holdPort()
    database = scratch.path("mosquitto.db")
    // A broker that is started by root becomes another user, who could not write into the folder.
    configuration = try scratch.write(
      "broker.conf",
      """
      user root
      listener \(port) 127.0.0.1
      \(access)
      persistence true
      persistence_location \(scratch.url.path)/
      autosave_on_changes true
      autosave_interval 1
      max_queued_messages 0

      """)
    try start()
  }

  /// Starts it again.
  func start() throws {
    let process = try LiveProcess("mosquitto", ["-c", configuration])
    try process.wait("no broker") { $0.errorText.contains(" running") }
    self.process = process
  }

  /// Kills it, once it has saved what was published before.
  func kill() throws {
    let mark = UUID().uuidString
    try publish([mark], to: "mark", ["-r"])
    try process?.wait("the broker does not save") { _ in
      let saved = try? Data(contentsOf: URL(fileURLWithPath: database))
      return saved?.range(of: Data(mark.utf8)) != nil
    }
    process?.signal(SIGKILL)
    try process?.end()
    process = nil
  }

  /// What it has logged since it was started.
  var log: String { process?.errorText ?? "" }
  var address: String { "mqtt://127.0.0.1:\(port)" }
  var arguments: [String] { ["-h", "127.0.0.1", "-p", "\(port)"] }

  /// Publishes messages in order; the broker has them when this returns.
  func publish(_ payloads: [String], to topic: String, _ more: [String] = []) throws {
    let publisher = try LiveProcess(
      "mosquitto_pub", arguments + ["-q", "1", "-l", "-t", topic] + more)
    try publisher.write(Data(payloads.map { $0 + "\n" }.joined().utf8))
    try publisher.closeInput()
    try #require(try publisher.end() == 0, "\(publisher.errorText)")
  }

  /// Starts a reader of topics, whose lines are topic and payload.
  func subscribe(_ topic: String, _ more: [String] = []) throws -> LiveProcess {
    let reader = try LiveProcess(
      "mosquitto_sub", arguments + ["-q", "1", "-t", topic, "-t", "ready", "-F", "%t %p"] + more)
    try reader.wait("no subscription") {
      try publish(["ready"], to: "ready", more)
      return $0.outputText.contains("ready")
    }
    return reader
  }
}
