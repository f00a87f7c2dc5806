import FencepostFixes
import FencepostGeodesy
import TestSupport
import Testing

/// Compares the point scanner with libxml2.
@Suite("GPX read with and without the point scanner")
struct GPXDifferentialTests {
  /// A file with a bit of everything that recorders write.
  private static let sample = Array(
    """
    <?xml version="1.0" encoding="UTF-8" standalone="no" ?>
    <!-- a sample -->
    <gpx version="1.1" creator='test "é"' xmlns="http://www.topografix.com/GPX/1/1"
      xmlns:x="http://example.org/x">
     <metadata><name>A &amp; B</name><time>2026-01-01T00:00:00Z</time></metadata>
     <wpt lat="1" lon="2"><ele>1</ele><name>café</name></wpt>
     <rte><rtept lat="91" lon="2"/></rte>
     <trk><name>walk ]] &lt;1&gt;</name><x:color>red</x:color>
      <trkseg/>
      <trkseg>\r
       <trkpt lat="39.949612" lon="-75.150334"><ele>3.2</ele><time>2026-03-04T17:00:12Z</time></trkpt>
       <trkpt lat="39.949616" lon="-75.150331"/>
       <trkpt lon='-75.150332' lat='39.949617'><speed>1.5</speed><x:a><x:b>1</x:b><x:c/></x:a></trkpt>
       <trkpt lat="39.949618" lon="-75.150333">
        <course>12</course>
       </trkpt>
       <trkpt lon='-75.150335' lat='39.949613'>
        <ele>3.25</ele>
        <time>2026-03-04T17:00:13.250Z</time>
        <speed>1.25</speed><course>271.5</course>
        <extensions><x:tpe a="1" b='2'><x:hr>93</x:hr><x:none/></x:tpe></extensions>
       </trkpt>
       <trkpt lat="x" lon="-75.150334"></trkpt><!-- bad -->
       <trkpt lat="39.949615" lon="-75.15033"><time>yesterday</time><sym/></trkpt>
       <trkpt lat="8.6e-5" lon="1"/>
      </trkseg>
     </trk>
     <trk><trkseg><trkpt lat="1.0000000000000000001" lon="2"><time>1969-12-31</time></trkpt></trkseg></trk>
    </gpx>

    """.utf8)

  private static func check(_ bytes: [UInt8], _ cuts: [Int]) -> Bool {
    let fast = GPXReading.outcome(of: bytes, cutAt: cuts)
    let full = GPXReading.outcome(of: bytes, usesOnlyLibXML2: true)
    if fast == full { return true }
    Issue.record(
      """
      cut at \(cuts):
      \(String(decoding: bytes.prefix(4000), as: UTF8.self))
      --- fast
      \(fast)
      --- libxml2
      \(full)
      """)
    return false
  }

