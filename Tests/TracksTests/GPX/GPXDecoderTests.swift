import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Testing

@Suite("GPX")
struct GPXDecoderTests {
  /// A file with one segment of the given points.
  static func file(_ points: String, root: String = "<gpx>") -> String {
    "\(root)<trk><trkseg>\(points)</trkseg></trk></gpx>"
  }

  /// Fixes in short: `time lat lon trk/seg line`.
  private static func describe(_ outcome: Outcome) -> [String] {
    outcome.fixes.map { fix in
      let time = fix.timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "-"
      let coordinate = fix.coordinate
      return "\(time) \(coordinate.latitudeDegrees) \(coordinate.longitudeDegrees)"
        + " \(fix.trackIndex)/\(fix.segmentIndex)"
    }
  }

  @Test(
    "gives the fixes of its track points",
    arguments: [
      (
        file("<trkpt lat=\"1.5\" lon='-2'><ele>3</ele><time>2026-03-04T17:00:12Z</time></trkpt>"),
        ["2026-03-04T17:00:12Z 1.5 -2.0 0/0"]
      ),
      (file("<trkpt lon='2' lat='1'/>"), ["- 1.0 2.0 0/0"]),
      (file("<trkpt lat=' 1 ' lon='\n2e0'></trkpt>"), ["- 1.0 2.0 0/0"]),
      (file("<trkpt lat='90' lon='-180'/>"), ["- 90.0 -180.0 0/0"]),
      (
        file("<trkpt lat='1' lon='2'><time>\n 2026-03-04T18:00:12.5+01:00 </time></trkpt>"),
        ["2026-03-04T17:00:12.500Z 1.0 2.0 0/0"]
      ),
      (file("<trkpt lat='1' lon='2'><time> </time></trkpt>"), ["- 1.0 2.0 0/0"]),
      (
        file("<trkpt lat='1' lon='2'><time>2026-03-04</time><time>2025-01-01</time></trkpt>"),
        ["2026-03-04T00:00:00Z 1.0 2.0 0/0"]
      ),
      (
        file(
          "<trkpt lat='1' lon='2'><extensions><time>2026-03-04</time></extensions></trkpt>"),
        ["- 1.0 2.0 0/0"]
      ),
      (
        file("<trkpt lat='1' lon='2'><x:time xmlns:x='u'>2026-03-04</x:time></trkpt>"),
        ["2026-03-04T00:00:00Z 1.0 2.0 0/0"]
      ),
      (
        // Whichever comes first, the time of the point's own namespace counts.
        file(
          "<trkpt lat='1' lon='2'><time xmlns='u'>soon</time><time>2026-03-04</time>"
            + "<time xmlns='u'>2025-01-01</time></trkpt>"),
        ["2026-03-04T00:00:00Z 1.0 2.0 0/0"]
      ),
      (
        "<g:gpx xmlns:g='u'><g:trk><g:trkseg><g:trkpt lat='1' lon='2'><g:time>2026-03-04"
          + "</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>",
        ["2026-03-04T00:00:00Z 1.0 2.0 0/0"]
      ),
      (
        "<!DOCTYPE gpx SYSTEM 'gpx.dtd'>" + file("<trkpt lat='1' lon='2'/>"), ["- 1.0 2.0 0/0"]
      ),
      (
        file("<trkpt lat='1' lon='2'><time><![CDATA[2026-03-04]]></time></trkpt>"),
        ["2026-03-04T00:00:00Z 1.0 2.0 0/0"]
      ),
      (
        file("<trkpt lat='&#49;' lon='2'><name>&amp;</name></trkpt><!-- <trkpt/> -->"),
        ["- 1.0 2.0 0/0"]
      ),
      ("<gpx><metadata><trkpt lat='1' lon='2'/></metadata><trkpt lat='3' lon='4'/></gpx>", []),
      ("<gpx/>", []), ("<gpx></gpx>", []),
    ] as [(String, [String])])
  func fixes(text: String, expected: [String]) {
    let outcome = GPXReading.outcome(of: text)
    #expect(GPXDecoderTests.describe(outcome) == expected)
    #expect(outcome.rejections.isEmpty)
    #expect(outcome.error == nil)
  }

