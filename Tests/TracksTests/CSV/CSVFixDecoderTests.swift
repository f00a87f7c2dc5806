import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import TestSupport
import Testing

@Suite("CSV of fixes")
struct CSVFixDecoderTests {
  private func decode(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder() }
  }

  @Test(
    "columns are found by name in any order",
    arguments: [
      "time,lat,lon\n2026-03-04T17:00:00Z,39.5,-75.25\n",
      "lon,lat,time\n-75.25,39.5,2026-03-04T18:00:00+01:00",
      "\u{FEFF}id,Latitude,note,LNG,Timestamp\r\n1,39.5,\"a, b\",-75.25,1772643600\r\n",
      "old longitude,longitude,latitude,utc_time\nx,-75.25,39.5,1772643600000\n",
      "x,y,date-time\n -75.25 , 39.5 , 2026-03-04 17:00:00 \n",
    ])
  func findsColumns(text: String) throws {
    let outcome = decode(text)
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
    #expect(
      outcome.fixes.first?.coordinate
        == Coordinate(latitudeDegrees: 39.5, longitudeDegrees: -75.25))
    #expect(outcome.fixes.first?.line == 2)
    #expect(outcome.rejections.isEmpty)
  }

  @Test("a header without an end is an error that describes a header")
  func refusesEndlessHeader() {
    var batch = FixBatch()
    var decoder = CSVFixDecoder()
    let text = Array(("time,lat," + String(repeating: "lon,", count: 300_000)).utf8)
    let error = #expect(throws: DecodeError.self) {
      try decoder.decode(text.span, into: &batch)
      try decoder.finish(into: &batch)
    }
    #expect(
      error?.description
        == "line 1: the first line must name the columns lat and lon, as in time,lat,lon; "
        + "the row is longer than 1 MiB")
    #expect(batch.isEmpty)
  }

  @Test(
    "numbers of all usual sizes are times",
    arguments: [
      ("1772643600", "2026-03-04T17:00:00Z"), ("1772643600.25", "2026-03-04T17:00:00.250Z"),
      ("1772643600250", "2026-03-04T17:00:00.250Z"),
      ("1772643600250000", "2026-03-04T17:00:00.250Z"),
      ("1772643600250000000", "2026-03-04T17:00:00.250Z"), ("-1", "1969-12-31T23:59:59Z"),
      ("", "-"),
    ])
  func readsNumbers(time: String, expected: String) {
    let outcome = decode("time,lat,lon\n\(time),1,2\n")
    #expect(outcome.times == [expected])
    #expect(outcome.rejections.isEmpty)
  }

  @Test("times do not depend on the rows before, in 20,000 right and wrong rows")
  func readsEachTimeAlone() {
    var generator = SplitMix64(seed: 1970)
    var texts: [String] = []
    for row in 0..<20_000 {
      // Days come in runs, as in a recording, and now and then one comes back.
      let day = (row / 7 + (row % 11 == 0 ? -1 : 0)) * 86_400_000
      let moment = day + Int.random(in: 0..<86_400, using: &generator) * 1000
      var text = Array(ISO8601.string(milliseconds: Int64(moment)).utf8)
      if row % 3 == 0 {
        let spot = Int.random(in: 0..<text.count, using: &generator)
        text[spot] = Array("0123456789:-TZtz.+ /;".utf8).randomElement(using: &generator) ?? 0x30
      }
      texts.append(String(decoding: text, as: UTF8.self))
    }
    let outcome = decode("lat,lon,time\n" + texts.map { "1,2,\($0)\n" }.joined())
    #expect(outcome.fixes.count == texts.count)
    var faults = 0
    for (fix, text) in zip(outcome.fixes, texts) {
      // At most one blank around a time, which is ignored.
      var bare = Substring(text)
      if bare.first == " " { bare.removeFirst() }
      if bare.last == " " { bare.removeLast() }
      let expected = ISO8601.milliseconds(parsing: String(bare))
      if expected == nil { faults += 1 }
      #expect(fix.timeMilliseconds == expected, "\(text)")
    }
    #expect(outcome.rejections.count == faults)
    #expect(faults > 1000)
  }

  /// Rows right and wrong, most of them as loggers write them.
  private func rows(_ header: [String], _ generator: inout SplitMix64) -> [String] {
    let numbers = [
      "39.952600", "-75.165200", "1", "-0.0", "89.99999999999999", "0.1234567890123456", "+3", ".5",
      "5.", "1e2", "91", "-180.000001", "", " 2", "nan", "7\"", "123456789012345678", "--1",
    ]
    let times = [
      "2026-03-04T17:00:00Z", "2026-03-04T17:00:01Z", "2026-03-05T00:00:00.250Z",
      "2026-03-04 17:00:00", "2026-03-04T18:00:00+01:00", "1772643600", "", "soon",
      "2026-02-30T17:00:00Z", " 2026-03-04T17:00:00Z",
    ]
    let notes = ["", "a", "a\"b", "\"a, b\"", "\"a\nb\"", "\"a\"b", "à la carte", "\"not closed"]
    func pick(_ texts: [String], of usual: Int) -> String {
      let isUsual = Int.random(in: 0..<8, using: &generator) > 0
      return texts[Int.random(in: 0..<(isUsual ? usual : texts.count), using: &generator)]
    }
    return (0..<30).map { _ in
      var fields = header.map { name in
        switch name {
        case "time": pick(times, of: 4)
        case "note": pick(notes, of: 3)
        default: pick(numbers, of: 4)
        }
      }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: fields.removeLast()
      case 1: fields.append("more")
      default: break
      }
      return fields.joined(separator: ",")
    }
  }

  @Test("9,000 right and wrong rows are read the same whole and in pieces")
  func rowsOfAllKinds() {
    var generator = SplitMix64(seed: 4180)
    var fixes = 0
    for _ in 0..<300 {
      let header = ["time", "lat", "lon", "accuracy", "note"].shuffled(using: &generator)
        .filter { ["lat", "lon"].contains($0) || Bool.random(using: &generator) }
      let end = ["\n", "\r\n", "\r"].randomElement(using: &generator) ?? "\n"
      let rows = rows(header, &generator)
      let names = header.joined(separator: ",")
      let plain = decode(([names] + rows).joined(separator: end))
      let full = DecoderVerifier.verify(
        Array(([names] + rows).joined(separator: end).utf8)
      ) { CSVFixDecoder() }
      #expect(plain == full, "\(Outcome.difference(plain, full))")
      fixes += plain.fixes.count
    }
    #expect(fixes > 3000)
  }

  @Test("course and speed are read, the speed only from a column that states its unit")
  func readsSpeed() {
    for header in ["lat,lon,speed_mps,course", "lat,lon,Speed (m/s),Heading"] {
      let fixes = decode(header + "\n1,2,12.5,90\n3,4,,360\n").fixes
      #expect(fixes.first?.speedMetersPerSecond == 12.5 && fixes.first?.courseDegrees == 90)
      #expect(fixes.last?.speedMetersPerSecond.isNaN == true && fixes.last?.courseDegrees == 0)
    }
    #expect(decode("lat,lon,speed\n1,2,12.5\n").fixes.first?.speedMetersPerSecond.isNaN == true)
  }

  @Test("the accuracy is read, and neither it nor a time is required")
  func readsAccuracy() {
    let outcome = decode("lat,lon,accuracy\n1,2,12.5\n3,4,\n5,6\n")
    #expect(outcome.times == ["-", "-", "-"])
    #expect(outcome.fixes.first?.accuracyMeters == 12.5)
    #expect(outcome.fixes.last?.accuracyMeters.isNaN == true)
  }

  @Test(
    "a bad row is reported with its line and stops no other",
    arguments: [
      ("t,91,2", Rejection.Reason.coordinate, 2), (",1,180.5", .coordinate, 2),
      (",north,2", .coordinate, 2), (",,2", .coordinate, 2), (",nan,2", .coordinate, 2),
      (",1", .malformed, 2), (",\"1\"x,2", .malformed, 2), ("soon,1,2", .time, 3),
      (",,", .void, 2), (",52.100.000,2", .coordinate, 2), (",'52.1,2", .coordinate, 2),
      (",\u{2212}52.1,2", .coordinate, 2), (",52°6' N,2", .coordinate, 2),
    ])
  func rejects(row: String, reason: Rejection.Reason, fixes: Int) {
    let outcome = decode("time,lat,lon\n0,1,2\n\(row)\n,3,4\n")
    #expect(outcome.fixes.count == fixes)
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 3)
  }

  @Test("a header without latitude and longitude is an error")
  func demandsHeader() {
    let outcome = decode("a,b\n1,2\n")
    #expect(outcome.error?.line == 1)
    #expect(outcome.error?.sentence.contains("lat and lon") == true)
  }

  @Test(
    "a number beyond the years 0 to 9999 is not a time",
    arguments: [
      // The last two are microseconds and nanoseconds of a good time.
      ("-62167219200", 0), ("-62167219201", 1), ("-1e300", 1), ("1e300", 1),
      ("-9223372036854775", 0), ("9223372036854775807", 0),
    ])
  func impossibleTimes(number: String, rejected: Int) {
    let outcome = decode("time,lat,lon\n1772643600,1,2\n\(number),1,2\n")
    #expect(outcome.fixes.count == 2)
    #expect(outcome.count(.time) == rejected)
  }
}