  private static func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    let length = min(bytes.count - index, Int.random(in: 1...40, using: &generator))
    let markup = Array("<>/=\"'&;!-?[] \t\r\n:.tx0".utf8)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[index] = markup.randomElement(using: &generator) ?? 0
    case 2: bytes.insert(markup.randomElement(using: &generator) ?? 0, at: index)
    case 3: bytes.remove(at: index)
    case 4: bytes.removeSubrange(index..<(index + length))
    case 5: bytes.insert(contentsOf: bytes[index..<(index + length)], at: index)
    case 6:
      let other = Int.random(in: 0..<bytes.count, using: &generator)
      let copied = bytes[other..<min(bytes.count, other + length)]
      bytes.insert(contentsOf: copied, at: index)
    default: bytes.removeSubrange(index...)
    }
  }

  @Test("is the same wherever the bytes are cut")
  func everyCut() {
    let bytes = GPXDifferentialTests.sample
    let full = GPXReading.outcome(of: bytes, usesOnlyLibXML2: true)
    #expect(full.fixes.count == 8 && full.rejections.count == 2 && full.error == nil)
    #expect(GPXReading.plainPoints(bytes)?.plain == 4)
    #expect(GPXReading.outcome(of: bytes, cutAt: Array(1..<bytes.count)) == full)
    for cut in 1..<bytes.count {
      #expect(GPXReading.outcome(of: bytes, cutAt: [cut]) == full, "cut at \(cut)")
      #expect(GPXReading.outcome(of: bytes, cutAt: [cut], usesOnlyLibXML2: true) == full)
    }
  }

  @Test("is the same wherever the file ends")
  func everyEnd() {
    for end in 0..<GPXDifferentialTests.sample.count {
      guard GPXDifferentialTests.check(Array(GPXDifferentialTests.sample[..<end]), []) else {
        return
      }
    }
  }

  @Test("is the same with any one byte changed", arguments: Array("<>&\"'/ ]-!:\0\u{7F}A\n=".utf8))
  func everyByte(byte: UInt8) {
    for index in GPXDifferentialTests.sample.indices {
      var bytes = GPXDifferentialTests.sample
      bytes[index] = byte
      guard GPXDifferentialTests.check(bytes, []) else { return }
    }
  }

  @Test("is the same with any one byte removed or doubled")
  func everyLength() {
    for index in GPXDifferentialTests.sample.indices {
      var bytes = GPXDifferentialTests.sample
      bytes.remove(at: index)
      guard GPXDifferentialTests.check(bytes, []) else { return }
      bytes = GPXDifferentialTests.sample
      bytes.insert(bytes[index], at: index)
      guard GPXDifferentialTests.check(bytes, []) else { return }
    }
  }

  @Test(
    "is the same for inputs on which the two once differed",
    arguments: [
      "\u{FEFF}<gpx><trk><?xml version='1.0'?></trk></gpx>",
      "<gpx creator='é'><trk>\u{1}</trk></gpx>",
      "<gpx>\n<trk>\n<trkseg>\n</trk></trkseg></gpx>",
      "<!-->\n<gpx><trk><trkseg><trkpt lat='1' lon='2'/>\n<!-- bad --></trkseg></trk></gpx>",
      "<gpx><trk><trkseg><?a <trkpt lat='1' lon='2'/>\n?><trkpt lat='1' lon='2'/>",
    ])
  func found(text: String) {
    for cut in [[], [3], [9, 20]] { _ = GPXDifferentialTests.check(Array(text.utf8), cut) }
  }

  @Test("is the same after random mutations and cuts", arguments: 0..<8)
  func mutations(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<1500 {
      var bytes = GPXDifferentialTests.sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        GPXDifferentialTests.mutate(&bytes, &generator)
      }
      guard GPXDifferentialTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)) else {
        return
      }
    }
  }

  @Test(
    "is the same if a point repeats an attribute or child",
    arguments: [
      "<trkpt lat='1' lon='2'><time>2026-03-04T17:00:12Z</time><time>2026-03-04T17:00:13Z</time></trkpt>",
      "<trkpt lat='1' lon='2'><time>x</time><time>2026-03-04T17:00:13Z</time></trkpt>",
      "<trkpt lat='1' lon='2'><speed>1</speed><speed>2</speed><course>3</course><course>4</course></trkpt>",
      "<trkpt lat=\"1\" lon=\"2\" lat=\"3\"/>", "<trkpt lat=\"1\" lat=\"3\" lon=\"2\"/>",
    ])
  func twice(point: String) {
    // A point before, so that the day is known.
    let first = "<trkpt lat=\"1\" lon=\"2\"><time>2026-03-04T17:00:11Z</time></trkpt>"
    let text = "<gpx><trk><trkseg>\(first)\(point)</trkseg></trk></gpx>"
    _ = GPXDifferentialTests.check(Array(text.utf8), [])
  }

  @Test("is the same if a point comes after thousands of empty lines")
  func emptyLines() {
    let point = "<trkpt lat=\"1\" lon=\"2\"/>"
    let gap = String(repeating: "\n", count: 20_000)
    let bytes = Array("<gpx><trk><trkseg>\(point)\(gap)\(point)</trkseg></trk></gpx>".utf8)
    #expect(GPXDifferentialTests.check(bytes, []))
    #expect(GPXReading.outcome(of: bytes).fixes.map(\.line) == [1, 20_001])
  }

  @Test("is the same for coordinates and times of every length", arguments: 0..<8 as Range<UInt64>)
  func fields(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
    }
    func degrees() -> String {
      let whole = digits(Int.random(in: 0...4, using: &generator))
      let isWhole = Int.random(in: 0..<4, using: &generator) == 0
      let decimals = isWhole ? "" : "." + digits(Int.random(in: 0...14, using: &generator))
      return (Bool.random(using: &generator) ? "-" : "") + whole + decimals
    }
    var points = ""
    var coordinates: [(Double?, Double?)] = []
    for _ in 0..<2000 {
      let (latitude, longitude) = (degrees(), degrees())
      coordinates.append((Double(latitude), Double(longitude)))
      let fraction = Bool.random(using: &generator) ? "" : "." + digits(3)
      let time = "2026-03-04T1\(digits(1)):\(digits(2)):\(digits(2))\(fraction)Z"
      let end = ["", " ", "\n", "\r\n\t"].randomElement(using: &generator) ?? ""
      points +=
        "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(end)<time>\(time)</time>\(end)</trkpt>\(end)"
    }
    let bytes = Array("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8)
    #expect(GPXDifferentialTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)))
    let fixes = GPXReading.outcome(of: bytes).fixes
    let good = coordinates.filter { abs($0.0 ?? .nan) <= 90 && abs($0.1 ?? .nan) <= 180 }
    #expect(fixes.count == good.count && fixes.count > 100)
    for (fix, degrees) in zip(fixes, good) {
      #expect(fix.coordinate.latitudeDegrees == degrees.0)
      #expect(fix.coordinate.longitudeDegrees == degrees.1)
    }
  }

  @Test(
    "is the same over real recordings, whole, cut and damaged",
    .enabled(if: Corpus.isThere, Corpus.comment), arguments: Corpus.files("gpx/"))
  func corpus(file: String) throws {
    let original = try Corpus.bytes(file)
    var generator = SplitMix64(seed: UInt64(original.count))
    _ = GPXDifferentialTests.check(original, [])
    _ = GPXDifferentialTests.check(original, GPXReading.cuts(of: original.count, &generator))
    // Long files get fewer mutations.
    for _ in 0..<max(4, min(60, 2_000_000 / max(1, original.count))) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        GPXDifferentialTests.mutate(&bytes, &generator)
      }
      guard GPXDifferentialTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)) else {
        return
      }
    }
  }
}
