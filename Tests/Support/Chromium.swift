import Foundation
import Synchronization

/// A page of a real headless Chromium, with cookies and storage of its own.
final class Chromium: BrowserEngine {
  private let program: ChromiumProgram
  /// The page's cookies and storage, as the program calls them.
  private let context: String
  private let session: String
  /// What the page's console said that is an error or a warning, and errors of its scripts.
  private(set) var complaints: [String] = []

  /// How often a page asked whether it may be left.
  private var leavingQuestions = 0

  /// Opens an empty page.
  init(width: Int, height: Int) throws {
    program = try ChromiumProgram.running()
    (context, session) = try program.openPage(width: width, height: height)
    for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
    // Each of several windows behaves as if it were in front.
    try call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try resize(width: width, height: height, isPhone: false)
  }

  deinit {
    // A program that has ended has closed the page.
    _ = try? program.call(
      "Target.disposeBrowserContext", ["browserContextId": context], of: "")
    program.forget(session)
  }

  func open(_ address: String) throws {
    let result = try call("Page.navigate", ["url": address])
    if let error = result["errorText"] { throw Hang("\(address): \(error)") }
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
    try call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": width, "height": height, "deviceScaleFactor": isPhone ? 2 : 1, "mobile": isPhone,
      ])
  }

  func picture() throws -> String {
    let answer = try call("Page.captureScreenshot", ["format": "png"])
    guard let text = answer["data"] as? String else { throw Hang("Chromium makes no picture") }
    return text
  }

  /// Waits until a page asks whether it may be left.
  func waitForLeavingQuestion() throws {
    while leavingQuestions == 0 {
      note(try program.nextMessage(of: session, or: "the page does not ask"))
    }
  }

  /// Calls a method of the protocol and waits for its answer.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try program.call(method, parameters, of: session) { note($0) }
  }

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
}

/// The Chromium whose pages the tests share, driven through the pipe of its debugging protocol.
private final class ChromiumProgram: Sendable {
  private static let current = Mutex<ChromiumProgram?>(nil)

  /// The one that runs; it starts for the first page, and ends with this process.
  static func running() throws -> ChromiumProgram {
    try current.withLock { current in
      if let current, current.process.status == nil { return current }
      if current == nil { atexit { ChromiumProgram.current.withLock { $0 = nil } } }
      let made = try ChromiumProgram()
      current = made
      return made
    }
  }

  private let scratch: ScratchFolder
  private let process: Child
  private let writing: Int32
  private let lastID = Mutex(0)
  /// The messages that nobody has taken, by the session of their page.
  ///
  /// An answer that is no page's has its call's number instead.
  private let messages = Mutex<[String: [Data]]>([:])

  private init() throws {
    scratch = try ScratchFolder()
    // High numbers, so that they are not those that the browser expects.
    let ends = try [Child.pipe(), Child.pipe()].flatMap { [$0.reading, $0.writing] }.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 100)
    }
    writing = ends[1]
    let files = unsafe [
      Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC), Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC),
      Glibc.open(scratch.path("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
    ]
    defer { for end in files + [ends[0], ends[3]] { close(end) } }
    process = try Child(
      [
        "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu",
        "--remote-debugging-pipe", "--user-data-dir=\(scratch.path("profile"))",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "about:blank",
      ],
      descriptors: [(0, files[0]), (1, files[1]), (2, files[2]), (3, ends[0]), (4, ends[3])],
      leadsGroup: true)
    Thread.detachNewThread { [weak self, reading = ends[2], bell = process.bell] in
      var buffer: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = unsafe read(reading, &bytes, bytes.count)
        guard count > 0 else { break }
        buffer += bytes[..<count]
        while let end = buffer.firstIndex(of: 0) {
          self?.deliver(Data(buffer[..<end]))
          buffer.removeFirst(end + 1)
        }
        bell.ring()
      }
      close(reading)
    }
  }

  deinit {
    close(writing)
    // It leads a group of its own, which holds nothing but it and its helpers.
    if process.status == nil { kill(-process.identifier, SIGKILL) }
    _ = try? process.wait("it cannot be killed")
  }

  private var log: String { (try? scratch.text("log")).map { String($0.suffix(1000)) } ?? "" }

  /// Calls a method for a page and waits for its answer; what comes before that is noted.
  @discardableResult
  func call(
    _ method: String, _ parameters: [String: Any], of session: String,
    _ note: ([String: Any]) -> Void = { _ in }
  ) throws -> [String: Any] {
    let id = try send(method, parameters, of: session)
    let box = session.isEmpty ? "\(id)" : session
    defer { if session.isEmpty { forget(box) } }
    while true {
      let answer = try nextMessage(of: box, or: "\(method): no answer")
      if answer["id"] as? Int == id {
        if let error = answer["error"] { throw Hang("\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      note(answer)
    }
  }

  /// Opens an empty page; what it keeps is in a context of its own, and its session is what drives it.
  func openPage(width: Int, height: Int) throws -> (context: String, session: String) {
    func ask(_ method: String, _ parameters: [String: Any], _ answer: String) throws -> String {
      let found = try call(method, parameters, of: "")
      guard let text = found[answer] as? String else { throw Hang("\(method): \(found)") }
      return text
    }
    let context = try ask("Target.createBrowserContext", [:], "browserContextId")
    let target = try ask(
      "Target.createTarget",
      [
        "url": "about:blank", "browserContextId": context, "width": width, "height": height,
        "newWindow": true,
      ], "targetId")
    let session = try ask(
      "Target.attachToTarget", ["targetId": target, "flatten": true], "sessionId")
    return (context, session)
  }

  private func send(
    _ method: String, _ parameters: [String: Any], of session: String
  ) throws -> Int {
    // One call at a time is written as a whole.
    try lastID.withLock { lastID in
      lastID += 1
      var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
      if !session.isEmpty { message["sessionId"] = session }
      var bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
      while !bytes.isEmpty {
        let count = unsafe write(writing, bytes, bytes.count)
        guard count > 0 else { throw Hang("the browser has ended: \(log)") }
        bytes.removeFirst(count)
      }
      return lastID
    }
  }

  private func deliver(_ message: Data) {
    let object = try? JSONSerialization.jsonObject(with: message) as? [String: Any]
    // Nobody waits for events that are no page's.
    guard let box = object?["sessionId"] as? String ?? (object?["id"] as? Int).map(String.init)
    else { return }
    messages.withLock { $0[box, default: []].append(message) }
  }

  /// Waits for the next message of a page, or of a call that is no page's.
  func nextMessage(of box: String, or hang: @autoclosure () -> String) throws -> [String: Any] {
    var found: Data?
    try process.bell.wait("\(hang()); \(log)") {
      found = messages.withLock { messages in
        messages[box]?.isEmpty == false ? messages[box]?.removeFirst() : nil
      }
      if found == nil, process.status != nil { throw Hang("the browser has ended: \(log)") }
      return found != nil
    }
    return try JSONSerialization.jsonObject(with: found ?? Data()) as? [String: Any] ?? [:]
  }

  /// Drops what has come and nobody takes.
  func forget(_ box: String) { messages.withLock { $0[box] = nil } }
}
