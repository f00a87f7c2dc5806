import Foundation
import TestSupport
import Testing

@Suite("The command advise")
struct AdviseCommandTests {
  private static let numbers = [
    "alerts", "oracleAlerts", "foundAlerts", "entries", "found", "late", "missed", "refreshes",
    "lengthMillimeters",
  ]

  private func line(_ type: String, of text: String) throws -> [String: Any] {
    try #require(try Fieldwork.objects(text).last { $0["type"] as? String == type })
  }

  private func expect(_ totals: [String: Any], equal claim: [String: Any], _ comment: String) {
    for number in Self.numbers {
      #expect(totals[number] as? Int == claim[number] as? Int, "\(comment): \(number)")
    }
    #expect(totals["recall"] as? Double == claim["recall"] as? Double, "\(comment): recall")
  }

  @Test(
    "The totals are those of an analysis with the file imported, to the last alert and story",
    arguments: [
      [], ["--person-by", "folder"], ["--only", "radius,position"], ["--cooldown", "none"],
      ["--refresh", "adaptive", "--limit", "3"],
    ])
  func roundTrip(options: [String]) throws {
    let field = try Fieldwork(tracks: 9)
    _ = try field.run(["places", "import", "places.csv", "--store", "old.sqlite"])
    let rule = options.contains("--limit") ? [] : ["--limit", "4"]
    let limits = options.contains("--limit") ? ["--max-limit", "3"] : ["--max-limit", "4"]
    let advised = try field.run(
      ["advise", "tracks", "--store", "old.sqlite", "--apply-to", "new.csv", "--max-changes", "2"]
        + rule + limits + options)
    #expect(advised.status == 0, "\(advised.errors)")
    let advice = try line("advice", of: advised.output)
    #expect(try #require(advice["proposals"] as? Int) > 0)
    let imported = try field.run(["places", "import", "new.csv", "--store", "new.sqlite"])
    #expect(imported.status == 0, "\(imported.errors)")

    var analysis = options
    if let only = analysis.firstIndex(of: "--only") { analysis.removeSubrange(only...(only + 1)) }
    let before = try field.run(["analyze", "tracks", "--store", "old.sqlite"] + rule + analysis)
    let ruled = try #require(advice["options"] as? [String])
    let after = try field.run(
      ["analyze", "tracks", "--store", "new.sqlite"] + (ruled.contains("--limit") ? [] : rule)
        + analysis + ruled)
    #expect(after.status == 0, "\(after.errors)")
    expect(
      try line("totals", of: before.output),
      equal: try #require(advice["before"] as? [String: Any]), "before")
    expect(
      try line("totals", of: after.output),
      equal: try #require(advice["after"] as? [String: Any]), "after")

    let told = try Fieldwork.objects(advised.output).filter { $0["type"] as? String == "story" }
    for (output, key) in [(before.output, "Before"), (after.output, "After")] {
      var alerts: [String: Int] = [:]
      for story in try Fieldwork.objects(output) where story["type"] as? String == "story" {
        alerts[try #require(story["place"] as? String)] = story["alerts"] as? Int
      }
      for story in told {
        let place = try #require(story["place"] as? String)
        #expect(story["alerts\(key)"] as? Int == alerts[place] ?? 0, "\(place)")
      }
    }
    #expect(!told.isEmpty)
  }

  @Test(
    "Every field of every place survives the way through the file", arguments: ["csv", "geojson"])
  func fields(form: String) throws {
    let field = try Fieldwork(tracks: 3)
    let hostile = Document.project.appendingPathComponent("Data/stories/hostile.csv").path
    try field.scratch.write(
      "more.ndjson.geojson",
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point",
      "coordinates":[-75.1501234567,39.9400000001]},"properties":{"id":"=1+1","title":"=cmd|' /C calc'!A0",
      "blurb":"  two \\"quoted\\",\\nlines\\r\\nand more ","url":"https://example.org/?a=1,2","category":"-x",
      "priority":-7,"radius":33.333333333333336,"published":"2026-01-02T03:04:05.678Z",
      "expires":"2027-01-01T00:00:00Z"}}]}
      """)
    for file in [hostile, "more.ndjson.geojson", "places.csv"] {
      let status = try field.run(["places", "import", file, "--store", "old.sqlite"]).status
      #expect(status == 0 || file == hostile)
    }
    let advised = try field.run([
      "advise", "tracks", "--store", "old.sqlite", "--apply-to", "new.\(form)", "--only", "rule",
    ])
    #expect(advised.status == 0, "\(advised.errors)")
    let imported = try field.run(["places", "import", "new.\(form)", "--store", "new.sqlite"])
    #expect(imported.status == 0, "\(imported.errors)")
    let list = { (store: String) in
      try field.run(["places", "list", "--store", store, "--format", "ndjson"]).output
        .split(separator: "\n").sorted()
    }
    let old = try list("old.sqlite")
    #expect(old.count > 50)
    #expect(try list("new.sqlite") == old)
  }

  @Test("Stories to help are named by id, title or part, and chosen by priority")
  func purpose() throws {
    let field = try Fieldwork(tracks: 3)
    try field.scratch.write(
      "five.csv",
      """
      id,title,lat,lon,category,priority
      a,Old bridge,39.95,-75.16,art,1
      b,New bridge,39.951,-75.16,art,2
      c,Hall,39.952,-75.16,history,1
      d,Mill,39.953,-75.16,history,5
      e,Well,39.954,-75.16,,0
      """)
    func stories(_ options: [String]) throws -> Int? {
      let result = try field.run(
        ["advise", "tracks", "--places", "five.csv", "--max-changes", "1"] + options)
      #expect(result.status == 0, "\(result.errors)")
      let purpose = try line("advice", of: result.output)["purpose"] as? [String: Any]
      return purpose?["stories"] as? Int
    }
    #expect(try stories([]) == nil)
    #expect(try stories(["--for", "a", "--for", "new", "--for", "Mill"]) == 3)
    #expect(try stories(["--min-priority", "1"]) == 3)
    #expect(try stories(["--for", "a", "--for", "Mill", "--min-priority", "1"]) == 1)
    for (options, status) in [
      (["--for", "bridge"], 64), (["--for", "nothing"], 66), (["--min-priority", "-9"], 64),
    ] {
      let result = try field.run(["advise", "tracks", "--places", "five.csv"] + options)
      #expect(result.status == status, "\(result.errors)")
    }
  }

  @Test("A track that cannot be read is named, and the others count")
  func badTrack() throws {
    let field = try Fieldwork(tracks: 3)
    try field.scratch.write("tracks/bad.csv", "nothing\n")
    let result = try field.run([
      "advise", "tracks", "--places", "places.csv", "--limit", "4", "--max-changes", "1",
    ])
    #expect(result.status == 65)
    #expect(result.errors.contains("bad.csv"))
    let advice = try line("advice", of: result.output)
    #expect((advice["before"] as? [String: Any])?["tracks"] as? Int == 3)
    let strict = try field.run(["advise", "tracks", "--places", "places.csv", "--strict"])
    #expect(strict.status == 65 && strict.output.isEmpty)
  }

  @Test("The page stands alone, and shows the proposals as text")
  func page() throws {
    guard FileManager.default.fileExists(atPath: "/usr/share/javascript/leaflet/leaflet.css")
    else { return }
    let field = try Fieldwork(tracks: 4)
    let places = try field.scratch.text("places.csv")
      .replacingOccurrences(of: "Story 1", with: "<img src=x onerror=alert(1)> 1")
    try field.scratch.write("places.csv", places)
    let result = try field.run([
      "advise", "tracks", "--places", "places.csv", "--limit", "4", "--report", "advice.html",
      "--max-changes", "2",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let page = try field.scratch.text("advice.html")
    let proposals = try #require(
      try line("advice", of: result.output)["proposals"] as? Int)
    #expect(page.matches(of: /data-number="/).count == proposals)
    #expect(!page.contains("<img"))
    #expect(!page.contains("{{"))
    #expect(!page.contains("src=\"http"))
  }
}
