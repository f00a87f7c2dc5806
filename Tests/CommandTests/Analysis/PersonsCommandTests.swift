import Foundation
import TestSupport
import Testing

@Suite("Persons, copies and comparisons")
struct PersonsCommandTests {
  /// Four walks of two persons, on two days, through the same stories.
  private func field() throws -> Fieldwork {
    let field = try Fieldwork(tracks: 0)
    for (person, number) in [("anna", 1), ("ben", 2)] {
      let folder = field.scratch.url.appendingPathComponent("tracks/\(person)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let walk = Fieldwork.walk(number)
      // By name the second day comes first.
      try field.scratch.write("tracks/\(person)/\(person)-b.csv", walk)
      try field.scratch.write(
        "tracks/\(person)/\(person)-a.csv",
        walk.replacingOccurrences(of: "2026-03-04", with: "2026-03-05"))
    }
    return field
  }

  private func totals(_ result: Command.Result) throws -> [String: Any] {
    try #require(try Fieldwork.objects(result.output).last { $0["type"] as? String == "totals" })
  }

  private func alerts(_ result: Command.Result) throws -> [String: Int] {
    let tracks = try Fieldwork.objects(result.output).filter { $0["type"] as? String == "track" }
    return try Dictionary(
      uniqueKeysWithValues: tracks.map {
        (try #require($0["track"] as? String), try #require($0["alerts"] as? Int))
      })
  }

  @Test(
    "The cooldown goes on over a person's tracks in time's order",
    arguments: ["folder", "tracks/([a-z]+)/", "(anna|ben)-"])
  func cooldown(rule: String) throws {
    let field = try field()
    let alone = try field.analyze(["--format", "ndjson", "--quiet"])
    let joined = try field.analyze(["--format", "ndjson", "--quiet", "--person-by", rule])
    #expect(joined.status == 0, "\(joined.errors)")
    let (before, after) = (try alerts(alone), try alerts(joined))
    for person in ["anna", "ben"] {
      let (first, second) = ("tracks/\(person)/\(person)-b.csv", "tracks/\(person)/\(person)-a.csv")
      #expect(try #require(after[first]) > 0)
      #expect(after[first] == before[first])
      #expect(after[second] == 0)
    }
    let numbers = try totals(joined)
    #expect(numbers["persons"] as? Int == 2)
    #expect(numbers["personDays"] as? Int == 4)
    #expect(try totals(alone)["persons"] as? Int == 0)
    #expect(try totals(alone)["loneTracks"] as? Int == 4)
  }

  @Test("The text says what is counted as a person")
  func text() throws {
    let field = try field()
    let alone = try field.analyze(["--format", "text"])
    #expect(alone.output.contains("each walk counts as a reader; group them with --person-by"))
    let joined = try field.analyze(["--format", "text", "--person-by", "folder"])
    #expect(joined.output.contains(" days (2 readers)"))
    #expect(joined.output.contains("Alerts per reader and day: median "))
  }

  @Test("A copy is named and left out, unless it is asked for", arguments: ["analyze", "sweep"])
  func copies(command: String) throws {
    let field = try Fieldwork()
    try field.scratch.write("tracks/again.csv", Fieldwork.walk(0))
    let arguments = [command, "tracks", "--places", "places.csv", "--format", "ndjson"]
    let without = try field.run(arguments)
    #expect(
      without.errors.contains(
        "tracks/walk-1000.csv: not counted, because 100.0 % of its fixes repeat tracks/again.csv"))
    let with = try field.run(arguments + ["--keep-duplicates"])
    #expect(!with.errors.contains("not counted"))
    func tracks(_ result: Command.Result) throws -> Int? {
      try Fieldwork.objects(result.output).last?["tracks"] as? Int
    }
    #expect(try tracks(without) == 6)
    #expect(try tracks(with) == 7)
    if command == "analyze" {
      #expect(try totals(without)["copies"] as? Int == 1)
      let line = try Fieldwork.objects(without.output).first { $0["type"] as? String == "copy" }
      #expect(line?["of"] as? String == "tracks/again.csv")
    }
  }

  @Test("compare pairs two analyses, and finds no difference in one with itself")
  func compare() throws {
    let field = try Fieldwork()
    _ = try field.analyze(["--output", "now.ndjson", "--quiet"])
    _ = try field.analyze(["--output", "then.ndjson", "--quiet", "--refresh", "adaptive"])
    let result = try field.run(["compare", "now.ndjson", "then.ndjson", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let found = try #require(try Fieldwork.objects(result.output).first)
    #expect(found["tracks"] as? Int == 6)
    for (side, file) in [("first", "now"), ("second", "then")] {
      let totals = try #require(
        try Fieldwork.objects(try field.scratch.text("\(file).ndjson")).last)
      let recall = try #require(found["recall"] as? [String: Any])
      #expect(recall[side] as? Double == totals["recall"] as? Double)
    }
    let again = try field.run(["compare", "now.ndjson", "then.ndjson", "--format", "ndjson"])
    #expect(again.output == result.output)
    let same = try field.run(["compare", "now.ndjson", "now.ndjson", "--format", "ndjson"])
    #expect(try Fieldwork.objects(same.output).map { $0["identical"] as? Bool } == [true])
    let text = try field.run(["compare", "now.ndjson", "now.ndjson", "--format", "text"])
    #expect(text.output.contains("\n6 walks in both: no difference; every walk has the same"))
    #expect(!text.output.contains("Recall"))
  }

  @Test("A sweep marks no setting that the phone does not allow, and warns of too many alerts")
  func sweep() throws {
    let field = try Fieldwork()
    let arguments = [
      "sweep", "tracks", "--places", "places.csv", "--limit", "8,30", "--refresh", "adaptive",
      "--format", "ndjson",
    ]
    let usual = try field.run(arguments + ["--max-alerts-per-day", "1"])
    let marked = try Fieldwork.objects(usual.output).first { $0["cheapest"] as? Bool == true }
    #expect(marked?["limit"] as? Int == 8)
    #expect(usual.errors.contains("times a day, more than --max-alerts-per-day 1"))
    let none = try field.run(arguments + ["--max-limit", "5"])
    #expect(try Fieldwork.objects(none.output).allSatisfy { $0["cheapest"] as? Bool == false })
    #expect(none.errors.contains("no setting with at most 5 circles loses nothing"))
  }

  @Test("compare takes other walks as two samples, with a caution, and shows the better way")
  func unpaired() throws {
    let field = try field()
    for person in ["anna", "ben"] {
      _ = try field.analyze(
        ["--person-by", "folder", "--output", "\(person).ndjson", "--quiet"],
        tracks: ["tracks/\(person)"])
    }
    let result = try field.run(["compare", "anna.ndjson", "ben.ndjson", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let found = try Fieldwork.objects(result.output)
    #expect(found.count == 1)
    let samples = try #require(found[0]["samples"] as? [[String: Int]])
    let each = ["tracks": 2, "persons": 1, "personDays": 2]
    #expect(samples == [each, each])
    #expect(found[0]["few"] as? Bool == true && found[0]["tracks"] as? Int == 0)
    let rate = try #require(found[0]["alertsPerPersonDay"] as? [String: Any])
    for (side, person) in [("first", "anna"), ("second", "ben")] {
      let analysis = try Fieldwork.objects(try field.scratch.text("\(person).ndjson"))
      let alerts = try #require(analysis.last?["alerts"] as? Int)
      #expect(rate[side] as? Double == Double(alerts) / 2)
    }
    #expect(rate["interval"] is NSNull)
    let text = try field.run(
      ["compare", "anna.ndjson", "ben.ndjson", "--format", "text", "--report", "page.html"])
    #expect(text.output.contains("2 walks of 1 reader on 2 days in A, 2 walks of 1 reader"))
    #expect(text.output.contains("Caution: with fewer than 20 readers"))
    #expect(text.output.contains("--store old.sqlite -o before.ndjson"))
    #expect(!text.output.contains("Stories gained"))
    #expect(try field.scratch.text("page.html").contains("Two analyses of different walks."))
  }

  @Test("Parts that hold whole persons join into the whole; a person in two parts is refused")
  func merge() throws {
    let field = try field()
    let rule = ["--person-by", "folder", "--quiet", "--fatigue", "1", "--output"]
    _ = try field.analyze(rule + ["whole.ndjson"])
    for person in ["anna", "ben"] {
      _ = try field.analyze(rule + ["\(person).ndjson"], tracks: ["tracks/\(person)"])
    }
    let joined = try field.run(["analyze", "--merge", "anna.ndjson", "ben.ndjson"])
    #expect(joined.output == (try field.scratch.text("whole.ndjson")), "\(joined.errors)")
    _ = try field.analyze(rule + ["a.ndjson"], tracks: ["tracks/anna/anna-a.csv"])
    _ = try field.analyze(rule + ["b.ndjson"], tracks: ["tracks/anna/anna-b.csv"])
    let split = try field.run(["analyze", "--merge", "a.ndjson", "b.ndjson"])
    #expect(split.status == 65)
    #expect(split.errors.contains("put all tracks of a person in one"))
  }
}
