import Foundation
import Synchronization
import Testing

/// A real headless Chromium, driven through the pipe of its debugging protocol.
///
/// Each has a profile of its own and is ended with the test.
final class Chromium: BrowserEngine {
  /// Where Debian's package `chromium` puts it.
  static let path = "/usr/bin/chromium"

  private let scratch: Scratch
  private let process: pid_t
  private let writing: Int32
  private let reading: Int32
  private var buffer: [UInt8] = []
  private var lastID = 0
  private var session = ""
  /// What the page's console said that is an error or a warning, and errors of its scripts.
  private(set) var complaints: [String] = []

  /// How often a page asked whether it may be left.
  private var leavingQuestions = 0

  /// Starts a browser with an empty page.
  init(width: Int, height: Int) throws {
    scratch = try Scratch()
    (process, writing, reading) = try Self.spawn(
      [
        Chromium.path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
        "--user-data-dir=\(scratch.path("profile"))", "--window-size=\(width),\(height)",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "about:blank",
      ], log: scratch.path("log"))
    let targets = try call("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
    let page = try #require(targets.first { $0["type"] as? String == "page" })
    let attached = try call(
      "Target.attachToTarget", ["targetId": page["targetId"] ?? "", "flatten": true])
    session = try #require(attached["sessionId"] as? String)
    for domain in ["Page", "Runtime", "Log", "Network"] { _ = try call("\(domain).enable") }
    try resize(width: width, height: height, isPhone: false)
  }

  deinit {
    close(writing)
    close(reading)
    kill(-process, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<200 {
      if unsafe waitpid(process, &status, WNOHANG) == process { break }
      usleep(10_000)
    }
    // It leads a group of its own, which holds nothing but it and its helpers.
    kill(-process, SIGKILL)
    _ = unsafe waitpid(process, &status, 0)
  }

  func open(_ address: String) throws {
    let result = try call("Page.navigate", ["url": address])
    try #require(result["errorText"] == nil, "\(result)")
  }

  func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let failure = answer["exceptionDetails"] as? [String: Any] {
      throw Browser.TimeOut(description: "\(expression): \(failure)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  func resize(width: Int, height: Int, isPhone: Bool) throws {
    _ = try call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": width, "height": height, "deviceScaleFactor": isPhone ? 2 : 1, "mobile": isPhone,
      ])
  }

  func picture() throws -> String {
    try #require(try call("Page.captureScreenshot", ["format": "png"])["data"] as? String)
  }

  /// Waits until a page asks whether it may be left.
  func waitForLeavingQuestion(seconds: Double) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while leavingQuestions == 0 {
      guard Date() < end else { throw Browser.TimeOut(description: "the page does not ask") }
      if let message = try nextMessage() { note(message) }
    }
  }

  // MARK: The protocol

  /// Calls a method of the protocol and waits for its answer.
  @discardableResult
  func call(
    _ method: String, _ parameters: [String: Any] = [:], seconds: Double = 60
  ) throws -> [String: Any] {
    lastID += 1
    let id = lastID
    var message: [String: Any] = ["id": id, "method": method, "params": parameters]
    if !session.isEmpty { message["sessionId"] = session }
    var bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
    while !bytes.isEmpty {
      let count = unsafe write(writing, bytes, bytes.count)
      try #require(count > 0, "the browser has ended: \(log)")
      bytes.removeFirst(count)
    }
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      guard let answer = try nextMessage() else { continue }
      if answer["id"] as? Int == id {
        if let error = answer["error"] { throw Browser.TimeOut(description: "\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      note(answer)
    }
    throw Browser.TimeOut(description: "\(method): no answer; \(log)")
  }

  private var log: String { (try? scratch.text("log")).map { String($0.suffix(1000)) } ?? "" }

  private func note(_ message: [String: Any]) {
    let parameters = message["params"] as? [String: Any] ?? [:]
    switch message["method"] as? String {
    case "Runtime.exceptionThrown": complaints.append("exception: \(parameters)")
    case "Runtime.consoleAPICalled":
      if ["error", "warning", "assert"].contains(parameters["type"] as? String) {
        complaints.append("console: \(parameters)")
      }
    case "Log.entryAdded":
      let entry = parameters["entry"] as? [String: Any] ?? [:]
      if ["error", "warning"].contains(entry["level"] as? String) {
        complaints.append("\(entry["text"] ?? "") \(entry["url"] ?? "")")
      }
    case "Page.javascriptDialogOpening":
      if parameters["type"] as? String == "beforeunload" {
        leavingQuestions += 1
      } else {
        complaints.append("dialog: \(parameters)")
      }
    default: break
    }
  }

  /// The next message that is here; nil where none came for a while.
  private func nextMessage() throws -> [String: Any]? {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let data = Data(buffer[..<end])
        buffer.removeFirst(end + 1)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any]
      }
      var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 100) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(reading, &bytes, bytes.count)
      try #require(count > 0, "the browser has ended: \(log)")
      buffer += bytes[..<count]
    }
  }

  /// Starts the browser with the ends of two pipes as its descriptors 3 and 4.
  private static func spawn(
    _ words: [String], log: String
  ) throws -> (pid_t, writing: Int32, reading: Int32) {
    try LiveProcess.starting.withLock { _ in
      var ends: [Int32] = []
      for _ in 0..<2 {
        var pair: [Int32] = [-1, -1]
        try #require(unsafe pipe(&pair) == 0)
        // High numbers, so that they are not those that the browser expects.
        for end in pair {
          ends.append(fcntl(end, F_DUPFD_CLOEXEC, 100))
          close(end)
        }
      }
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT, 0o600)
      unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 3)
      unsafe posix_spawn_file_actions_adddup2(&actions, ends[3], 4)
      var attributes = posix_spawnattr_t()
      unsafe posix_spawnattr_init(&attributes)
      var none = sigset_t()
      unsafe sigemptyset(&none)
      unsafe posix_spawnattr_setsigmask(&attributes, &none)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      unsafe posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
      defer {
        unsafe posix_spawnattr_destroy(&attributes)
        unsafe posix_spawn_file_actions_destroy(&actions)
      }
      let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
      var argv = unsafe words.map { unsafe strdup($0) } + [nil]
      var envp = unsafe variables.map { unsafe strdup($0) } + [nil]
      defer { unsafe (argv + envp).forEach { unsafe free($0) } }
      var child: pid_t = 0
      let code = unsafe posix_spawn(&child, words[0], &actions, &attributes, &argv, &envp)
      close(ends[0])
      close(ends[3])
      try #require(code == 0)
      return (child, ends[1], ends[2])
    }
  }
}
