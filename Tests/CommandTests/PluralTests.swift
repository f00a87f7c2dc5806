import Foundation
import TestSupport
import Testing

@Suite("Singular and plural")
struct PluralTests {
  /// A folder with one place and a track of one fix inside it.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("p.csv", "title,lat,lon,radius\nHall,39.94,-75.15,50\n")
    try scratch.write("t.csv", "time,lat,lon\n2026-03-04T17:00:00Z,39.94,-75.15\n")
    return scratch
  }

  @Test("One place is counted in the singular")
  func places() throws {
    let scratch = try makeFolder()
    let imported = try Command.run(
      ["places", "import", "p.csv", "--store", "s", "--format", "text"], in: scratch.url)
    #expect(imported.errors.contains("warning: 1 of 1 story has a radius below 100 m. "))
    #expect(imported.errors.contains("warning: 1 row has no id, so Fencepost generated one. "))
    let statistics = try Command.run(
      ["places", "stats", "--store", "s", "--format", "text"], in: scratch.url)
    #expect(statistics.output.hasPrefix("1 story at 1 position, "))
  }

  @Test("One of anything is counted in the singular in analyses and replays")
  func tracks() throws {
    let scratch = try makeFolder()
    let options = ["t.csv", "--places", "p.csv", "--limit", "1"]
    let analysis = try Command.run(["analyze"] + options + ["--format", "text"], in: scratch.url)
    #expect(
      analysis.output.contains(
        "\n1 walk, 0 m, 1 fix; 1 story; rule: 1 story by nearest center, looked up every 500 m\n"))
    #expect(analysis.output.contains("\n1 lookup, "))
    let replay = try Command.run(["replay"] + options + ["--initial", "enter"], in: scratch.url)
    #expect(
      replay.errors.hasSuffix(
        "1 walk, 1 fix\n1 lookup, 1 entry, 1 alert\n0 stories never watched\n"))
    try scratch.write("two.csv", "title,lat,lon\nHall,39.94,-75.15\nFar,0,0\n")
    let other = try Command.run(
      ["replay", "t.csv", "--places", "two.csv", "--limit", "1"], in: scratch.url)
    #expect(
      other.errors.hasSuffix(
        "1 walk, 1 fix\n1 lookup, 0 entries, 0 alerts\n1 story never watched\n"),
      "\(other.errors)")
  }
}
