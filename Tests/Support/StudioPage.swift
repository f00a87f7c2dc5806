import Foundation

/// The studio's page in a browser.
package final class StudioPage {
  /// The address, with the secret that lets in.
  package let address: String
  package let browser: Browser
  /// What serves it, as long as the page is there.
  package let server: AnyObject?

  /// Opens a studio that runs, and waits until its first answer is shown.
  package init(
    at address: String, of server: AnyObject?, in kind: BrowserKind = .chromium,
    width: Int = 1280, height: Int = 860, waits: Bool = true
  ) throws {
    self.address = address
    self.server = server
    browser = try Browser(kind, width: width, height: height)
    try browser.open(address)
    if waits { try waitForAnswer() }
  }

  /// Waits until the page is ready and every question that it asked is answered.
  package func waitForAnswer() throws {
    try browser.wait("the studio is not ready", until: "document.body?.dataset.ready === 'true'")
    try browser.wait(
      "no answer",
      until: """
        studio.run !== null && ['live', 'busy'].includes(document.getElementById('link').dataset.state)
          && document.body.dataset.answered === String(studio.question().number)
        """)
  }

  /// Waits until the page's notices contain these words.
  package func waitForNotice(_ words: String) throws {
    let quoted = String(
      decoding: try JSONSerialization.data(withJSONObject: [words]), as: UTF8.self)
    try browser.wait(
      "no sentence “\(words)”",
      until: "document.getElementById('notices').innerText.includes(\(quoted)[0])")
  }

  /// Waits until a question that followed what was just done is answered.
  package func waitForNextAnswer(_ action: () throws -> Void) throws {
    let before = try number("Number(document.body.dataset.answered)")
    try action()
    try browser.wait(
      "no answer to the change",
      until: """
        Number(document.body.dataset.answered) > \(before)
          && document.body.dataset.answered === String(studio.question().number)
        """)
  }

  package func number(_ expression: String) throws -> Double { try browser.number(expression) }

  package func text(_ id: String) throws -> String {
    try browser.text("document.getElementById('\(id)').innerText")
  }

  package func click(_ id: String) throws {
    _ = try browser.value("document.getElementById('\(id)').click()")
  }

  /// Types into a field and leaves it.
  package func type(_ name: String, in panel: String, _ value: String) throws {
    let field = "document.querySelector('#\(panel) [name=\(name)]')"
    _ = try browser.value(
      "\(field).value = '\(value)'; \(field).dispatchEvent(new Event('change', { bubbles: true }))")
  }

  /// The cells of a row of the result: alerts, gained, lost, late, missed.
  package func result(_ row: String = "result-track") throws -> [String] {
    let cells = "[...document.querySelectorAll('#\(row) td')].map(cell => cell.textContent)"
    guard let found = try browser.value(cells) as? [String] else { throw Hang("no row \(row)") }
    return found
  }

  /// Presses the mouse at one point of the page, moves it in steps to another, and lets it go.
  package func drag(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
    try browser.drag(from: from, to: to)
  }

  /// Puts a finger on one point of the page, moves it in steps to another, and lifts it.
  package func dragByTouch(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
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
  package func press(_ key: String, code: Int, modifiers: Int = 0) throws {
    for type in ["rawKeyDown", "keyUp"] {
      _ = try browser.call(
        "Input.dispatchKeyEvent",
        ["type": type, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers])
    }
  }

  /// Where a point of the map is on the page: `handle` 0 is the chosen story's center, 1 its edge.
  package func handle(_ number: Int) throws -> (x: Double, y: Double) { try browser.handle(number) }

  /// Chooses a story and brings it into view.
  package func choose(_ id: String) throws { try browser.choose(id) }
}

/// What a test does on the studio's page, served or sent.
extension Browser {
  package func number(_ expression: String) throws -> Double {
    let value = try value(expression)
    guard let number = value as? Double ?? (value as? Int).map({ Double($0) }) else {
      throw Hang("\(expression) is no number")
    }
    return number
  }

  package func text(_ expression: String) throws -> String {
    guard let text = try value(expression) as? String else {
      throw Hang("\(expression) is no text")
    }
    return text
  }

  package func drag(from: (x: Double, y: Double), to: (x: Double, y: Double)) throws {
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

  package func handle(_ number: Int) throws -> (x: Double, y: Double) {
    let mark = "studioDrawings.moving.marks.handle[\(number)]"
    let box = "document.getElementById('map').getBoundingClientRect()"
    return (
      try self.number("studioDrawings.moving.x(\(mark).x) + \(box).left"),
      try self.number("studioDrawings.moving.y(\(mark).y) + \(box).top")
    )
  }

  package func choose(_ id: String) throws {
    _ = try value(
      """
      (() => { const field = document.getElementById('find'); field.value = '\(id)';
      field.dispatchEvent(new Event('input')); })()
      """)
    try wait("the story is not chosen", until: "studio.chosen === '\(id)'")
    try wait("its handles are not there", until: "studioDrawings.moving.marks.handle.length === 2")
  }
}
