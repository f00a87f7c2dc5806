import Foundation
import TestSupport
import Testing

@Suite("fencepost analyze, explain and sweep with a profile")
struct ChanceCommandTests {
  private func analyze(_ field: Fieldwork, _ arguments: [String]) throws -> Command.Result {
    try field.run(["analyze", "tracks", "--places", "places.csv"] + arguments)
  }

  private func lines(_ text: String, _ type: String) throws -> [[String: Any]] {
    try Fieldwork.objects(text).filter { $0["type"] as? String == type }
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
