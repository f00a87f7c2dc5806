import Foundation
import TestSupport
import Testing

/// Options that have no effect beside others are not passed over in silence.
@Suite("Options that have no effect")
struct UselessOptionTests {
  private static let commands: [[String]] = [
    ["replay", "t.csv"], ["analyze", "t.csv"], ["explain", "t.csv", "--place", "hall"],
    ["live", "-"],
  ]

  private func run(_ words: [String]) throws -> Command.Result {
    let scratch = try Scratch()
    let track = "time,lat,lon\n2026-03-04T17:00:00Z,39.94,-75.15\n"
    try scratch.write("t.csv", track)
    try scratch.write("p.csv", "id,title,lat,lon\nhall,Hall,39.94888,-75.15003\n")
    return try Command.run(words + ["--places", "p.csv"], input: track, in: scratch.url)
  }

  @Test(
    "Harmless options without effect get a warning", arguments: commands,
    [
      (["--refresh-floor", "100"], "--refresh-floor has no effect without --refresh adaptive"),
      (["--limit", "none", "--tripwire"], "--tripwire has no effect with --limit none"),
      (["--trust-accuracy"], "--trust-accuracy has no effect without --refresh adaptive"),
    ])
  func warned(command: [String], options: ([String], String)) throws {
    let result = try run(command + options.0)
    #expect(result.status == 0)
    #expect(!result.output.isEmpty)
    #expect(result.errors.hasPrefix("fencepost: warning: \(options.1)\n"))
  }

  @Test(
    "Options with an effect get no warning", arguments: commands,
    [
      ["--limit", "2", "--tripwire"], ["--refresh", "adaptive", "--rank", "edge"],
      ["--refresh", "adaptive", "--refresh-floor", "100"], ["--rank", "center"],
      ["--refresh-floor", "0"],
    ])
  func silent(command: [String], options: [String]) throws {
    let result = try run(command + options)
    #expect(result.status == 0)
    #expect(!result.errors.contains("effect"))
  }

  @Test("A sweep warns only of options that none of its settings uses")
  func sweeps() throws {
    let sweep = ["sweep", "t.csv"]
    for (options, status, words) in [
      (["--limit", "1,10", "--tripwire"], 64, "--limit must be at least 2"),
      (["--refresh", "adaptive", "--rank", "center,edge"], 64, "ranks by edge"),
      (["--refresh", "fixed", "--refresh-floor", "9"], 0, "--refresh-floor has no effect"),
      (["--limit", "none", "--tripwire"], 0, "--tripwire has no effect"),
      (["--limit", "10,none", "--tripwire"], 0, ""),
      (["--rank", "center,edge"], 0, ""), (["--refresh", "adaptive", "--rank", "edge"], 0, ""),
      (["--refresh-floor", "9"], 0, ""), ([], 0, ""),
    ] as [([String], Int32, String)] {
      let result = try run(sweep + options)
      #expect(result.status == status, "\(options)")
      #expect(result.errors.contains(words) || words.isEmpty, "\(options)")
      if words.isEmpty { #expect(result.errors.isEmpty, "\(options)") }
    }
  }
}
