import Foundation
import TestSupport
import Testing

@Suite("fencepost sweep")
struct SweepCommandTests {
  private let lists = [
    "--limit", "4,8", "--significant-change", "250,500", "--refresh", "fixed,adaptive",
    "--rank", "center,edge",
  ]

  private func sweep(_ field: Fieldwork, _ arguments: [String]) throws -> Command.Result {
    try field.run(["sweep", "tracks", "--places", "places.csv"] + lists + arguments)
  }

  @Test("Each distinct setting has one row, and the cheapest that loses nothing is marked")
  func rows() throws {
    let field = try Fieldwork()
    let result = try sweep(field, ["--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try Fieldwork.objects(result.output)
    // Two limits, each with two distances by two ranks, and adaptive once.
    #expect(rows.count == 10)
    #expect(rows.allSatisfy { $0["tracks"] as? Int == 6 })
    let full = rows.filter { $0["losesNothing"] as? Bool == true }
    let cheapest = rows.filter { $0["cheapest"] as? Bool == true }
    #expect(!full.isEmpty && cheapest.count == 1)
    let least = full.compactMap { $0["refreshes"] as? Int }.min()
    #expect(cheapest.first?["refreshes"] as? Int == least)
    for row in full {
      #expect(row["late"] as? Int == 0 && row["missed"] as? Int == 0)
      #expect(row["recall"] as? Double == 1)
    }
  }

  @Test("No limit is never the cheapest, since no phone has it")
  func unlimited() throws {
    let field = try Fieldwork()
    let result = try field.run([
      "sweep", "tracks", "--places", "places.csv", "--limit", "none,8", "--refresh", "adaptive",
      "--format", "ndjson",
    ])
    let rows = try Fieldwork.objects(result.output)
    #expect(rows.count == 2)
    #expect(rows.map { $0["cheapest"] as? Bool } == [false, true])
  }

  @Test("Each format has one row per setting", arguments: [("csv", 11), ("text", 11)])
  func forms(format: String, lines: Int) throws {
    let field = try Fieldwork()
    let result = try sweep(field, ["--format", format])
    #expect(result.output.split(whereSeparator: \.isNewline).count == lines)
    #expect(result.output.contains(format == "csv" ? ",true" : "← cheapest that loses nothing"))
  }

  @Test("Any number of jobs writes the same bytes")
  func jobs() throws {
    let field = try Fieldwork(tracks: 20)
    let results = try ["1", "2", "4"].map {
      try sweep(field, ["--format", "ndjson", "--jobs", $0])
    }
    #expect(results[1].output == results[0].output && results[2].output == results[0].output)
  }

  @Test("A bad track is named and skipped; with --strict nothing is written")
  func bad() throws {
    let field = try Fieldwork()
    try field.scratch.write("tracks/bad.gpx", "<gpx><trk><trkseg><trkpt lat=")
    let result = try sweep(field, ["--format", "ndjson"])
    #expect(result.status == 65)
    #expect(result.errors.contains("fencepost: tracks/bad.gpx: "))
    #expect(try Fieldwork.objects(result.output).first?["tracks"] as? Int == 6)
    let strict = try sweep(field, ["--strict", "--output", "sweep.ndjson"])
    #expect(strict.status == 65)
    #expect(!(try field.scratch.names().contains("sweep.ndjson")))
  }

  @Test("An analysis page can include a sweep and names the setting that loses nothing")
  func page() throws {
    let field = try Fieldwork()
    #expect(try sweep(field, ["--output", "sweep.ndjson"]).status == 0)
    let result = try field.analyze([
      "--report", "report.html", "--sweep", "sweep.ndjson", "--output", "all.ndjson",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let page = try field.scratch.text("report.html")
    #expect(page.contains("Of the 10 settings that were tried, the cheapest that loses nothing is"))
    #expect(page.contains("id=\"limit-plot\"") && page.contains("id=\"threshold-plot\""))
    try field.scratch.write("wrong.ndjson", "{\"type\":\"summary\"}\n")
    let wrong = try field.analyze([
      "--report", "no.html", "--sweep", "wrong.ndjson", "--output", "all.ndjson",
    ])
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("wrong.ndjson: line 1 is not ndjson output of sweep"))
  }
}

@Suite("fencepost explain")
struct ExplainCommandTests {
  private func explain(_ field: Fieldwork, _ place: String, _ more: [String] = []) throws
    -> Command.Result
  {
    try field.run(
      ["explain", "tracks/walk-1000.csv", "--places", "places.csv", "--limit", "4"]
        + ["--place", place] + more)
  }

  @Test("A story is found by its title or an unambiguous part of it")
  func titles() throws {
    let field = try Fieldwork()
    let byID = try explain(field, "place-101").output
    for name in ["Story 1", "story 1", "PLACE-101", "e-101"] {
      let result = try explain(field, name)
      #expect(result.status == 0, "\(name): \(result.errors)")
      #expect(result.output == byID, "\(name)")
    }
    let ambiguous = try explain(field, "Story 3x")
    #expect(ambiguous.status == 66)
    #expect(ambiguous.errors.contains("Similar: place-100 (Story 0), "))
    let many = try explain(field, "story")
    #expect(many.status == 64)
    #expect(many.errors.contains("“story” matches 40 stories: place-100 (Story 0), "))
    #expect(many.errors.contains(" and 32 more\n"))
  }

  @Test("Text shows times in --time-zone, NDJSON in UTC")
  func zones() throws {
    let field = try Fieldwork()
    let utc = try explain(field, "place-101", ["--format", "text"])
    #expect(utc.output.split(separator: "\n").count < 50, "on one screen")
    #expect(utc.output.contains("2026-03-04 10:0") && utc.output.contains("\ntimes are in UTC\n"))
    for zone in ["America/New_York", "-05:00"] {
      let local = try explain(field, "place-101", ["--format", "text", "--time-zone", zone])
      // Five hours earlier and marked so once, and nothing else.
      let back = local.output.replacing(#/ 05:(\d\d:\d\d)/#) { " 10:\($0.1)" }
        .replacing("times are in \(zone)", with: "times are in UTC")
      #expect(back == utc.output)
      #expect(!local.output.contains(" 10:"))
    }
    let kathmandu = try explain(
      field, "place-101", ["--format", "text", "--time-zone", "Asia/Kathmandu"])
    #expect(kathmandu.output.contains(" 15:45:00 (fix 0)"))
    let ndjson = try explain(field, "place-101", ["--time-zone", "Asia/Kathmandu"])
    #expect(ndjson.output == (try explain(field, "place-101").output))
  }
}