  @Test("numbers the tracks and segments that have fixes")
  func numbers() {
    let point = "<trkpt lat='1' lon='2'/>"
    let text = """
      <gpx><trk><trkseg/><trkseg>\(point)\(point)</trkseg><trkseg></trkseg><trkseg>\(point)\
      </trkseg></trk><trk><name>empty</name></trk><trk/><trk><trkseg><trkpt lat='x' lon='2'/>\
      </trkseg><trkseg>\(point)</trkseg></trk></gpx>
      """
    let outcome = GPXReading.outcome(of: text)
    #expect(outcome.fixes.map(\.trackIndex) == [0, 0, 0, 1])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 2])
  }

  @Test(
    "takes route points without track points, and waypoints without either",
    arguments: [
      ("WR", "T", ["- 5.0 5.0 0/0"]), ("", "WRT", ["- 5.0 5.0 0/0"]),
      ("TW", "R", ["- 5.0 5.0 0/0"]),
      ("W", "R", ["- 3.0 3.0 0/0", "- 4.0 4.0 0/0"]),
      ("R", "W", ["- 3.0 3.0 0/0", "- 4.0 4.0 0/0"]),
      (
        "RR", "",
        ["- 3.0 3.0 0/0", "- 4.0 4.0 0/0", "- 3.0 3.0 1/1", "- 4.0 4.0 1/1"]
      ),
      ("W", "W", ["- 1.0 1.0 0/0", "- 2.0 2.0 0/0", "- 1.0 1.0 0/0", "- 2.0 2.0 0/0"]),
      ("WE", "W", ["- 1.0 1.0 0/0", "- 2.0 2.0 0/0", "- 1.0 1.0 0/0", "- 2.0 2.0 0/0"]),
    ] as [(String, String, [String])])
  func pathOfPoints(before: String, after: String, expected: [String]) {
    let parts: [Character: String] = [
      "W": "<wpt lat='1' lon='1'><name>a</name></wpt><wpt lat='2' lon='2'/>",
      "R": "<rte><name>b</name><rtept lat='3' lon='3'/><rtept lat='4' lon='4'/></rte>",
      "T": "<trk><trkseg><trkpt lat='5' lon='5'/></trkseg></trk>",
      "E": "<rte/><trk><trkseg/></trk>",
    ]
    let text = "<gpx>" + (before + after).compactMap { parts[$0] }.joined() + "</gpx>"
    let outcome = GPXReading.outcome(of: text)
    #expect(GPXDecoderTests.describe(outcome) == expected)
  }

  @Test(
    "rejects points without a valid position, with line and reason",
    arguments: [
      ("lon='2'", "the latitude is missing"), ("lat='1'", "the longitude is missing"),
      ("", "the latitude is missing"), ("lat='' lon='2'", "the latitude “” is not a number"),
      ("lat='NaN' lon='2'", "the latitude “NaN” is not a number"),
      ("lat='1e999' lon='2'", "the latitude “1e999” is not a number"),
      ("lat='51,703' lon='2'", "the latitude “51,703” is not a number"),
      ("lat='90.0000001' lon='2'", "the latitude “90.0000001” is not within ±90°"),
      ("lat='1' lon='-180.877'", "the longitude “-180.877” is not within ±180°"),
      ("lat='1' lon='0x10'", "the longitude “0x10” is not a number"),
    ])
  func refusedPositions(attributes: String, detail: String) {
    let text =
      "<gpx>\n<trk><trkseg>\n<trkpt lat='1' lon='2'/>\n<trkpt\n \(attributes)>\n"
      + "<time>never</time></trkpt>\n<trkpt lat='3' lon='4'/></trkseg></trk></gpx>"
    let outcome = GPXReading.outcome(of: text)
    #expect(outcome.fixes.map(\.line) == [3, 7])
    #expect(outcome.rejections == [Rejection(reason: .coordinate, line: 5, detail: detail)])
    #expect(outcome.error == nil)
  }

  @Test("keeps a fix with an unreadable time without the time, and reports it")
  func badTime() {
    let text = GPXDecoderTests.file(
      "\n<trkpt lat='1' lon='2'>\n<ele>1</ele>\n<time>2026-02-30T00:00:00Z</time>\n</trkpt>")
    let outcome = GPXReading.outcome(of: text)
    #expect(outcome.fixes.map(\.timeMilliseconds) == [nil])
    let detail = "“2026-02-30T00:00:00Z” is not a time; the fix is kept without one"
    #expect(outcome.rejections == [Rejection(reason: .time, line: 4, detail: detail)])
  }

