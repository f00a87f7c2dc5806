import Foundation
import Testing

/// The studio of the built program, and a browser that shows it.
final class StudioScene {
  let process: LiveProcess
  let address: String
  let browser: Browser

  /// Opens the studio and waits until its first answer is shown.
  init(
    _ arguments: [String], in kind: BrowserKind = .chromium, hash: String = "",
    width: Int = 1280, height: Int = 860, waits: Bool = true
  ) throws {
    process = try LiveProcess(nil, ["studio"] + arguments)
    address = try process.studioAddress()
    browser = try Browser(kind, width: width, height: height)
    try browser.open(address + hash)
    if waits { try waitForAnswer() }
  }

  /// Opens a studio that runs already, under an address of its own.
  init(_ process: LiveProcess, at address: String) throws {
    self.process = process
    self.address = address
    browser = try Browser()
    try browser.open(address)
    try waitForAnswer()
  }

  /// Waits until the page is ready and every question that it asked is answered.
  func waitForAnswer() throws {
    try browser.wait("the studio is not ready", until: "document.body?.dataset.ready === 'true'")
    try browser.wait(
      "no answer",
      until: """
        studio.run !== null && ['live', 'busy'].includes(document.getElementById('link').dataset.state)
          && document.body.dataset.answered === String(studio.question().number)
        """)
  }

  /// Waits until the page's notices contain these words.
  func waitForNotice(_ words: String) throws {
    let quoted = String(
      decoding: try JSONSerialization.data(withJSONObject: [words]), as: UTF8.self)
    try browser.wait(
      "no sentence “\(words)”",
      until: "document.getElementById('notices').innerText.includes(\(quoted)[0])")
  }

  /// Waits until a question that followed what was just done is answered.
  func waitForNextAnswer(_ action: () throws -> Void) throws {
    let before = try number("Number(document.body.dataset.answered)")
    try action()
    try browser.wait(
      "no answer to the change",
      until: """
        Number(document.body.dataset.answered) > \(before)
          && document.body.dataset.answered === String(studio.question().number)
        """)
  }

  func number(_ expression: String) throws -> Double { try browser.number(expression) }

  func text(_ id: String) throws -> String {
    try #require(try browser.value("document.getElementById('\(id)').innerText") as? String)
  }

  func click(_ id: String) throws {
    _ = try browser.value("document.getElementById('\(id)').click()")
  }

  /// Types into a field and leaves it.
  func type(_ name: String, in panel: String, _ value: String) throws {
    let field = "document.querySelector('#\(panel) [name=\(name)]')"
    _ = try browser.value(
      "\(field).value = '\(value)'; \(field).dispatchEvent(new Event('change', { bubbles: true }))")
  }

  /// The cells of a row of the result: alerts, gained, lost, late, missed.
  func result(_ row: String = "result-track") throws -> [String] {
    try #require(
      try browser.value(
        "[...document.querySelectorAll('#\(row) td')].map(cell => cell.textContent)") as? [String])
  }

  /// Presses the mouse at one point of the page, moves it in steps to another, and lets it go.
  func drag(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
    try browser.drag(from: from, to: to)
  }

  /// Puts a finger on one point of the page, moves it in steps to another, and lifts it.
  func dragByTouch(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
    func touch(_ type: String, _ points: [(x: Double, y: Double)]) throws {
      let list = points.map { ["x": $0.x, "y": $0.y] }
      _ = try browser.call("Input.dispatchTouchEvent", ["type": type, "touchPoints": list])
    }
    try touch("touchStart", [from])
    for step in 1...5 {
      let part = Double(step) / 5
      try touch(
        "touchMove", [(from.x + part * (to.x - from.x), from.y + part * (to.y - from.y))])
    }
    try touch("touchEnd", [])
  }

  /// Presses a key.
  func press(_ key: String, code: Int, modifiers: Int = 0) throws {
    for type in ["rawKeyDown", "keyUp"] {
      _ = try browser.call(
        "Input.dispatchKeyEvent",
        ["type": type, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers])
    }
  }

  /// Where a point of the map is on the page: `handle` 0 is the chosen story's center, 1 its edge.
  func handle(_ number: Int) throws -> (x: Double, y: Double) { try browser.handle(number) }

  /// Chooses a story and brings it into view.
  func choose(_ id: String) throws { try browser.choose(id) }
}

/// What a test does on the studio's page, served or sent.
extension Browser {
  func number(_ expression: String) throws -> Double {
    let value = try value(expression)
    return try #require(value as? Double ?? (value as? Int).map { Double($0) }, "\(expression)")
  }

  func drag(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
    func mouse(_ type: String, _ point: (x: Double, y: Double)) throws {
      _ = try call(
        "Input.dispatchMouseEvent",
        [
          "type": type, "x": point.x, "y": point.y, "button": "left",
          "buttons": type == "mouseReleased" ? 0 : 1, "clickCount": 1,
        ])
    }
    try mouse("mousePressed", from)
    for step in 1...5 {
      let part = Double(step) / 5
      try mouse(
        "mouseMoved", (from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)))
    }
    try mouse("mouseReleased", to)
  }

  func handle(_ number: Int) throws -> (x: Double, y: Double) {
    let mark = "studioDrawings.moving.marks.handle[\(number)]"
    let box = "document.getElementById('map').getBoundingClientRect()"
    return (
      try self.number("studioDrawings.moving.x(\(mark).x) + \(box).left"),
      try self.number("studioDrawings.moving.y(\(mark).y) + \(box).top")
    )
  }

  func choose(_ id: String) throws {
    _ = try value(
      """
      (() => { const field = document.getElementById('find'); field.value = '\(id)';
      field.dispatchEvent(new Event('input')); })()
      """)
    try wait("the story is not chosen", until: "studio.chosen === '\(id)'")
    try wait("its handles are not there", until: "studioDrawings.moving.marks.handle.length === 2")
  }
}

extension LiveProcess {
  /// Waits until the program says where its studio is, and returns the address with the secret.
  func studioAddress() throws -> String {
    try wait("no studio") { $0.errorText.contains("the studio is at http") }
    let text = try #require(errorText.firstMatch(of: /the studio is at (http[^\s]+)/)?.1)
    return String(text)
  }
}
