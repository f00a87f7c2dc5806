import Foundation
import TestSupport
import Testing

@Suite("fencepost analyze --reminders")
struct AnalyzeRemindersTests {
  /// Walks past stories that they never enter, and a reminder in each of their minutes.
  private func field() throws -> Fieldwork {
    let field = try Fieldwork(tracks: 4)
    var places = "id,title,lat,lon,radius\n"
    for number in 0..<8 { places += "p\(number),P,\(39.94 + Double(number) / 1000),-75.17,60\n" }
    try field.scratch.write("places.csv", places)
    let times = (0..<4).flatMap { hour in
      (0..<12).map { minute in
        let time = "2026-03-04T1\(hour):\(minute < 10 ? "0" : "")\(minute):30Z"
        return #"{"id":"r\#(hour).\#(minute)","title":"x","at":"\#(time)"}"#
      }
    }
    try field.scratch.write("r.json", "{\"reminders\":[\(times.joined(separator: ","))]}")
    return field
  }

  private let slots = ["--reminders", "r.json", "--pending-limit", "6"]

  private func reminders(_ output: String) throws -> (among: [String: Int], alone: [String: Int]) {
    let totals = try #require(
      try Fieldwork.objects(output).last { $0["type"] as? String == "totals" })
    let found = try #require(totals["reminders"] as? [String: Any])
    return (
      found.compactMapValues { $0 as? Int },
      try #require(found["withoutStories"] as? [String: Int])
    )
  }

  @Test("Stories take slots from reminders, and the totals say how many that costs")
  func cost() throws {
    let field = try field()
    let (among, alone) = try reminders(
      try field.analyze(slots + ["--format", "ndjson"]).output)
    #expect(among["due"] == 44 && alone["due"] == 44)
    let (lost, lostAlone) = (try #require(among["lost"]), try #require(alone["lost"]))
    #expect(lost > lostAlone)
    // The same as replays of the walks.
    var dropped = 0
    for path in ["tracks", "tracks/more", "tracks/more/deep"] {
      for name in try FileManager.default.contentsOfDirectory(
        atPath: field.scratch.url.appendingPathComponent(path).path)
      where name.hasSuffix(".csv") {
        let summary = try field.run(
          ["replay", "\(path)/\(name)", "--places", "places.csv", "--limit", "4"] + slots
            + ["--events", "summary", "--quiet"]
        ).output
        dropped += Int(try #require(summary.firstMatch(of: /"dropped":(\d+),/)).1) ?? 0
      }
    }
    #expect(dropped == lost)
    let text = try field.analyze(slots + ["--format", "text"]).output
    let days = 4.0
    let rate = (Double(lost - lostAlone) / days * 100).rounded() / 100
    let shown = rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
    #expect(text.contains("The stories cost \(lost - lostAlone) reminders"))
    #expect(text.contains(", \(shown) per reader and day: "))
    #expect(text.contains("\(44 - lost) of 44 were shown, and \(44 - lostAlone) of 44 without"))
  }

  @Test("Parts are merged to what one analysis finds, from tracks and from sums")
  func merged() throws {
    let field = try field()
    let paths = ["tracks/walk-1000.csv", "tracks/more/walk-1001.csv"]
    for sums in [[], ["--sums"]] {
      for (number, path) in paths.enumerated() {
        let part = try field.analyze(
          slots + sums + ["--output", "\(number).ndjson", "--quiet"], tracks: [path])
        #expect(part.status == 0, "\(part.errors)")
      }
      let merged = try field.run(["analyze", "--merge", "0.ndjson", "1.ndjson"])
      #expect(merged.status == 0, "\(merged.errors)")
      let whole = try field.analyze(slots + ["--format", "ndjson"], tracks: paths)
      let (one, other) = (try reminders(merged.output), try reminders(whole.output))
      #expect(one.among == other.among && one.alone == other.alone)
    }
    let refused = try field.run(["analyze", "--merge", "0.ndjson"] + slots)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--reminders cannot be used with --merge"))
  }
}
