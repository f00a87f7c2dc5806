import Foundation
import TestSupport
import Testing

@Suite("Parts of tracks, and the pages of sweeps and comparisons")
struct SelectionCommandTests {
  private func totals(_ result: Command.Result) throws -> [String: Any] {
    try #require(try Fieldwork.objects(result.output).last { $0["type"] as? String == "totals" })
  }

  // The walks begin at 10:00, 11:00 … 15:00 UTC on one day and have a fix a minute, twelve in all.
  @Test("A period is by the clock of --time-zone, a day counts as a whole, an end is not in it")
  func period() throws {
    let field = try Fieldwork()
    func fixes(_ options: [String]) throws -> Int? {
      let result = try field.analyze(["--format", "ndjson", "--quiet"] + options)
      #expect(result.status == 0, "\(options): \(result.errors)")
      return try totals(result)["fixes"] as? Int
    }
    #expect(try fixes(["--from", "2026-03-04", "--to", "2026-03-04"]) == 72)
    #expect(try fixes(["--from", "2026-03-04T12:05:00Z", "--to", "2026-03-04T14:03:00Z"]) == 22)
    // In Kiritimati the fourth of March ends at 10:00 UTC.
    let zone = ["--time-zone", "Pacific/Kiritimati"]
    #expect(try fixes(["--from", "2026-03-05"] + zone) == 72)
    for day in ["4.3.2026", "4 March 2026", "2026-03-04T00:00", "2026-03-04T00:00:00Z"] {
      #expect(try fixes(["--from", day]) == 72, "\(day)")
    }
    for time in [
      "2026-03-04T14:03 UTC", "2026-03-04 15:03+01:00", "2026-03-04T15:03[Europe/Berlin]",
      "2026-03-04 15:03 Europe/Berlin",
    ] {
      #expect(try fixes(["--from", "2026-03-04T12:05", "--to", time]) == 22, "\(time)")
    }
    let none = try field.analyze(["--format", "ndjson", "--to", "2026-03-04"] + zone)
    #expect(none.status == 65)
    #expect(none.errors.contains("no walk has a fix in the period and box"))
  }

  @Test("A box counts what is left out, names tracks outside of it, and fails no run")
  func box() throws {
    let field = try Fieldwork()
    try field.scratch.write(
      "tracks/far.csv", Fieldwork.walk(0).replacingOccurrences(of: "39.9", with: "49.9"))
    let result = try field.analyze(
      ["--format", "ndjson", "--bbox", "-75.2,39.94,-75.1,39.945", "--strict"])
    #expect(result.status == 0, "\(result.errors)")
    let found = try totals(result)
    #expect(found["tracks"] as? Int == 6 && found["skipped"] as? Int == 1)
    let inside = try #require(found["fixes"] as? Int)
    let outside = try #require(found["fixesOutside"] as? Int)
    #expect(inside + outside == 72 && outside > 10)
    #expect(result.output.contains("no fix in the period and box (0 of 12)"))
    let settings = try #require(try Fieldwork.objects(result.output).first)
    #expect(settings["bbox"] as? [Double] == [-75.2, 39.94, -75.1, 39.945])
    #expect(result.errors.contains("outside the period or box, not counted"))
    // A sweep takes the same fixes.
    let sweep = try field.run([
      "sweep", "tracks", "--places", "places.csv", "--limit", "4", "--refresh", "fixed",
      "--significant-change", "500", "--bbox", "-75.2,39.94,-75.1,39.945", "--format", "ndjson",
    ])
    let row = try #require(try Fieldwork.objects(sweep.output).first)
    #expect(row["lengthMillimeters"] as? Int == found["lengthMillimeters"] as? Int)
    #expect(row["travelMilliseconds"] as? Int == found["travelMilliseconds"] as? Int)
    #expect(row["missed"] as? Int == found["missed"] as? Int)
  }

  @Test("--report writes a page of a comparison, which holds its numbers and needs no other file")
  func comparisonPage() throws {
    let field = try Fieldwork()
    _ = try field.analyze(["--output", "now.ndjson", "--quiet"])
    _ = try field.analyze(["--output", "then.ndjson", "--quiet", "--refresh", "adaptive"])
    let arguments = ["compare", "now.ndjson", "then.ndjson", "--format", "ndjson"]
    let result = try field.run(arguments + ["--report", "page.html"])
    #expect(result.status == 0, "\(result.errors)")
    let page = try field.scratch.text("page.html")
    let line = try #require(result.output.split(separator: "\n").first)
    #expect(page.contains(line) && page.hasSuffix("</html>\n"))
    #expect(!page.contains("src=") && !page.contains("<link rel=\"stylesheet\""))
    #expect(try field.run(arguments).output == result.output)
    let clash = try field.run(arguments + ["--report", "now.ndjson"])
    #expect(clash.status != 0 && !clash.errors.isEmpty)
  }
}
