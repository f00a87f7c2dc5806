import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("Zip archives")
struct ArchiveTests {
  private func kml(_ longitude: Int) -> [UInt8] {
    Array(
      "<kml><Placemark><LineString><coordinates>\(longitude),50 \(longitude),51</coordinates></LineString></Placemark></kml>"
        .utf8)
  }

  private func month(_ hour: Int) -> [UInt8] {
    Array(
      "{\"timelineObjects\":[{\"placeVisit\":{\"location\":{\"latitudeE7\":1,\"longitudeE7\":2},\"duration\":{\"startTimestamp\":\"2020-01-01T\(hour):00:00Z\"}}}]}"
        .utf8)
  }

  private func read(_ zip: ZipBytes) -> Outcome {
    DecoderVerifier.verify(zip.archive) { Undoubted() }
  }

  private func notices(_ zip: ZipBytes) throws -> [String] {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(zip.archive.span, into: &batch)
    try stream.finish(into: &batch)
    return stream.notices
  }

  @Test("a KMZ gives the track of its first KML, stored or deflated, wherever it stands")
  func kmz() throws {
    for deflated in [nil, ZipBytes.deflated(kml(5))] {
      var zip = ZipBytes()
      zip.add("images/", [])
      zip.add("images/pin.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10])
      zip.add("doc.kml", kml(5), deflated: deflated)
      zip.add("more.kml", kml(6))
      let outcome = read(zip)
      #expect(outcome.error == nil)
      #expect(outcome.fixes.map(\.coordinate.longitudeDegrees) == [5, 5])
      #expect(try notices(zip).contains { $0.contains("more.kml") })
    }
  }

  @Test(
    "the months of a Takeout archive are one track after the other, and other files are left out")
  func takeout() throws {
    var zip = ZipBytes()
    zip.add("Takeout/Location History/Settings.json", Array("{\"a\":1}".utf8))
    zip.add("Takeout/Location History/2020_JANUARY.json", month(10))
    zip.add("Takeout/Location History/2020_FEBRUARY.json", month(12))
    zip.add(
      "Takeout/Location History/Records.json",
      Array("{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2}]}".utf8))
    let outcome = read(zip)
    #expect(outcome.times == ["2020-01-01T10:00:00Z", "2020-01-01T12:00:00Z"])
    #expect(outcome.fixes.map(\.trackIndex) == [0, 1])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1])
    #expect(try notices(zip).contains { $0.contains("Records.json") })
  }

  @Test("a name that climbs out of a folder is only a name")
  func names() {
    var zip = ZipBytes()
    zip.add("../../../etc/cron.d/evil.kml", kml(5))
    #expect(read(zip).fixes.count == 2)
  }

  @Test("an encrypted archive is refused with the way")
  func encrypted() {
    var zip = ZipBytes()
    zip.add("doc.kml", kml(5), flags: 1)
    #expect(read(zip).error?.sentence.contains("encrypted") == true)
  }

  @Test("an entry packed otherwise is skipped, and said")
  func otherMethods() throws {
    var zip = ZipBytes()
    zip.add("a.kml", [1, 2, 3], method: 14)
    zip.add("b.kml", kml(6))
    #expect(read(zip).fixes.count == 2)
    #expect(try notices(zip) == ["skipped a.kml: its compression method is not supported"])
  }

  @Test("damage is said after what came before it")
  func damage() {
    var zip = ZipBytes()
    zip.add("doc.kml", kml(5), checksumFault: 1)
    let wrong = read(zip)
    #expect(wrong.fixes.count == 2)
    #expect(wrong.error?.sentence.contains("checksum of doc.kml") == true)
    var whole = ZipBytes()
    whole.add("doc.kml", kml(5))
    let cut = DecoderVerifier.verify(Array(whole.archive.prefix(120))) { Undoubted() }
    #expect(cut.error?.sentence == "the zip archive ends too early")
  }

  @Test("an archive without a track says so, also one in another")
  func noTrack() {
    var zip = ZipBytes()
    zip.add("a.txt", Array("hello world, this is no track at all".utf8))
    #expect(read(zip).error?.sentence.contains("no track") == true)
    var outer = ZipBytes()
    outer.add("inner.zip", zip.archive)
    #expect(read(outer).error?.sentence.contains("no track") == true)
  }

  @Test("entries that are compressed or archives themselves are named")
  func packed() throws {
    var inner = ZipBytes()
    inner.add("doc.kml", kml(5))
    var zip = ZipBytes()
    zip.add("a.kml", kml(6))
    zip.add("b.kml.gz", Gzip.member(kml(7)))
    zip.add("c.zip", inner.archive)
    #expect(read(zip).fixes.count == 2)
    #expect(
      try notices(zip)
        == ["skipped b.kml.gz and 1 more, compressed within the archive; unpack it first"])
  }
}
