import FencepostFixes
import FencepostGeodesy
import TestSupport
import Testing

/// Compares what is read of a file whole and in pieces.
@Suite("GPX read whole and in pieces")
struct GPXCutTests {
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
    let cut = GPXReading.outcome(of: bytes, cutAt: cuts)
    let whole = GPXReading.outcome(of: bytes)
    if cut == whole { return true }
    Issue.record(
      """
      cut at \(cuts):
      \(String(decoding: bytes.prefix(4000), as: UTF8.self))
      --- cut
      \(cut)
      --- whole
      \(whole)
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
    let bytes = GPXCutTests.sample
    let full = GPXReading.outcome(of: bytes)
    #expect(full.fixes.count == 8 && full.rejections.count == 2 && full.error == nil)
    #expect(GPXReading.outcome(of: bytes, cutAt: Array(1..<bytes.count)) == full)
    for cut in 1..<bytes.count {
      #expect(GPXReading.outcome(of: bytes, cutAt: [cut]) == full, "cut at \(cut)")
    }
  }

  @Test("is the same wherever the file ends")
  func everyEnd() {
    for end in 2..<GPXCutTests.sample.count {
      guard GPXCutTests.check(Array(GPXCutTests.sample[..<end]), [end / 2]) else {
        return
      }
    }
  }

  @Test("is the same with any one byte changed", arguments: Array("<>&\"'/ ]-!:\0\u{7F}A\n=".utf8))
  func everyByte(byte: UInt8) {
    for index in GPXCutTests.sample.indices.dropFirst() {
      var bytes = GPXCutTests.sample
      bytes[index] = byte
      guard GPXCutTests.check(bytes, [index]) else { return }
    }
  }

  @Test("is the same with any one byte removed or doubled")
  func everyLength() {
    for index in GPXCutTests.sample.indices.dropFirst().dropLast() {
      var bytes = GPXCutTests.sample
      bytes.remove(at: index)
      guard GPXCutTests.check(bytes, [index]) else { return }
      bytes = GPXCutTests.sample
      bytes.insert(bytes[index], at: index)
      guard GPXCutTests.check(bytes, [index]) else { return }
    }
  }

  @Test(
    "is the same for inputs that once were not",
    arguments: [
      "\u{FEFF}<gpx><trk><?xml version='1.0'?></trk></gpx>",
      "<gpx creator='é'><trk>\u{1}</trk></gpx>",
      "<gpx>\n<trk>\n<trkseg>\n</trk></trkseg></gpx>",
      "<!-->\n<gpx><trk><trkseg><trkpt lat='1' lon='2'/>\n<!-- bad --></trkseg></trk></gpx>",
      "<gpx><trk><trkseg><?a <trkpt lat='1' lon='2'/>\n?><trkpt lat='1' lon='2'/>",
    ])
  func found(text: String) {
    for cut in [[3], [9, 20]] { _ = GPXCutTests.check(Array(text.utf8), cut) }
  }

  @Test("is the same after random mutations and cuts", arguments: 0..<8)
  func mutations(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<1500 {
      var bytes = GPXCutTests.sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        GPXCutTests.mutate(&bytes, &generator)
      }
      guard GPXCutTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)) else {
        return
      }
    }
  }

  @Test(
    "reads the first of repeated children",
    arguments: [
      (
        "<time>2026-03-04T17:00:12Z</time><time>2026-03-04T17:00:13Z</time>",
        "2026-03-04T17:00:12Z"
      ),
      ("<time>x</time><time>2026-03-04T17:00:13Z</time>", "-"),
      ("<time/><time>2026-03-04T17:00:13Z</time>", "-"),
    ])
  func twice(children: String, time: String) {
    let point = "<trkpt lat='1' lon='2'>\(children)</trkpt>"
    let text = "<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>"
    #expect(GPXReading.outcome(of: text).times == [time])
  }

  @Test("is the same if a point comes after thousands of empty lines")
  func emptyLines() {
    let point = "<trkpt lat=\"1\" lon=\"2\"/>"
    let gap = String(repeating: "\n", count: 20_000)
    let bytes = Array("<gpx><trk><trkseg>\(point)\(gap)\(point)</trkseg></trk></gpx>".utf8)
    #expect(GPXCutTests.check(bytes, [30, 9000]))
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
    #expect(GPXCutTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)))
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
    _ = GPXCutTests.check(original, GPXReading.cuts(of: original.count, &generator))
    // Long files get fewer mutations.
    for _ in 0..<max(4, min(60, 2_000_000 / max(1, original.count))) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        GPXCutTests.mutate(&bytes, &generator)
      }
      guard GPXCutTests.check(bytes, GPXReading.cuts(of: bytes.count, &generator)) else {
        return
      }
    }
  }
}
