import Foundation
import Testing

@Suite("fencepost analyze, explain and sweep with a profile")
struct ChanceCommandTests {
  private func analyze(_ field: Fieldwork, _ arguments: [String]) throws -> Command.Result {
    try field.run(["analyze", "tracks", "--places", "places.csv"] + arguments)
  }

  private func lines(_ text: String, _ type: String) throws -> [[String: Any]] {
    try Fieldwork.objects(text).filter { $0["type"] as? String == type }
  }

  @Test("The outcomes of every story add up, and the totals are their sum")
  func sums() throws {
    let field = try Fieldwork()
    let result = try analyze(
      field, ["--profile", "iphone", "--trials", "40", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let stories = try lines(result.output, "chance-story").filter { $0["tracks"] as? Int != 0 }
    #expect(!stories.isEmpty)
    for story in stories {
      let shares = try #require(story["shares"] as? [String: Double])
      #expect(abs(shares.values.reduce(0, +) - 1) < 1e-5)
      let (due, trials) = (story["due"] as? Int, story["trials"] as? Int)
      #expect(try #require(trials) == 40 * (try #require(due)))
      let interval = try #require(story["interval"] as? [Double])
      let probability = try #require(story["probability"] as? Double)
      #expect(interval[0] <= probability && probability <= interval[1])
    }
    let totals = try #require(try lines(result.output, "chance-totals").first)
    for field in ["tracks", "due", "trials", "alerts"] {
      let sum = stories.compactMap { $0[field] as? Int }.reduce(0, +)
      #expect(totals[field] as? Int == sum, "\(field)")
    }
    #expect(result.errors.contains("; 40 trials, seed 1"))
    #expect(try lines(result.output, "chance-doubt").count > 5)
  }

  @Test(
    "Any number of jobs writes the same bytes", arguments: ["ndjson", "csv", "geojson", "text"])
  func jobs(format: String) throws {
    let field = try Fieldwork(tracks: 9)
    let results = try ["1", "4"].map {
      try analyze(
        field,
        ["--profile", "iphone,tile38", "--trials", "20", "--format", format, "--jobs", $0])
    }
    #expect(results[0].status == 0 && results[0].output.contains("tile38"))
    #expect(results[0].output == results[1].output)
    #expect(results[0].errors == results[1].errors)
  }

  @Test("Merged parts with a profile equal the whole")
  func merged() throws {
    let field = try Fieldwork(tracks: 6)
    let options = ["--profile", "iphone", "--trials", "20", "--quiet", "--output"]
    _ = try analyze(field, options + ["whole.ndjson"])
    let tracks = try Fieldwork.objects(try field.scratch.text("whole.ndjson"))
      .filter { $0["type"] as? String == "track" }.compactMap { $0["track"] as? String }
    for (name, share) in [("a", tracks.prefix(2)), ("b", tracks.dropFirst(2))] {
      _ = try field.run(
        ["analyze"] + share + ["--places", "places.csv"] + options + ["\(name).ndjson"])
    }
    let joined = try field.run(["analyze", "--merge", "a.ndjson", "b.ndjson"])
    #expect(joined.output == (try field.scratch.text("whole.ndjson")), "\(joined.errors)")
    _ = try analyze(field, ["--profile", "android"] + Array(options.dropFirst(2)) + ["c.ndjson"])
    let refused = try field.run(["analyze", "--merge", "a.ndjson", "c.ndjson"])
    #expect(refused.status == 65 && refused.errors.contains("the rules differ"))
  }

  @Test(
    "The profile gives the limit and the distance, unless the user does",
    arguments: [
      (["--profile", "iphone"], 20, 500.0, 20), (["--profile", "android"], 100, 1000, 100),
      (["--profile", "iphone", "--limit", "5"], 5, 500, 5),
      (["--profile", "iphone", "--limit", "50"], 50, 500, 20),
      (["--profile", "iphone", "--significant-change", "250"], 20, 250, 20),
    ])
  func rule(options: [String], limit: Int, distance: Double, simulated: Int) throws {
    let field = try Fieldwork(tracks: 1)
    let result = try analyze(field, options + ["--trials", "1", "--format", "ndjson"])
    let settings = try #require(try lines(result.output, "settings").first)
    #expect(settings["limit"] as? Int == limit)
    if options.contains("iphone") {
      #expect(settings["significantChange"] as? Double == distance)
    }
    let profiles = try #require(settings["profiles"] as? [[String: Any]])
    #expect(profiles.first?["regions"] as? Int == simulated)
    #expect(settings["trials"] as? Int == 1 && settings["seed"] as? Int == 1)
    #expect(result.errors.contains("so it is simulated with") == (limit > simulated))
  }

  @Test("A file is a profile too, and two of one name are refused")
  func files() throws {
    let field = try Fieldwork(tracks: 1)
    let text = try Command.run(["profiles", "show", "ideal"]).output
    try field.scratch.write("mine.json", text)
    try field.scratch.write(
      "other.json", text.replacingOccurrences(of: "\"ideal\"", with: "\"other\""))
    let result = try analyze(
      field, ["--profile", "mine.json,other.json", "--trials", "3", "--format", "text"])
    #expect(result.status == 0 && result.output.contains("Side by side (3 trials, seed 1"))
    #expect(try analyze(field, ["--profile", "ideal,mine.json"]).status == 64)
    #expect(try analyze(field, ["--profile", "none.json"]).status == 66)
  }

  @Test(
    "Options of a simulation without a profile, and values out of range, are refused",
    arguments: [
      ["--trials", "10"], ["--seed", "2"], ["--surroundings", "city"],
      ["--phone-state", "ended"], ["--profile", "iphone", "--trials", "0"],
      ["--profile", "iphone", "--trials", "100001"], ["--profile", "iphone", "--seed=-1"],
      ["--profile", "iphone", "--phone-state", "at-rest"], ["--profile", "iphone,"],
    ])
  func usage(options: [String]) throws {
    let field = try Fieldwork(tracks: 1)
    for command in [
      ["analyze", "tracks"], ["explain", "tracks/walk-1000.csv", "--place", "place-100"],
    ] {
      let result = try field.run(command + ["--places", "places.csv"] + options)
      #expect([64, 66].contains(result.status), "\(options)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("An explanation says how many phones would alert, and what that rests on")
  func explain() throws {
    let field = try Fieldwork(tracks: 1)
    let command = [
      "explain", "tracks/walk-1000.csv", "--places", "places.csv", "--place", "place-110",
      "--profile", "iphone",
    ]
    let result = try field.run(command + ["--format", "text"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("On a real phone: iPhone, an app in the background"))
    #expect(result.output.contains("Simulated with the profile iphone: 200 trials, seed 1"))
    let line = try #require(
      try lines(try field.run(command + ["--format", "ndjson"]).output, "prediction").first)
    #expect(line["profile"] as? String == "iphone")
    #expect(line["runs"] as? Int == 200)
  }

  @Test("A sweep marks what a phone does not have, and its cheapest is one that it has")
  func sweep() throws {
    let field = try Fieldwork()
    let result = try field.run([
      "sweep", "tracks", "--places", "places.csv", "--limit", "8,40,none", "--refresh", "fixed",
      "--significant-change", "250,500", "--profile", "iphone", "--format", "ndjson",
    ])
    let rows = try Fieldwork.objects(result.output)
    // An iPhone has 20 regions, and wakes an app no more often than every 500 m.
    #expect(rows.map { $0["allowed"] as? Bool } == [false, true, false, false, false])
    #expect(rows.allSatisfy { $0["profile"] as? String == "iphone" })
    #expect(rows.allSatisfy { $0["probability"] is Double })
    #expect(rows.dropFirst().allSatisfy { $0["cheapest"] as? Bool == false })
  }

  @Test("What is given to a sweep goes before the profile, also where it is the default")
  func given() throws {
    let field = try Fieldwork()
    func refreshes(_ more: String...) throws -> [Double?] {
      let result = try field.run(
        ["sweep", "tracks", "--places", "places.csv", "--limit", "8", "--refresh", "fixed"]
          + ["--significant-change", "100", "--format", "ndjson"] + more)
      return try Fieldwork.objects(result.output).map { $0["refreshesPerKilometer"] as? Double }
    }
    let plain = try refreshes()
    #expect(try refreshes("--profile", "iphone", "--min-interval", "0s", "--hold", "0s") == plain)
    #expect(try refreshes("--profile", "iphone") != plain)
  }
}
