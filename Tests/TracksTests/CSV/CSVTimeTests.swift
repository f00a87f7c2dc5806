import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import Testing

@Suite("Times in tables")
struct CSVTimeTests {
  private func decode(
    _ text: String, order: DateOrder? = nil, startDay: Int32? = nil
  ) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder(order: order, startDay: startDay) }
  }

  /// Rows of a time and a position, separated by semicolons.
  private func times(_ texts: [String], name: String = "time") -> Outcome {
    decode("\(name);lat;lon\n" + texts.map { "\($0);1;2\n" }.joined())
  }

  @Test(
    "are read however they are written",
    arguments: [
      "2026-03-04 17:00:00.250", "2026/03/04 17:00:00.25", "2026/3/4 17:00:00,250",
      "2026-03-04 17:00:00.250 UTC", "2026-03-04 17:00:00.250 GMT", "2026-03-04T17:00:00.250Z",
      "2026-03-04 18:00:00.250+01:00", "2026-03-04 18:00:00.250 +0100",
      "2026-03-04 05:00:00.250 PM",
      "2026-03-04 18:00:00.250 UTC+1", "2026-03-04 11:30:00.250 GMT-05:30", "4.3.2026 17:00:00.250",
      "04.03.2026, 5:00:00.250 pm", "04.03.26 17:00:00.250", "4-Mar-2026 17:00:00.250",
      "4 March 2026 17:00:00.250", "20260304 170000.250", "20260304T170000.250Z",
      "2026-03-04 5:00:00.250\u{202F}p.m.", " 2026-03-04\u{A0}17:00:00.250z ",
    ])
  func readsForms(text: String) {
    let outcome = times([text])
    #expect(outcome.times == ["2026-03-04T17:00:00.250Z"])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test(
    "are refused if the calendar has no such time",
    arguments: [
      "2026-02-29 17:00", "2026/13/04 17:00", "31.4.2026 17:00", "2026-03-04 24:01", "17:60",
      "2026-03-04 13:00 PM", "2026-03-04 17:00 CET", "2026-03-04 17:00 +24:00", "2026-03/04 17:00",
      "2026-03-04 17:00:00.", "2026-03-04 17:00.50", "4 Foo 2026 17:00",
      "2026-03-04 17:00 and more",
      "32/1/2026", "13/13/2026", "yesterday", "2026-03-04 17", "090508",
    ])
  func refusesForms(text: String) {
    let outcome = times(["2026-03-04 17:00", text])
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "-"])
    #expect(outcome.rejections.map(\.reason) == [.time])
    #expect(outcome.rejections.first?.line == 3)
    #expect(outcome.rejections.first?.detail?.contains(text) == true)
  }

  @Test("noon is 12 PM and midnight 12 AM")
  func readsHalves() {
    let outcome = times(["2026/3/4 12:00:01 AM", "2026/3/4 12:00 PM", "2026/3/4 11:59 pm"])
    #expect(
      outcome.times == ["2026-03-04T00:00:01Z", "2026-03-04T12:00:00Z", "2026-03-04T23:59:00Z"])
  }

  // MARK: Names

  @Test(
    "may be in a column of any usual name",
    arguments: [
      "t", "ts", "Date", "fixTime", "deviceTime", "serverTime", "time", "timestamp", "Datetime",
      "UTC", "Unix Time", "GPS Time", "Zeitstempel", "time_utc", "Date/Time", "\"Time (UTC)\"",
    ])
  func findsColumn(name: String) {
    #expect(times(["2026-03-04T17:00:00Z"], name: name).times == ["2026-03-04T17:00:00Z"])
  }

  @Test(
    "of the fix precede others, whatever the order of columns",
    arguments: [
      "serverTime,deviceTime,fixTime", "fixTime,serverTime,deviceTime", "time,deviceTime,fixTime",
      "local time,UTC time,date", "devicetime,timestamp,servertime",
    ])
  func prefersColumns(names: String) {
    let values = names.split(separator: ",").map { name in
      let isBest = ["fixTime", "UTC time", "timestamp"].contains(name)
      return isBest ? "2026-03-04T17:00:00Z" : "2020-01-01T00:00:00Z"
    }
    let outcome = decode("\(names),lat,lon\n\(values.joined(separator: ",")),1,2\n")
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
  }

  @Test(
    "may be separate from the date",
    arguments: [
      ("Date,Time", "2026/03/04,17:00:00"), ("utc_d,utc_t", "2026/03/04,05:00:00 PM"),
      ("UTC_TIME,UTC_DATE", "17:00:00,20260304"), ("Datum,Uhrzeit", "04.03.2026,17:00:00"),
      ("DATE,TIME", "20260304,170000"), ("date,time", "46085,0.708333333333333"),
      ("date,time", "2026-03-04 00:00:00,17:00"), ("date,time", "2026-03-04,18:00:00+01:00"),
      ("date,time", "2020-01-01,2026-03-04T17:00:00Z"), ("date,time", ",1772643600"),
      ("date,time", "2026-03-04 17:00:00,12"), ("date,time", "2026-03-04 17:00:00,"),
      ("LOCAL TIME,LOCAL DATE,UTC TIME,UTC DATE", "01:00,2026/3/5,17:00,2026/3/4"),
    ])
  func joinsDateAndTime(names: String, values: String) {
    let outcome = decode("\(names),lat,lon\n\(values),1,2\n")
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
    #expect(outcome.rejections.isEmpty)
  }

  @Test(
    "a date without a time of day is its midnight, and a time of day without a date is not read")
  func halfTimes() {
    let outcome = decode("date,time,lat,lon\n2026/3/4,,1,2\n,17:00,1,2\n,,1,2\n")
    #expect(outcome.times == ["2026-03-04T00:00:00Z", "-", "-"])
    #expect(outcome.rejections.map(\.line) == [3])
  }

  @Test("of day need the date of the first fix, and may pass midnight")
  func timesOfDay() throws {
    let text = "time,lat,lon\n23:59:59,1,2\n00:00:01,1,3\n00:00:00,1,4\n"
    let day = Int32(CivilDate(year: 2026, month: 3, day: 4).daysSince1970)
    #expect(
      decode(text, startDay: day).times
        == ["2026-03-04T23:59:59Z", "2026-03-05T00:00:01Z", "2026-03-05T00:00:00Z"])
    let error = try #require(decode(text).error)
    #expect(error.line == 2)
    #expect(error.sentence.contains("“time” has “23:59:59”"))
    #expect(error.sentence.contains("--date"))
  }

  // MARK: Days and months

  @Test(
    "in which day or month may come first are decided by the column",
    arguments: [
      (["3/4/2026 5:00 PM", "3/13/2026 5:00 PM"], "2026-03-04T17:00:00Z"),
      (["3/4/2026 17:00", "", "soon", "13/4/2026 17:00"], "2026-04-03T17:00:00Z"),
      (["3-4-2026 17:00:00", "25-4-2026 17:00:00"], "2026-04-03T17:00:00Z"),
      (["4/4/2026 17:00", "3/4/2026 17:00", "3/31/2026 17:00"], "2026-04-04T17:00:00Z"),
    ])
  func decidesOrder(texts: [String], first: String) {
    let outcome = times(texts)
    #expect(outcome.error == nil)
    #expect(outcome.fixes.count == texts.count)
    #expect(outcome.fixes.map { Int($0.line) } == Array(2..<(2 + texts.count)))
    #expect(outcome.times.first == first)
  }

  @Test("are refused if ambiguous, with the column, a value and the remedy")
  func refusesDoubtfulOrder() throws {
    let text = "Local Date;lat;lon\n4/4/2026 5:00 PM;1;2\n3/4/2026 5:00 PM;1;2\n5/4/2026;1;2\n"
    let error = try #require(decode(text).error)
    #expect(
      error.sentence
        == "the column “Local Date” has “3/4/2026 5:00 PM”: the day or the month could come first; "
        + "set --date-order to dmy or mdy")
    #expect(error.line == 3)
    // The rows before it stay.
    #expect(decode(text).times == ["2026-04-04T17:00:00Z"])
    #expect(decode(text, order: .dayFirst).times[1] == "2026-04-03T17:00:00Z")
    #expect(decode(text, order: .monthFirst).times[1] == "2026-03-04T17:00:00Z")
    // The date of the first fix decides the order too.
    let day = Int32(CivilDate(year: 2026, month: 3, day: 4).daysSince1970)
    #expect(
      decode("t,lat,lon\n3/4/2026 5:00 PM,1,2\n", startDay: day).times == ["2026-03-04T17:00:00Z"])
  }

  @Test("with years of two digits need a stated order")
  func shortYears() {
    let text = "Date,Time,lat,lon\n3/25/26,5:00 PM,1,2\n"
    #expect(decode(text).error?.sentence.contains("year has two digits") == true)
    #expect(decode(text, order: .monthFirst).times == ["2026-03-25T17:00:00Z"])
  }

  @Test("are looked ahead for within a bound, and rows stay in order")
  func boundsLookAhead() {
    let row = "3/4/2026 5:00 PM,1,2\n"
    let decisive = "3/14/2026 5:00 PM,1,2\n"
    let short = String(repeating: row, count: CSVFixDecoder.mostDoubtfulRows - 1)
    var outcome = Outcome()
    for (text, isDecided) in [(short + decisive, true), (short + row + decisive, false)] {
      let bytes = Array(("time,lat,lon\n" + text).utf8)
      outcome = DecoderVerifier.outcome(of: bytes, cutAt: [5000], CSVFixDecoder())
      #expect((outcome.error == nil) == isDecided)
      #expect(outcome.fixes.count == (isDecided ? CSVFixDecoder.mostDoubtfulRows : 0))
    }
  }

  // MARK: Numbers

  @Test(
    "in days of Excel are read if name or values leave no doubt",
    arguments: [
      ("date", ["46085.7083333333"]), ("Datum", ["46085,7083333333"]),
      ("time", ["46085.7083333333", "46085.7083449074"]),
      ("t", ["46085.7083333333", "46085.7083333333", "46085.7083912037"]),
    ])
  func readsExcelDays(name: String, texts: [String]) {
    #expect(times(texts, name: name).times.first == "2026-03-04T17:00:00Z")
  }

  @Test("are seconds if they are not days")
  func readsElapsedSeconds() {
    let outcome = times(["61200.25000", "61201.25000"])
    #expect(outcome.times == ["1970-01-01T17:00:00.250Z", "1970-01-01T17:00:01.250Z"])
    #expect(times(["61200", "61200.01"]).times.first == "1970-01-01T17:00:00Z")
  }

  @Test("are refused if a lone number may be days or seconds")
  func refusesDoubtfulNumber() {
    let outcome = times(["46085.7083333333", "46085.7083333333"])
    #expect(outcome.fixes.isEmpty)
    #expect(outcome.error?.sentence.contains("days or seconds") == true)
    #expect(outcome.error?.line == 2)
  }

  @Test("of 14 digits are dates, not milliseconds")
  func readsDigits() {
    let outcome = times(["20260304170000", "20260304170001"])
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:01Z"])
    #expect(times(["20260304"], name: "date").times == ["2026-03-04T00:00:00Z"])
  }

  // MARK: Reports

  @Test("are refused with a value if a column has no readable one")
  func refusesUnreadableColumn() {
    let outcome = times(["", "4 mars 2026", "5 mars 2026"], name: "Heure")
    #expect(
      outcome.error?.description
        == "line 3: the column “Heure” has “4 mars 2026”, and none of its times can be read; write "
        + "them like 2026-03-04T17:00:00Z")
    let long = times([String](repeating: "soon", count: 1000))
    #expect(long.error?.line == 2)
    // If one is readable, the others are faults of their rows.
    let mixed = times(["soon", "later", "2026-03-04T17:00:00Z"])
    #expect(mixed.times == ["-", "-", "2026-03-04T17:00:00Z"])
    #expect(mixed.rejections.map(\.line) == [2, 3])
  }

  private func notices(_ text: String) throws -> [String] {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(text.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    return stream.notices
  }

  @Test("that are missing or local are reported")
  func noticesMissingTimes() throws {
    #expect(
      try notices("lat,lon\n1,2\n") == ["no time column found, so the fixes have no times"])
    #expect(
      try notices("time,lat,lon\n,1,2\n,3,4\n")
        == ["the column “time” is empty, so the fixes have no times"])
    #expect(
      try notices("Local Time,lat,lon\n2026-03-04 17:00,1,2\n").first?.contains("UTC") == true)
    #expect(try notices("t,lat,lon\n0,1,2\n60,1,3\n").first?.contains("1970") == true)
    #expect(try notices("time,lat,lon\n2026-03-04T17:00:00Z,1,2\n").isEmpty)
    #expect(try notices("lat,lon\n").isEmpty)
  }
}
