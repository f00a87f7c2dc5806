import Foundation
import TestSupport
import Testing

/// What the commands say of fixes that are refused, above all where more are refused than kept.
@Suite("Refused fixes")
struct RejectionTests {
  private let sentence =
    "fencepost: lossy.csv: 5 fixes were refused (coordinate 3, malformed 2), only 2 accepted\n"

  /// A walk, one of which most is no fix, and one with a single bad row.
  private func makeField() throws -> Fieldwork {
    let field = try Fieldwork(tracks: 1)
    try field.scratch.write("good.csv", Fieldwork.walk(1))
    let bad = String(repeating: "2026-03-04T18:00:00Z,95,0\n", count: 3)
    let broken = String(repeating: "2026-03-04T18:00:00Z,\"3\"9,0\n", count: 2)
    let rows = Fieldwork.walk(2).split(separator: "\n").prefix(3).joined(separator: "\n") + "\n"
    try field.scratch.write("lossy.csv", rows + bad + broken)
    try field.scratch.write("one.csv", Fieldwork.walk(3) + "2026-03-04T18:00:00Z,95,0\n")
    return field
  }

  /// What a table says of coordinates that cannot be.
  private static let hint =
    "line 4: the latitude “95” is not within ±90°; write coordinates in decimal degrees, such as "
    + "52.1003 and -11.603"

  private func run(_ field: Fieldwork, _ words: [String]) throws -> Command.Result {
    try field.run(words + ["--places", "places.csv"])
  }

  @Test(
    "Every command that reads tracks warns and exits with 65 when more fixes are refused than kept",
    arguments: [
      ["replay", "lossy.csv", "--quiet"],
      ["analyze", "lossy.csv", "--quiet", "--format", "ndjson"],
      ["analyze", "lossy.csv", "--format", "text"],
      ["analyze", "lossy.csv", "--quiet", "--format", "csv"],
      ["analyze", "lossy.csv", "--quiet", "--format", "geojson"],
      ["sweep", "lossy.csv", "--limit", "10"],
      ["explain", "lossy.csv", "--place", "place-101"],
    ])
  func loss(words: [String]) throws {
    let result = try run(try makeField(), words)
    #expect(result.status == 65)
    #expect(result.errors == "fencepost: lossy.csv: \(Self.hint)\n" + sentence)
    #expect(!result.output.isEmpty, "what was good is reported")
  }

  @Test("A live session warns at its end and exits with 65")
  func live() throws {
    let field = try makeField()
    let result = try Command.run(
      ["live", "-", "--places", "places.csv", "--track", "lossy.csv"],
      input: try field.scratch.text("lossy.csv"), in: field.scratch.url)
    #expect(result.status == 65)
    #expect(result.errors == "fencepost: standard input: \(Self.hint)\n" + sentence)
    #expect(result.output.contains(#""fixes":2"#))
  }

  @Test(
    "No command warns when fewer fixes are refused than kept",
    arguments: [
      ["replay", "one.csv", "--quiet"], ["analyze", "one.csv", "--quiet"],
      ["sweep", "one.csv", "--limit", "10"], ["explain", "one.csv", "--place", "place-101"],
    ])
  func fewer(words: [String]) throws {
    let result = try run(try makeField(), words)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
  }

