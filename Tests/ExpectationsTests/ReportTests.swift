import FencepostExpectations
import Foundation
import FoundationXML
import Testing

@Suite("Reports on story tests")
struct ReportTests {
  private static let hostile = "a <b> & \"c\" # \\ ]]> 100 %, x:y\u{1B}[31m"

  private func suites() throws -> [CaseSuite] {
    let name = String(decoding: try JSONEncoder().encode(Self.hostile), as: UTF8.self)
    let results = try Cases.run(
      """
      {"places": [{"id": "gate", "lat": 40, "lon": -74.99766, "radius": 50}], "cases": [
        {"name": "good", "track": \(Cases.street), "expect": [{"alert": "gate"}]},
        {"name": \(name), "track": \(Cases.street),
         "expect": [{"no-alert": "gate"}, {"alert": "gate"}, {"at-most": 0}]}]}
      """)
    let lines = ["": 1, "cases[1]": 3, "cases[1].expect[0]": 4, "cases[1].expect[2]": 6]
    return [CaseSuite(file: "a,b.yaml", results: results, lines: lines)]
  }

  @Test("in text name the line, what was expected and found, and why")
  func text() throws {
    let text = try report(suites(), .text)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "a,b.yaml" && lines[1] == "  passed  good")
    #expect(lines[2].hasPrefix("  FAILED  a <b>") && !text.contains("\u{1B}"))
    #expect(lines[3] == "    line 4: expected gate not to alert")
    #expect(lines[4] == "    found: gate at 17:01:47")
    #expect(lines[5].hasPrefix("    why: The walk entered the circle of gate at 2026-03-04 17:01"))
    #expect(lines[8] == "    line 6: expected at most 0 alerts per walk")
    #expect(lines.last == "2 cases: 1 passed, 1 failed")
  }

  @Test("for JUnit are XML that another parser reads")
  func junit() throws {
    let text = try report(suites(), .junit)
    let document = try XMLTree(text)
    #expect(document.counts == ["testsuites": 1, "testsuite": 1, "testcase": 2, "failure": 2])
    #expect(document.attributes["testsuites"]?["tests"] == "2")
    #expect(document.attributes["testsuite"]?["failures"] == "1")
    let name = Self.hostile.replacing("\u{1B}", with: "\u{FFFD}")
    #expect(document.attributes["testcase"]?["name"] == name)
    #expect(document.attributes["testcase"]?["line"] == "3")
    #expect(document.attributes["failure"]?["message"]?.hasPrefix("Expected at most 0") == true)
    #expect(document.paths.contains("testsuites/testsuite/testcase/failure"))
  }

  @Test("for GitHub escape what its commands give a meaning")
  func github() throws {
    let lines = try report(suites(), .github).split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("::error file=a%2Cb.yaml,line=4,title=a <b> & \"c\""))
    #expect(lines[0].contains("100 %25%2C x%3Ay"))
    #expect(lines[0].contains("::Expected gate not to alert, found gate at 17:01:47.%0AThe walk"))
    #expect(lines[1].contains(",line=6,"))
    #expect(lines[2] == "2 cases: 1 passed, 1 failed")
  }
}

/// The elements of a document, by Foundation's parser.
private final class XMLTree: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]
  /// The attributes of the last element of a name.
  private(set) var attributes: [String: [String: String]] = [:]
  private(set) var paths: Set<String> = []
  private var open: [String] = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    self.attributes[name] = attributes
    open.append(name)
    paths.insert(open.joined(separator: "/"))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }
}
