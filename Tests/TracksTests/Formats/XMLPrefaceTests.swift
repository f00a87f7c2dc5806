import FencepostFixes
import FencepostTracks
import Testing

@Suite("What stands before XML")
struct XMLPrefaceTests {
  private static let documents = [
    "<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>\n<trkpt lat=\"52\" lon=\"11\"/></trkseg></trk></gpx>",
    """
    <?xml version="1.0"?>
    <TrainingCenterDatabase><Activities><Activity><Lap><Track>
    <Trackpoint><Position><LatitudeDegrees>52</LatitudeDegrees><LongitudeDegrees>11\
    </LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity></Activities>\
    </TrainingCenterDatabase>
    """,
    """
    <?xml version="1.0"?>
    <kml><Placemark><LineString><coordinates>
    11,52</coordinates></LineString></Placemark></kml>
    """,
  ]

  private func read(_ text: String) -> Outcome { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> Outcome {
    DecoderVerifier.verify(bytes) { Undoubted() }
  }

  @Test("is skipped if it is white space or a byte order mark", arguments: documents)
  func whiteSpace(document: String) {
    for blanks in ["          ", "\n\r\n\t", "\u{FEFF}", " \u{FEFF}\n", "\u{FEFF}\u{FEFF}"] {
      let outcome = read(blanks + document)
      #expect(outcome.fixes.count == 1)
      #expect(outcome.error == nil && outcome.rejections.isEmpty)
      // Lines are counted from the beginning of the file.
      let more = blanks.unicodeScalars.count { $0 == "\n" }
      #expect(outcome.fixes.first.map { Int($0.line) } == 3 + more)
      #expect(read(Gzip.member(Array((blanks + document).utf8))).fixes.count == 1)
    }
  }

  @Test(
    "is skipped and named if it is something else",
    arguments: [
      ("Warning: foo in /x.php on line 3\n", "“Warning: foo in /x.php on line 3”"),
      ("<?xml version=\"1.0\"?>\n", "“<?xml version=\"1.0\"?>”"),
      ("<br />\n<b>Warning</b>: foo<br />\n", "“<br /> <b>Warning</b>: foo<br />”"),
      ("\0\0\0\0", "4 NUL bytes"), ("Content-Type: text/xml\r\n\r\n", "“Content-Type: text/xml”"),
    ])
  func junk(text: String, shown: String) {
    for document in Self.documents {
      let outcome = read(text + document)
      #expect(outcome.fixes.count == 1)
      #expect(outcome.error?.sentence.contains(shown) == true)
    }
  }

  @Test("may be a comment, a document type or nothing")
  func properPrologs() {
    for prolog in ["<!-- <?xml version='1.0'?> <gpx> -->", "<!DOCTYPE gpx>", ""] {
      let outcome = read(prolog + "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>")
      #expect(outcome.fixes.count == 1 && outcome.error == nil)
    }
  }

  @Test(
    "and what a document without points holds is named",
    arguments: [
      ("<gpx><metadata><name>x</name></metadata></gpx>", "no points, only <metadata>, <name>"),
      ("<TrainingCenterDatabase><Activities/></TrainingCenterDatabase>", "only <Activities>"),
      ("<kml><Document><NetworkLink/></Document></kml>", "NetworkLink"),
      ("<gpx/>", "only an empty document"),
    ])
  func withoutPoints(text: String, words: String) throws {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(text.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.notices.count == 1)
    #expect(stream.notices.first?.contains(words) == true)
  }
}
