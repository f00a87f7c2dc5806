import Foundation

/// A browser that tests know.
package enum BrowserKind: CaseIterable, Sendable {
  case chromium
  case firefox

  /// Debian's package of the browser.
  var package: String { self == .chromium ? "chromium" : "firefox-esr" }

  package var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(package)")
      && FileManager.default.fileExists(atPath: "\(Self.library)/leaflet.min.js")
  }

  /// Where the map library of Debian's package `libjs-leaflet` is.
  package static let library = "/usr/share/javascript/leaflet"

  /// Those that are installed; the suite “Firefox” says if it is not.
  package static let installed = allCases.filter(\.isInstalled)
}

/// What drives a browser.
protocol BrowserEngine: AnyObject {
  /// What the page's console said that is an error or a warning, and errors of its scripts.
  var complaints: [String] { get }

  func open(_ address: String) throws
  func value(_ expression: String) throws -> Any?
  func resize(width: Int, height: Int, isPhone: Bool) throws
  /// A picture of the page, as PNG in base 64.
  func picture() throws -> String
}

/// A page in a real headless browser, which shares nothing with other pages.
package final class Browser {
  package static var isInstalled: Bool { BrowserKind.chromium.isInstalled }
  /// Why a test of a page is skipped.
  package static let absence = "skipped: install Debian's chromium and libjs-leaflet to test pages"

  private let engine: any BrowserEngine
  /// What the page's console said that is an error or a warning, and errors of its scripts.
  package var complaints: [String] { engine.complaints }

  /// Opens an empty page.
  package init(_ kind: BrowserKind = .chromium, width: Int = 1280, height: Int = 860) throws {
    engine =
      switch kind {
      case .chromium: try Chromium(width: width, height: height)
      case .firefox: try Firefox(width: width, height: height)
      }
  }

  // MARK: What a test does

  /// Opens an address.
  package func open(_ address: String) throws {
    try engine.open(address)
  }

  /// The value of an expression of the page's script, as JSON has it.
  package func value(_ expression: String) throws -> Any? {
    try engine.value(expression)
  }

  /// Clicks an element, and returns the text of the file that this downloads.
  package func download(_ selector: String) throws -> String {
    let text = try value(
      """
      new Promise(resolve => {
        const make = URL.createObjectURL;
        URL.createObjectURL = blob => {
          URL.createObjectURL = make;
          resolve(blob.text());
          return make.call(URL, blob);
        };
        document.querySelector('\(selector)').click();
      })
      """)
    guard let text = text as? String else { throw Hang("\(selector) downloads nothing") }
    return text
  }

  /// Waits until an expression is true.
  package func wait(_ what: String, until expression: String) throws {
    func fault() -> String {
      let text = try? value("document.body ? document.body.innerText : ''") as? String
      return "\(what); the page: \(text ?? ""); \(complaints)"
    }
    try Bell().wait(fault()) { try isTrue(expression) }
  }

  /// Waits until a page asks whether it may be left.
  package func waitForLeavingQuestion() throws { try chromium.waitForLeavingQuestion() }

  /// Whether an expression is true; it is not while the page gives way to another.
  private func isTrue(_ expression: String) throws -> Bool {
    do {
      return try value(expression) as? Bool == true
    } catch let failure as Hang
      where ["target navigated", "unloaded", "discarded"].contains(
        where: failure.description.contains)
    {
      return false
    }
  }

  /// Gives the page another size.
  package func resize(width: Int, height: Int, isPhone: Bool = false) throws {
    try engine.resize(width: width, height: height, isPhone: isPhone)
  }

  /// Has the page see another preference of its reader.
  package func prefer(_ feature: String, _ value: String) throws {
    _ = try call(
      "Emulation.setEmulatedMedia", ["features": [["name": feature, "value": value]]])
  }

  /// Says whether there is a network.
  package func setOffline(_ isOffline: Bool) throws {
    _ = try call(
      "Network.emulateNetworkConditions",
      [
        "offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
      ])
  }

  /// Keeps a picture of the page under `.build/screenshots`.
  package func keep(_ name: String) throws {
    let text = try engine.picture()
    let folder = Document.project.appendingPathComponent(".build/screenshots")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let data = Data(base64Encoded: text) else { throw Hang("there is no picture") }
    try data.write(to: folder.appendingPathComponent("\(name).png"))
  }

  // MARK: What only Chromium does

  private var chromium: Chromium {
    get throws {
      guard let engine = engine as? Chromium else { throw Hang("only Chromium can do this") }
      return engine
    }
  }

  /// Calls a method of Chromium's protocol and waits for its answer.
  @discardableResult
  package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try chromium.call(method, parameters)
  }
}
