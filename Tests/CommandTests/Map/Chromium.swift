import Foundation
import TestSupport
import Testing

/// A real headless Chromium, driven through the pipe of its debugging protocol.
///
/// Each has a profile of its own and is ended with the test.
final class Chromium: BrowserEngine {
  /// Where Debian's package `chromium` puts it.
  static let path = "/usr/bin/chromium"

  private let scratch: Scratch
  private let process: Child
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
    // High numbers, so that they are not those that the browser expects.
    let ends = try [Child.pipe(), Child.pipe()].flatMap { [$0.reading, $0.writing] }.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 100)
    }
    (writing, reading) = (ends[1], ends[2])
    let files = unsafe [
      Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC), Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC),
      Glibc.open(scratch.path("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
    ]
    defer { for end in files + [ends[0], ends[3]] { close(end) } }
    process = try Child(
      [
        Chromium.path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
        "--user-data-dir=\(scratch.path("profile"))", "--window-size=\(width),\(height)",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "about:blank",
      ],
      descriptors: [(0, files[0]), (1, files[1]), (2, files[2]), (3, ends[0]), (4, ends[3])],
      leadsGroup: true)
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
    // It leads a group of its own, which holds nothing but it and its helpers.
    if process.status == nil { kill(-process.identifier, SIGKILL) }
    _ = try? process.wait("it cannot be killed")
  }

  func open(_ address: String) throws {
    let result = try call("Page.navigate", ["url": address])
    try #require(result["errorText"] == nil, "\(result)")
  }

  func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let failure = answer["exceptionDetails"] as? [String: Any] {
      throw Hang("\(expression): \(failure)")
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
  func waitForLeavingQuestion() throws {
    while leavingQuestions == 0 { note(try nextMessage("the page does not ask")) }
  }

  // MARK: The protocol

  /// Calls a method of the protocol and waits for its answer.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
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
    while true {
      let answer = try nextMessage("\(method): no answer")
      if answer["id"] as? Int == id {
        if let error = answer["error"] { throw Hang("\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      note(answer)
    }
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

  /// Waits for the next message.
  private func nextMessage(_ hang: @autoclosure () -> String) throws -> [String: Any] {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let data = Data(buffer[..<end])
        buffer.removeFirst(end + 1)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      }
      var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, Int32(Bell.limitSeconds * 1000)) > 0 else {
        throw Hang("\(hang()); \(log)")
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(reading, &bytes, bytes.count)
      try #require(count > 0, "the browser has ended: \(log)")
      buffer += bytes[..<count]
    }
  }
}
