import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("Files of other programs")
struct OtherProgramsTests {
  private func read(_ text: String) -> Outcome { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> Outcome {
    DecoderVerifier.verify(bytes) { Undoubted() }
  }

  /// What counts of an outcome's fixes, as for a whole file.
  private func counted(_ outcome: Outcome) -> FixBatch {
    var batch = FixBatch()
    for fix in outcome.fixes { batch.append(fix) }
    var filter = FixFilter()
    filter.filter(&batch)
    filter.finish(into: &batch)
    return batch
  }

  // MARK: GeoJSON

  private func multiLine(_ times: String) -> Outcome {
    read(
      """
      {"type":"Feature","properties":{"coordTimes":\(times),"coordinateProperties":{"times":\(times)}},
      "geometry":{"type":"MultiLineString","coordinates":[[[5,50],[5,51]],[[5,52],[5,53]],[[5,54]]]}}
      """)
  }

  @Test("the nested times of a MultiLineString belong to its parts, even if one part lacks them")
  func nestedTimes() {
    let times = """
      [["2026-03-04T17:00:00Z","2026-03-04T17:01:00Z"],["2026-03-04T17:02:00Z"],["2026-03-04T17:05:00Z"]]
      """
    let outcome = multiLine(times)
    #expect(
      outcome.times
        == ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z", "-", "-", "2026-03-04T17:05:00Z"])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 1, 2])
    #expect(outcome.rejections.map(\.reason) == [.time])
    #expect(outcome.rejections.first?.detail?.contains("1 time for 2 positions") == true)
  }

  @Test("times of a MultiLineString that are written twice are read once")
  func timesTwice() {
    let times = """
      [["2026-03-04T17:00:00Z","2026-03-04T17:01:00Z"],[null,null],["2026-03-04T17:05:00Z"]]
      """
    let outcome = multiLine(times)
    #expect(
      outcome.times
        == ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z", "-", "-", "2026-03-04T17:05:00Z"])
    #expect(outcome.rejections.isEmpty)
  }

  // MARK: Google Timeline

  @Test(
    "where one stay ends and the next begins at the same moment, an iPhone's export has one fix")
  func endsOnce() {
    func visit(_ start: String, _ end: String, _ place: String, level: Int = 0) -> String {
      """
      {"endTime" : "2024-06-15T\(end)", "startTime" : "2024-06-15T\(start)",
       "visit" : {"hierarchyLevel" : "\(level)", "topCandidate" : {"placeLocation" : "geo:\(place)"}}}
      """
    }
    let activity = """
      {"endTime" : "2024-06-15T09:20:00.000Z", "startTime" : "2024-06-15T09:00:00.000Z",
       "activity" : {"start" : "geo:52.1001,4.3", "end" : "geo:52.2,4.4"}}
      """
    let outcome = read(
      "[\(visit("08:00:00.000Z", "09:00:00.000Z", "52.1,4.3")),\(activity),"
        + "\(visit("09:20:00.000Z", "11:00:00.000Z", "52.2,4.4")),"
        + "\(visit("09:40:00.000Z", "10:00:00.000Z", "52.2002,4.4", level: 1))]")
    #expect(
      outcome.times == [
        "2024-06-15T08:00:00Z", "2024-06-15T09:00:00Z", "2024-06-15T09:20:00Z",
        "2024-06-15T11:00:00Z",
      ])
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [52.1, 52.1, 52.2, 52.2])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 0, 0])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  // MARK: IGC

  private func igc(_ records: String...) -> Outcome {
    read("AXCSAAA\r\nHFDTE040326\r\n" + records.map { "\($0)\r\n" }.joined())
  }

  private func fix(_ time: String, _ thousandths: Int) -> String {
    "B\(time)39\(56_000 + thousandths)N07509000WA0010000100"
  }

  @Test("a stray record of midnight does not move the rest of an IGC file to the next day")
  func strayMidnight() {
    let outcome = igc(
      fix("200000", 1), fix("200001", 2), fix("000000", 3), fix("200003", 4), fix("200004", 5))
    #expect(
      outcome.times == [
        "2026-03-04T20:00:00Z", "2026-03-04T20:00:01Z", "2026-03-05T00:00:00Z",
        "2026-03-04T20:00:03Z", "2026-03-04T20:00:04Z",
      ])
    // Only the stray record itself is wrong.
    #expect(counted(outcome).fixes.count == 5)
  }

  @Test("midnight passes once, even if the records around it are out of order")
  func midnight() {
    let outcome = igc(
      fix("235959", 1), fix("000000", 2), fix("235959", 3), fix("000001", 4), fix("150000", 5))
    #expect(
      outcome.times == [
        "2026-03-04T23:59:59Z", "2026-03-05T00:00:00Z", "2026-03-04T23:59:59Z",
        "2026-03-05T00:00:01Z", "2026-03-05T15:00:00Z",
      ])
  }

  @Test("the date that an IGC file repeats after midnight loses no fix")
  func repeatedDate() {
    let outcome = igc(
      fix("235958", 1), fix("000001", 2), "HFDTE040326", fix("000002", 3), fix("000003", 4))
    #expect(
      outcome.times == [
        "2026-03-04T23:59:58Z", "2026-03-05T00:00:01Z", "2026-03-05T00:00:02Z",
        "2026-03-05T00:00:03Z",
      ])
    #expect(counted(outcome).fixes.count == 4)
  }

  @Test("flow control, blanks and a cut record in front of an IGC fix do not lose it")
  func oddBytes() {
    let outcome = igc(
      fix("200000", 1), "\u{11}" + fix("200001", 2), "  " + fix("200002", 3),
      "A line of text", String(fix("200003", 4).prefix(24)), fix("200004", 5))
    #expect(outcome.fixes.count == 5)
    #expect(outcome.fixes.map(\.trackIndex) == [0, 0, 0, 0, 0])
    #expect(outcome.rejections.isEmpty)
  }

  // MARK: KML

  private func multiTrack(_ interpolate: String, _ minutes: [[Int]]) -> Outcome {
    let tracks = minutes.map { minutes in
      "<gx:Track>"
        + minutes.map { "<when>2026-03-04T17:0\($0):00Z</when>" }.joined()
        + minutes.map { "<gx:coord>-75.1\($0) 39.9\($0) 0</gx:coord>" }.joined()
        + "</gx:Track>"
    }
    return read(
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">"
        + "<Placemark><gx:MultiTrack>\(interpolate)\(tracks.joined())</gx:MultiTrack></Placemark></kml>"
    )
  }

  @Test(
    "both tracks of a gx:MultiTrack count, whichever is the older",
    arguments: ["", "<gx:interpolate>0</gx:interpolate>", "<gx:interpolate>1</gx:interpolate>"])
  func bothTracks(interpolate: String) {
    for minutes in [[[4, 5], [1, 2]], [[1, 4], [2, 3]], [[1, 2], [4, 5]]] {
      let outcome = multiTrack(interpolate, minutes)
      let counted = counted(outcome)
      #expect(counted.fixes.count == 4)
      #expect(counted.rejections.isEmpty)
    }
    let isJoined = interpolate.contains("1")
    #expect(
      multiTrack(interpolate, [[1, 2], [4, 5]]).fixes.map(\.segmentIndex)
        == (isJoined ? [0, 0, 0, 0] : [0, 0, 1, 1]))
  }

  // MARK: FIT

  private func undated(startDay: Int32? = nil) throws -> (batch: FixBatch, notices: [String]) {
    var fit = FITBytes()
    fit.define(0, message: 20, [[253, 4, 0x86], [0, 4, 0x85], [1, 4, 0x85]])
    for second in [77, 78, 80] {
      fit.add(0, FITBytes.number(second, 4) + FITBytes.position(45, 5 + Double(second) / 1000))
    }
    var decoder = FITDecoder(startDay: startDay)
    var batch = FixBatch()
    try decoder.decode(fit.file().span, into: &batch)
    try decoder.finish(into: &batch)
    return (batch, decoder.notices)
  }

  @Test("a FIT file without a date keeps its fixes without times, and says so once")
  func undatedFIT() throws {
    let (batch, notices) = try undated()
    #expect(batch.fixes.map(\.timeMilliseconds) == [nil, nil, nil])
    #expect(batch.rejections.isEmpty)
    #expect(notices.count == 1)
    #expect(notices.first?.contains("--date") == true)
  }

  @Test("--date dates a FIT file without a date from its first fix on")
  func datedFIT() throws {
    let (batch, notices) = try undated(startDay: 20516)
    #expect(batch.fixes.map(\.timeMilliseconds) == [0, 1000, 3000].map { 1_772_582_400_000 + $0 })
    #expect(notices.isEmpty)
  }

  // MARK: OwnTracks Recorder

  @Test("fields of the Recorder may be separated by blanks")
  func blanks() {
    let outcome = read(
      """
      2026-03-04T17:00:02Z  *                 {"_type":"location","lat":39.9,"lon":-75.1,"tst":1772643600}
      2026-03-04T17:00:12Z  -                 {"_type":"lwt","tst":1772643000}
      2026-03-04T17:00:22Z  *                 {"_type":"location","lat":39.8,"lon":-75.1,"tst":1772643620}

      """)
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:20Z"])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test(
    "of a message's own time and that of its line, the more precise one of the same second counts",
    arguments: [
      ("17:00:00.750Z", ",\"tst\":1772643600", "2026-03-04T17:00:00.750Z"),
      ("17:00:00Z", ",\"tst\":1772643600.25", "2026-03-04T17:00:00.250Z"),
      ("17:00:09.750Z", ",\"tst\":1772643600", "2026-03-04T17:00:00Z"),
      ("17:00:09Z", "", "2026-03-04T17:00:09Z"),
    ])
  func precision(line: String, tst: String, expected: String) {
    let outcome = read(
      "2026-03-04T\(line)\t*                 \t{\"_type\":\"location\",\"lat\":1,\"lon\":2\(tst)}\n"
    )
    #expect(outcome.times == [expected])
    #expect(outcome.rejections.isEmpty)
  }
}
