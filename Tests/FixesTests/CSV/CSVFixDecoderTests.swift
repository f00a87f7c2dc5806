import Fixes
import Formats
import Geodesy
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

  @Test("times are read alike whatever row was before, in 20,000 rows right and wrong")
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
      // Blanks around a time are passed over, and there is one at most.
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

  @Test("the accuracy is read where there is one, and times are not needed")
  func readsAccuracy() {
    let outcome = decode("lat,lon,accuracy\n1,2,12.5\n3,4,\n5,6\n")
    #expect(outcome.times == ["-", "-", "-"])
    #expect(outcome.fixes.first?.accuracyMeters == 12.5)
    #expect(outcome.fixes.last?.accuracyMeters.isNaN == true)
  }

  @Test(
    "a row that is not good is told with its line and stops no other",
    arguments: [
      ("t,91,2", Rejection.Reason.coordinate, 2), (",1,180.5", .coordinate, 2),
      (",north,2", .coordinate, 2), (",,2", .coordinate, 2), (",nan,2", .coordinate, 2),
      (",1", .malformed, 2), (",\"1\"x,2", .malformed, 2), ("soon,1,2", .time, 3),
    ])
  func rejects(row: String, reason: Rejection.Reason, fixes: Int) {
    let outcome = decode("time,lat,lon\n,1,2\n\(row)\n,3,4\n")
    #expect(outcome.fixes.count == fixes)
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 3)
  }

  @Test("a header without latitude and longitude ends the file with a sentence")
  func demandsHeader() {
    let outcome = decode("a,b\n1,2\n")
    #expect(outcome.error?.line == 1)
    #expect(outcome.error?.sentence.contains("lat and lon") == true)
  }

  @Test(
    "a number beyond the years 0 to 9999 is no time",
    arguments: [
      // The last two are microseconds and nanoseconds of a good time.
      ("-62167219200", 0), ("-62167219201", 1), ("-1e300", 1), ("1e300", 1),
      ("-9223372036854775", 0), ("9223372036854775807", 0),
    ])
  func impossibleTimes(number: String, rejected: Int) {
    let outcome = decode("time,lat,lon\n\(number),1,2\n")
    #expect(outcome.fixes.count == 1)
    #expect(outcome.count(.time) == rejected)
  }
}
