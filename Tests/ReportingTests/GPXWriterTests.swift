import FencepostSession
import Foundation
import FoundationXML
import FencepostReporting
import Testing

@Suite("GPX files")
struct GPXWriterTests {
  @Test("Each event is a waypoint with its elements in the schema's order")
  func waypoint() {
    let alert = Alert(deliveryMilliseconds: nil, group: ["bell"])
    #expect(
      file(of: [.alert(Samples.story, alert)])
        == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="fencepost" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:fencepost="tag:fencepost,2026:events">
        <wpt lat="39.949612" lon="-75.150334"><time>2026-03-04T17:00:12.250Z</time>\
        <name>Independence Hall</name><cmt>Where it was signed</cmt>\
        <desc>alert at 100.0 m from the center of independence-hall, also for bell</desc>\
        <src>walk.gpx</src><link href="https://example.org/?a=1&amp;b=2"/><type>alert</type>\
        <extensions><fencepost:event place="independence-hall" segment="0" fix="123" \
        fraction="0.25" distance="100.0"/></extensions></wpt>
        </gpx>

        """)
  }

  @Test("No, one or many events are well-formed", arguments: [[], Samples.all])
  func wellFormed(events: [Event]) {
    let contents = XMLContents(parsing: file(of: events))
    #expect(contents.isWellFormed)
    #expect(contents.count(of: "wpt") == (events.isEmpty ? 0 : 7))
    #expect(contents.count(of: "fencepost:summary") == (events.isEmpty ? 0 : 2))
  }

  @Test("The visible part of every text survives", arguments: Samples.hostileTexts)
  func hostileTexts(text: String) {
    var encounter = Samples.story
    encounter.title = text
    encounter.track = text
    encounter.placeID = text
    let contents = XMLContents(parsing: file(of: [.enter(encounter)]))
    #expect(contents.isWellFormed)
    // XML 1.0 has no way to write the other controls and the two non-characters.
    var allowed = ""
    for scalar in text.unicodeScalars {
      let isAllowed =
        scalar == "\n" || scalar == "\r" || scalar == "\t"
        || (scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
          && scalar.value != 0xFFFE && scalar.value != 0xFFFF)
      allowed.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
    }
    #expect(contents.text(of: "name") == allowed)
    #expect(contents.text(of: "src") == allowed)
    #expect(contents.attribute("place", of: "fencepost:event") == allowed)
  }

  private func file(of events: [Event]) -> String {
    written { buffer in
      var writer = GPXWriter()
      writer.begin(&buffer)
      for event in events { writer.write(event, to: &buffer) }
      writer.end(&buffer)
    }
  }
}

/// What an independent parser reads from an XML text.
private final class XMLContents: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  private var counts: [String: Int] = [:]
  private var texts: [String: String] = [:]
  private var attributes: [String: [String: String]] = [:]
  private var path: [String] = []

  init(parsing text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func count(of element: String) -> Int { counts[element, default: 0] }
  func text(of element: String) -> String? { texts[element] }
  func attribute(_ name: String, of element: String) -> String? { attributes[element]?[name] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes found: [String: String]
  ) {
    path.append(name)
    counts[name, default: 0] += 1
    attributes[name] = found
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let element = path.last { texts[element, default: ""] += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
  }
}
