import Foundation
import TestSupport
import Testing

@Suite("A file of rules")
struct RulesFileTests {
  private static let rules = """
    # For the old town.
    limit: 10
    refresh: adaptive
    exit-margin: 30 m
    tripwire: false
    trust-accuracy: true
    quiet-hours: 22:00-07:00
    time-zone: America/New_York

    """

  @Test(
    "gives the options that a command line would give", arguments: ["rules.yaml", "rules.json"])
  func sameAsTyped(name: String) throws {
    let scratch = try Scratch()
    let text =
      name == "rules.yaml"
      ? Self.rules
      : """
      {"limit": 10, "refresh": "adaptive", "exit-margin": "30 m", "trust-accuracy": true,
       "quiet-hours": "22:00-07:00", "time-zone": "America/New_York"}
      """
    let file = try scratch.write(name, text)
    let track = try scratch.write(
      "ride.csv", String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self))
    let replay = ["replay", track, "--places", LiveSample.places, "--format", "ndjson"]
    let typed = [
      "--limit", "10", "--refresh", "adaptive", "--exit-margin", "30 m", "--trust-accuracy",
      "--quiet-hours", "22:00-07:00", "--time-zone", "America/New_York",
    ]
    let expected = try Command.run(replay + typed)
    let result = try Command.run(replay + ["--rules", file])
    #expect(expected.status == 0 && !expected.output.isEmpty)
    #expect(result.output == expected.output && result.errors == expected.errors)
  }

  @Test("is shown with the line of each value, and what is typed wins")
  func origins() throws {
    let scratch = try Scratch()
    let file = try scratch.write("city.yaml", Self.rules)
    let result = try Command.run(
      ["rules", "--rules", file, "--limit", "5", "--profile", "iphone"])
    #expect(result.status == 0, "\(result.errors)")
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: "  ", omittingEmptySubsequences: true)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    func row(_ name: String) -> [String]? { rows.first { $0.first == name } }
    #expect(row("limit") == ["limit", "5", "option"])
    #expect(row("exit-margin") == ["exit-margin", "30m", "\(file), line 4"])
    #expect(row("quiet-hours") == ["quiet-hours", "22:00-07:00", "\(file), line 7"])
    #expect(row("max-gap") == ["max-gap", "600000ms", "default"])
  }

  @Test("has the worst accuracy that counts, like every other rule")
  func accuracy() throws {
    let scratch = try Scratch()
    let file = try scratch.write("rules.yaml", "max-accuracy: 80m\n")
    let walk = try scratch.write(
      "walk.csv",
      "time,lat,lon,accuracy\n2026-03-04T17:00:00Z,39.95,-75.15,8\n"
        + "2026-03-04T17:01:00Z,40.10,-75.40,17000\n2026-03-04T17:02:00Z,39.951,-75.15,9\n")
    let rules = try Command.run(["rules", "--rules", file])
    #expect(rules.output.contains("max-accuracy"))
    #expect(rules.output.contains("80m") && rules.output.contains("rules.yaml, line 1"))
    let json = try Command.run(["rules", "--rules", file, "--format", "json"])
    #expect(json.output.contains("\"maxAccuracyMeters\":80"))
    let yaml = try Command.run(["rules", "--rules", file, "--format", "yaml"])
    #expect(yaml.output == "max-accuracy: \"80m\"\n")
    let replay = try Command.run(
      ["replay", walk, "--places", LiveSample.places, "--rules", file, "--events", "summary"])
    #expect(replay.output.contains("\"fixes\":2,\"segments\":1,\"rejected\":{\"inaccurate\":1}"))
    let analysis = try Command.run(
      ["analyze", walk, "--places", LiveSample.places, "--rules", file, "--format", "ndjson"])
    #expect(analysis.output.contains("\"maxAccuracy\":80"))
    #expect(!analysis.errors.contains("--max-accuracy 500m"))
    #expect(try Command.run(["rules", "--max-accuracy", "0"]).status == 64)
  }

  @Test("is written by the list as yaml, and read again")
  func writtenAndRead() throws {
    let scratch = try Scratch()
    let first = try Command.run(
      [
        "rules", "--limit", "7", "--hold", "20s", "--time-zone", "America/New_York", "--format",
        "yaml",
      ])
    #expect(first.status == 0)
    let file = try scratch.write("made.yaml", first.output)
    let second = try Command.run(["rules", "--rules", file, "--format", "yaml"])
    #expect(second.output == first.output && first.output.contains("limit: \"7\""))
    #expect(first.output.contains("time-zone: \"America/New_York\""))
  }

  @Test(
    "that is wrong is named with its line",
    arguments: [
      ("limt: 20\n", "line 1: no option “limt”. Did you mean “limit”?"),
      ("# one\nlimit: many\n", "line 2: The value"),
      ("limit: 20\nlimit: 21\n", "line 2"),
      ("tripwire: perhaps\n", "line 1: tripwire must be true or false"),
      ("limit: [\n", "line"),
      ("- limit\n", "line 1: write one option per line"),
      ("limit:\n", "line 1: limit has no value"),
      ("limit:\n  a: 1\n", "limit must be a word, a number or a list"),
      ("limit: 0\n", "line 1: --limit"),
    ])
  func faults(text: String, words: String) throws {
    let scratch = try Scratch()
    let file = try scratch.write("bad.yaml", text)
    let result = try Command.run(["rules", "--rules", file])
    #expect(result.status == 65 || result.status == 64, "\(result.errors)")
    #expect(result.errors.contains(file) && result.errors.contains(words), "\(result.errors)")
  }

  @Test("serves commands that have only some of its options")
  func shared() throws {
    let scratch = try Scratch()
    let store = scratch.path("s.sqlite")
    let file = try scratch.write(
      "all.yaml", "limit: 10\nwebhook-timeout: 5s\nradius: 150 m\nstore: \(store)\ncount: 2\n")
    let rules = ["--rules", file]
    #expect(try Command.run(["rules"] + rules).status == 0)
    #expect(try Command.run(["places", "import", LiveSample.places] + rules).status == 0)
    for command in ["list", "stats", "check"] {
      #expect(try Command.run(["places", command] + rules).status == 0, "\(command)")
    }
    let nearest = try Command.run(["places", "nearest", "--at", "39.95,-75.15"] + rules)
    #expect(nearest.output.split(separator: "\n").count == 2)
    for side in ["a", "b"] {
      let track = try scratch.write(
        "ride.csv", String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self))
      let output = ["--output", scratch.path("\(side).ndjson")]
      #expect(try Command.run(["analyze", track] + output + rules).status == 0)
    }
    let sides = ["a", "b"].map { scratch.path("\($0).ndjson") }
    #expect(try Command.run(["compare"] + sides + rules).status == 0)
    let unknown = try scratch.write("unknown.yaml", "# one\nsede: 7\n")
    let result = try Command.run(["compare"] + sides + ["--rules", unknown])
    #expect(result.status == 65 && result.errors.contains("\(unknown), line 2: "))
  }

  @Test("names files for secrets, which do not belong in it")
  func secrets() throws {
    let scratch = try Scratch()
    let serve = ["serve", "--places", LiveSample.places, "--listen", "0.0.0.0:0", "--rules"]
    let open = try scratch.write("open.yaml", "limit: 10\ntoken: abc\n")
    let refused = try Command.run(serve + [open])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("\(open), line 2: token is a secret."))
    #expect(!refused.errors.contains("abc"))
    let missing = try scratch.write("missing.yaml", "token-file: \(scratch.path("none"))\n")
    #expect(try Command.run(serve + [missing]).status == 66)
    let empty = try scratch.write(
      "empty.yaml", "token-file: \(try scratch.write("empty", "\n"))\n")
    #expect(try Command.run(serve + [empty]).status == 65)
  }
}