  @Test("Text has a table of refusals, most first, and a line in the totals")
  func text() throws {
    let field = try makeField()
    let words = ["analyze", "good.csv", "one.csv", "lossy.csv", "--format", "text"]
    let result = try run(field, words)
    #expect(
      result.output.contains(
        """

        Refused fixes
        Walk       accepted  refused  why
        lossy.csv         2        5  coordinate 3, malformed 2
        one.csv          12        1  coordinate 1

        """))
    #expect(result.output.contains("\n6 fixes refused: coordinate 4, malformed 2\n"))
    let good = try run(field, ["analyze", "good.csv", "--format", "text"])
    #expect(!good.output.contains("efused"))
  }

  @Test("With machine-readable reports, refusals per track go to standard error")
  func standardError() throws {
    let field = try makeField()
    let words = ["analyze", "good.csv", "one.csv", "lossy.csv", "--format", "csv"]
    let result = try run(field, words)
    #expect(
      result.errors.hasPrefix(
        "fencepost: one.csv: 1 fix refused: coordinate 1\nfencepost: lossy.csv: \(Self.hint)\n"
          + sentence))
    #expect(result.errors.contains("\n6 fixes refused: coordinate 4, malformed 2\n"))
  }

  @Test("With many tracks, one screen of refusals is listed and the rest counted")
  func many() throws {
    let field = try Fieldwork(tracks: 40)
    for name in try FileManager.default.contentsOfDirectory(atPath: field.scratch.path("tracks"))
    where name.hasSuffix(".csv") {
      let track = try field.scratch.text("tracks/\(name)")
      try field.scratch.write("tracks/\(name)", track + "2026-03-04T23:00:00Z,95,0\n")
    }
    for number in 0..<30 {
      try field.scratch.write(
        "tracks/more-\(number).csv", Fieldwork.walk(number) + "2026-03-04T23:00:00Z,95,0\n")
    }
    let errors = try run(field, ["analyze", "tracks", "--format", "csv", "--keep-duplicates"])
      .errors
    let told = errors.split(separator: "\n").count { $0.contains("1 fix refused") }
    #expect(told == 25)
    #expect(errors.contains("fencepost: … and 19 more walks with refused fixes"))
  }

  @Test("The page shows refusals in its track table, and a warning on top if there are too many")
  func page() throws {
    let field = try makeField()
    let words = ["--quiet", "--output", "a.ndjson", "--report", "a.html"]
    #expect(try run(field, ["analyze", "one.csv", "lossy.csv"] + words).status == 65)
    let page = try field.scratch.text("a.html")
    #expect(page.contains(#""rejected":5,"reasons":"coordinate 3, malformed 2""#))
    #expect(page.contains("1 walk lost more GPS fixes than it kept"))
    #expect(page.contains("lossy.csv: 5 fixes were refused (coordinate 3, malformed 2), only 2"))
    #expect(page.contains("(6 rejected)"))
    #expect(try run(field, ["analyze", "good.csv"] + words).status == 0)
    #expect(!(try field.scratch.text("a.html")).contains("lost more GPS fixes"))
  }

  @Test("A merge keeps refusals; those of old analyses as a total")
  func merged() throws {
    let field = try makeField()
    _ = try run(field, ["analyze", "one.csv", "--quiet", "--output", "a.ndjson"])
    _ = try run(field, ["analyze", "lossy.csv", "--quiet", "--output", "b.ndjson"])
    let joined = try field.run(["analyze", "--merge", "a.ndjson", "b.ndjson"])
    #expect(joined.status == 65)
    #expect(joined.errors == sentence)
    #expect(joined.output.contains(#""rejectedByReason":{"coordinate":4,"malformed":2}"#))
    let old = try field.scratch.text("b.ndjson")
      .replacing(/,"rejectedByReason":\{[^}]*\}/, with: "")
    try field.scratch.write("old.ndjson", old)
    let joinedOld = try field.run(["analyze", "--merge", "a.ndjson", "old.ndjson"])
    #expect(joinedOld.status == 0)
    #expect(joinedOld.output.contains(#""rejected":6,"rejectedByReason":{"coordinate":1}"#))
  }

  @Test("A track left without a fix is skipped with the reasons")
  func empty() throws {
    let field = try makeField()
    try field.scratch.write("none.csv", "time,lat,lon\n2026-03-04T18:00:00Z,95,0\n")
    for words in [["analyze"], ["sweep", "--limit", "10"]] {
      let result = try run(field, words + ["none.csv", "one.csv"])
      #expect(result.status == 65)
      #expect(
        result.errors.hasPrefix(
          "fencepost: none.csv: no fixes; refused: coordinate 1: line 2: the latitude “95” is not "
            + "within ±90°; write coordinates in decimal degrees, such as 52.1003 and -11.603\n"),
        "\(result.errors)")
    }
  }

  @Test("A track of 0,0 only is bad input; one of void fixes only is not")
  func sound() throws {
    let field = try makeField()
    try field.scratch.write("null.csv", "time,lat,lon\n2026-03-04T18:00:00Z,0,0\n")
    try field.scratch.write("void.nmea", "$GPRMC,120000,V,,,,,,,040326,,,N*53\r\n")
    for (track, status) in [("null.csv", 65), ("void.nmea", 0)] as [(String, Int32)] {
      #expect(try run(field, ["replay", track, "--quiet"]).status == status)
      let live = try Command.run(
        ["live", "-", "--places", "places.csv"], input: try field.scratch.text(track),
        in: field.scratch.url)
      #expect(live.status == status)
    }
  }
}
