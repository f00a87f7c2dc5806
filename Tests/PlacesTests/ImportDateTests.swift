import FencepostMonitoring
import FencepostPlaces
import FencepostTime
import Testing

@Suite("Dates in tables")
struct ImportDateTests {
  /// Imports rows `0`, `1`, … with these dates of publication.
  private func dates(
    _ texts: [String], column: String = "published", order: DateOrder? = nil
  ) throws -> (report: ImportReport, days: [String]) {
    let rows = texts.enumerated().map { "\($0);\($0);2;\($1)\n" }
    let (report, places) = try ImportTests.places(
      of: "id;lat;lon;\(column)\n" + rows.joined(), options: ImportOptions(dateOrder: order))
    let days = places.map { place in
      (place.publishedMilliseconds ?? place.expiresMilliseconds).map {
        ISO8601.string(milliseconds: $0)
      } ?? "-"
    }
    return (report, days)
  }

  @Test(
    "are read as people and programs write them",
    arguments: [
      "2026-03-12", "12.03.2026", "12.3.26", "2026/3/12", "12-Mar-2026", "12 March 2026",
      "20260312", "20260312000000", "20260312T000000Z", "20260312 000000",
      "20260311T240000", "20260312T013000+0130", "20260311193000-0430",
      "3/12/2026 12:00 AM", "46093", "46093,0", "1773273600", "1773273600000", " 12.03.2026 ",
      "Thu, 12 Mar 2026 00:00:00 GMT", "12 Mar 26 00:00 UT", "2026-03-12 01:00:00.000 +0100",
    ])
  func forms(_ text: String) throws {
    let (report, days) = try dates([text], order: .monthFirst)
    #expect(report.refusals == [] && days == ["2026-03-12T00:00:00Z"])
  }

  @Test(
    "that the calendar does not have, or that are none, are refused",
    arguments: [
      "31.4.2026", "2026-02-30", "13/13/2026", "soon", "17:00", "2026", "5", "12.03", "0", "-46093",
      "19450508", "March 2026",
      // Digits that as times since 1970 would be in other years: no such month, day, hour or form.
      "20261301", "20260230", "40004040", "20260312240001", "20261312000000", "20260312250000",
      "202603121700", "260312170000", "20260312.0", "240131", "31012026", "20260312T250000",
    ])
  func refused(_ text: String) throws {
    let (report, days) = try dates([text, "2026-03-12"])
    #expect(days == ["2026-03-12T00:00:00Z"])
    #expect(report.refusals.map(\.reason) == [.badTime] && report.refusals.map(\.line) == [2])
    #expect(report.refusals[0].sentence.contains("“\(text)”"))
  }

  @Test("in one column may be of several forms")
  func mixture() throws {
    let texts = ["2026-03-12", "46093", "", "12.03.2026", "1773273600", "20260312", "46093.5"]
    let (report, days) = try dates(texts)
    let day = "2026-03-12T00:00:00Z"
    #expect(report.refused == 0)
    #expect(days == [day, day, "-", day, day, day, "2026-03-12T12:00:00Z"])
  }

