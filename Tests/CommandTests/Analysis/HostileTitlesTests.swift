import Foundation
import TestSupport
import Testing

/// Titles that attack whoever shows them, through every form of output.
@Suite("Hostile titles")
struct HostileTitlesTests {
  private static let stories =
    Document.project.appendingPathComponent("Data/stories/hostile.csv").path
  private static let walk =
    Document.project.appendingPathComponent("Data/tracks/walk.gpx").path

  private func replay(_ format: String) throws -> String {
    let result = try Command.run([
      "replay", Self.walk, "--places", Self.stories, "--format", format, "--quiet",
    ])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// The titles as NDJSON has them, which a program reads back as they are.
  private func titles() throws -> Set<String> {
    let found = try Fieldwork.objects(try replay("ndjson")).compactMap { $0["title"] as? String }
    #expect(found.count == 14)
    return Set(found)
  }

  @Test("NDJSON keeps every title on one line, without terminal or markup control characters")
  func ndjson() throws {
    let text = try replay("ndjson")
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(!Self.isObeyed(scalar), "U+\(String(scalar.value, radix: 16))")
    }
    #expect(!text.contains("<"))
    #expect(try titles().contains("</script><img src=x onerror=\"document.title='owned'\">"))
    #expect(try titles().contains("first line\nsecond line\r\nthird line"))
  }

  @Test("GeoJSON has the same titles")
  func geojson() throws {
    let text = try replay("geojson")
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let features = try #require(whole["features"] as? [[String: Any]])
    let found = features.compactMap { ($0["properties"] as? [String: Any])?["title"] as? String }
    #expect(Set(found).isSuperset(of: try titles()))
  }

  @Test("GPX is well-formed XML, whatever the titles say")
  func gpx() throws {
    let text = try replay("gpx")
    #expect(!text.contains("<img") && !text.contains("<script"))
    #expect(!text.contains("href=\"javascript:"), "no link that runs something")
    #expect(text.contains("href=\"https://"))
    let scratch = try Scratch()
    let path = try scratch.write("alerts.gpx", text)
    // The program's own reader is as strict as XML is.
    let back = try Command.run(["places", "import", path, "--store", scratch.path("s.sqlite")])
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.output.contains("\"imported\":14"))
  }

  @Test("CSV keeps its columns and titles, and quotes would-be formulas")
  func csv() throws {
    let scratch = try Scratch()
    let text = try replay("csv")
    let path = try scratch.write("alerts.csv", text)
    let script = """
      import csv, json, sys
      rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))
      print(json.dumps([len(set(map(len, rows))), [row[rows[0].index("title")] for row in rows
                        if row[0] == "alert"]]))
      """
    let python = try LiveProcess("python3", ["-c", script, path])
    try python.end()
    let read = Data(python.outputText.utf8)
    let found = try #require(try JSONSerialization.jsonObject(with: read) as? [Any])
    #expect(found[0] as? Int == 1, "every row has as many columns")
    let harmless = try titles().map { title in
      let isFormula = title.hasPrefix("=") || title.hasPrefix("-")
      let shown = title.unicodeScalars.map { scalar in
        (0..<0x20).contains(scalar.value) && scalar != "\n" && scalar != "\r"
          || (0x7F..<0xA0).contains(scalar.value) ? "\u{FFFD}" : String(scalar)
      }
      return (isFormula ? "'" : "") + shown.joined()
    }
    #expect(Set(try #require(found[1] as? [String])) == Set(harmless))
  }

  @Test(
    "Text has no terminal control characters",
    arguments: ["replay", "analyze", "explain"])
  func text(command: String) throws {
    let more = command == "explain" ? ["--place", "terminal"] : []
    let result = try Command.run(
      [command, Self.walk, "--places", Self.stories, "--format", "text"] + more)
    #expect(result.status == 0)
    for scalar in (result.output + result.errors).unicodeScalars where scalar != "\n" {
      #expect(!Self.isObeyed(scalar), "U+\(String(scalar.value, radix: 16))")
    }
  }

  /// Whether a terminal does something else than showing it: control characters, and marks that turn
  /// the direction of what follows.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
