import Glibc
import FencepostPlaces
import Testing

@Suite("Limits of an import")
struct LimitTests {
  private func stage(_ text: String, placeLimit: Int = 1000) throws -> ImportReport {
    let scratch = Scratch()
    return try PlaceStore.inMemory(
      from: [scratch.file("input", text)], options: ImportOptions(placeLimit: placeLimit)
    ).report
  }

  private func sentences(_ report: ImportReport) -> [String] {
    report.refusals.map { "\($0.line): \($0.sentence)" }
  }

  @Test("a feature that takes too much memory is refused, and the next one read")
  func longFeature() throws {
    let points = String(repeating: "[1,2],", count: 100_000) + "[1,2]"
    let report = try stage(
      """
      {"features":[
      {"geometry":{"type":"MultiPoint","coordinates":[\(points)]}},
      {"geometry":{"type":"Point","coordinates":[3,4]}}]}
      """)
    #expect(sentences(report) == ["2: the feature is larger than 16 MiB"])
    #expect(report.imported == 1)
  }

  @Test("a document that is one too large feature is refused")
  func longDocument() throws {
    let points = String(repeating: "[1,2],", count: 100_000) + "[1,2]"
    let report = try stage(
      """
      {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[\(points)]}}
      """)
    #expect(sentences(report) == ["1: the feature is larger than 16 MiB"])
  }

  @Test("other members of a document may be of any length")
  func foreignMembers() throws {
    let numbers = String(repeating: "1,", count: 400_000) + "1"
    let report = try stage(
      """
      {"other":[\(numbers)],"type":"FeatureCollection","features":[
      {"geometry":{"type":"Point","coordinates":[3,4]}}]}
      """)
    #expect(report.refusals.isEmpty && report.imported == 1)
  }

  @Test("a text of more than 1 MiB in XML refuses its place, and the next one is read")
  func longText() throws {
    let text = String(repeating: "a", count: 1 << 20)
    let report = try stage(
      """
      <rss xmlns:g="g"><channel>
      <item><title>\(text)</title><g:point>1 2</g:point></item>
      <item><title>\(text)b</title><g:point>1 2</g:point></item>
      <item><title>short</title><g:point>1 2</g:point></item>
      </channel></rss>
      """)
    #expect(sentences(report) == ["3: a text of the story is longer than 1 MiB"])
    #expect(report.imported == 2)
  }

  @Test("a row of more than 1 MiB is refused, and the next one read")
  func longRow() throws {
    let text = String(repeating: "a", count: 1 << 20)
    let report = try stage("lat,lon,title\n1,2,\(text)\n3,4,short\n")
    #expect(sentences(report) == ["2: the row is longer than 1 MiB"])
    #expect(report.imported == 1)
  }

  @Test("more places than the limit end the import")
  func places() throws {
    let row = { (number: Int) in "\(number),1,2\n" }
    let rows = "id,lat,lon\n" + (1...4).map(row).joined()
    #expect(try stage(rows, placeLimit: 4).imported == 4)
    #expect {
      try stage(rows, placeLimit: 3)
    } throws: { error in
      "\(error)".hasSuffix(": line 5: an import can have at most 3 stories; split the files")
    }
  }

  @Test("nesting has a limit, and the message names it")
  func nesting() throws {
    let report = try stage("{\"features\":[{\"a\":" + String(repeating: "[", count: 200))
    #expect(sentences(report) == ["1: the JSON text is nested more than 128 deep"])
    let xml = "<rss>" + String(repeating: "<a>", count: 200)
    #expect(sentences(try stage(xml)) == ["1: elements are nested more than 128 deep"])
  }

  @Test(
    "no entity is expanded or fetched",
    arguments: [
      "<!DOCTYPE rss [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><rss>&b;</rss>",
      "<!DOCTYPE rss [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><rss>&a;</rss>",
      "<!DOCTYPE rss [<!ENTITY % a SYSTEM \"http://localhost/a\"> %a;]><rss/>",
    ])
  func entities(text: String) {
    #expect {
      try stage(text)
    } throws: { error in
      "\(error)".hasSuffix(": line 1: the document type declares an entity, which is not allowed")
    }
  }

  @Test(
    "a date of mail beyond the calendar is refused",
    arguments: ["4 Mar 9223372036854775807 12:00", "4 Mar -5 12:00", "4 Mar 10000 12:00"])
  func dates(date: String) throws {
    let report = try stage(
      "<rss><item><pubDate>\(date)</pubDate><point>1 2</point></item></rss>")
    #expect(report.refusedByReason == [.badTime: 1])
  }

  @Test("refusals beyond a thousand are counted, not kept")
  func refusals() throws {
    let report = try stage("lat,lon\n" + String(repeating: "91,0\n", count: 1500))
    #expect(report.refused == 1500 && report.refusals.count == ImportReport.keptRefusals)
  }
}