  @Test("in which the day or the month may come first are clear by the table")
  func order() throws {
    let texts = ["3/4/2026", "2026-03-12", "4/4/2026", "3/13/2026", "13/3/2026"]
    let (report, days) = try dates(texts)
    #expect(
      days == [
        "2026-03-04T00:00:00Z", "2026-03-12T00:00:00Z", "2026-04-04T00:00:00Z",
        "2026-03-13T00:00:00Z",
      ])
    // The order that the others have leaves no month 13.
    #expect(report.refusals.map(\.line) == [6])
    #expect(try dates(["3/4/2026", "13/4/2026"]).days.first == "2026-04-03T00:00:00Z")
  }

  @Test("have one order in all columns of a table", arguments: [false, true])
  func oneOrder(_ isLater: Bool) throws {
    let (clear, doubtful) = ("a,1,2,3/4/2026,13/4/2026\n", "b,1,2,5/4/2026,6/4/2026\n")
    let rows = isLater ? doubtful + clear : clear + doubtful
    let (report, places) = try ImportTests.places(of: "id,lat,lon,published,expires\n" + rows)
    #expect(report.refused == 0)
    func text(_ time: Int64?) -> String { time.map { ISO8601.string(milliseconds: $0) } ?? "-" }
    #expect(
      places.map { text($0.publishedMilliseconds) }
        == ["2026-04-03T00:00:00Z", "2026-04-05T00:00:00Z"])
    #expect(
      places.map { text($0.expiresMilliseconds) }
        == ["2026-04-14T00:00:00Z", "2026-04-07T00:00:00Z"])
  }

  @Test("that stay in doubt are refused, each with the option that decides")
  func doubt() throws {
    let texts = ["3/4/2026", "2026-03-12", "5/6/26"]
    let (report, days) = try dates(texts, column: "Publish date")
    #expect(days == ["2026-03-12T00:00:00Z"])
    #expect(report.refusals.map(\.line) == [2, 4])
    #expect(
      report.refusals[0].sentence
        == "“3/4/2026” in the column “Publish date” may have the day or the month first;"
        + " say which with --date-order dmy or mdy")
    #expect(
      try dates(texts, order: .dayFirst).days
        == ["2026-04-03T00:00:00Z", "2026-03-12T00:00:00Z", "2026-06-05T00:00:00Z"])
    #expect(try dates(texts, order: .monthFirst).days.last == "2026-05-06T00:00:00Z")
  }

  @Test(
    "may be in a column of any usual name",
    arguments: [
      "published", "Published on", "Published at", "Publish date", "pubDate", "Publication date",
      "expires", "Expires on", "Expiry date", "Expiration date", "expiry",
    ])
  func names(_ column: String) throws {
    let (report, days) = try dates(["12.03.2026"], column: column)
    let day = column.lowercased().hasPrefix("expir") ? 13 : 12
    #expect(report.warnings == [] && days == ["2026-03-\(day)T00:00:00Z"])
  }

  @Test(
    "are whole days of the zone, the last one included, and times without a zone are its too",
    arguments: [
      ("2026-03-10", "2026-03-09T23:00:00Z", "2026-03-10T23:00:00Z"),
      ("10.3.2026", "2026-03-09T23:00:00Z", "2026-03-10T23:00:00Z"),
      ("46091", "2026-03-09T23:00:00Z", "2026-03-10T23:00:00Z"),
      ("2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
      ("2026-03-10 20:00", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("2026-03-10T20:00:00.5", "2026-03-10T19:00:00.500Z", "2026-03-10T19:00:00.500Z"),
      ("3/10/2026 8:00 PM", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("46091.5", "2026-03-10T11:00:00Z", "2026-03-10T11:00:00Z"),
      ("10 Mar 2026 20:00", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("10 Mar 26 20:00", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("20260310", "2026-03-09T23:00:00Z", "2026-03-10T23:00:00Z"),
      ("20260310200000", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("20260310T200000", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      ("20260310 200000.5", "2026-03-10T19:00:00.500Z", "2026-03-10T19:00:00.500Z"),
      ("10.3.2026 200000", "2026-03-10T19:00:00Z", "2026-03-10T19:00:00Z"),
      // With a zone, and since 1970.
      ("2026-03-10T20:00:00Z", "2026-03-10T20:00:00Z", "2026-03-10T20:00:00Z"),
      ("2026-03-10 20:00 +0200", "2026-03-10T18:00:00Z", "2026-03-10T18:00:00Z"),
      ("Tue, 10 Mar 2026 20:00:00 EST", "2026-03-11T01:00:00Z", "2026-03-11T01:00:00Z"),
      ("10 Mar 26 20:00 EST", "2026-03-11T01:00:00Z", "2026-03-11T01:00:00Z"),
      ("20260310T200000Z", "2026-03-10T20:00:00Z", "2026-03-10T20:00:00Z"),
      ("20260310T200000+0200", "2026-03-10T18:00:00Z", "2026-03-10T18:00:00Z"),
      ("20260310200000Z", "2026-03-10T20:00:00Z", "2026-03-10T20:00:00Z"),
      ("1773273600", "2026-03-12T00:00:00Z", "2026-03-12T00:00:00Z"),
      ("1773273600.000", "2026-03-12T00:00:00Z", "2026-03-12T00:00:00Z"),
      ("978307200000", "2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"),
      ("99991231", "9999-12-30T23:00:00Z", "9999-12-31T23:00:00Z"),
    ])
  func zone(_ text: String, published: String, expires: String) throws {
    let vienna = try #require(ClockZone(identifier: "Europe/Vienna"))
    let (report, places) = try ImportTests.places(
      of: "id;lat;lon;published;expires\na;1;2;\(text);\(text)\n",
      options: ImportOptions(dateOrder: .monthFirst, zone: vienna))
    #expect(report.refused == 0)
    let place = try #require(places.first)
    #expect(place.publishedMilliseconds == ISO8601.milliseconds(parsing: published))
    #expect(place.expiresMilliseconds == ISO8601.milliseconds(parsing: expires))
  }

  @Test(
    "of stories that never expire, as programs write them, are in the last year",
    arguments: ["9999-12-31", "31.12.9999", "99991231", "9999-12-31T23:59:59-05:00"])
  func never(_ text: String) throws {
    let (report, places) = try ImportTests.places(
      of: "id;lat;lon;expires\na;1;2;\(text)\n",
      options: ImportOptions(zone: ClockZone(offsetSeconds: -18_000)))
    #expect(report.refused == 0)
    let last = ISO8601.milliseconds(parsing: "9999-12-31T23:59:59.999Z")
    #expect(try #require(places.first).expiresMilliseconds == last)
  }

  @Test("of a story of one day do not expire before they are published")
  func oneDay() throws {
    let (report, _) = try ImportTests.places(
      of: "id;title;lat;lon;radius;published;expires\na;A;1;2;100;2026-03-10;2026-03-10\n")
    #expect(report.warnings == [])
  }
}
