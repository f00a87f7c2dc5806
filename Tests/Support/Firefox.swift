import Foundation

/// A real headless Firefox, driven through Marionette, its own protocol for tests.
///
/// Each has a profile of its own and is ended with the test.
final class Firefox: BrowserEngine {
  private let scratch: ScratchFolder
  private let process: LiveProcess
  private let client: RawClient
  /// How many of the received bytes have been read.
  private var readBytes = 0
  private var lastID = 0

  /// Settings of the profile: a port that the system chooses, and nothing that asks or reports.
  private static let settings = """
    user_pref("marionette.port", 0);
    user_pref("app.normandy.enabled", false);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);

    """

  /// Starts a browser with an empty page.
  init(width: Int, height: Int) throws {
    let scratch = try ScratchFolder()
    let profile = scratch.path("profile")
    try FileManager.default.createDirectory(
      atPath: profile, withIntermediateDirectories: true)
    _ = try scratch.write("profile/user.js", Self.settings)
    self.scratch = scratch
    process = try LiveProcess(
      BrowserKind.firefox.package,
      [
        "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
        "--profile", profile, "--width", "\(width)", "--height", "\(height)",
      ], environment: ["HOME": scratch.path("")])
    var port: UInt16?
    try process.wait("Firefox does not start") { _ in
      // The file may be there before it is written.
      let text = try? String(contentsOfFile: "\(profile)/MarionetteActivePort", encoding: .utf8)
      port = text.flatMap { UInt16($0) }
      return port != nil
    }
    client = try RawClient(port: port ?? 0)
    _ = try nextMessage()
    _ = try call(
      "WebDriver:NewSession",
      ["capabilities": ["alwaysMatch": ["timeouts": ["script": 600_000, "pageLoad": 600_000]]]])
  }

  func open(_ address: String) throws {
    _ = try call("WebDriver:Navigate", ["url": address])
  }

  /// The value of an expression.
  ///
  /// Firefox evaluates it beside the page, which is not bound to the page's policy. What a script
  /// without modules declares, which reports consist of, only another script of the page knows. The
  /// policy lets a page have such scripts, but no `eval`.
  func value(_ expression: String) throws -> Any? {
    let script = """
      const isReport = location.protocol === 'file:' && !document.querySelector('script[type=module]');
      if (!isReport) return eval(arguments[0]);
      const script = document.createElement('script');
      script.textContent = `{ const { dataset } = document.currentScript; (async () => (${arguments[0]}))()
        .then(value => dataset.value = JSON.stringify(value ?? null), error => dataset.error = error); }`;
      return new Promise((resolve, reject) => {
        new MutationObserver(() => {
          const { value, error } = script.dataset;
          script.remove();
          if (value === undefined) reject(new Error(error)); else resolve(JSON.parse(value));
        }).observe(script, { attributes: true });
        document.head.append(script);
      });
      """
    let answer = try call("WebDriver:ExecuteScript", ["script": script, "args": [expression]])
    return answer["value"] is NSNull ? nil : answer["value"]
  }

  func resize(width: Int, height: Int, isPhone: Bool) throws {
    _ = try call("WebDriver:SetWindowRect", ["width": width, "height": height])
  }

  func picture() throws -> String {
    let answer = try call("WebDriver:TakeScreenshot", ["full": false])
    guard let text = answer["value"] as? String else { throw Hang("Firefox makes no picture") }
    return text
  }

  var complaints: [String] {
    let script = """
      return Services.console.getMessageArray()
        .filter(one => one instanceof Ci.nsIScriptError && /^(http|file|data):/.test(one.sourceName))
        .map(one => `${one.errorMessage} ${one.sourceName}:${one.lineNumber}`);
      """
    do {
      _ = try call("Marionette:SetContext", ["value": "chrome"])
      let answer = try call("WebDriver:ExecuteScript", ["script": script, "args": [] as [Any]])
      _ = try call("Marionette:SetContext", ["value": "content"])
      return answer["value"] as? [String] ?? ["the console cannot be read"]
    } catch {
      return ["the console cannot be read: \(error)"]
    }
  }

  // MARK: The protocol

  /// Calls a method of the protocol and waits for its answer.
  private func call(_ method: String, _ parameters: [String: Any]) throws -> [String: Any] {
    lastID += 1
    let command: [Any] = [0, lastID, method, parameters]
    let text = try JSONSerialization.data(withJSONObject: command)
    try client.send(Array("\(text.count):".utf8) + Array(text))
    let answer = try nextMessage() as? [Any] ?? []
    guard answer.count == 4 && answer[1] as? Int == lastID else {
      throw Hang("\(method): \(answer)")
    }
    if let failure = answer[2] as? [String: Any] {
      throw Hang("\(method) \(parameters): \(failure)")
    }
    return answer[3] as? [String: Any] ?? [:]
  }

  /// The next message: its length, a colon and JSON.
  private func nextMessage() throws -> Any {
    var message: Data?
    try client.wait("Firefox does not answer") { client in
      let bytes = client.received[readBytes...]
      guard let colon = bytes.prefix(12).firstIndex(of: UInt8(ascii: ":")),
        let length = Int(String(decoding: bytes[..<colon], as: UTF8.self)),
        bytes.endIndex > colon + length
      else { return client.isClosed }
      message = Data(bytes[(colon + 1)...(colon + length)])
      readBytes = colon + length + 1
      return true
    }
    guard let message else { throw Hang("Firefox has ended") }
    return try JSONSerialization.jsonObject(with: message)
  }
}
