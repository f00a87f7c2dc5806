import Foundation
import TestSupport
import Testing

@Suite("fencepost analyze")
struct AnalyzeCommandTests {
  @Test("NDJSON has the rules, a verdict for each story and track, every entry, and the totals")
  func ndjson() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let types = try Fieldwork.types(result.output)
    #expect(types["settings"] == 1)
    #expect(types["track"] == 6)
    #expect(types["verdict"] == 240)
    #expect(types["story"] == 40)
    #expect(types["totals"] == 1)
    #expect(types["entry", default: 0] > 6)
    let lines = try Fieldwork.objects(result.output)
    let totals = try #require(lines.last { $0["type"] as? String == "totals" })
    let entries = lines.filter { $0["type"] as? String == "entry" }
    for cause in ["found", "late", "missed"] {
      let counted = try #require(totals[cause] as? Int)
      #expect(counted == entries.count { $0["cause"] as? String == cause }, "\(cause)")
      #expect(counted > 0, "the walks must show \(cause) entries")
    }
    let missed = try #require(entries.first { $0["cause"] as? String == "missed" })
    let ranking = try #require(missed["atRefresh"] as? [String: Any])
    #expect(try #require(ranking["rank"] as? Int) > 4)
    #expect(ranking["distance"] is Double && ranking["lastDistance"] is Double)
  }

  @Test(
    "--verdicts selects all verdicts, those of crossed stories, or none",
    arguments: [("all", 240...240), ("crossed", 1...200), ("none", 0...0)])
  func verdicts(word: String, expected: ClosedRange<Int>) throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "ndjson", "--verdicts", word])
    #expect(expected.contains(try Fieldwork.types(result.output)["verdict", default: 0]))
  }

  @Test(
    "With --verdicts crossed only stories that were entered have lines, and the totals count all")
  func crossedStories() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "ndjson", "--verdicts", "crossed"])
    let lines = try Fieldwork.objects(result.output)
    let named = Set(
      lines.filter { $0["type"] as? String == "story" }.map { $0["place"] as? String })
    let entered = Set(
      lines.filter { $0["type"] as? String == "verdict" }.map { $0["place"] as? String })
    let totals = try #require(lines.last)
    #expect(!named.isEmpty && named == entered)
    #expect(try #require(totals["stories"] as? Int) > named.count)
  }

  @Test("CSV has one verdict per story and track")
  func csv() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "csv", "--quiet"])
    #expect(result.status == 0)
    let rows = result.output.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
    #expect(rows.count == 241)
    let width = rows[0].split(separator: ",", omittingEmptySubsequences: false).count
    for row in rows {
      #expect(row.split(separator: ",", omittingEmptySubsequences: false).count == width)
    }
  }

  @Test("GeoJSON is one collection of tracks, circles and entries")
  func geojson() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "geojson"])
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let features = try #require(whole["features"] as? [[String: Any]])
    #expect(whole["type"] as? String == "FeatureCollection")
    #expect(features.count > 46)
  }

  @Test("The text table ends with the recall and says what was lost")
  func text() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "text"])
    #expect(result.output.contains("\nRecall "))
    #expect(result.output.contains("Stories on the way, most losses first"))
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.errors.isEmpty)
  }

  @Test("A bad track is named and skipped, and the others are analyzed")
  func bad() throws {
    let field = try Fieldwork()
    try field.scratch.write("tracks/bad.gpx", "<gpx><trk><trkseg><trkpt lat=")
    try field.scratch.write("tracks/empty.csv", "time,lat,lon\n")
    let result = try field.analyze(["--format", "ndjson"])
    #expect(result.status == 65)
    #expect(result.errors.contains("fencepost: tracks/bad.gpx: "))
    #expect(result.errors.contains("fencepost: tracks/empty.csv: no fixes"))
    let types = try Fieldwork.types(result.output)
    #expect(types["skipped"] == 2)
    #expect(types["track"] == 6)
    #expect(types["totals"] == 1)
  }

  @Test("--strict stops at the first bad track and reports the tracks before it")
  func strict() throws {
    let field = try Fieldwork()
    try field.scratch.write("bad.gpx", "<gpx><trk><trkseg><trkpt lat=")
    let tracks = ["tracks/walk-1000.csv", "bad.gpx", "tracks/walk-1003.csv"]
    let result = try field.analyze(["--format", "ndjson", "--strict"], tracks: tracks)
    #expect(result.status == 65)
    let types = try Fieldwork.types(result.output)
    #expect(types["track"] == 1)
    #expect(types["totals"] == 1)
  }

  @Test("A missing track ends with 66, and the others are analyzed")
  func missing() throws {
    let field = try Fieldwork()
    let result = try field.analyze(["--format", "ndjson"], tracks: ["tracks", "none.gpx"])
    #expect(result.status == 66)
    #expect(result.errors.contains("fencepost: none.gpx: "))
    #expect(try Fieldwork.types(result.output)["track"] == 6)
  }

  @Test("Folders are read recursively, patterns are expanded, and each file is read once")
  func files() throws {
    let field = try Fieldwork()
    try field.scratch.write("tracks/notes.md", "no track")
    try field.scratch.write("tracks/.hidden.csv", Fieldwork.walk(1))
    for (tracks, count) in [
      (["tracks"], 6), (["tracks/"], 6), (["tracks/more"], 4), (["tracks/*.csv"], 2),
      (["tracks/*/walk-*.csv"], 2), (["tracks/walk-100?.csv", "tracks"], 6),
      (["tracks", "tracks/walk-1000.csv"], 6), (["tracks/more/de[de]p"], 2),
    ] {
      let result = try field.analyze(["--format", "ndjson", "--verdicts", "none"], tracks: tracks)
      let lines = try Fieldwork.objects(result.output).filter { $0["type"] as? String == "track" }
      #expect(lines.count == count, "\(tracks)")
      #expect(result.status == 0, "\(tracks): \(result.errors)")
    }
  }

  @Test("A folder without tracks ends with 66 and writes nothing")
  func empty() throws {
    let field = try Fieldwork(tracks: 0)
    let result = try field.analyze(["--output", "all.ndjson"])
    #expect(result.status == 66)
    #expect(result.errors == "fencepost: no walks in tracks\n")
    #expect(!(try field.scratch.names().contains("all.ndjson")))
  }

  @Test(
    "A part that is truncated, repeated or made under other rules is refused with file and line")
  func refusedShares() throws {
    let field = try Fieldwork()
    _ = try field.analyze(["--output", "a.ndjson", "--quiet"])
    _ = try field.run([
      "analyze", "tracks", "--places", "places.csv", "--limit", "5", "--output", "b.ndjson",
    ])
    let text = try field.scratch.text("a.ndjson")
    try field.scratch.write("half.ndjson", String(text.prefix(text.count / 2)))
    for (parts, sentence) in [
      (["half.ndjson"], "half.ndjson: "), (["a.ndjson", "a.ndjson"], "a.ndjson: line"),
      (["a.ndjson", "b.ndjson"], "b.ndjson: line 1: the document: the rules differ"),
      (["places.csv"], "places.csv is not an analysis"),
    ] {
      let result = try field.run(["analyze", "--merge"] + parts + ["--output", "joined.ndjson"])
      #expect(result.status == 65, "\(parts)")
      #expect(result.errors.contains(sentence), "\(parts): \(result.errors)")
      #expect(!(try field.scratch.names().contains("joined.ndjson")), "\(parts)")
    }
  }
}