  @Test(
    "reads speed and course of the point itself",
    arguments: [
      ("<speed>1.5</speed><course>270</course>", 1.5, 270),
      ("<course> 360 </course>", Float.nan, 0), ("<speed>-1</speed>", Float.nan, Float.nan),
      ("<course>361</course><speed>fast</speed>", Float.nan, Float.nan),
      ("<speed>2</speed><speed>3</speed>", 2, Float.nan),
      ("<extensions><speed>1</speed></extensions>", Float.nan, Float.nan),
      ("<a:speed xmlns:a='u'>1</a:speed>", Float.nan, Float.nan),
      ("<course>359.99999999</course>", Float.nan, 0),
    ] as [(String, Float, Float)])
  func speedAndCourse(children: String, speed: Float, course: Float) {
    let outcome = GPXReading.outcome(
      of: GPXDecoderTests.file("<trkpt lat='1' lon='2'>\(children)</trkpt>"))
    let fix = outcome.fixes.first
    #expect(
      fix?.speedMetersPerSecond == speed
        || (speed.isNaN && fix?.speedMetersPerSecond.isNaN == true))
    #expect(fix?.courseDegrees == course || (course.isNaN && fix?.courseDegrees.isNaN == true))
    #expect(fix?.accuracyMeters.isNaN == true)
  }

  @Test(
    "ends in an error with a line if it is not well-formed, after the fixes before",
    arguments: [
      ("", 0, "line 1: the XML is empty (column 1)"),
      ("<html><body/></html>", 0, "line 1: the root element is “html”, not “gpx”"),
      ("<rss>\n<br>", 0, "line 1: the root element is “rss”, not “gpx”"),
      (
        "A\n<trkpt lat='3' lon='4'><tim", 1,
        "line 3: the text ends before all its elements are closed"
      ),
      (
        "A\n<trkpt lat='3' lon='4", 1, "line 3: the text ends before all its elements are closed"
      ),
      ("A\n<trkpt lat=", 1, "line 3: the text ends before all its elements are closed"),
      ("A", 1, "line 2: the text ends before all its elements are closed"),
      ("A</trkSeg>", 1, "line 2: <trkseg> on line 1 is closed by </trkSeg>"),
      ("A</trkseg></trk></gpx>\nmore", 1, "line 3: extra content follows the end of the document"),
      ("A<name>Tom & Jerry</name>", 1, "line 2: a name must follow “&” or “<”"),
      ("A<name>\u{1}</name>", 1, "line 2: "),
    ])
  func faults(text: String, count: Int, sentence: String) {
    let text = text.replacing(
      "A", with: "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'><time>2026-03-04</time></trkpt>")
    let outcome = GPXReading.outcome(of: text)
    #expect(outcome.fixes.count == count)
    #expect(outcome.error?.description.hasPrefix(sentence) == true, "\(outcome)")
  }

  @Test("delivers waypoints that were held back when a fault ends the file")
  func heldBeforeFault() {
    let outcome = GPXReading.outcome(of: "<gpx><wpt lat='1' lon='2'/><wpt lat='1' lon='3'/><")
    #expect(outcome.fixes.count == 2)
    #expect(outcome.error != nil)
  }

  @Test("holds back half a million waypoints and no more, and then delivers them")
  func heldBound() {
    let point = "<wpt lat='1' lon='2'/>"
    let most = 1 << 19
    let fits = "<gpx>" + String(repeating: point, count: most)
    let outcome = GPXReading.outcome(of: fits + point + "</gpx>")
    #expect(outcome.fixes.count == most)
    #expect(
      outcome.error?.sentence == "more than 524288 waypoints come before any track point")
  }

  @Test("never expands an entity")
  func entities() {
    let text =
      "<!DOCTYPE gpx [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
      + GPXDecoderTests.file("<trkpt lat='&x;' lon='2'/>")
    let outcome = GPXReading.outcome(of: text)
    #expect(outcome.fixes.isEmpty && outcome.rejections.isEmpty)
    #expect(
      outcome.error?.sentence.hasPrefix("the document type declares an entity") == true)
  }

  @Test("ignores a field longer than 128 bytes")
  func longFields() {
    func outcome(_ digits: Int) -> Outcome {
      let time = "2026-03-04T17:00:12." + String(repeating: "0", count: digits) + "Z"
      return GPXReading.outcome(
        of: GPXDecoderTests.file("<trkpt lat='1' lon='2'><time>\(time)</time></trkpt>"))
    }
    #expect(outcome(107).times == ["2026-03-04T17:00:12Z"])
    #expect(outcome(108).times == ["-"] && outcome(108).count(.time) == 1)
  }
}
