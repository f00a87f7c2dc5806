import Foundation
import TestSupport
import Testing

@Suite("--dates")
struct StoryDatesTests {
  /// Walks past a story that is published a month later and expires a day after that.
  private func run(_ words: [String], _ more: [String] = [], rules: String = "") throws
    -> Command.Result
  {
    let scratch = try Scratch()
    let track = """
      time,lat,lon
      2026-03-04T22:00:00Z,39.9430,-75.15003
      2026-03-04T22:01:00Z,39.9460,-75.15003
      2026-03-04T22:02:00Z,39.9487,-75.15003

      """
    try scratch.write("t.csv", track)
    try scratch.write("rules.yaml", rules)
    try scratch.write(
      "p.csv",
      """
      id,title,lat,lon,published,expires
      hall,Hall,39.94888,-75.15003,2026-04-05T00:00:00Z,2026-04-06T00:00:00Z

      """)
    return try Command.run(
      words + ["--places", "p.csv", "--format", "ndjson"] + more, input: track, in: scratch.url)
  }

  private static let commands: [([String], String)] = [
    (["replay", "t.csv"], #""type":"alert""#),
    (["live", "-"], #""type":"alert""#),
    (["analyze", "t.csv"], #""alerts":1,"#),
    (["explain", "t.csv", "--place", "hall"], #""verdict":"alerted""#),
    (["sweep", "t.csv", "--limit", "20", "--refresh", "fixed"], #""alertsPerTrack":1.0,"#),
    (["advise", "t.csv", "--only", "rule"], #""alerts":1,"#),
  ]

  @Test(
    "judges stories as if walked on a day, or ignores dates, and says so once",
    arguments: commands)
  func judged(command: [String], alert: String) throws {
    for (dates, isAlert, words) in [
      ([], false, ""), (["--dates", "recorded"], false, ""),
      (["--dates", "2026-04-05"], true, "story dates count as on 2026-04-05 (UTC);"),
      (["--dates", "5 Apr 2026"], true, "story dates count as on 2026-04-05 (UTC);"),
      (["--dates", "2026-04-04"], false, "story dates count as on 2026-04-04 (UTC);"),
      (["--dates", "2026-04-06"], false, "story dates count as on 2026-04-06 (UTC);"),
      (["--dates", "ignore"], true, "story dates are ignored"),
    ] as [([String], Bool, String)] {
      let result = try run(command, dates + ["--time-zone", "Z"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains(alert) == isAlert, "\(dates)")
      let said = result.errors.components(separatedBy: "fencepost: story dates").count - 1
      #expect(said == (words.isEmpty ? 0 : 1), "\(result.errors)")
      #expect(words.isEmpty || result.errors.contains("fencepost: \(words)"), "\(result.errors)")
    }
  }

  @Test("follows the clock of --time-zone")
  func zone() throws {
    // The walk of 22:02 UTC is at 17:02 in New York, and in Tokyo at 7:02 of the next day, which on
    // 2026-04-06 is 22:02 UTC of 2026-04-05.
    for (zone, day, isAlert) in [
      ("America/New_York", "2026-04-05", true), ("America/New_York", "2026-04-04", false),
      ("Asia/Tokyo", "2026-04-06", true), ("Asia/Tokyo", "2026-04-05", false),
    ] {
      let result = try run(["replay", "t.csv"], ["--dates", day, "--time-zone", zone])
      #expect(result.output.contains(#""type":"alert""#) == isAlert, "\(zone) \(day)")
    }
  }

  @Test("is an option of rules files, which the list of rules writes and reads again")
  func rules() throws {
    let result = try run(
      ["replay", "t.csv", "--rules", "rules.yaml"], rules: "dates: 2026-04-05\ntime-zone: Z\n")
    #expect(result.output.contains(#""type":"alert""#), "\(result.errors)")
    let typed = try run(
      ["replay", "t.csv", "--rules", "rules.yaml", "--dates", "recorded"],
      rules: "dates: ignore\n")
    #expect(!typed.output.contains(#""type":"alert""#))
    let list = try Command.run(["rules", "--dates", "ignore", "--format", "yaml"])
    #expect(list.output == "dates: \"ignore\"\n")
    #expect(try Command.run(["rules"]).output.contains(/dates +recorded +default/))
  }

  @Test("stands in the settings of an analysis, its text, and an explanation")
  func told() throws {
    let dates = ["--dates", "2026-04-05", "--time-zone", "Z"]
    let analysis = try run(["analyze", "t.csv"], dates).output
    #expect(analysis.split(separator: "\n")[0].contains(#""dates":"2026-04-05""#))
    let text = try run(["analyze", "t.csv"], dates + ["--format", "text"]).output
    #expect(text.contains("looked up every 500 m, story dates count as on 2026-04-05\n"))
    let explained = try run(
      ["explain", "t.csv", "--place", "hall"], dates + ["--format", "text"]
    ).output
    #expect(explained.contains("\nstory dates count as on 2026-04-05\n"))
    #expect(
      explained.contains(
        #/validity +passed +entered 2026-03-04 22:0[0-9:.]+, counts-as 2026-04-05 22:0[0-9:.]+,/#))
  }
}
